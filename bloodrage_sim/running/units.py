"""A run cut into pieces: a segment becomes a part of the data set, a unit is what a worker plays at a time."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from ..datasets.dataset import PlayedPart
from .runs import MAX_UNIT_GAMES

UNIT_SECONDS = 0.1
_FIRST_UNIT_GAMES = 16
_TICK_SECONDS = 0.05
_UNITS_AHEAD = 64


@dataclass(frozen=True)
class Segment:
    """Games first, first + 1, ... stop - 1 with `players` players: what becomes one part."""

    players: int
    first: int
    stop: int


@dataclass(frozen=True)
class Unit:
    """Games that one worker plays at a time: number `index` in the order of the run."""

    index: int
    players: int
    first: int
    count: int


@dataclass(frozen=True)
class PlayedUnit:
    """The first games of a unit, played; all of them unless the run was stopped or `fault` is what went wrong."""

    unit: Unit
    part: PlayedPart
    fault: BaseException | None = None


class Planner:
    """Hands out units in order, as large as take about `seconds`, and not too far ahead of what is collected.

    unit_games : games of a unit; 0 to go by the time, up to `most`
    """

    def __init__(
        self, segments: Sequence[Segment], unit_games: int, seconds: float = UNIT_SECONDS, most: int = MAX_UNIT_GAMES
    ) -> None:
        self._segments = segments
        self._fixed = unit_games
        self._seconds = seconds
        self._most = most
        self._games = unit_games or _FIRST_UNIT_GAMES
        self._next = (0, segments[0].first if segments else 0)
        self._handed_out = 0
        self._collected = 0
        self._condition = threading.Condition()
        self.stopped = threading.Event()

    def stop(self) -> None:
        """Hand out no more units; workers stop after the decision they are at."""
        with self._condition:
            self.stopped.set()
            self._condition.notify_all()

    def claim(self) -> Unit | None:
        """The next unit, None if there is none or the run was stopped."""
        with self._condition:
            while not self.stopped.is_set() and self._handed_out - self._collected >= _UNITS_AHEAD:
                self._condition.wait(_TICK_SECONDS)
            at, first = self._next
            if self.stopped.is_set() or at >= len(self._segments):
                return None
            segment = self._segments[at]
            unit = Unit(self._handed_out, segment.players, first, min(self._games, segment.stop - first))
            first += unit.count
            if first < segment.stop:
                self._next = (at, first)
            else:
                self._next = (at + 1, self._segments[at + 1].first if at + 1 < len(self._segments) else 0)
            self._handed_out += 1
            return unit

    def note_speed(self, games: int, seconds: float) -> None:
        """A worker played `games` games in `seconds`."""
        if not self._fixed and games > 0:
            wanted = self._seconds * games / max(seconds, 1e-6)
            self._games = max(1, min(self._most, int(wanted), 8 * self._games))

    def note_collected(self) -> None:
        """A unit was collected."""
        with self._condition:
            self._collected += 1
            self._condition.notify()
