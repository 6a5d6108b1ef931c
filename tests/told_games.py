"""Games of strategies told event by event, so that tests can count what one player did and where it stood then."""

from __future__ import annotations

from bisect import bisect_right
from collections import namedtuple
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from statistics import median
from typing import Any

import numpy as np

from bloodrage_sim.cast import cast_of
from bloodrage_sim.play import DONE, play_games, set_up_games
from bloodrage_sim.plugins.loading import load_strategy
from bloodrage_sim.rules import events as ev
from bloodrage_sim.rules import ids
from bloodrage_sim.rules.flow import QUESTION_JOIN, QUESTION_RAISE, QUESTION_TURN
from bloodrage_sim.rules.options import FIRST_CODE
from bloodrage_sim.rules.state import EVENT, new_games, new_log, new_options
from bloodrage_sim.rules.tables import FIGURE_MONSTER, FIGURE_WARRIOR, N_FIGURES
from bloodrage_sim.ruleset import make_ruleset
from bloodrage_sim.view import new_views

LOG_SIZE = 6_000
Event = namedtuple("Event", EVENT.names)
_MOVES = (ev.EVENT_INVADE, ev.EVENT_MARCH, ev.EVENT_JOIN, ev.EVENT_LEADER_MOVED, ev.EVENT_FLED)


@dataclass(frozen=True)
class Told:
    """A finished game: its record, its events, and the seat of slot 0."""

    game: Any
    events: np.recarray
    focal: int


@dataclass(frozen=True)
class House:
    """House rules: changes of cards, (id, age, column, value), and of numbers of the board."""

    cards: tuple[tuple[str, str, str, str], ...] = ()
    board: tuple[tuple[str, int], ...] = ()


@cache
def tables_of(house: House) -> np.recarray:
    """The tables of the game by house rules."""
    return make_ruleset(card_changes=house.cards, board_changes=dict(house.board)).tables()


@lru_cache(maxsize=8)  # the arms that many tests compare with come again and again
def tell(line_up: tuple[str, ...], games: int, seed: int, house: House) -> tuple[Told, ...]:
    """Play `games` games of a line-up, every deal in all rotations."""
    players = len(line_up)
    tables, record = tables_of(house), new_games(games)
    set_up_games(record, tables, players, np.uint64(seed), 0, players, 0)
    log, options, views, found = new_log(LOG_SIZE), new_options(), new_views(1), np.zeros(3, np.int64)
    arguments = cast_of([load_strategy(text) for text in line_up]).arguments
    told = []
    for index in range(games):
        play_games(record[index : index + 1], 0, tables, log, options, views, *arguments, -1, -1, 0, found)
        game = record[index]
        assert found[0] == DONE and game.n_events <= LOG_SIZE
        events = log.event[0, : game.n_events].view(np.recarray).copy()
        told.append(Told(game, events, list(game.slot[:players]).index(0)))
    return tuple(told)


class Table:
    """The table as it lies while a game is told; `happen` takes one event after the other."""

    def __init__(self, told: Told, tables: Any) -> None:
        self.tables = tables
        self.focal = told.focal
        self.players = int(told.game.clock.players)
        self.doom = [int(place) for place in told.game.doom]
        self.token = told.game.board.token.tolist()
        self.figures = [[[0] * N_FIGURES for _ in range(self.players)] for _ in range(ids.N_PLACES)]
        self.rage = [0] * self.players
        self.glory = [0] * self.players
        self.step = [[1, 1, 1] for _ in range(self.players)]
        self.sheet: list[list[int]] = [[] for _ in range(self.players)]
        self.quests = [0] * self.players
        self.pillaged: set[int] = set()
        self.destroyed: set[int] = set()
        self.age = 0
        self.turn = 0  # own turns taken in this age
        self.pillager = -1
        self.place = -1  # of the last pillage
        self.first: dict[str, int] = {}  # own turn of an age in which something happened first

    # ---- what measures ask

    @property
    def rivals(self) -> list[int]:
        return [seat for seat in range(self.players) if seat != self.focal]

    @property
    def doomed(self) -> int:
        return self.doom[self.age - 1]

    def count(self, place: int, seat: int) -> int:
        return sum(self.figures[place][seat])

    def around(self, province: int, seat: int) -> int:
        """Figures in a province and its fjord."""
        fjord = int(self.tables.fjord_of[province])
        return self.count(province, seat) + (self.count(fjord, seat) if fjord >= 0 else 0)

    def full(self, province: int) -> bool:
        """Whether all villages are taken."""
        taken = sum(self.count(province, seat) for seat in range(self.players))
        return 0 < int(self.tables.villages[province]) <= taken

    def figure_strength(self, seat: int, figure: int) -> int:
        kind = figure if figure < FIGURE_MONSTER else ids.CARD_KIND_MONSTER
        if figure >= FIGURE_MONSTER:
            monsters = [card for card in self.sheet[seat] if self.tables.kind[card] == kind]
            return int(self.tables.figure_str[monsters[-1]]) if monsters else 2
        cards = [card for card in self.sheet[seat] if figure == FIGURE_WARRIOR and self.tables.kind[card] == 0]
        return int(self.tables.figure_str[cards[-1]]) if cards else int(self.tables.base_str[figure])

    def strength(self, province: int, seat: int) -> int:
        """STR in an area, pairs of warriors left out."""
        total = 0
        for place in (province, int(self.tables.fjord_of[province])):
            if place >= 0:
                for figure, number in enumerate(self.figures[place][seat]):
                    if number:
                        total += number * self.figure_strength(seat, figure)
        return total

    def rival_strength(self, province: int) -> int:
        return max(self.strength(province, seat) for seat in self.rivals)

    def median_rage(self) -> float | None:
        """Median rage of the rivals that have any."""
        rage = [self.rage[seat] for seat in self.rivals if self.rage[seat] > 0]
        return median(rage) if rage else None

    def has(self, seat: int, effect: int) -> bool:
        return any(self.tables.effect[card] == effect for card in self.sheet[seat])

    def action(self, event: Event) -> int:
        """ACTION_* id of the focal player's decision, -1 for anything else."""
        if event.kind != ev.EVENT_DECISION or event.seat != self.focal:
            return -1
        return bisect_right(FIRST_CODE, event.value) - 1

    def starts(self, event: Event, phase: int) -> bool:
        """Whether a phase begins."""
        return event.kind == ev.EVENT_PHASE and event.value == phase

    # ---- what happens

    def happen(self, event: Event) -> None:
        kind, seat = event.kind, event.seat
        if kind in _MOVES:
            if event.origin < ids.PLACE_VALHALLA:
                self.figures[event.origin][seat][event.figure] -= 1
            self.figures[event.place][seat][event.figure] += 1
            if kind == ev.EVENT_INVADE and seat == self.focal:
                self.first.setdefault(f"invade {event.figure}", self.turn)
        elif kind == ev.EVENT_DESTROYED:
            self.figures[event.origin][seat][event.figure] -= event.value
            if event.origin < ids.N_PROVINCES and event.phase == ids.PHASE_RAGNAROK:
                self.destroyed.add(event.origin)
        elif kind == ev.EVENT_RAGE:
            self.rage[seat] += event.value
        elif kind == ev.EVENT_GLORY:
            self.glory[seat] += event.value
        elif kind == ev.EVENT_RAISE:
            self.step[seat][event.value] += 1
        elif kind == ev.EVENT_UPGRADE:
            self.sheet[seat].append(event.card)
        elif kind == ev.EVENT_QUEST:
            self.quests[seat] += 1
        elif kind == ev.EVENT_PILLAGE:
            self.pillager, self.place = seat, event.place
            if seat == self.focal:
                self.first.setdefault("pillage", self.turn)
        elif kind == ev.EVENT_PILLAGED:
            self.pillaged.add(event.place)
        elif kind == ev.EVENT_DECISION:
            self.turn += seat == self.focal and event.source == QUESTION_TURN
        elif kind == ev.EVENT_REPLACED:
            self._replace(seat, event.card)
        elif kind == ev.EVENT_RAGNAROK:
            self.destroyed.add(event.place)
        elif kind == ev.EVENT_PHASE and event.value == ids.PHASE_ACTION:
            self.turn = 0
            self.first = {}
            self.pillaged = set()
            self.quests = [0] * self.players
        self.age = event.age

    def _replace(self, seat: int, card: int) -> None:
        """An upgrade leaves the sheet; a monster goes with it, taken to be the one in the first slot."""
        self.sheet[seat].remove(card)
        if self.tables.kind[card] == ids.CARD_KIND_MONSTER:
            for place in range(ids.PLACE_VALHALLA):
                self.figures[place][seat][FIGURE_MONSTER] = 0


_SEEN = (
    *_MOVES, ev.EVENT_DESTROYED, ev.EVENT_RAGE, ev.EVENT_GLORY, ev.EVENT_RAISE, ev.EVENT_UPGRADE, ev.EVENT_QUEST,
    ev.EVENT_PILLAGE, ev.EVENT_PILLAGED, ev.EVENT_FAILED, ev.EVENT_DECISION, ev.EVENT_REPLACED, ev.EVENT_RAGNAROK,
    ev.EVENT_PHASE, ev.EVENT_DRAFTED, ev.EVENT_DISCARDED, ev.EVENT_KEPT, ev.EVENT_REVEAL, ev.EVENT_WON,
    ev.EVENT_LOST,
)  # fmt: skip


def events_of(told: Told) -> Iterator[Event]:
    """The events that a Table knows, and of decisions only its own actions, joinings and stats."""
    events = told.events
    decisions = events.kind == ev.EVENT_DECISION
    asked = (events.seat == told.focal) & np.isin(events.source, (QUESTION_TURN, QUESTION_JOIN, QUESTION_RAISE))
    seen = np.isin(events.kind, _SEEN) & (~decisions | asked)
    return map(Event._make, events[seen].tolist())


def measure_game(told: Told, tables: Any, measure: Any) -> tuple[float, int]:
    """Sum and number of what `measure(table, event)` returns before each event, Nones left out."""
    table, total, number = Table(told, tables), 0.0, 0
    for event in events_of(told):
        found = measure(table, event)
        if found is not None:
            total += found
            number += 1
        table.happen(event)
    return total, number


def measure_all(line_up: Sequence[str], games: int, seed: int, house: House, measure: Any) -> np.ndarray:
    """(games, 2) array of sums and numbers."""
    tables = tables_of(house)[0]
    return np.array([measure_game(told, tables, measure) for told in tell(tuple(line_up), games, seed, house)])
