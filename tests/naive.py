"""The slow twin of the rules engine: plain loops over plain dicts, straight from RULES.md.

It shares nothing with the engine but the two data files.  A position is a dict in the layout of
SCENARIOS.md (as `tomllib` reads it), with two additions: every card carries its age
(``tyrs_crush@2``) and ``position["discard"]`` lists the cards discarded face up.

Every function leaves its argument alone and works on a copy; ``phase``, ``current`` and ``passed``
are never changed.  `answers(seat, kind, legal_moves)` is asked for each decision with two or more
legal answers, in the order of RULES.md; kinds are those of the traces: ``join``, ``card``,
``tide``, ``quest_as_battle``, ``late``, ``witch``, ``protect``, ``raise``, ``hammers``,
``prowess``, ``blessing``, ``succor``.

Where a card other than a quest is held from two ages, they are one and the same to the rules; the
copy listed first in the (sorted) hand moves.  Compare hands without the age of such cards.

Variants: promo monsters are in, Mystics and Gods are refused.
"""

from __future__ import annotations

import copy
import csv
import itertools
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parent.parent / "bloodrage_sim" / "data"

Position = dict[str, Any]
Row = dict[str, Any]
Cards = dict[str, Row]  # "tyrs_crush@2" -> its row
Board = dict[str, Any]  # board.toml as read
Answers = Callable[[int, str, list[str]], str]
Figure = tuple[int, str, str]  # owner's seat, name, place

STATS = ("rage", "axes", "horns")
YGGDRASIL = "yggdrasil"
VALHALLA = "valhalla"
RESERVE = "reserve"
NO_LIMIT = 1000

DEFAULT_RULES = {
    "yggdrasil_reward": "all_stats",
    "march": "anywhere",
    "ship_march": "never",
    "battle_card": "mandatory",
    "call_to_battle": "laps",
    "passed_player": "out",
    "prowess_vs_trickery": "prowess_first",
    "poison_vs_prowess": "poison_first",
    "two_watches": "first_only",
    "watch_counts": "printed",
    "quest_as_battle": "optional",
    "witch_flees_ragnarok": "yes",
    "sacrifice_escape": "no",
    "succor_in_yggdrasil": "no",
    "blessing_in_yggdrasil": "no",
    "blessing_triggers_succor": "yes",
    "domain_after_blessing": "no",
    "dark_elf_yggdrasil_cost": "printed",
    "upgrade_slot": "any",
    "dead_fjord": "closed",
    "mystics": "off",
    "gods": "off",
}


# ---------------------------------------------------------------- data


def read_cards(path: Path) -> Cards:
    """Rows of cards.csv by ``id@age``; numbers as int, empty cells as None.  Rule 1.8."""
    cards: Cards = {}
    with path.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            row: Row = dict(line)
            for column in ("age", "cost_or_str", "figure_str", "glory", "amount"):
                row[column] = int(row[column]) if row[column] else None
            if row["battle_str"] != "X":
                row["battle_str"] = int(row["battle_str"]) if row["battle_str"] else None
            cards[f"{row['id']}@{row['age']}"] = row
    return cards


def read_board(path: Path) -> Board:
    """board.toml as a dict."""
    with path.open("rb") as file:
        return tomllib.load(file)


@cache
def standard_cards() -> Cards:
    """The cards of bloodrage_sim/data, read once."""
    return read_cards(DATA / "cards.csv")


@cache
def standard_board() -> Board:
    """The board of bloodrage_sim/data, read once."""
    return read_board(DATA / "board.toml")


# ---------------------------------------------------------------- the table: position, data, players


@dataclass
class Table:
    """A position in play with the data it needs and whoever answers for the players."""

    position: Position
    cards: Cards
    board: Board
    answers: Answers
    monsters: Cards = field(default_factory=dict)  # by figure name
    provinces: list[str] = field(default_factory=list)
    villages: dict[str, int] = field(default_factory=dict)
    fjords: dict[str, list[str]] = field(default_factory=dict)


def nobody(seat: int, kind: str, legal: list[str]) -> str:
    """Stands for the players where nothing may be asked."""
    raise ValueError(f"seat {seat}: no decision '{kind}' was expected here: {legal}")


def open_table(
    position: Position, answers: Answers, cards: Cards | None, board: Board | None
) -> Table:
    """Copy `position`, bring its lists into a normal form and lay the data beside it."""
    cards = standard_cards() if cards is None else cards
    board = standard_board() if board is None else board
    position = copy.deepcopy(position)
    table = Table(position, cards, board, answers)
    for row in cards.values():
        if row["kind"] == "monster":
            table.monsters[row["id"]] = row
    for province in board["province"]:
        table.provinces.append(province["id"])
        table.villages[province["id"]] = province["villages"]
    for fjord in board["fjord"]:
        table.fjords[fjord["id"]] = fjord["provinces"]
    for variant in ("mystics", "gods"):
        if rule(table, variant) != "off":
            raise ValueError(f"the slow twin does not know the variant '{variant}'")
    position.setdefault("discard", [])
    for clan in position["player"]:
        clan["figures"] = {
            place: sorted(figures)
            for place, figures in clan["figures"].items()
            if figures and place != RESERVE
        }
        clan["hand"] = sorted(clan["hand"])
    return table


def rule(table: Table, option: str) -> str:
    """Value of a rule option in this game.  RULINGS.md, part B."""
    value: str = table.position.get("rules", {}).get(option, DEFAULT_RULES[option])
    return value


def ask(table: Table, seat: int, kind: str, moves: Iterable[str]) -> str:
    """The seat's choice among `moves`; with one legal answer nobody is asked.  Section 18."""
    legal = sorted(set(moves))
    if len(legal) == 1:
        return legal[0]
    move = table.answers(seat, kind, legal)
    if move not in legal:
        raise ValueError(f"seat {seat}: '{move}' is not legal for '{kind}'; legal: {legal}")
    return move


def clan_of(table: Table, seat: int) -> dict[str, Any]:
    """The player's table of `seat`."""
    clan: dict[str, Any] = table.position["player"][seat]
    return clan


def seats_from(table: Table, first: int) -> list[int]:
    """All seats clockwise, beginning with `first`."""
    players = len(table.position["player"])
    return [(first + step) % players for step in range(players)]


# ---------------------------------------------------------------- cards


def card_name(card: str) -> str:
    """``tyrs_crush`` of ``tyrs_crush@2``."""
    return card.split("@")[0]


def written(table: Table, card: str) -> str:
    """The card as moves show it: with its age only if a quest of another age."""
    row = table.cards[card]
    if row["kind"] == "quest" and row["age"] != table.position["age"]:
        return card
    return card_name(card)


def find_card(table: Table, cards: list[str], text: str) -> str:
    """The first of `cards` that is written `text`."""
    for card in cards:
        if written(table, card) == text:
            return card
    raise ValueError(f"no card '{text}' among {cards}")


def upgrades_with(table: Table, seat: int, effect: str) -> list[Row]:
    """Rows of the upgrades on the sheet of `seat` that have `effect`."""
    rows = []
    for card in clan_of(table, seat)["upgrades"]:
        if table.cards[card]["effect"] == effect:
            rows.append(table.cards[card])
    return rows


def has_upgrade(table: Table, seat: int, effect: str) -> bool:
    """Whether an upgrade with `effect` is on the sheet of `seat`."""
    return len(upgrades_with(table, seat, effect)) > 0


def effect_cost(table: Table, seat: int, effect: str) -> int:
    """Rage that a use of the upgrade with `effect` costs: its `amount`.  Rules 5.9.2, 6.10.7, 6.11.3.

    Frigga's Domain has no amount in every edition of the table: it costs 1 (5.10.1).
    """
    amount = upgrades_with(table, seat, effect)[0]["amount"]
    return 1 if amount is None else int(amount)


def upgrade_of_kind(table: Table, seat: int, kind: str) -> Row | None:
    """The warrior, leader or ship upgrade of `seat`, if there is one."""
    for card in clan_of(table, seat)["upgrades"]:
        if table.cards[card]["kind"] == kind:
            return table.cards[card]
    return None


# ---------------------------------------------------------------- figures and places


def figure_effect(table: Table, figure: str) -> str:
    """Effect of the monster card behind `figure`; ``none`` for the others."""
    if figure in table.monsters:
        effect: str = table.monsters[figure]["effect"]
        return effect
    return "none"


def is_ship_like(table: Table, figure: str) -> bool:
    """Ship or Sea Serpent.  Rule 1.4.1."""
    return figure == "ship" or figure_effect(table, figure) == "counts_as_ship"


def is_leader_like(table: Table, figure: str) -> bool:
    """Leader or Mountain Giant.  Rule 1.4.1."""
    return figure == "leader" or figure_effect(table, figure) == "counts_as_leader"


def figures_at(table: Table, seat: int, place: str) -> list[str]:
    """Names of the figures of `seat` in one place, a copy."""
    return list(clan_of(table, seat)["figures"].get(place, []))


def put_figure(table: Table, seat: int, figure: str, place: str) -> None:
    """Add a figure of `seat` to `place`; the reserve keeps no list."""
    if place != RESERVE:
        figures = clan_of(table, seat)["figures"]
        figures[place] = sorted(figures.get(place, []) + [figure])


def take_figure(table: Table, seat: int, figure: str, place: str) -> None:
    """Remove a figure of `seat` from `place`; the reserve keeps no list."""
    if place != RESERVE:
        figures = clan_of(table, seat)["figures"]
        figures[place].remove(figure)
        if not figures[place]:
            del figures[place]


def move_figure(table: Table, seat: int, figure: str, origin: str, destination: str) -> None:
    """Move one figure of `seat` between two places."""
    take_figure(table, seat, figure, origin)
    put_figure(table, seat, figure, destination)


def reserve_of(table: Table, seat: int) -> Counter[str]:
    """Figures of `seat` in the reserve: all it owns that stand nowhere else.  Rule 1.4."""
    start = table.board["clan"]
    owned: Counter[str] = Counter(
        warrior=start["warriors"], leader=start["leaders"], ship=start["ships"]
    )
    for card in clan_of(table, seat)["upgrades"]:
        if table.cards[card]["kind"] == "monster":
            owned[card_name(card)] += 1
    for figures in clan_of(table, seat)["figures"].values():
        for figure in figures:
            owned[figure] -= 1
            if owned[figure] < 0:
                raise ValueError(f"seat {seat} has a '{figure}' too many")
    return +owned


def figures_on_board(table: Table, seat: int) -> list[tuple[str, str]]:
    """(name, place) of every figure of `seat` in provinces and fjords."""
    found = []
    for place, figures in clan_of(table, seat)["figures"].items():
        if place != VALHALLA:
            for figure in figures:
                found.append((figure, place))
    return found


def is_destroyed(table: Table, province: str) -> bool:
    """Whether the province is out of the game.  Rule 1.1."""
    return province in table.position["board"]["destroyed"]


def is_pillaged(table: Table, province: str) -> bool:
    """Whether the province has been pillaged in this age.  Rule 6.9.1."""
    return province in table.position["board"]["pillaged"]


def empty_villages(table: Table, province: str) -> int:
    """Number of figures that may still enter; no limit in Yggdrasil.  Rules 1.1, 1.2."""
    if is_destroyed(table, province):
        return 0
    if province == YGGDRASIL:
        return NO_LIMIT
    room = table.villages[province]
    for seat in seats_from(table, 0):
        room -= len(figures_at(table, seat, province))
    return room


def is_open_fjord(table: Table, fjord: str) -> bool:
    """Whether something may be placed in the fjord.  Rule 1.3.2."""
    if rule(table, "dead_fjord") == "open":
        return True
    return any(not is_destroyed(table, province) for province in table.fjords[fjord])


def places_of_area(table: Table, province: str) -> list[str]:
    """The province and its supporting fjord.  Rule 1.3.1."""
    places = [province]
    for fjord, supported in table.fjords.items():
        if province in supported:
            places.append(fjord)
    return places


def figures_in_area(table: Table, seat: int, province: str) -> list[Figure]:
    """Every figure of `seat` in the area of `province`.  Rule 1.3.1."""
    found = []
    for place in places_of_area(table, province):
        for figure in figures_at(table, seat, place):
            found.append((seat, figure, place))
    return found


# ---------------------------------------------------------------- strength


def figure_strength(table: Table, seat: int, figure: str, place: str) -> int:
    """STR of one figure where it stands, without pairs.  Rule 1.5."""
    strength: int
    if figure in table.monsters:
        row = table.monsters[figure]
        strength = row["figure_str"]
        if row["effect"] == "invade_yggdrasil" and place == YGGDRASIL:
            strength = row["amount"]
        return strength
    upgrade = upgrade_of_kind(table, seat, figure)
    strength = table.board["clan"][f"str_{figure}"] if upgrade is None else upgrade["figure_str"]
    return strength


def warriors_strength(table: Table, seat: int, warriors: int) -> int:
    """STR of so many Warriors of `seat` in one province.  Rule 1.5.1."""
    each = figure_strength(table, seat, "warrior", RESERVE)
    pairs = upgrades_with(table, seat, "warrior_pairs")
    if pairs:
        return int(pairs[0]["amount"]) * (warriors // 2) + each * (warriors % 2)
    return each * warriors


def strength_in(table: Table, seat: int, province: str) -> int:
    """STR of a clan in a province, ships in the fjord included.  Rule 1.5.2."""
    if is_destroyed(table, province):
        return 0
    warriors = 0
    total = 0
    for owner, figure, place in figures_in_area(table, seat, province):
        if figure == "warrior":
            warriors += 1
        else:
            total += figure_strength(table, owner, figure, place)
    return total + warriors_strength(table, seat, warriors)


def strengths(
    position: Position, province: str, cards: Cards | None = None, board: Board | None = None
) -> list[int]:
    """STR of every clan in `province`, by seat; 0 in a destroyed province.  Rules 1.5.1, 1.5.2."""
    table = open_table(position, nobody, cards, board)
    return [strength_in(table, seat, province) for seat in seats_from(table, 0)]


# ---------------------------------------------------------------- glory, rage, stats


def add_glory(table: Table, seat: int, glory: int) -> None:
    """Give glory; it never falls below 0.  Rule 1.7."""
    clan = clan_of(table, seat)
    clan["glory"] = max(0, clan["glory"] + glory)


def stat_value(table: Table, seat: int, stat: str) -> int:
    """Value of the step that the stat stands on.  Rule 1.6."""
    value: int = table.board["tracks"][stat][clan_of(table, seat)["stats"][stat] - 1]
    return value


def raise_stat(table: Table, seat: int, stat: str) -> None:
    """One step up, lost at the last step.  Rule 1.6."""
    stats = clan_of(table, seat)["stats"]
    stats[stat] = min(table.board["tracks"]["steps"], stats[stat] + 1)


def raisable_stats(table: Table, seat: int) -> list[str]:
    """Stats below the last step.  Rule 1.6."""
    stats = clan_of(table, seat)["stats"]
    return [stat for stat in STATS if stats[stat] < table.board["tracks"]["steps"]]


def raise_stat_of_choice(table: Table, seat: int, barred: str | None = None) -> None:
    """Raise a stat of choice other than `barred`; skipped if there is none.  Rule 1.6."""
    moves = [f"raise {stat}" for stat in raisable_stats(table, seat) if stat != barred]
    if moves:
        raise_stat(table, seat, ask(table, seat, "raise", moves).split()[1])


# ---------------------------------------------------------------- moves of a turn (section 5)


def turn_moves(
    position: Position, cards: Cards | None = None, board: Board | None = None
) -> list[str]:
    """Every legal move of the seat in ``current``, sorted; none if it takes no turn.  Rules 5.2-5.10.

    That every province is pillaged (5.2.4) is not looked at: the phase would be over.
    """
    table = open_table(position, nobody, cards, board)
    seat = position["current"]
    if not takes_turns(table, seat):
        return []
    moves = ["pass"]
    moves += invade_moves(table, seat)
    moves += march_moves(table, seat)
    moves += ship_march_moves(table, seat)
    moves += upgrade_moves(table, seat)
    moves += quest_moves(table, seat)
    moves += pillage_moves(table, seat)
    moves += valhalla_invade_moves(table, seat)
    moves += sacrifice_moves(table, seat)
    return sorted(set(moves))


def takes_turns(table: Table, seat: int) -> bool:
    """Whether the clan still has turns in this phase.  Rules 5.2, 5.2.2."""
    clan = clan_of(table, seat)
    if clan["rage"] == 0:
        return False
    return not clan["passed"] or rule(table, "passed_player") == "may_return"


def may_invade_at_all(table: Table, seat: int) -> bool:
    """Whether the horns leave room for one more figure on the board.  Rule 5.3."""
    return len(figures_on_board(table, seat)) < stat_value(table, seat, "horns")


def invade_places(table: Table, seat: int, figure: str) -> list[str]:
    """Places that `figure` may invade now.  Rule 5.4."""
    if not may_invade_at_all(table, seat):
        return []
    if is_ship_like(table, figure):
        return [fjord for fjord in table.fjords if is_open_fjord(table, fjord)]
    places = []
    for province in table.provinces:
        if province == YGGDRASIL and figure_effect(table, figure) != "invade_yggdrasil":
            continue
        if empty_villages(table, province) > 0:
            places.append(province)
    return places


def invade_cost(table: Table, seat: int, figure: str, place: str) -> int:
    """Rage of the action Invade with `figure` into `place`.  Rules 5.5.2, 15.4."""
    for own in figures_at(table, seat, place):
        if figure_effect(table, own) == "free_invade_here" and place != YGGDRASIL:
            return 0
    if is_leader_like(table, figure):
        return 0
    if figure_effect(table, figure) == "free_upgrade_and_invade":
        return 0
    if place == YGGDRASIL and rule(table, "dark_elf_yggdrasil_cost") == "effective":
        return figure_strength(table, seat, figure, YGGDRASIL)
    return figure_strength(table, seat, figure, RESERVE)


def invade_moves(table: Table, seat: int) -> list[str]:
    """Action Invade.  Rule 5.5."""
    moves = []
    for figure in reserve_of(table, seat):
        for place in invade_places(table, seat, figure):
            if invade_cost(table, seat, figure, place) <= clan_of(table, seat)["rage"]:
                moves.append(f"invade {figure} {place}")
    return moves


def multisets(figures: list[str], largest: int) -> set[tuple[str, ...]]:
    """Every choice of 1 to `largest` of `figures`, equal ones alike, each sorted by name."""
    choices = set()
    for size in range(1, min(largest, len(figures)) + 1):
        for choice in itertools.combinations(sorted(figures), size):
            choices.add(choice)
    return choices


def march_moves(table: Table, seat: int) -> list[str]:
    """Action March.  Rules 5.6.1, 5.6.2."""
    moves: list[str] = []
    if clan_of(table, seat)["rage"] < table.board["costs"]["march"]:
        return moves
    for origin in table.provinces:
        walkers = [f for f in figures_at(table, seat, origin) if not is_ship_like(table, f)]
        for destination in table.provinces:
            if destination == origin:
                continue
            if rule(table, "march") == "adjacent" and not are_adjacent(table, origin, destination):
                continue
            for figures in multisets(walkers, empty_villages(table, destination)):
                moves.append(f"march {origin} {destination} {' '.join(figures)}")
    return moves


def are_adjacent(table: Table, one: str, other: str) -> bool:
    """Whether two provinces share a border.  Rule 1.1."""
    return other in table.board["adjacency"][one]


def ship_march_moves(table: Table, seat: int) -> list[str]:
    """Ships from fjord to fjord, if the rule option allows it.  Rule 5.6.2, ruling B4."""
    moves: list[str] = []
    if rule(table, "ship_march") == "never":
        return moves
    if clan_of(table, seat)["rage"] < table.board["costs"]["march"]:
        return moves
    for origin in table.fjords:
        ships = figures_at(table, seat, origin)
        for destination in table.fjords:
            if destination != origin and is_open_fjord(table, destination):
                for figures in multisets(ships, len(ships)):
                    moves.append(f"march {origin} {destination} {' '.join(figures)}")
    return moves


def upgrade_cost(table: Table, seat: int, card: str) -> int:
    """Rage to play an upgrade.  Rule 5.7.1."""
    cost: int = table.cards[card]["cost_or_str"]
    for charm in upgrades_with(table, seat, "upgrade_discount"):
        cost -= charm["amount"]
    return max(0, cost)


def upgrade_moves(table: Table, seat: int) -> list[str]:
    """Action Upgrade: into a free slot, or in place of a card of the same kind.  Rules 5.7.1, 5.7.2."""
    moves = []
    clan = clan_of(table, seat)
    for card in clan["hand"]:
        kind = table.cards[card]["kind"]
        if kind in ("battle", "quest") or upgrade_cost(table, seat, card) > clan["rage"]:
            continue
        same_kind = [other for other in clan["upgrades"] if table.cards[other]["kind"] == kind]
        slot_is_free = len(same_kind) < table.board["clan"]["slots"][kind]
        if slot_is_free:
            moves.append(f"upgrade {written(table, card)}")
        if not slot_is_free or rule(table, "upgrade_slot") == "any":
            for other in same_kind:
                moves.append(f"upgrade {written(table, card)} replace {written(table, other)}")
    return moves


def quest_moves(table: Table, seat: int) -> list[str]:
    """Action Quest.  Rule 5.8."""
    hand = clan_of(table, seat)["hand"]
    return [f"quest {written(table, card)}" for card in hand if table.cards[card]["kind"] == "quest"]


def pillage_moves(table: Table, seat: int) -> list[str]:
    """Action Pillage, with Tyr's Challenge of pillaged provinces too.  Rules 5.9.1, 5.9.2."""
    may_repillage = can_pay_repillage(table, seat)
    moves = []
    for province in table.provinces:
        if is_destroyed(table, province) or not figures_in_area(table, seat, province):
            continue
        if may_repillage or not is_pillaged(table, province):
            moves.append(f"pillage {province}")
    return moves


def can_pay_repillage(table: Table, seat: int) -> bool:
    """Whether `seat` has Tyr's Challenge and the rage for it.  Rule 5.9.2."""
    if not has_upgrade(table, seat, "action_repillage"):
        return False
    return bool(clan_of(table, seat)["rage"] >= effect_cost(table, seat, "action_repillage"))


def valhalla_invade_moves(table: Table, seat: int) -> list[str]:
    """Frigga's Domain.  Rule 5.10.1."""
    moves: list[str] = []
    if not has_upgrade(table, seat, "action_invade_from_valhalla"):
        return moves
    if clan_of(table, seat)["rage"] < effect_cost(table, seat, "action_invade_from_valhalla"):
        return moves
    for figure in figures_at(table, seat, VALHALLA):
        for place in invade_places(table, seat, figure):
            moves.append(f"invade {figure}@valhalla {place}")
    return moves


def sacrifice_moves(table: Table, seat: int) -> list[str]:
    """Frigga's Sacrifice: any two figures on the board.  Rule 5.10.2."""
    if not has_upgrade(table, seat, "action_sacrifice_for_stat"):
        return []
    if not raisable_stats(table, seat):
        return []
    names = sorted(f"{figure}@{place}" for figure, place in figures_on_board(table, seat))
    return [f"sacrifice {one} {other}" for one, other in itertools.combinations(names, 2)]


# ---------------------------------------------------------------- pillage (section 6)


@dataclass
class Revealed:
    """A card on the table in a battle."""

    card: str
    row: Row
    cancelled: bool = False  # by Thor's Primacy, 6.4.1
    declared: int = 0  # value of a quest declared a battle card, 6.5.4


@dataclass
class Battle:
    """What a battle has to remember."""

    province: str
    pillager: int
    fighters: list[int]  # in battle order, 6.2.5
    revealed: dict[int, list[Revealed]]
    kills: list[int]  # figures destroyed in this battle, by owner


def battle(
    position: Position,
    pillager: int,
    province: str,
    answers: Answers,
    cards: Cards | None = None,
    board: Board | None = None,
) -> Position:
    """The position after a whole pillage of `province` by `pillager`.  Section 6.

    A pillaged province is repillaged: its 2 rage are paid here (5.9.2).  The 2 rage of Thor's
    Domain are not, pay them before.  The result has ``destroyed_in_battle``, figures by owner's seat.
    """
    table = open_table(position, answers, cards, board)
    if rule(table, "domain_after_blessing") != "no":
        raise ValueError("the slow twin does not know domain_after_blessing = yes")
    if is_destroyed(table, province) or not figures_in_area(table, pillager, province):
        raise ValueError(f"seat {pillager} cannot pillage {province}")
    table.position["destroyed_in_battle"] = [0 for _ in table.position["player"]]
    pay_for_repillage(table, pillager, province)
    call_to_battle(table, pillager, province)
    fighters = []
    for seat in seats_from(table, pillager):
        if figures_in_area(table, seat, province):
            fighters.append(seat)
    if fighters == [pillager]:
        successful_pillage(table, pillager, province, with_grace=False)
    else:
        kills = table.position["destroyed_in_battle"]
        fight(table, Battle(province, pillager, fighters, {}, kills))
    return table.position


def pay_for_repillage(table: Table, pillager: int, province: str) -> None:
    """Tyr's Challenge is paid before the call.  Rule 5.9.2."""
    if is_pillaged(table, province):
        if not can_pay_repillage(table, pillager):
            raise ValueError(f"seat {pillager} cannot pillage {province} again")
        clan_of(table, pillager)["rage"] -= effect_cost(table, pillager, "action_repillage")


def join_moves(table: Table, seat: int, province: str) -> list[str]:
    """Figures of `seat` that may join, by name and origin.  Rule 6.1.1."""
    moves = []
    for origin in table.board["adjacency"][province]:
        for figure in figures_at(table, seat, origin):
            if not is_ship_like(table, figure):
                moves.append(f"join {figure} from {origin}")
    return moves


def call_to_battle(table: Table, pillager: int, province: str) -> None:
    """Laps from the pillager's left until full or all decline in a row.  Rule 6.1."""
    order = seats_from(table, pillager + 1)
    declined_in_a_row = 0
    asked = 0
    while declined_in_a_row < len(order) and empty_villages(table, province) > 0:
        if rule(table, "call_to_battle") == "single_lap" and asked == len(order):
            return
        seat = order[asked % len(order)]
        asked += 1
        move = ask(table, seat, "join", [*join_moves(table, seat, province), "decline"])
        if move == "decline":
            declined_in_a_row += 1
        else:
            declined_in_a_row = 0
            _, figure, _, origin = move.split()
            move_figure(table, seat, figure, origin, province)


def fight(table: Table, fray: Battle) -> None:
    """The battle from the cards to Loki's Blessing.  Rules 6.2.4 to 6.10.8."""
    valkyries = seats_with_valkyrie(table, fray)
    play_cards_until_no_watch(table, fray)
    smite_and_tide(table, fray)
    declare_quests(table, fray)
    late_cards(table, fray)
    winner = winner_of(battle_totals(table, fray))
    losers = [seat for seat in fray.fighters if seat != winner]
    destroy_losers_figures(table, fray, losers)
    if winner == fray.pillager:
        has_grace = len(texts(fray, fray.pillager, "pillage_extra_stat")) > 0
        successful_pillage(table, fray.pillager, fray.province, with_grace=has_grace)
    if winner is not None:
        add_glory(table, winner, stat_value(table, winner, "axes"))  # 6.10.2
        winner_card_effects(table, fray, winner)
    odins_judgement(table, fray)
    valkyrie_glory(table, fray, valkyries)
    thors_glory(table, fray)
    cards_after_battle(table, fray, winner, losers)
    lokis_blessing(table, fray, losers)


def seats_with_valkyrie(table: Table, fray: Battle) -> list[int]:
    """Participants that have a Valkyrie in the area before the cards.  Rule 6.2.4."""
    seats = []
    for seat in fray.fighters:
        for _, figure, _ in figures_in_area(table, seat, fray.province):
            if figure_effect(table, figure) == "glory_per_enemy_kill":
                seats.append(seat)
    return seats


# ---------------------------------------------------------------- cards of a battle (6.3 to 6.6)


def texts(fray: Battle, seat: int, effect: str) -> list[Revealed]:
    """Battle cards of `seat` on the table whose text is `effect` and is not cancelled.  Rule 6.3.2."""
    found = []
    for card in fray.revealed[seat]:
        if card.row["kind"] == "battle" and card.row["effect"] == effect and not card.cancelled:
            found.append(card)
    return found


def play_cards_until_no_watch(table: Table, fray: Battle) -> None:
    """Play and reveal, again after every Watch.  Rules 6.3, 6.4."""
    watched = True
    while watched:
        play_cards(table, fray)
        thors_primacy(fray)
        watched = heimdalls_watch(table, fray)


def play_cards(table: Table, fray: Battle) -> None:
    """One card each, chosen in seat order, revealed together.  Rule 6.3.1."""
    chosen: dict[int, list[str]] = {}
    for seat in sorted(fray.fighters):
        hand = clan_of(table, seat)["hand"]
        chosen[seat] = []
        if not hand:
            continue
        moves = [f"play {written(table, card)}" for card in hand]
        if rule(table, "battle_card") == "optional":
            moves.append("decline")
        move = ask(table, seat, "card", moves)
        if move != "decline":
            chosen[seat].append(find_card(table, hand, move.split()[1]))
    fray.revealed = {}
    for seat in fray.fighters:
        fray.revealed[seat] = []
        for card in chosen[seat]:
            reveal(table, fray, seat, card)


def reveal(table: Table, fray: Battle, seat: int, card: str) -> None:
    """Move a card from the hand of `seat` to the table."""
    clan_of(table, seat)["hand"].remove(card)
    fray.revealed[seat].append(Revealed(card, table.cards[card]))


def thors_primacy(fray: Battle) -> None:
    """Every card with an opponent's Primacy on the table loses its text, all at once.  Rule 6.4.1."""
    lords = [seat for seat in fray.fighters if texts(fray, seat, "cancel_enemy_text")]
    for seat in fray.fighters:
        if any(lord != seat for lord in lords):
            for card in fray.revealed[seat]:
                card.cancelled = True


def heimdalls_watch(table: Table, fray: Battle) -> bool:
    """The first Watch scores and discards all cards on the table.  Rules 6.4.2, 6.4.3."""
    watchers = [seat for seat in fray.fighters if texts(fray, seat, "watch")]
    if not watchers:
        return False
    if rule(table, "two_watches") == "first_only":
        watchers = watchers[:1]
    glory = watch_sum(table, fray)
    for seat in watchers:
        add_glory(table, seat, glory)
    for seat in fray.fighters:
        for card in fray.revealed[seat]:
            table.position["discard"].append(card.card)
    return True


def watch_sum(table: Table, fray: Battle) -> int:
    """Sum of the bonuses on the table; Sight and quests 0, or what they would give.  Rule 6.4.2, B16."""
    if rule(table, "watch_counts") == "printed":
        return sum(bonus(card) for seat in fray.fighters for card in fray.revealed[seat])
    as_declared = replace(fray, revealed={})
    for seat in fray.fighters:
        values = quest_values(table, seat)
        as_declared.revealed[seat] = []
        for card in fray.revealed[seat]:
            declared = max(values) if values and card.row["kind"] == "quest" else 0
            as_declared.revealed[seat].append(replace(card, declared=declared))
    return sum(cards_value(as_declared, seat) for seat in fray.fighters)


def smite_and_tide(table: Table, fray: Battle) -> None:
    """In battle order, each resolved completely before the next.  Rule 6.5.1."""
    for seat in fray.fighters:
        for _ in texts(fray, seat, "smite"):
            odins_smite(table, fray, seat)
        for _ in texts(fray, seat, "tide"):
            odins_tide(table, fray)


def odins_smite(table: Table, fray: Battle, smiter: int) -> None:
    """Every other participant loses a Warrior in the province.  Rule 6.5.2."""
    doomed: list[Figure] = []
    for seat in fray.fighters:
        if seat != smiter and "warrior" in figures_at(table, seat, fray.province):
            doomed.append((seat, "warrior", fray.province))
    destroy_in_battle(table, fray, doomed)


def odins_tide(table: Table, fray: Battle) -> None:
    """Every participant keeps one figure in the area.  Rule 6.5.3."""
    doomed: list[Figure] = []
    for seat in fray.fighters:
        own = figures_in_area(table, seat, fray.province)
        if len(own) < 2:
            continue
        moves = [f"keep {figure}@{place}" for _, figure, place in own]
        figure, place = ask(table, seat, "tide", moves).split()[1].split("@")
        own.remove((seat, figure, place))
        doomed += own
    destroy_in_battle(table, fray, doomed)


def quest_values(table: Table, seat: int) -> list[int]:
    """Values that a quest of `seat` may be declared for: Tyr's Domain, Tyr's Wrath.  Rule 6.5.4."""
    return sorted({row["amount"] for row in upgrades_with(table, seat, "quest_as_battle")})


def declare_quests(table: Table, fray: Battle) -> None:
    """A revealed quest may become a battle card.  Rule 6.5.4."""
    for seat in fray.fighters:
        values = quest_values(table, seat)
        for card in fray.revealed[seat]:
            if card.row["kind"] != "quest" or not values:
                continue
            if rule(table, "quest_as_battle") == "automatic":
                card.declared = max(values)
            elif len(values) == 1:
                if ask(table, seat, "quest_as_battle", ["yes", "no"]) == "yes":
                    card.declared = values[0]
            else:
                moves = [f"yes {value}" for value in values]
                move = ask(table, seat, "quest_as_battle", [*moves, "no"])
                card.declared = 0 if move == "no" else int(move.split()[1])


def late_cards(table: Table, fray: Battle) -> None:
    """Heimdall's Eye and Gaze, lap after lap until all decline in a row.  Rule 6.6."""
    declined_in_a_row = 0
    asked = 0
    while declined_in_a_row < len(fray.fighters):
        seat = fray.fighters[asked % len(fray.fighters)]
        asked += 1
        hand = clan_of(table, seat)["hand"]
        moves = ["decline"]
        for card in hand:
            if table.cards[card]["effect"] == "late_play":
                moves.append(f"add {written(table, card)}")
        move = ask(table, seat, "late", moves)
        if move == "decline":
            declined_in_a_row += 1
        else:
            declined_in_a_row = 0
            reveal(table, fray, seat, find_card(table, hand, move.split()[1]))


# ---------------------------------------------------------------- totals (6.7)


def bonus(card: Revealed) -> int:
    """Value of a card other than Heimdall's Sight, which is 0 here.  Rules 6.3.2, 6.5.4."""
    if card.row["kind"] == "quest":
        return card.declared
    if card.row["kind"] != "battle" or card.row["battle_str"] == "X":
        return 0
    return int(card.row["battle_str"])


def sight(fray: Battle, seat: int) -> int:
    """Highest value of a single card of an opponent of `seat`.  Rule 6.7.2."""
    highest = 0
    for opponent in fray.fighters:
        if opponent != seat:
            for card in fray.revealed[opponent]:
                highest = max(highest, bonus(card))
    return highest


def cards_value(fray: Battle, seat: int) -> int:
    """Sum of the values of all cards that `seat` has on the table.  Rule 6.7.1."""
    total = 0
    for card in fray.revealed[seat]:
        total += bonus(card)
        if card.row["battle_str"] == "X" and not card.cancelled:
            total += sight(fray, seat)
    return total


def figures_total(table: Table, fray: Battle, seat: int) -> int:
    """STR of a participant; with a Wolfman in the area only of its monsters.  Rules 6.7.1, 15.3."""
    wolfman = False
    monsters = 0
    for fighter in fray.fighters:
        for owner, figure, place in figures_in_area(table, fighter, fray.province):
            if figure_effect(table, figure) == "only_monsters_count":
                wolfman = True
            if fighter == seat and figure in table.monsters:
                monsters += figure_strength(table, owner, figure, place)
    return monsters if wolfman else strength_in(table, seat, fray.province)


def battle_totals(table: Table, fray: Battle) -> dict[int, int]:
    """Total of every participant.  Rule 6.7.1."""
    totals = {}
    for seat in fray.fighters:
        totals[seat] = figures_total(table, fray, seat) + cards_value(fray, seat)
    return totals


def winner_of(totals: dict[int, int]) -> int | None:
    """The seat with the strictly highest total, or nobody.  Rule 6.7.3."""
    best = max(totals.values())
    leaders = [seat for seat, total in totals.items() if total == best]
    return leaders[0] if len(leaders) == 1 else None


def destroy_losers_figures(table: Table, fray: Battle, losers: list[int]) -> None:
    """All figures of all losers in the area, all at once.  Rule 6.8.1."""
    doomed = []
    for seat in losers:
        doomed += figures_in_area(table, seat, fray.province)
    destroy_in_battle(table, fray, doomed)


# ---------------------------------------------------------------- successful pillage (6.9)


def successful_pillage(table: Table, seat: int, province: str, with_grace: bool) -> None:
    """Mark the province and take everything the pillage pays.  Rule 6.9."""
    if not is_pillaged(table, province):
        table.position["board"]["pillaged"].append(province)
    take_reward(table, seat, province)
    for figure in figures_at(table, seat, province):
        if figure_effect(table, figure) == "extra_pillage_reward":
            for _ in range(table.monsters[figure]["amount"]):
                take_reward(table, seat, province)
    if with_grace:
        raise_stat_of_choice(table, seat, barred=token_of(table, province))
    leader_upgrade(table, seat, province)


def token_of(table: Table, province: str) -> str:
    """The pillage token of a province; Yggdrasil's is its own.  Rules 2.3, 6.9.2."""
    if province == YGGDRASIL:
        return YGGDRASIL
    token: str = table.position["board"]["tokens"][province]
    return token


def take_reward(table: Table, seat: int, province: str) -> None:
    """The reward of the token.  Rule 6.9.2."""
    token = token_of(table, province)
    if token == YGGDRASIL and rule(table, "yggdrasil_reward") == "all_stats":
        for stat in STATS:
            raise_stat(table, seat, stat)
    elif token in STATS:
        raise_stat(table, seat, token)
    else:
        add_glory(table, seat, table.board["pillage_tokens"]["glory_value"])


def leader_upgrade(table: Table, seat: int, province: str) -> None:
    """Lord of Axes, Spears or Hammers, once, with a leader-like figure there.  Rule 6.9.5."""
    leaders = [f for f in figures_at(table, seat, province) if is_leader_like(table, f)]
    if not leaders:
        return
    if has_upgrade(table, seat, "leader_pillage_stat"):
        raise_stat_of_choice(table, seat)
    if has_upgrade(table, seat, "leader_pillage_all_stats"):
        for stat in STATS:
            raise_stat(table, seat, stat)
    if has_upgrade(table, seat, "leader_pillage_move"):
        lord_of_hammers(table, seat, province, leaders)


def lord_of_hammers(table: Table, seat: int, province: str, leaders: list[str]) -> None:
    """The Leader may step to an adjacent province with room.  Rule 6.9.5."""
    moves = ["no"]
    for leader in leaders:
        for destination in table.board["adjacency"][province]:
            if empty_villages(table, destination) > 0:
                moves.append(f"march {province} {destination} {leader}")
    move = ask(table, seat, "hammers", moves)
    if move != "no":
        _, origin, destination, leader = move.split()
        move_figure(table, seat, leader, origin, destination)


# ---------------------------------------------------------------- after the battle (6.10)


def winner_card_effects(table: Table, fray: Battle, winner: int) -> None:
    """Thor's Hammer, Ascension, Oath.  Rule 6.10.3."""
    for card in texts(fray, winner, "winner_glory"):
        add_glory(table, winner, card.row["amount"])
    for card in texts(fray, winner, "winner_rage_and_glory"):
        clan_of(table, winner)["rage"] += card.row["amount"]
        add_glory(table, winner, card.row["amount"])
    for _ in texts(fray, winner, "winner_raise_stat"):
        raise_stat_of_choice(table, winner)


def odins_judgement(table: Table, fray: Battle) -> None:
    """2 glory per figure destroyed in this battle, any clan's.  Rule 6.10.4."""
    for seat in fray.fighters:
        for card in texts(fray, seat, "glory_per_destroyed"):
            add_glory(table, seat, card.row["amount"] * sum(fray.kills))


def enemy_kills(fray: Battle, seat: int) -> int:
    """Figures of other clans destroyed in this battle.  Rule 6.10.5."""
    return sum(fray.kills) - fray.kills[seat]


def valkyrie_glory(table: Table, fray: Battle, valkyries: list[int]) -> None:
    """2 glory per enemy figure destroyed in this battle.  Rule 6.10.5."""
    for seat in valkyries:
        for row in upgrades_with(table, seat, "glory_per_enemy_kill"):
            add_glory(table, seat, row["amount"] * enemy_kills(fray, seat))


def thors_glory(table: Table, fray: Battle) -> None:
    """2 glory, once, if two or more enemy figures were destroyed.  Rule 6.10.6."""
    for seat in fray.fighters:
        for row in upgrades_with(table, seat, "glory_for_enemy_kills"):
            if enemy_kills(fray, seat) >= 2:
                add_glory(table, seat, row["amount"])


def cards_after_battle(table: Table, fray: Battle, winner: int | None, losers: list[int]) -> None:
    """Cards and losers' effects, in the order of the rule options.  Rule 6.10.7."""
    for seat in losers:
        for card in fray.revealed[seat]:
            give_card(table, seat, card.card)
    if winner is None:
        return
    left = [card.card for card in fray.revealed[winner]]  # the winner's cards still there
    prowess_before_poison = rule(table, "poison_vs_prowess") == "prowess_first"
    trickery_before_prowess = rule(table, "prowess_vs_trickery") == "trickery_first"
    if trickery_before_prowess:
        lokis_trickery(table, fray, winner, losers)
    if prowess_before_poison:
        tyrs_prowess(table, winner, left)
    lokis_poison(table, fray, losers, left)
    if not prowess_before_poison:
        tyrs_prowess(table, winner, left)
    table.position["discard"] += left
    if not trickery_before_prowess:
        lokis_trickery(table, fray, winner, losers)
    lokis_backstab(table, fray, winner, losers)


def give_card(table: Table, seat: int, card: str) -> None:
    """Put a card into the hand of `seat`."""
    clan = clan_of(table, seat)
    clan["hand"] = sorted([*clan["hand"], card])


def lokis_poison(table: Table, fray: Battle, losers: list[int], left: list[str]) -> None:
    """The first loser with a Poison takes the winner's cards still there.  Rule 6.10.7b."""
    for seat in losers:
        if texts(fray, seat, "loser_take_winner_cards"):
            for card in left:
                give_card(table, seat, card)
            left.clear()
            return


def tyrs_prowess(table: Table, winner: int, left: list[str]) -> None:
    """The winner may buy back any of its cards still there.  Rule 6.10.7c."""
    if not has_upgrade(table, winner, "winner_keep_cards"):
        return
    clan = clan_of(table, winner)
    cost = effect_cost(table, winner, "winner_keep_cards")
    names = [written(table, card) for card in left]
    moves = ["no"]
    for choice in multisets(names, clan["rage"] // cost):
        moves.append(f"keep {' '.join(choice)}")
    move = ask(table, winner, "prowess", moves)
    for name in move.split()[1:]:
        card = find_card(table, left, name)
        left.remove(card)
        give_card(table, winner, card)
        clan["rage"] -= cost


def lokis_trickery(table: Table, fray: Battle, winner: int, losers: list[int]) -> None:
    """Each loser with a Trickery takes a rage from the winner, if it has any.  Rule 6.10.7e."""
    for seat in losers:
        for card in texts(fray, seat, "loser_steal_rage"):
            stolen = min(card.row["amount"], clan_of(table, winner)["rage"])
            clan_of(table, winner)["rage"] -= stolen
            clan_of(table, seat)["rage"] += stolen


def lokis_backstab(table: Table, fray: Battle, winner: int, losers: list[int]) -> None:
    """Each loser with a Backstab takes 2 glory from the winner, or what there is.  Rule 6.10.7f."""
    for seat in losers:
        for card in texts(fray, seat, "loser_steal_glory"):
            stolen = min(card.row["amount"], clan_of(table, winner)["glory"])
            add_glory(table, winner, -stolen)
            add_glory(table, seat, stolen)


def may_put_warrior(table: Table, seat: int, province: str, yggdrasil_option: str) -> bool:
    """Whether a Warrior of the reserve may invade `province` for free.  Rules 5.3, 5.4, 6.10.8, 7.2."""
    if province == YGGDRASIL and rule(table, yggdrasil_option) == "no":
        return False
    return (
        reserve_of(table, seat)["warrior"] > 0
        and may_invade_at_all(table, seat)
        and empty_villages(table, province) > 0
    )


def lokis_blessing(table: Table, fray: Battle, losers: list[int]) -> None:
    """Each loser with the Blessing may invade the province with a Warrior.  Rule 6.10.8."""
    for seat in losers:
        if not has_upgrade(table, seat, "warrior_on_battle_loss"):
            continue
        if not may_put_warrior(table, seat, fray.province, "blessing_in_yggdrasil"):
            continue
        if ask(table, seat, "blessing", ["yes", "no"]) == "yes":
            put_figure(table, seat, "warrior", fray.province)
            if rule(table, "blessing_triggers_succor") == "yes":
                friggas_succor(table, seat, fray.province)


def friggas_succor(table: Table, seat: int, province: str) -> None:
    """After an invade of a province one more Warrior may follow.  Rule 7.2."""
    if not has_upgrade(table, seat, "extra_warrior_on_invade"):
        return
    if not may_put_warrior(table, seat, province, "succor_in_yggdrasil"):
        return
    if ask(table, seat, "succor", ["yes", "no"]) == "yes":
        put_figure(table, seat, "warrior", province)


# ---------------------------------------------------------------- destruction (6.11)


def destroy_in_battle(table: Table, fray: Battle, doomed: list[Figure]) -> None:
    """Destruction with cause *battle*; counts the kills by owner.  Rules 6.11, 6.10.6."""
    for seat, _, _ in destroy(table, doomed, "battle", fray.pillager):
        fray.kills[seat] += 1


def destroy(table: Table, doomed: list[Figure], cause: str, first: int) -> list[Figure]:
    """Destroy figures at one moment; owners decide clockwise from `first`.  Rule 6.11.

    Returns the figures that were in fact destroyed.
    """
    dead: list[Figure] = []
    for seat in seats_from(table, first):
        own = [figure for figure in doomed if figure[0] == seat]
        own = witch_flees(table, seat, own, cause)
        own = friggas_protection(table, seat, own, cause)
        dead += own
    for seat, figure, place in dead:
        move_figure(table, seat, figure, place, VALHALLA)
    dragon_glory(table, dead)
    return dead


def witch_flees(table: Table, seat: int, own: list[Figure], cause: str) -> list[Figure]:
    """The Witch may flee from an outer province to Yggdrasil; returns who is left.  Rule 6.11.3a."""
    if cause == "sacrifice" and rule(table, "sacrifice_escape") == "no":
        return own
    if cause == "ragnarok" and rule(table, "witch_flees_ragnarok") == "no":
        return own
    left = []
    for _, figure, place in own:
        flees = (
            figure_effect(table, figure) == "escape_to_yggdrasil"
            and place != YGGDRASIL
            and ask(table, seat, "witch", ["yes", "no"]) == "yes"
        )
        if flees:
            move_figure(table, seat, figure, place, YGGDRASIL)
        else:
            left.append((seat, figure, place))
    return left


def friggas_protection(table: Table, seat: int, own: list[Figure], cause: str) -> list[Figure]:
    """Figures saved one by one for a rage each; returns who is left.  Rule 6.11.3c."""
    if cause == "ragnarok" or (cause == "sacrifice" and rule(table, "sacrifice_escape") == "no"):
        return own
    if not has_upgrade(table, seat, "protect_for_rage"):
        return own
    clan = clan_of(table, seat)
    cost = effect_cost(table, seat, "protect_for_rage")
    left = list(own)
    while left and clan["rage"] >= cost:
        moves = [f"protect {figure}@{place}" for _, figure, place in left]
        move = ask(table, seat, "protect", [*moves, "decline"])
        if move == "decline":
            break
        figure, place = move.split()[1].split("@")
        left.remove((seat, figure, place))
        clan["rage"] -= cost
    return left


def dragon_glory(table: Table, dead: list[Figure]) -> None:
    """The dragons pay for every ship-like figure of their owner.  Rule 6.11.6."""
    for seat, figure, _ in dead:
        if is_ship_like(table, figure):
            for row in upgrades_with(table, seat, "ship_death_glory"):
                add_glory(table, seat, row["amount"])


# ---------------------------------------------------------------- quest phase (section 9)


def quest_done(
    position: Position,
    seat: int,
    card: str,
    cards: Cards | None = None,
    board: Board | None = None,
) -> bool:
    """Whether `seat` fulfils the quest ``id@age`` on the board as it is.  Rules 9.3 to 9.5."""
    return is_quest_done(open_table(position, nobody, cards, board), seat, card)


def is_quest_done(table: Table, seat: int, card: str) -> bool:
    """The same on an open table.  Rules 9.3 to 9.5."""
    row = table.cards[card]
    amount: int = row["amount"] or 0
    if row["effect"] == "figures_in_valhalla":
        return len(figures_at(table, seat, VALHALLA)) >= amount
    held = [province for province in table.provinces if has_most_str(table, seat, province)]
    if row["effect"] == "most_str_yggdrasil":
        return YGGDRASIL in held
    if row["effect"] == "most_str_provinces":
        return len(held) >= amount
    if row["effect"] == "most_str_region":
        for region in table.board["region"]:
            if region["id"] == row["region"]:
                return any(province in held for province in region["provinces"])
    raise ValueError(f"'{card}' is not a quest")


def has_most_str(table: Table, seat: int, province: str) -> bool:
    """Whether `seat` has STR in `province` and more than every other clan.  Rule 9.3."""
    own = strength_in(table, seat, province)
    if own == 0:
        return False
    for other in seats_from(table, 0):
        if other != seat and strength_in(table, other, province) >= own:
            return False
    return True


def quest_phase(
    position: Position, answers: Answers, cards: Cards | None = None, board: Board | None = None
) -> Position:
    """Resolve and discard all committed quests.  Rules 9.1, 9.2."""
    table = open_table(position, answers, cards, board)
    for seat in seats_from(table, position["first_player"]):
        for card in clan_of(table, seat)["quests"]:
            if is_quest_done(table, seat, card):
                pay_quest(table, seat, card)
    for clan in table.position["player"]:
        table.position["discard"] += clan["quests"]
        clan["quests"] = []
    return table.position


def pay_quest(table: Table, seat: int, card: str) -> None:
    """Glory, twice that with Odin's Throne, then a stat of choice.  Rule 9.2."""
    glory = table.cards[card]["glory"]
    for row in upgrades_with(table, seat, "multiply_quest_glory"):
        glory *= row["amount"]
    add_glory(table, seat, glory)
    raise_stat_of_choice(table, seat)


# ---------------------------------------------------------------- Ragnarok (section 10)


def ragnarok_phase(
    position: Position, answers: Answers, cards: Cards | None = None, board: Board | None = None
) -> Position:
    """Destroy the doomed province and everybody in its area.  Section 10.

    The destroyed province leaves ``pillaged``; ``doom`` becomes that of the next age, "" after age 3.
    """
    table = open_table(position, answers, cards, board)
    province = province_of_ragnarok(table)
    if not is_destroyed(table, province):
        destroy_province(table, province)
    places = table.position["board"]
    places["doom"] = places["next_doom"][0] if places["next_doom"] else ""
    places["next_doom"] = places["next_doom"][1:]
    return table.position


def province_of_ragnarok(table: Table) -> str:
    """The doomed province, or the outer one where Fenrir stands.  Rules 10.1, 15.2."""
    for seat in seats_from(table, 0):
        for figure, place in figures_on_board(table, seat):
            if figure_effect(table, figure) == "redirect_ragnarok" and place != YGGDRASIL:
                return place
    doom: str = table.position["board"]["doom"]
    return doom


def destroy_province(table: Table, province: str) -> None:
    """Mark it destroyed, then destroy the figures in its area and pay for them.  Rules 10.1 to 10.3."""
    places = table.position["board"]
    places["destroyed"].append(province)
    if province in places["pillaged"]:
        places["pillaged"].remove(province)
    doomed = []
    for seat in seats_from(table, 0):
        doomed += figures_in_area(table, seat, province)
    dead = destroy(table, doomed, "ragnarok", table.position["first_player"])
    for seat, _, _ in dead:
        glory = table.board["ragnarok"]["glory_per_figure"][table.position["age"] - 1]
        for row in upgrades_with(table, seat, "multiply_ragnarok_glory"):
            glory *= row["amount"]
        add_glory(table, seat, glory)


# ---------------------------------------------------------------- release and end (11, 12)


def release_phase(
    position: Position, cards: Cards | None = None, board: Board | None = None
) -> Position:
    """Valhalla returns to the reserves; Loki's cards pay for it.  Rules 11.1, 11.2."""
    table = open_table(position, nobody, cards, board)
    for seat in seats_from(table, 0):
        for figure in figures_at(table, seat, VALHALLA):
            move_figure(table, seat, figure, VALHALLA, RESERVE)
            for row in upgrades_with(table, seat, "release_glory"):
                add_glory(table, seat, row["amount"])
    return table.position


def final_scoring(
    position: Position, cards: Cards | None = None, board: Board | None = None
) -> Position:
    """Glory for stats and for Thor's Conquest.  Rules 12.1, 12.2."""
    table = open_table(position, nobody, cards, board)
    for seat in seats_from(table, 0):
        for stat in STATS:
            step = clan_of(table, seat)["stats"][stat]
            add_glory(table, seat, table.board["tracks"]["end_bonus"][step - 1])
        for row in upgrades_with(table, seat, "end_glory_per_figure"):
            add_glory(table, seat, row["amount"] * len(figures_on_board(table, seat)))
    return table.position


def win_shares(position: Position) -> list[float]:
    """1 shared by all with the most glory, 0 for the others.  Rule 12.3."""
    glory = [clan["glory"] for clan in position["player"]]
    winners = glory.count(max(glory))
    return [1 / winners if own == max(glory) else 0.0 for own in glory]
