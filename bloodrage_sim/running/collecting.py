"""Played units put in order and together into parts, and where parts go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from ..datasets.dataset import PlayedPart
from ..rows.row_bytes import copied, lay
from ..rows.tables_out import Table, new_rows
from .units import Planner, PlayedUnit, Segment


class Sink(Protocol):
    """Where parts go."""

    def write(self, part: PlayedPart) -> None:
        """Keep a part; its arrays will be overwritten."""


class MemorySink:
    """Keeps parts in memory."""

    def __init__(self) -> None:
        self.parts: list[PlayedPart] = []

    def write(self, part: PlayedPart) -> None:
        self.parts.append(replace(part, rows={name: copied(rows) for name, rows in part.rows.items()}))


class PartBuffer:
    """Gathers units that follow each other; its memory grows to what a part needs and is used for one after the other."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self._tables = tables
        self._rows: dict[str, np.ndarray] = {table.name: new_rows(table, 0) for table in tables}
        self._used: dict[str, int] = {}
        self._sums: dict[str, int] = {}
        self.segment = Segment(0, 0, 0)
        self.count = 0

    def append(self, unit: PlayedPart, segment: Segment) -> None:
        """Add the games of a unit of `segment`, whose first unit empties the buffer."""
        if segment != self.segment:
            self._begin(segment)
        for table in self._tables:
            rows, used = unit.rows[table.name], self._used[table.name]
            self._make_room(table, used + len(rows))
            lay(self._rows[table.name][used:], rows)
            self._used[table.name] = used + len(rows)
            self._sums[table.name] += unit.sums[table.name]
        self.count += unit.count

    def _make_room(self, table: Table, wanted: int) -> None:
        rows = self._rows[table.name]
        if len(rows) < wanted:
            grown = new_rows(table, wanted + wanted // 4)
            lay(grown, rows)
            self._rows[table.name] = grown

    def _begin(self, segment: Segment) -> None:
        self.segment = segment
        self.count = 0
        for table in self._tables:
            self._used[table.name] = 0
            self._sums[table.name] = 0

    def part(self) -> PlayedPart:
        """What was gathered; its arrays are those of the buffer."""
        players = self.segment.players
        rows = {name: self._rows[name][:used] for name, used in self._used.items()}
        sums = {name: total % 2**256 for name, total in self._sums.items()}
        return PlayedPart(players, self.segment.first, self.count, rows, sums)


class Collector:
    """Puts played units in order and together into parts.

    Attributes
    ----------
    games : games collected
    ended : whether no more units are wanted: all games are there, or a unit was cut short
    whole : whether all games are there
    fault : what went wrong in the unit that was cut short, None if nothing did
    """

    def __init__(self, segments: Sequence[Segment], sink: Sink, planner: Planner, tables: Sequence[Table]) -> None:
        self._segments = list(reversed(segments))
        self._sink = sink
        self._planner = planner
        self._early: dict[int, PlayedUnit] = {}
        self._next = 0
        self._buffer = PartBuffer(tables)
        self._pending = False
        self.games = 0
        self.ended = not segments
        self.fault: BaseException | None = None

    @property
    def whole(self) -> bool:
        return not self._segments

    def add(self, played: PlayedUnit) -> None:
        """Take a unit, in any order.  Raises OutputRefused when a part that it completes cannot be written."""
        self._early[played.unit.index] = played
        while not self.ended and self._next in self._early:
            self._append(self._early.pop(self._next))

    def _append(self, played: PlayedUnit) -> None:
        self._next += 1
        self._planner.note_collected()
        if played.part.count:
            self._buffer.append(played.part, self._segments[-1])
            self._pending = True
            self.games += played.part.count
        if played.part.count < played.unit.count:
            self.fault = played.fault
            self.ended = True
        elif played.unit.first + played.unit.count == self._segments[-1].stop:
            self.close()
            self._segments.pop()
            self.ended = not self._segments

    def close(self) -> None:
        """Write the games collected since the last part, if any.  Raises OutputRefused."""
        if self._pending:
            self._pending = False
            self._sink.write(self._buffer.part())
