"""Games of a candidate against a field of opponents, and what they say of it."""

from __future__ import annotations

import hashlib
import math
import random
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..plugins.loading import Strategy, load_strategy
from ..provenance import canonical
from ..rows.tables_out import PLAYERS
from ..rules.tables import N_SEATS
from ..ruleset import Ruleset
from ..running.collecting import MemorySink
from ..running.runs import Kit, RunConfig
from ..running.units import Segment
from ..running.workers import play_segments
from ..summary import t_quantile

MOST_TABLES = 6  # different sets of opponents in a generation
MOST_HELD_OUT_TABLES = 48
# of glory less that of the best other, beside the win share.  Measured with 16 variants of `balanced`: in 120 games that
# ranks them as well as wins alone do in 170 (correlation with the win share in many other games 0.92 against 0.89)
MARGIN_WEIGHT = 0.01


class Interrupted(Exception):
    """Ctrl-C."""


def seed_of(seed: int, purpose: str, number: int = 0) -> int:
    """A seed of games, 0 to 2**63 - 1: for each purpose and number another one."""
    return int.from_bytes(hashlib.sha256(canonical(["tune", seed, purpose, number])).digest()[:8]) >> 1


@dataclass(frozen=True)
class Table:
    """Opponents by seat, to the left of the candidate, and the deals that are played with them: first to stop - 1."""

    opponents: tuple[str, ...]
    first: int
    stop: int


def draw_tables(field: Sequence[str], players: int, deals: int, most: int, seed: int) -> list[Table]:
    """Share deals among tables whose seats the members of a field take equally often, in an order drawn by `seed`.

    most : tables at most; one is enough for a field of one
    """
    count = 1 if len(set(field)) == 1 else min(most, deals)
    seats = count * (players - 1)
    chance = random.Random(seed)
    members: list[str] = []
    while len(members) < seats:  # a whole round of the field at a time, so that nobody sits out
        members += chance.sample(field, len(field))
    del members[seats:]
    chance.shuffle(members)
    ends = [deals * number // count for number in range(count + 1)]
    return [
        Table(tuple(members[at * (players - 1) : (at + 1) * (players - 1)]), ends[at], ends[at + 1])
        for at in range(count)
    ]


@dataclass(frozen=True)
class Played:
    """Results of a candidate by deal, each the mean over all seats.

    Attributes
    ----------
    share : float64 array, win share
    margin : float64 array, glory less the most glory of any other player
    """

    share: np.ndarray
    margin: np.ndarray

    @property
    def score(self) -> float:
        """What the search makes as large as it can."""
        return float(self.share.mean() + MARGIN_WEIGHT * self.margin.mean())


class Scorer:
    """Plays candidates.

    Parameters
    ----------
    players, ruleset, threads : as in a RunConfig
    tick : is called often with the number of games played so far

    Attributes
    ----------
    games : games played so far
    interrupt : of workers.interrupts_noted() around several calls, so that no Ctrl-C is lost between them
    """

    def __init__(self, players: int, ruleset: Ruleset, threads: int, tick: Callable[[int], None]) -> None:
        self.players = players
        self.games = 0
        self.interrupt: threading.Event | None = None
        self._ruleset = ruleset
        self._threads = threads
        self._tick = tick
        self._loaded: dict[str, Strategy] = {}

    def play(self, candidate: str, tables: Sequence[Table], seed: int) -> Played:
        """Play a candidate in all seats of all deals.  Raises Interrupted, BadPlugin."""
        results = [self._play_table(load_strategy(candidate), table, seed) for table in tables]
        share, margin = np.concatenate(results, axis=1)
        return Played(share, margin)

    def _play_table(self, candidate: Strategy, table: Table, seed: int) -> np.ndarray:
        """float64 array (2, deals): win share and margin of the candidate."""
        kit = self._kit((candidate, *(self._opponent(text) for text in table.opponents)), table.stop, seed)
        sink, before = MemorySink(), self.games
        segment = Segment(self.players, table.first * self.players, table.stop * self.players)
        if play_segments(kit, [segment], sink, lambda games: self._tick(before + games), self.interrupt):
            raise Interrupted
        self.games += segment.stop - segment.first
        rows = sink.parts[0].rows[PLAYERS.name]
        own = rows[rows["slot"] == 0]
        by_deal = np.array([own["win_share"], own["margin"]], float).reshape(2, -1, self.players)
        return by_deal.mean(axis=2)

    def _opponent(self, text: str) -> Strategy:
        if text not in self._loaded:
            self._loaded[text] = load_strategy(text)
        return self._loaded[text]

    def _kit(self, line_up: tuple[Strategy, ...], deals: int, seed: int) -> Kit:
        config = RunConfig(
            players=(self.players,),
            games=deals * self.players,
            seed=seed,
            strategies=tuple(strategy.text for strategy in line_up),
            ruleset=self._ruleset,
            threads=self._threads,
        )
        return Kit(config, line_up + line_up[-1:] * (N_SEATS - len(line_up)))


@dataclass(frozen=True)
class Estimate:
    """A mean over deals and the half width of its 95 % interval, nan for one deal."""

    mean: float
    half_width: float

    @property
    def least(self) -> float:
        return self.mean - self.half_width

    @property
    def most(self) -> float:
        return self.mean + self.half_width


def estimate(by_deal: np.ndarray) -> Estimate:
    """The mean of values by deal: deals are independent of each other, games of one deal are not."""
    n = len(by_deal)
    if n < 2:
        return Estimate(float(by_deal.mean()), math.nan)
    return Estimate(float(by_deal.mean()), t_quantile(n - 1) * float(by_deal.std(ddof=1)) / math.sqrt(n))


@dataclass(frozen=True)
class Score:
    """A tuned strategy and the untuned one in the same games, which were not used in tuning.

    Attributes
    ----------
    games : of each of them
    tuned, untuned : win share
    difference : of the two, deal by deal
    """

    games: int
    tuned: Estimate
    untuned: Estimate
    difference: Estimate

    @classmethod
    def of(cls, tuned: Played, untuned: Played, players: int) -> Score:
        """The score from results in the same deals."""
        difference = estimate(tuned.share - untuned.share)
        return cls(len(tuned.share) * players, estimate(tuned.share), estimate(untuned.share), difference)

    def as_data(self) -> dict[str, Any]:
        """As plain data, for a file."""
        data: dict[str, Any] = {"games": self.games}
        for name in ("tuned", "untuned", "difference"):
            data[name] = getattr(self, name).mean
            data[f"{name}_half_width"] = getattr(self, name).half_width
        return data

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Score:
        """The score that `as_data` gave."""
        names = ("tuned", "untuned", "difference")
        return cls(data["games"], *(Estimate(data[name], data[f"{name}_half_width"]) for name in names))
