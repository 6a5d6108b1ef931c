"""Positions as plain dicts (the layout of scenario files) and as games, both ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .data import reader
from .errors import BadScenario, BloodRageError, nearest
from .game import Game
from .notation import (
    card_name,
    figure_name,
    find_card,
    find_place,
    monster_ids,
    place_name,
)
from .play import prepare, refresh_sheets, set_up_blank
from .rules import flow, ids
from .rules.chance import PURPOSE_RAGNAROK, PURPOSE_TOKENS, draw
from .rules.state import (
    MAX_HAND,
    ZONE_DECK,
    ZONE_HAND,
    ZONE_PACK,
    ZONE_QUEST,
    ZONE_SHEET,
    new_games,
)
from .rules.tables import (
    FIGURE_MONSTER,
    FIGURE_NAMES,
    MAX_PACK,
    N_COPIES,
    N_FIGURES,
    N_MONSTER_SLOTS,
    NO_CARD,
    NO_COPY,
    SLOT_FIRST,
)
from .ruleset import Ruleset

PHASES = ids.PHASE_NAMES
PLAYER_KEYS = ("rage", "passed", "glory", "stats", "hand", "upgrades", "quests", "figures")
BOARD_KEYS = ("doom", "next_doom", "destroyed", "pillaged", "tokens")
_TOKENS = ("rage", "axes", "horns", "glory")
_OUTER = ids.N_PROVINCES - 1
_MONSTER_SLOT = SLOT_FIRST[ids.CARD_KIND_MONSTER]
_UPGRADE_KINDS = 5


class _Fault(BadScenario):
    """A fault of a position: key, and what was expected."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(f"key {key}: {message}")


def need_keys(table: Mapping[str, Any], known: tuple[str, ...], key: str) -> None:
    """Raise if `table` is no table or has a key that is not `known`."""
    if not isinstance(table, Mapping):
        raise _Fault(key, f"must be a table, not {table!r}")
    for name in table:
        if name not in known:
            raise _Fault(f"{key}.{name}" if key else str(name), f"unknown key{nearest(str(name), known)}")


def need_int(value: Any, least: int, most: int, key: str) -> int:
    """`value` as an int in least..most."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise _Fault(key, f"{value!r}; allowed: whole numbers {least} to {most}")
    return value


def need_names(value: Any, key: str) -> list[str]:
    """`value` as a list of strings."""
    if not isinstance(value, list) or any(not isinstance(item, str) for item in value):
        raise _Fault(key, f"{value!r}; allowed: a list of names in quotes")
    return value


def _named(function: Any, *arguments: Any, key: str) -> Any:
    try:
        return function(*arguments)
    except BloodRageError as error:
        raise _Fault(key, str(error)) from None


class _Builder:
    """Fills the record of a new game from a position."""

    def __init__(self, position: Mapping[str, Any], ruleset: Ruleset) -> None:
        prepare()
        self.position = position
        self.players = position["players"]
        self.age = position["age"]
        self.phase = position["phase"]
        self.tables = ruleset.tables()
        self.games = new_games(1)
        set_up_blank(self.games, self.tables, self.players)
        self.game = self.games[0]
        self.game.clock.age = self.age
        self.game.secret.key = np.uint64(position.get("seed", 1))
        for seat in range(self.players):
            self.game.slot[seat] = seat
        self.used: set[int] = set()

    # ------------------------------------------------------------ cards

    def take_copy(self, card: int, key: str) -> int:
        """A copy of `card` that is not used yet: of the deck, of the box, or a spare one."""
        secret, table = self.game.secret, self.tables[0]
        of_card = [copy for copy in range(N_COPIES) if table.card_of[copy] == card and copy not in self.used]
        of_card.sort(key=lambda copy: secret.zone[copy] != ZONE_DECK)
        if not of_card:
            of_card = [copy for copy in range(N_COPIES) if table.card_of[copy] == NO_CARD and copy not in self.used]
        if not of_card:
            raise _Fault(key, "too many cards in this position")
        copy = of_card[0]
        self.used.add(copy)
        secret.card_of[copy] = card
        return copy

    def cards(self, names: list[str], key: str, zone: int) -> list[int]:
        """Copies for card names."""
        copies = []
        for name in names:
            card = _named(find_card, name, self.age, key=key)
            row = reader.card_rows()[card]
            if row["source"] not in ("base", "p5"):
                raise _Fault(key, f"{row['id']} belongs to the variant {row['source']}, which is not built yet")
            copy = self.take_copy(card, key)
            self.game.secret.zone[copy] = zone
            copies.append(copy)
        return copies

    def order(self, copy: int) -> tuple[int, int]:
        """Order of copies in hands and packs."""
        return int(self.tables[0].face[self.game.secret.card_of[copy]]), copy

    def card(self, copy: int) -> int:
        return int(self.game.secret.card_of[copy])

    # ------------------------------------------------------------ clans

    def clan(self, seat: int, table: Mapping[str, Any]) -> None:
        key = f"player.{seat}"
        need_keys(table, PLAYER_KEYS, key)
        clan = self.game.clans[seat]
        self.stats(seat, table.get("stats", {}), f"{key}.stats")
        clan.glory = need_int(table.get("glory", int(self.tables[0].start_glory)), 0, 9999, f"{key}.glory")
        value = int(self.tables[0].track[ids.STAT_RAGE, clan.stats[ids.STAT_RAGE] - 1])
        clan.rage = need_int(table.get("rage", value), 0, 999, f"{key}.rage")
        passed = table.get("passed", False)
        if not isinstance(passed, bool):
            raise _Fault(f"{key}.passed", f"{passed!r}; allowed: true or false")
        clan.passed = int(passed)
        hand = self.cards(need_names(table.get("hand", []), f"{key}.hand"), f"{key}.hand", ZONE_HAND)
        if len(hand) > MAX_HAND:
            raise _Fault(f"{key}.hand", f"{len(hand)} cards; at most {MAX_HAND}")
        for position, copy in enumerate(sorted(hand, key=self.order)):
            self.game.secret.hand[seat, position] = copy
        clan.hand = len(hand)
        self.quests(seat, table)
        self.upgrades(seat, table)

    def stats(self, seat: int, table: Any, key: str) -> None:
        need_keys(table, ids.STAT_NAMES, key)
        for stat, name in enumerate(ids.STAT_NAMES):
            step = table.get(name, int(self.tables[0].start_step))
            self.game.clans[seat].stats[stat] = need_int(step, 1, ids.N_TRACK_STEPS, f"{key}.{name}")

    def quests(self, seat: int, table: Mapping[str, Any]) -> None:
        key = f"player.{seat}.quests"
        copies = self.cards(need_names(table.get("quests", []), key), key, ZONE_QUEST)
        for position, copy in enumerate(copies):
            if self.tables[0].kind[self.card(copy)] != ids.CARD_KIND_QUEST:
                raise _Fault(key, f"{reader.card_rows()[self.card(copy)]['id']} is no quest")
            self.game.secret.quests[seat, position] = copy
        self.game.clans[seat].quests = len(copies)

    def upgrades(self, seat: int, table: Mapping[str, Any]) -> None:
        key = f"player.{seat}.upgrades"
        clan = self.game.clans[seat]
        for copy in self.cards(need_names(table.get("upgrades", []), key), key, ZONE_SHEET):
            card = self.card(copy)
            kind = int(self.tables[0].kind[card])
            name = reader.card_rows()[card]["id"]
            if kind >= _UPGRADE_KINDS:
                raise _Fault(key, f"{name} is no upgrade")
            free = [
                slot
                for slot in range(SLOT_FIRST[kind], SLOT_FIRST[kind] + int(self.tables[0].slots[kind]))
                if clan.sheet[slot] == NO_CARD
            ]
            if not free:
                slots = int(self.tables[0].slots[kind])
                raise _Fault(key, f"no free slot for {name}; a clan has {slots} for {ids.CARD_KINDS[kind]} upgrades")
            clan.sheet[free[0]] = card
            self.game.secret.sheet[seat, free[0]] = copy
            if kind == ids.CARD_KIND_MONSTER:
                self.game.board.figures[ids.PLACE_RESERVE, seat, FIGURE_MONSTER + free[0] - _MONSTER_SLOT] = 1

    # ------------------------------------------------------------ figures

    def figures(self, seat: int, table: Any) -> None:
        """Figures on the board and in Valhalla; the sheets must have been refreshed."""
        key = f"player.{seat}.figures"
        if not isinstance(table, Mapping):
            raise _Fault(key, f"must be a table of places, not {table!r}")
        for name, figures in table.items():
            where = f"{key}.{name}"
            if name == "reserve":
                need_names(figures, where)
                continue  # whatever is not listed elsewhere is in the reserve
            place = _named(find_place, name, key=where)
            for figure in need_names(figures, where):
                self.put(seat, figure, place, where)
        if "reserve" in table:
            self.check_reserve(seat, table["reserve"], f"{key}.reserve")

    def slots_of(self, seat: int, name: str, key: str) -> list[int]:
        """FIGURE slots that hold a figure called `name`."""
        if name in FIGURE_NAMES:
            return [FIGURE_NAMES.index(name)]
        if name not in monster_ids():
            raise _Fault(key, f"unknown figure {name!r}{nearest(name, [*FIGURE_NAMES, *monster_ids()])}")
        sheet = self.game.clans[seat].sheet
        return [
            FIGURE_MONSTER + slot
            for slot in range(N_MONSTER_SLOTS)
            if sheet[_MONSTER_SLOT + slot] != NO_CARD and reader.card_rows()[sheet[_MONSTER_SLOT + slot]]["id"] == name
        ]

    def put(self, seat: int, name: str, place: int, key: str) -> None:
        """Put one figure from the reserve to `place`."""
        board, clan = self.game.board, self.game.clans[seat]
        slots = self.slots_of(seat, name, key)
        if not slots:
            raise _Fault(key, f"there is a {name} figure, but {name} is not among the clan's upgrades")
        left = [figure for figure in slots if board.figures[ids.PLACE_RESERVE, seat, figure] > 0]
        if not left:
            raise _Fault(key, f"more {name} figures than the clan has")
        figure = left[0]
        board.figures[ids.PLACE_RESERVE, seat, figure] -= 1
        board.figures[place, seat, figure] += 1
        board.count[place, seat] += 1
        if place < ids.PLACE_VALHALLA:
            clan.on_board += 1
            self.check_place(name, bool(clan.ship_like[figure]), place, key)
        if place < ids.N_PROVINCES:
            board.crowd[place] += 1
            villages = int(self.tables[0].villages[place])
            if villages and board.crowd[place] > villages:
                raise _Fault(key, f"more figures in {place_name(place)} than its {villages} villages")

    def check_place(self, name: str, ship_like: bool, place: int, key: str) -> None:
        in_fjord = place >= ids.N_PROVINCES
        if ship_like and not in_fjord:
            raise _Fault(key, f"a {name} is a ship and stands only in fjords")
        if in_fjord and not ship_like:
            raise _Fault(key, f"a {name} is no ship; only ships stand in fjords")
        destroyed = self.game.board.destroyed
        if not in_fjord and destroyed[place]:
            raise _Fault(key, f"{place_name(place)} is destroyed and holds no figures")
        if in_fjord and all(destroyed[side] for side in self.tables[0].supports[place - ids.N_PROVINCES]):
            if self.tables[0].rule.dead_fjord == 0:
                raise _Fault(key, f"{place_name(place)} is closed: both its provinces are destroyed")

    def check_reserve(self, seat: int, names: list[str], key: str) -> None:
        there = sorted(figures_at(self.game, seat, ids.PLACE_RESERVE))
        if sorted(names) != there:
            raise _Fault(key, f"{sorted(names)} listed, but with the other places {there} are in the reserve")

    # ------------------------------------------------------------ board

    def board(self, table: Any) -> None:
        need_keys(table, BOARD_KEYS, "board")
        board = self.game.board
        for name in ("destroyed", "pillaged"):
            for province in need_names(table.get(name, []), f"board.{name}"):
                place = _named(find_place, province, False, key=f"board.{name}")
                getattr(board, name)[place] = 1
                if name == "destroyed" and place == ids.PLACE_YGGDRASIL:
                    raise _Fault("board.destroyed", "Yggdrasil is never destroyed")
                if name == "pillaged" and board.destroyed[place]:
                    raise _Fault("board.pillaged", f"{province} is destroyed and cannot be pillaged")
        self.tokens(table.get("tokens", {}))
        self.doom(table)

    def tokens(self, table: Any) -> None:
        """Given tokens, and the others shuffled over the other provinces."""
        if not isinstance(table, Mapping):
            raise _Fault("board.tokens", f"must be a table of provinces, not {table!r}")
        board = self.game.board
        pool = [int(token) for token in self.tables[0].token_pool]
        given = {}
        for name, token in table.items():
            key = f"board.tokens.{name}"
            place = _named(find_place, name, False, key=key)
            if place == ids.PLACE_YGGDRASIL:
                raise _Fault(key, "the token of Yggdrasil is fixed")
            if token not in _TOKENS:
                raise _Fault(key, f"{token!r}; allowed: {', '.join(_TOKENS)}")
            given[place] = ids.TOKEN_NAMES.index(token)
            if given[place] in pool:
                pool.remove(given[place])
        rest = sorted(set(range(_OUTER)) - set(given), key=lambda place: self.draw(PURPOSE_TOKENS, place))
        given.update(zip(rest, pool, strict=False))
        for place, token in given.items():
            board.token[place] = token
        board.token[ids.PLACE_YGGDRASIL] = ids.TOKEN_YGGDRASIL

    def draw(self, purpose: int, index: int) -> int:
        return int(draw(self.game.secret.key, purpose, index))

    def doom(self, table: Mapping[str, Any]) -> None:
        """Doomed provinces of this age (after Ragnarok of the next) and of the later ages; what is unsaid is drawn."""
        first = self.age - 1 + (self.phase in ("release", "end"))
        named = []
        if "doom" in table:
            if not isinstance(table["doom"], str):
                raise _Fault("board.doom", f"{table['doom']!r}; allowed: a province in quotes")
            named.append(("board.doom", table["doom"]))
        elif "next_doom" in table:
            named.append(("board.doom", ""))
        named += [("board.next_doom", name) for name in need_names(table.get("next_doom", []), "board.next_doom")]
        if len(named) > max(ids.N_AGES - first, 0):
            raise _Fault(named[-1][0], f"{len(named)} doomed provinces, but only {max(ids.N_AGES - first, 0)} ages are left")
        schedule = [-1] * ids.N_AGES
        for age, (key, name) in enumerate(named, start=first):
            if name:
                schedule[age] = self.doomed_place(name, schedule, key)
        free = [place for place in range(_OUTER) if not self.game.board.destroyed[place] and place not in schedule]
        free.sort(key=lambda place: self.draw(PURPOSE_RAGNAROK, place))
        for age in range(first, ids.N_AGES):
            if schedule[age] < 0 and free:
                schedule[age] = free.pop(0)
        self.game.doom[:] = schedule

    def doomed_place(self, name: str, schedule: list[int], key: str) -> int:
        place: int = _named(find_place, name, False, key=key)
        if place == ids.PLACE_YGGDRASIL:
            raise _Fault(key, "Yggdrasil is never doomed")
        if self.game.board.destroyed[place]:
            raise _Fault(key, f"{name} is destroyed and cannot be doomed")
        if place in schedule:
            raise _Fault(key, f"{name} is doomed twice")
        return place

    # ------------------------------------------------------------ phases

    def packs(self, packs: Any) -> None:
        """Draft packs, one per seat."""
        if not isinstance(packs, list) or len(packs) != self.players:
            raise _Fault("draft.packs", f"{self.players} packs needed, one per seat")
        table, secret = self.tables[0], self.game.secret
        sizes = {len(pack) if isinstance(pack, list) else -1 for pack in packs}
        picks = int(table.picks[self.players])
        least = int(table.deal) - int(table.keep) + picks
        if len(sizes) != 1 or not least <= min(sizes) <= min(int(table.deal), MAX_PACK) or (int(table.deal) - min(sizes)) % picks:
            raise _Fault("draft.packs", f"all packs must have the same number of cards, {int(table.deal)} down to {least} in steps of {picks}")
        for seat, pack in enumerate(packs):
            copies = self.cards(need_names(pack, "draft.packs"), "draft.packs", ZONE_PACK)
            for position, copy in enumerate(sorted(copies, key=self.order)):
                if self.tables[0].age[self.card(copy)] != self.age:
                    raise _Fault("draft.packs", f"{pack} holds a card that is not of age {self.age}")
                secret.pack[seat, position] = copy
                secret.seen[copy] |= 1 << seat
                secret.seen_cards[seat, self.card(copy)] += 1
            secret.pack_size[seat] = len(copies)
        self.game.clock.draft_round = (int(table.deal) - min(sizes)) // picks

    def begin(self) -> None:
        """Push the step with which the phase begins."""
        steps = {
            "discard": (flow.STEP_DISCARD, 0, -1),
            "quest": (flow.STEP_QUESTS, 0, 0),
            "ragnarok": (flow.STEP_RAGNAROK, -1, -1),
            "release": (flow.STEP_RELEASE, -1, -1),
            "end": (flow.STEP_END, -1, -1),
        }
        if self.phase == "action":
            self.game.clock.phase = ids.PHASE_ACTION
            self.push(flow.STEP_TURN, self.position["current"])
        elif self.phase == "draft":
            self.game.clock.phase = ids.PHASE_DRAFT
            if "draft" in self.position:
                need_keys(self.position["draft"], ("packs",), "draft")
                if "packs" not in self.position["draft"]:
                    raise _Fault("draft.packs", "missing; one pack per seat is needed")
                self.packs(self.position["draft"]["packs"])
                self.push(flow.STEP_DRAFT, 0)
            else:
                self.push(flow.STEP_AGE, self.age)
        else:
            self.game.clock.phase = max(PHASES.index(self.phase) - 1, 0)
            self.push(*steps[self.phase])

    def push(self, kind: int, a: int = -1, b: int = -1) -> None:
        step = self.game.flow.pending[self.game.flow.depth]
        step.kind, step.a, step.b, step.c = kind, a, b, -1
        self.game.flow.depth += 1

    def build(self) -> Game:
        players = self.position.get("player", [])
        if not isinstance(players, list) or len(players) != self.players:
            count = len(players) if isinstance(players, list) else 1
            raise _Fault("player", f"{count} [[player]] tables for {self.players} players; there must be one per seat")
        self.game.clock.first_player = self.position.get("first_player", self.position.get("current", 0))
        self.board(self.position.get("board", {}))
        for seat, table in enumerate(players):
            self.clan(seat, table)
        refresh_sheets(self.games, self.tables)
        for seat, table in enumerate(players):
            self.figures(seat, table.get("figures", {}))
        if self.phase != "draft" and "draft" in self.position:
            raise _Fault("draft", f"packs belong to phase draft, not {self.phase}")
        self.begin()
        return Game(self.games, self.tables)


def build_game(position: Mapping[str, Any], ruleset: Ruleset) -> Game:
    """A game in `position`, before the first step of its phase; call `run` to go on to the first decision.

    Raises BadScenario with the key of what is wrong.
    """
    return _Builder(position, ruleset).build()


# ---------------------------------------------------------------- from games


def figures_at(record: Any, seat: int, place: int) -> list[str]:
    """Names of the figures of `seat` in PLACE `place`, in order."""
    names: list[str] = []
    for figure in range(N_FIGURES):
        slot = _MONSTER_SLOT + figure - FIGURE_MONSTER
        card = int(record.clans[seat].sheet[slot]) if figure >= FIGURE_MONSTER else NO_CARD
        count = int(record.board.figures[place, seat, figure])
        names += [figure_name(figure, card) for _ in range(count)]
    return names


def hand_of(game: Game, seat: int) -> list[str]:
    """Names of the hand cards of `seat`."""
    secret, size = game.record.secret, int(game.record.clans[seat].hand)
    return names_of(game, secret.hand[seat, :size])


def names_of(game: Game, copies: Any) -> list[str]:
    """Names of copies, in the game's age."""
    record = game.record
    return [card_name(int(record.secret.card_of[copy]), game.tables[0], int(record.clock.age)) for copy in copies]


def quests_of(game: Game, seat: int) -> list[str]:
    """Names of the committed quests of `seat`."""
    return names_of(game, game.record.secret.quests[seat, : int(game.record.clans[seat].quests)])


def upgrades_of(game: Game, seat: int) -> list[str]:
    """Names of the upgrades of `seat`."""
    return names_of(game, [copy for copy in game.record.secret.sheet[seat] if copy != NO_COPY])


def provinces_where(flags: Any) -> list[str]:
    """Names of the provinces whose flag is set."""
    return [place_name(place) for place in range(ids.N_PROVINCES) if flags[place]]


def position_of(game: Game, with_ages: bool = False) -> dict[str, Any]:
    """The position of `game` in the layout of scenario files; with_ages writes every card as id@age.

    What a scenario cannot say is left out: a battle or a move in progress, cards discarded, later decks.
    """
    record = game.record
    age = int(record.clock.age)

    def names(copies: Any) -> list[str]:
        if not with_ages:
            return names_of(game, copies)
        rows = [reader.card_rows()[record.secret.card_of[copy]] for copy in copies]
        return [f"{row['id']}@{row['age']}" for row in rows]

    board = record.board
    players = []
    for seat in range(int(record.clock.players)):
        clan = record.clans[seat]
        places = [place for place in range(ids.PLACE_RESERVE) if figures_at(record, seat, place)]
        players.append(
            {
                "rage": int(clan.rage),
                "passed": bool(clan.passed),
                "glory": int(clan.glory),
                "stats": {name: int(clan.stats[stat]) for stat, name in enumerate(ids.STAT_NAMES)},
                "hand": names(record.secret.hand[seat, : int(clan.hand)]),
                "upgrades": names([copy for copy in record.secret.sheet[seat] if copy != NO_COPY]),
                "quests": names(record.secret.quests[seat, : int(clan.quests)]),
                "figures": {place_name(place): figures_at(record, seat, place) for place in places},
            }
        )
    doom = [int(place) for place in record.doom]
    turn = int(record.clock.turn)
    return {
        "players": int(record.clock.players),
        "age": age,
        "phase": PHASES[record.clock.phase],
        "current": turn if turn >= 0 else max(int(record.flow.seat), 0),
        "first_player": int(record.clock.first_player),
        "board": {
            "doom": place_name(doom[age - 1]) if doom[age - 1] >= 0 else "",
            "next_doom": [place_name(place) for place in doom[age:] if place >= 0],
            "destroyed": provinces_where(board.destroyed),
            "pillaged": provinces_where(board.pillaged),
            "tokens": {place_name(place): ids.TOKEN_NAMES[board.token[place]] for place in range(_OUTER)},
        },
        "player": players,
    }
