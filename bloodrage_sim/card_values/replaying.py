"""Replaying: a unit of deals is played as it is, then again from where an instance begins, with one thing otherwise.

What is otherwise, for the seat of the instance and its copy of the card:

    hold   after the draft the copy becomes a blank, which counts in the hand and can never be played
    use    after the draft the copy may not be played, as long as there is another choice
    pick   in the round in which it was taken the seat may not take it; the draft goes on from there
    deny   the copy that was passed on may be taken by nobody

To name one copy among equal ones it becomes a *twin*, a card with the same numbers, look and text.
"""

from __future__ import annotations

import queue
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..cast import Cast, cast_of
from ..experiments.cards import BLANK, SpareCards
from ..plugins.loading import Strategy, load_strategy
from ..rows.results import fill_rows
from ..rows.tables_out import DEALS, GAMES, PLAYERS, flat, new_rows
from ..rules.flow import ACTION_ADD, ACTION_PLAY, ACTION_QUEST, ACTION_UPGRADE, QUESTION_DRAFT
from ..rules.ids import N_AGES, N_CARD_ROWS, PHASE_ACTION, PHASE_DRAFT
from ..rules.tables import N_CARDS, N_SEATS
from ..running.runs import Kit, RunConfig
from ..running.units import Planner, Unit
from ..running.workers import Worker
from ..steering.measures import FAR
from ..steering.orders import ORDERS, WITHOUT
from .config import DENY, HOLD, MEASURES, PICK, USE, ValueConfig
from .instances import batches, instances_of, is_after_draft

BLANK_CARD = N_CARD_ROWS
FIRST_TWIN = N_CARD_ROWS + 1
MAX_TWINS = N_CARDS - FIRST_TWIN
_PLAYS = 1 << ACTION_UPGRADE | 1 << ACTION_QUEST | 1 << ACTION_PLAY | 1 << ACTION_ADD
_ANY_SLOT = (1 << N_SEATS) - 1
_CARD_FIELDS = ("kind", "age", "cost", "battle_str", "figure_str", "glory", "effect", "amount", "card_region", "face")

VALUE_ROW = np.dtype(
    [
        ("block", "<i4"),
        ("measure", "i1"),
        ("age", "i1"),
        ("card", "<i2"),
        ("seat", "i1"),
        ("slot", "i1"),
        ("share_as_it_is", "<f4"),
        ("share_otherwise", "<f4"),
        ("glory_as_it_is", "<i2"),
        ("glory_otherwise", "<i2"),
        ("diverged", "i1"),
    ]
)
VALUE_COLUMNS = {
    "block": "deal",
    "measure": "what is otherwise: " + ", ".join(f"{number} {name}" for number, name in enumerate(MEASURES)),
    "age": "age in which the card was drafted or passed on",
    "card": "number of the card, its row in cards.csv",
    "seat": "seat of the instance",
    "slot": "number of its strategy in the line-up",
    "share_as_it_is": "its win share in the game as it is",
    "share_otherwise": "and in the other game",
    "glory_as_it_is": "its final glory in the game as it is",
    "glory_otherwise": "and in the other game",
    "diverged": "1 if a decision was another",
}


@dataclass(frozen=True)
class ValueKit(Kit):
    """The strategies of a valuation; their orders and tables are changed from batch to batch by a Replayer of its own."""

    @classmethod
    def load(cls, config: ValueConfig, load: Callable[[str], Strategy] = load_strategy) -> ValueKit:
        """Load the strategies, with `load`.  Raises what load_strategy raises."""
        run = RunConfig(
            players=(config.players,), games=config.blocks, seed=config.seed, strategies=config.strategies[:1], seats="fixed",
            ruleset=config.ruleset, tables=(DEALS.name,),
        )  # fmt: skip
        loaded = [load(text) for text in config.slots]
        return cls(run, tuple(loaded[slot % len(loaded)] for slot in range(N_SEATS)))

    @cached_property
    def strategy_of(self) -> np.ndarray:
        """Slots take the place of strategies."""
        return np.arange(N_SEATS, dtype=np.int64)

    @cached_property
    def tables(self) -> np.recarray:
        tables = self.config.ruleset.tables()
        spare = SpareCards()
        assert spare.number_of(BLANK, 1, {}, "") == BLANK_CARD
        spare.write(tables)
        return tables

    @cached_property
    def cast(self) -> Cast:
        cast = cast_of(self.line_up)
        cast.params.orders.active[0] = 1  # so that the course of the game is told
        return cast


class Replayer(Worker):
    """Plays units of deals with all their instances; scratch memory of one thread."""

    def __init__(self, config: ValueConfig, planner: Planner, load: Callable[[str], Strategy] = load_strategy) -> None:
        super().__init__(ValueKit.load(config, load), planner, queue.SimpleQueue())
        self._config = config
        self._wanted = config.wanted
        self._seatings = config.seatings

    def unit(self, first: int, count: int) -> np.ndarray | None:
        """VALUE_ROW rows of deals first, first + 1, ...; None if it was stopped.  Raises BadPlugin."""
        players = self._config.players
        games = self._set_up(first, count)
        self._play(games, Unit(0, players, first, count))
        if not games.over.all():
            return None
        base = games.copy()
        part = self._recorder.part(base, players, first)
        deals = flat(DEALS, part.rows[DEALS.name]).copy()
        deals["game"] -= first
        measures = [MEASURES.index(measure) for measure in self._config.measures]
        found = instances_of(deals, self.kit.tables.card_of[0], self._wanted, measures, not self._config.cards)
        after, before = self._snapshots(first, count)
        rows = []
        for batch in batches(found, MAX_TWINS):
            age, measure = int(batch["age"][0]), int(batch["measure"][0])
            other = (after if is_after_draft(measure) else before)[age - 1][batch["game"]]
            self._change(other, batch)
            self._go_on(other)
            if not other.over.all():
                return None
            rows.append(_rows(batch, base[batch["game"]], other, self._players(base)[batch["game"]], self._players(other)))
        return np.concatenate([np.zeros(0, VALUE_ROW), *rows])

    def _set_up(self, first: int, count: int) -> np.recarray:
        """Games of the deals, with the seating that is drawn for each."""
        games = self._empty_games(count)
        self._recorder.set_up(games, self._config.players, first)
        chosen = [np.random.default_rng([self._config.seed, first + at]).integers(len(self._seatings)) for at in range(count)]
        games.slot[:, : self._config.players] = self._seatings[chosen]
        return games

    def _snapshots(self, first: int, count: int) -> tuple[list[np.recarray], list[np.recarray]]:
        """Copies of the games after and before the draft of each age."""
        games = self._set_up(first, count).copy()
        orders = self.kit.cast.params.orders
        after, before = [], []
        for age in range(1, N_AGES + 1):
            for phase, kept in ((PHASE_DRAFT, before), (PHASE_ACTION, after)):
                orders.stop_age[0], orders.stop_phase[0] = age, phase
                self._go_on(games)
                kept.append(games.copy())
        orders.stop_age[0] = 0
        return after, before

    def _go_on(self, games: np.recarray) -> None:
        """Play games on to where orders stop them, or to their end, without keeping events."""
        log = self._recorder.log
        keep, capacity = int(log.keep[0]), int(log.capacity[0])
        log.keep[0] = log.capacity[0] = 0
        try:
            self._play(games, Unit(0, self._config.players, 0, len(games)))
        finally:
            log.keep[0], log.capacity[0] = keep, capacity

    def _change(self, games: np.recarray, batch: np.ndarray) -> None:
        """Make otherwise what a batch is about, and set the orders for it."""
        params, tables = self.kit.cast.params, self.kit.tables
        params.orders[0] = np.zeros(1, ORDERS)[0]
        params.orders.active[0] = 1
        measure = int(batch["measure"][0])
        at = np.arange(len(batch))
        if measure == HOLD:
            games.secret.card_of[at, batch["copy"]] = BLANK_CARD
            sort_hands(games, batch["seat"], tables.face[0])
            return
        cards, twin = np.unique(batch["card"], return_inverse=True)
        for number, card in enumerate(cards):
            for name in _CARD_FIELDS:
                tables[name][0, FIRST_TWIN + number] = tables[name][0, card]
        games.secret.card_of[at, batch["copy"]] = FIRST_TWIN + twin
        if measure == PICK:
            picks = int(tables.picks[0, self._config.players])
            for nth in range(picks):
                self._forbid(len(cards), 0, question=QUESTION_DRAFT, pick=(int(batch["round"][0]) - 1) * picks + nth + 1)
        elif measure == DENY:
            self._forbid(len(cards), 0, question=QUESTION_DRAFT)
        else:
            assert measure == USE
            self._forbid(len(cards), _PLAYS)

    def _forbid(self, twins: int, actions: int, **numbers: int) -> None:
        """An order against options with a twin.  actions : bits of the ACTIONs meant, 0 for all."""
        orders: Any = self.kit.cast.params.orders[0]
        order = orders.order[orders.n_orders]
        order.what, order.who = WITHOUT, _ANY_SLOT
        order.sieve.by_card, order.sieve.actions = 1, actions
        order.sieve.cards[FIRST_TWIN : FIRST_TWIN + twins] = 1
        order.sieve.rivals[:], order.sieve.lead[:] = (0, FAR), (-FAR, FAR)
        for name, value in numbers.items():
            setattr(order, name, value)
        orders.n_orders += 1

    def _players(self, games: np.recarray) -> np.ndarray:
        """PLAYERS rows (games, players) of finished games."""
        players = self._config.players
        rows = [new_rows(GAMES, len(games)), new_rows(PLAYERS, len(games) * players)]
        fill_rows(games, len(games), 0, self.kit.strategy_of, *rows)
        return flat(PLAYERS, rows[1]).reshape(len(games), players)


def sort_hands(games: np.recarray, seat: np.ndarray, face: np.ndarray) -> None:
    """Sort a hand of each game by face and number again, as the core keeps it.  Rule 18.

    seat : int (games,); face : int by CARD id
    """
    at = np.arange(len(games))
    hands = games.secret.hand[at, seat].astype(np.int64)
    size = games.clans.hand[at, seat]
    held = np.arange(hands.shape[1]) < size[:, None]
    card = np.take_along_axis(games.secret.card_of, np.where(held, hands, 0), axis=1)
    key = np.where(held, face[card].astype(np.int64) * 1024 + hands, 2**40 + np.arange(hands.shape[1]))
    games.secret.hand[at, seat] = np.take_along_axis(hands, np.argsort(key, axis=1), axis=1)


def _rows(batch: np.ndarray, base: np.recarray, other: np.recarray, was: np.ndarray, is_: np.ndarray) -> np.ndarray:
    """VALUE_ROW rows of instances; was, is_ : PLAYERS rows (games, players) of the game as it is and the other one."""
    at, seat = np.arange(len(batch)), batch["seat"]
    rows = np.zeros(len(batch), VALUE_ROW)
    for name in ("measure", "age", "card", "seat"):
        rows[name] = batch[name]
    rows["block"] = base.deal
    rows["slot"] = base.slot[at, seat]
    rows["share_as_it_is"], rows["share_otherwise"] = was["win_share"][at, seat], is_["win_share"][at, seat]
    rows["glory_as_it_is"], rows["glory_otherwise"] = was["glory"][at, seat], is_["glory"][at, seat]
    rows["diverged"] = (base.trial.course != other.trial.course).any(1)
    return rows
