"""From data files, overrides and rule options to the TABLES record of a run."""

from __future__ import annotations

import csv
import hashlib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from .data import reader
from .errors import BadFile, BadValue, UnknownName, nearest, unknown
from .rules import ids
from .rules import tables as layout
from .whole_numbers import whole_number

PLAYER_COUNTS = (2, 3, 4, 5)
NOT_BUILT = ("promo_monsters", "mystics", "gods")

# columns of cards.csv that an override may change, and the kinds of card that have them
_UPGRADES = ("warrior", "leader", "ship", "monster", "clan")
_COLUMN_KINDS = {
    "cost_or_str": _UPGRADES,
    "battle_str": ("battle",),
    "figure_str": ("warrior", "leader", "ship", "monster"),
    "glory": ("quest",),
    "amount": (*_UPGRADES, "battle", "quest"),
    "copies_2p": (*_UPGRADES, "battle", "quest"),
    "copies_3p": (*_UPGRADES, "battle", "quest"),
    "copies_4p": (*_UPGRADES, "battle", "quest"),
    "copies_5p": (*_UPGRADES, "battle", "quest"),
}
_MAX_COPIES = 8
_MAX_NUMBER = 99

# numbers of board.toml that an override may change: path -> (least, most)
_BOARD_RANGES: dict[str, tuple[int, int]] = {
    "pillage_tokens.rage": (0, 8),
    "pillage_tokens.axes": (0, 8),
    "pillage_tokens.horns": (0, 8),
    "pillage_tokens.glory": (0, 8),
    "pillage_tokens.glory_value": (0, _MAX_NUMBER),
    "ragnarok.glory_per_figure": (0, _MAX_NUMBER),
    "ragnarok.pre_destroyed.2": (0, 5),
    "ragnarok.pre_destroyed.3": (0, 5),
    "ragnarok.pre_destroyed.4": (0, 5),
    "ragnarok.pre_destroyed.5": (0, 5),
    "tracks.rage": (0, 50),
    "tracks.axes": (0, _MAX_NUMBER),
    "tracks.horns": (0, 20),
    "tracks.end_bonus": (0, _MAX_NUMBER),
    "tracks.start_step": (1, 6),
    "clan.warriors": (0, 12),
    "clan.leaders": (0, 1),
    "clan.ships": (0, 1),
    "clan.str_warrior": (0, 20),
    "clan.str_leader": (0, 20),
    "clan.str_ship": (0, 20),
    "clan.glory": (0, _MAX_NUMBER),
    "clan.slots.warrior": (0, 1),
    "clan.slots.leader": (0, 1),
    "clan.slots.ship": (0, 1),
    "clan.slots.monster": (0, layout.N_MONSTER_SLOTS),
    "clan.slots.clan": (0, layout.SLOT_ROOM[ids.CARD_KIND_CLAN]),
    "draft.deal": (1, layout.MAX_PACK),
    "draft.keep": (1, 8),
    "draft.picks_per_pass.2": (1, 4),
    "draft.picks_per_pass.3": (1, 4),
    "draft.picks_per_pass.4": (1, 4),
    "draft.picks_per_pass.5": (1, 4),
    "draft.no_draft_deal": (1, layout.MAX_PACK),
    "phases.keep_cards": (0, 6),
    "costs.march": (0, 20),
}


@dataclass(frozen=True)
class Ruleset:
    """Everything that decides the rules of a run.

    Attributes
    ----------
    options : value by name of each rule option
    cards : rows of cards.csv, overrides applied
    board : board.toml, overrides applied
    """

    options: Mapping[str, str]
    cards: tuple[Mapping[str, str], ...]
    board: Mapping[str, Any]
    card_changes: tuple[tuple[str, str, str, str], ...] = ()
    board_changes: Mapping[str, Any] = field(default_factory=dict)

    def tables(self) -> np.recarray:
        """TABLES array of one record, the caller's own."""
        return np.frombuffer(bytearray(self._table_bytes), layout.TABLES).view(np.recarray)

    @cached_property
    def _table_bytes(self) -> bytes:
        # bytes, because a copy of the array would leave its padding undefined, which tables_hash counts
        return build_tables(self).tobytes()

    def cards_by_copy(self) -> dict[str, list[Any]]:
        """The physical cards of all decks as lists by column of tables_out.CARD_COLUMNS."""
        tables = self.tables()[0]
        numbers = [int(number) for number in tables.card_of if number != layout.NO_CARD]
        rows = [self.cards[number] for number in numbers]
        least = [
            min((players for players in PLAYER_COUNTS if (tables.deck[players] == copy).any()), default=0)
            for copy in range(len(numbers))
        ]
        columns = {name: [row[name] for row in rows] for name in ("kind", "god", "name_pl")}
        return {
            "copy": list(range(len(numbers))),
            "card": [row["id"] for row in rows],
            "number": numbers,
            "age": [int(row["age"]) for row in rows],
            "name": [row["name_en"] for row in rows],
            "least_players": least,
            **columns,
        }

    def describe(self) -> dict[str, Any]:
        """What differs from the game as it is, for provenance: options, card and board overrides."""
        return {
            "rules": dict(self.options),
            "cards": [list(change) for change in self.card_changes],
            "board": dict(self.board_changes),
        }


def rule_defaults() -> dict[str, str]:
    """Default value of every rule option."""
    return {row["name"]: row["values"].split("|")[0] for row in reader.rule_rows()}


def rule_values() -> dict[str, tuple[str, ...]]:
    """All values of every rule option, the default first."""
    return {row["name"]: tuple(row["values"].split("|")) for row in reader.rule_rows()}


def check_options(given: Mapping[str, Any], where: str) -> dict[str, str]:
    """Complete and check rule options.

    Raises
    ------
    UnknownName : no such option
    BadValue : a value that the option does not have, or a variant that is not built yet
    """
    values = rule_values()
    options = rule_defaults()
    for name, value in given.items():
        if name not in values:
            raise unknown("rule option", str(name), values, where)
        if isinstance(value, bool):  # TOML and YAML readers turn on/off words into booleans when they are not quoted
            raise BadValue(f"rule option {name} in {where} is {value!r}; write one of: {', '.join(values[name])}, in quotes")
        if value not in values[name]:
            raise BadValue(f"rule option {name} in {where} has no value {value!r}; allowed: {', '.join(values[name])}")
        if name in NOT_BUILT and value == "on":
            raise BadValue(f"rule option {name} in {where} is 'on', but this variant is not built yet; allowed: off")
        options[name] = value
    return options


def load_toml(path: Path, what: str) -> dict[str, Any]:
    """A TOML file as a dict.  Raises BadFile with the line of the fault."""
    try:
        with path.open("rb") as handle:
            return tomllib.load(handle)
    except OSError as error:
        raise BadFile(f"{what} {path} cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:  # of TOML, of letters, and of numbers with thousands of digits
        raise BadFile(f"{what} {path} is no TOML file: {error}") from None


def parse_rule(text: str) -> tuple[str, str]:
    """'name=value' as a pair.  Raises BadValue."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise BadValue(f"--rule takes name=value, not {text!r}; bloodrage rules lists all names and values")
    return name.strip(), value.strip()


def load_card_changes(path: Path) -> list[tuple[str, str, str, str]]:
    """Rows (id, age, column, value) of a card override file; an empty age means every age of the card."""
    try:
        with path.open(encoding="utf-8", newline="") as handle:
            reader_ = csv.reader(handle)
            rows = [[cell.strip() for cell in row] for row in reader_]
    except OSError as error:
        raise BadFile(f"card override file {path} cannot be read: {error.strerror or error}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise BadFile(f"card override file {path} is no CSV file: {error}") from None
    header = ["id", "age", "column", "value"]
    if not rows or rows[0] != header:
        raise BadFile(f"card override file {path}, line 1: the header must be {','.join(header)}")
    changes = []
    for line, row in enumerate(rows[1:], start=2):
        if not any(row):
            continue
        if len(row) != 4:
            raise BadFile(f"card override file {path}, line {line}: {len(row)} cells, need 4 (id,age,column,value)")
        changes.append((row[0], row[1], row[2], row[3]))
        _check_card_change(changes[-1], f"{path}, line {line}")
    return changes


def _check_card_change(change: tuple[str, str, str, str], where: str) -> list[int]:
    card_id, age, column, value = change
    rows = reader.card_rows()
    if card_id not in {row["id"] for row in rows}:
        raise unknown("card", card_id, {row["id"] for row in rows}, where)
    matching = [number for number, row in enumerate(rows) if row["id"] == card_id and age in ("", row["age"])]
    if not matching:
        ages = ", ".join(row["age"] for row in rows if row["id"] == card_id)
        raise BadValue(f"{where}: {card_id} has no age {age!r}; allowed: {ages}, or nothing for all")
    if column not in _COLUMN_KINDS:
        raise UnknownName(f"{where}: column {column!r} cannot be changed{nearest(column, _COLUMN_KINDS)}")
    row = rows[matching[0]]
    if row["kind"] not in _COLUMN_KINDS[column]:
        raise BadValue(f"{where}: {card_id} is a {row['kind']} card and has no {column}")
    if column in ("amount", "battle_str") and not row[column].isdigit():
        raise BadValue(f"{where}: {card_id} has no number in column {column}")
    if column == "amount" and row["effect"] == "warrior_str":
        raise BadValue(f"{where}: the number of {card_id} is its figure_str")
    most = _MAX_COPIES if column.startswith("copies") else 2 if row["effect"] == "action_sacrifice_for_stat" and column == "amount" else _MAX_NUMBER
    number = whole_number(value)
    if number is None or number > most:
        raise BadValue(f"{where}: {column} of {card_id} is {value!r}; allowed: whole numbers 0 to {most}")
    return matching


def _change_cards(changes: Iterable[tuple[str, str, str, str]]) -> tuple[dict[str, str], ...]:
    rows = [dict(row) for row in reader.card_rows()]
    for change in changes:
        for number in _check_card_change(change, f"card override {','.join(change)}"):
            rows[number][change[2]] = str(int(change[3]))
    return tuple(rows)


def _flatten(tree: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat = {}
    for key, value in tree.items():
        if isinstance(value, Mapping):
            flat.update(_flatten(value, f"{prefix}{key}."))
        else:
            flat[f"{prefix}{key}"] = value
    return flat


def _checked_number(value: Any, least: int, most: int, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadValue(f"{where} is {value!r}; allowed: whole numbers {least} to {most}")
    return value


def _change_board(changes: Mapping[str, Any], where: str) -> dict[str, Any]:
    board = _copy_tree(reader.board())
    villages = {row["id"]: row for row in board["province"]}
    for key, value in _flatten(changes).items():
        if key.startswith("villages."):
            province = key.removeprefix("villages.")
            if province not in villages or villages[province]["villages"] == 0:
                outer = [name for name, row in villages.items() if row["villages"]]
                raise unknown("province with villages", province, outer, f"{where}, key {key}")
            villages[province]["villages"] = _checked_number(value, 1, 20, f"{where}: {key}")
            continue
        if key not in _BOARD_RANGES:
            known = [*_BOARD_RANGES, "villages.<province>"]
            raise UnknownName(f"{where}: key {key!r} cannot be changed{nearest(key, known)}")
        *path, last = key.split(".")
        node = board
        for part in path:
            node = node[part]
        least, most = _BOARD_RANGES[key]
        if isinstance(node[last], list):
            if not isinstance(value, list) or len(value) != len(node[last]):
                raise BadValue(f"{where}: {key} must be a list of {len(node[last])} whole numbers {least} to {most}")
            node[last] = [_checked_number(item, least, most, f"{where}: {key}") for item in value]
        else:
            node[last] = _checked_number(value, least, most, f"{where}: {key}")
    horns = board["tracks"]["horns"]
    if horns != sorted(horns):
        raise BadValue(f"{where}: tracks.horns is {horns}; figures on the board are never taken back, so it must not fall from step to step")
    tokens = sum(board["pillage_tokens"][kind] for kind in ("rage", "axes", "horns", "glory"))
    outer_provinces = ids.N_PROVINCES - 1
    if tokens != outer_provinces:
        raise BadValue(f"{where}: {tokens} pillage tokens for {outer_provinces} outer provinces; they must be as many")
    if board["draft"]["keep"] > board["draft"]["deal"]:
        raise BadValue(f"{where}: draft.keep {board['draft']['keep']} is more than draft.deal {board['draft']['deal']}")
    for players, picks in board["draft"]["picks_per_pass"].items():
        if board["draft"]["keep"] % picks:
            raise BadValue(f"{where}: draft.keep must be a multiple of draft.picks_per_pass.{players} = {picks}")
    return board


def _copy_tree(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: _copy_tree(value) for key, value in node.items()}
    if isinstance(node, list):
        return [_copy_tree(value) for value in node]
    return node


def ruleset_of_run(run: Mapping[str, Any], where: str) -> Ruleset:
    """The ruleset of a run as Ruleset.describe told it, such as in a manifest.  Raises UnknownName or BadValue."""
    return make_ruleset(run["rules"], [tuple(change) for change in run["cards"]], run["board"], where=where)


def make_ruleset(
    options: Mapping[str, Any] | None = None,
    card_changes: Iterable[tuple[str, str, str, str]] = (),
    board_changes: Mapping[str, Any] | None = None,
    where: str = "the rule options",
    board_where: str = "the board override",
) -> Ruleset:
    """Check options and overrides and put them together.

    Raises UnknownName or BadValue with the place and what is allowed.
    """
    changes = tuple(tuple(change) for change in card_changes)
    return Ruleset(
        options=check_options(options or {}, where),
        cards=_change_cards(changes),
        board=_change_board(board_changes or {}, board_where),
        card_changes=changes,  # type: ignore[arg-type]
        board_changes=dict(board_changes or {}),
    )


def check_decks(ruleset: Ruleset, players: int) -> None:
    """Raise BadValue if the decks have too few cards for `players`, or too many for the core."""
    drafting = ruleset.options["draft"] == "on"
    size = ruleset.board["draft"]["deal" if drafting else "no_draft_deal"]
    for age in range(1, ids.N_AGES + 1):
        deck = sum(copies_of(row, players) for row in ruleset.cards if row["age"] == str(age))
        if deck < size * players:
            raise BadValue(
                f"the deck of age {age} has {deck} cards with {players} players, but {size * players} are dealt; "
                f"raise copies_{players}p or lower draft.deal"
            )
        if deck > layout.MAX_DECK:
            raise BadValue(f"the deck of age {age} has {deck} cards with {players} players; at most {layout.MAX_DECK} fit")


def copies_of(row: Mapping[str, str], players: int) -> int:
    """Copies of a card in the deck of its age with `players` players.  Rule 2.6."""
    return int(row[f"copies_{players}p"]) if row["source"] in ("base", "p5") else 0


def _number(cell: str) -> int:
    return int(cell) if cell.isdigit() else 0


def build_tables(ruleset: Ruleset) -> np.recarray:
    """TABLES array of one record for a checked ruleset."""
    array = np.zeros(1, layout.TABLES).view(np.recarray)
    record = array[0]
    _fill_cards(record, ruleset)
    _fill_copies(record, ruleset)
    _fill_board(record, ruleset.board)
    for row in reader.rule_rows():
        setattr(record.rule, row["name"], row["values"].split("|").index(ruleset.options[row["name"]]))
    return array


def _fill_cards(record: Any, ruleset: Ruleset) -> None:
    regions = ids.REGION_NAMES
    faces: dict[tuple[str, ...], int] = {}
    record.kind[:] = -1
    for number in range(layout.N_CARDS):
        record.face[number] = number
    for number, row in enumerate(ruleset.cards):
        record.kind[number] = ids.CARD_KINDS.index(row["kind"])
        record.age[number] = int(row["age"])
        for column, name in (("cost", "cost_or_str"), ("battle_str", "battle_str"), ("figure_str", "figure_str"),
                             ("glory", "glory"), ("amount", "amount")):
            getattr(record, column)[number] = _number(row[name])
        record.effect[number] = ids.EFFECT_NAMES.index(row["effect"])
        record.card_region[number] = regions.index(row["region"]) if row["region"] else ids.REGION_NONE
        # equal cards are one to the player; quests of different ages, or cards with other numbers, are not
        look = (row["id"], row["age"] if row["kind"] == "quest" else "", row["cost_or_str"], row["battle_str"],
                row["figure_str"], row["glory"], row["amount"])
        record.face[number] = faces.setdefault(look, number)


def _fill_copies(record: Any, ruleset: Ruleset) -> None:
    record.card_of[:] = layout.NO_CARD
    record.deck[:] = layout.NO_COPY
    copy = 0
    for number, row in enumerate(ruleset.cards):
        age = int(row["age"]) - 1
        for nth in range(max(int(row[f"copies_{players}p"]) for players in PLAYER_COUNTS)):
            if copy >= layout.N_COPIES - layout.N_SPARE_COPIES:
                raise BadValue(f"the decks have more than {layout.N_COPIES - layout.N_SPARE_COPIES} cards in all")
            record.card_of[copy] = number
            for players in PLAYER_COUNTS:
                if nth < copies_of(row, players):
                    size = record.deck_size[players, age]
                    if size < layout.MAX_DECK:
                        record.deck[players, age, size] = copy
                    record.deck_size[players, age] = min(size + 1, layout.MAX_DECK)
            copy += 1


def _fill_board(record: Any, board: Mapping[str, Any]) -> None:
    places = ids.PLACE_NAMES
    for row in board["province"]:
        province = places.index(row["id"])
        record.villages[province] = row["villages"]
        record.region[province] = ids.REGION_NAMES.index(row["region"])
        for neighbour in board["adjacency"][row["id"]]:
            record.adjacent[province, places.index(neighbour)] = 1
    record.fjord_of[:] = -1
    for row in board["fjord"]:
        fjord = places.index(row["id"])
        for side, name in enumerate(row["provinces"]):
            record.supports[fjord - ids.N_PROVINCES, side] = places.index(name)
            record.fjord_of[places.index(name)] = fjord
    pool = [kind for kind in ("rage", "axes", "horns", "glory") for _ in range(board["pillage_tokens"][kind])]
    record.token_pool[:] = [ids.TOKEN_NAMES.index(kind) for kind in pool]
    record.token_glory = board["pillage_tokens"]["glory_value"]
    record.ragnarok_glory[:] = board["ragnarok"]["glory_per_figure"]
    for stat, name in enumerate(ids.STAT_NAMES):
        record.track[stat, :] = board["tracks"][name]
    record.end_bonus[:] = board["tracks"]["end_bonus"]
    record.start_step = board["tracks"]["start_step"]
    clan = board["clan"]
    record.start_glory = clan["glory"]
    record.base_str[:] = [clan["str_warrior"], clan["str_leader"], clan["str_ship"], clan["str_mystic"]]
    record.clan_figures[:] = [clan["warriors"], clan["leaders"], clan["ships"], 0]
    for kind in range(5):
        record.slots[kind] = clan["slots"][ids.CARD_KINDS[kind]]
    record.deal = board["draft"]["deal"]
    record.keep = board["draft"]["keep"]
    record.no_draft_deal = board["draft"]["no_draft_deal"]
    for players in PLAYER_COUNTS:
        record.pre_destroyed[players] = board["ragnarok"]["pre_destroyed"][str(players)]
        record.picks[players] = board["draft"]["picks_per_pass"][str(players)]
    record.keep_cards[:] = board["phases"]["keep_cards"]
    record.march_cost = board["costs"]["march"]


def tables_hash(tables: np.ndarray) -> str:
    """Hex SHA-256 of all numbers of a run."""
    return hashlib.sha256(np.ascontiguousarray(tables).tobytes()).hexdigest()[:16]
