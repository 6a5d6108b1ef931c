"""Playing a run: a planner hands out units of games, workers play them, a collector puts them in order into parts.

Workers are threads, because the compiled core runs without Python's lock.  The main thread only collects and writes, so
that it answers Ctrl-C at once.
"""

from __future__ import annotations

import operator
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from .dataset import PlayedPart
from .errors import BadPlugin
from .play import BAD_ANSWER, DONE, LOG_FULL, play_games
from .recorder import Recorder
from .rules.flow import QUESTION_NAMES
from .rules.state import new_games, new_options
from .runs import MAX_UNIT_GAMES, Kit, replay_command
from .tables_out import Table, new_rows, tables_named
from .view import new_views

UNIT_SECONDS = 0.1
_FIRST_UNIT_GAMES = 16
_FIRST_DECISIONS = 256
_MAX_DECISIONS = 1_000_000
_TICK_SECONDS = 0.05
_LAST_WAIT_SECONDS = 0.6  # for workers after Ctrl-C; one that is stuck in a strategy is left behind
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
    fault: Exception | None = None


class Planner:
    """Hands out units in order, as large as take about UNIT_SECONDS, and not too far ahead of what is collected."""

    def __init__(self, segments: Sequence[Segment], unit_games: int) -> None:
        self._segments = segments
        self._fixed = unit_games
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
            wanted = UNIT_SECONDS * games / max(seconds, 1e-6)
            self._games = max(1, min(MAX_UNIT_GAMES, int(wanted), 8 * self._games))

    def note_collected(self) -> None:
        """A unit was collected."""
        with self._condition:
            self._collected += 1
            self._condition.notify()


class Worker:
    """Plays units one after the other in a thread of its own; holds its scratch memory."""

    def __init__(self, kit: Kit, planner: Planner, results: queue.SimpleQueue[PlayedUnit]) -> None:
        self.kit = kit
        self.planner = planner
        self.results = results
        self.thread = threading.Thread(target=self._work, name="bloodrage worker", daemon=True)
        self._games = new_games(0)
        self._options = new_options()
        self._shown_options = self._options.option[0]
        self._views = new_views(1)
        self._recorder = Recorder(kit)
        self._found = np.zeros(3, np.int64)
        self._decisions = _FIRST_DECISIONS
        self._shown_tables = kit.tables.copy().view(np.recarray)
        self._shown_tables.flags.writeable = False

    def _work(self) -> None:
        while (unit := self.planner.claim()) is not None:
            began = time.perf_counter()
            try:
                played = self.play(unit)
            except Exception as error:  # anything else would leave the main thread waiting
                played = PlayedUnit(unit, self._recorder.part(self._games[:0], unit.players, unit.first), error)
            self.planner.note_speed(played.part.count, time.perf_counter() - began)
            self.results.put(played)

    def play(self, unit: Unit) -> PlayedUnit:
        """Play a unit; fewer games when the run is stopped or a strategy misbehaves."""
        games = self._empty_games(unit.count)
        self._recorder.set_up(games, unit.players, unit.first)
        fault = None
        try:
            self._play(games, unit)
        except BadPlugin as error:
            fault = error
        unfinished = np.flatnonzero(games.over == 0)
        done = int(unfinished[0]) if len(unfinished) else unit.count
        return PlayedUnit(unit, self._recorder.part(games[:done], unit.players, unit.first), fault)

    def _empty_games(self, n: int) -> np.recarray:
        if len(self._games) < n:
            self._games = new_games(n)
        games = self._games[:n]
        games.view(np.ndarray).view(np.uint8)[:] = 0
        return games

    def _play(self, games: np.recarray, unit: Unit) -> None:
        """Play all games, a slice of decisions at a time so that a slow strategy can be stopped.  Raises BadPlugin."""
        kit, found = self.kit, self._found
        index, given = 0, -1
        while not self.planner.stopped.is_set():
            began = time.perf_counter()
            try:
                index = play_games(
                    games, index, kit.tables, self._recorder.log, self._options, self._views, *kit.cast.arguments, given,
                    self._decisions, 0, found,
                )  # fmt: skip
            except Exception as error:
                raise self._fault(games, f"raised {_one_line(error)}") from None
            if found[0] == DONE:
                return
            if found[0] == LOG_FULL:
                self._recorder.take(games, index, unit.players, unit.first)
                given = -1
                continue
            if found[0] == BAD_ANSWER:
                raise self._fault(games, f"answered {found[2]} to a question with {found[1]} options")
            slot = int(found[2])
            if kit.line_up[slot].compiled:
                given = -1
                seconds = time.perf_counter() - began
                wanted = int(self._decisions * UNIT_SECONDS / max(seconds, 1e-6))
                self._decisions = max(1, min(_MAX_DECISIONS, wanted, 8 * self._decisions))
            else:
                given = self._ask(games, index, slot, int(found[1]))

    def _ask(self, games: np.recarray, index: int, slot: int, n: int) -> int:
        """The answer of a strategy in plain Python.  Raises BadPlugin."""
        kit, decide = self.kit, self.kit.line_up[slot].decide
        params, memory = kit.cast.params.of[0, slot], games.memory[index, slot]
        key = kit.cast.show(games, index, kit.tables, self._options, n, self._views, slot)
        try:
            answer = decide(self._views[0], self._shown_options, n, self._shown_tables[0], params, memory, key)
        except Exception as error:
            raise self._fault(games, f"raised {_one_line(error)}") from None
        try:
            choice = operator.index(answer)
        except TypeError:
            raise self._fault(games, f"answered {answer!r:.40}, which is no whole number,") from None
        if not 0 <= choice < n:
            raise self._fault(games, f"answered {choice} to a question with {n} options")
        return choice

    def _fault(self, games: np.recarray, what: str) -> BadPlugin:
        """The error for a strategy that misbehaves in the first game that is not over."""
        game = games[int(np.flatnonzero(games.over == 0)[0])]
        seat, players = int(game.flow.seat), int(game.clock.players)
        strategy, question = self.kit.line_up[int(game.slot[seat])].text, QUESTION_NAMES[game.flow.question]
        return BadPlugin(
            f"strategy {strategy} {what} at decision {game.decisions} (the first is 0, {question}) "
            f"of deal {game.deal}, rotation {game.rotation}, seat {seat}; "
            f"to see it: {replay_command(self.kit.config, players, int(game.deal), int(game.rotation))}"
        )


def _one_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0]}"[:300] if lines else type(error).__name__


class Sink(Protocol):
    """Where parts go."""

    def write(self, part: PlayedPart) -> None:
        """Keep a part; its arrays will be overwritten."""


class MemorySink:
    """Keeps parts in memory."""

    def __init__(self) -> None:
        self.parts: list[PlayedPart] = []

    def write(self, part: PlayedPart) -> None:
        self.parts.append(replace(part, rows={name: rows.copy() for name, rows in part.rows.items()}))


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
            self._rows[table.name][used : used + len(rows)] = rows
            self._used[table.name] = used + len(rows)
            self._sums[table.name] += unit.sums[table.name]
        self.count += unit.count

    def _make_room(self, table: Table, wanted: int) -> None:
        rows = self._rows[table.name]
        if len(rows) < wanted:
            grown = new_rows(table, wanted + wanted // 4)
            grown[: len(rows)] = rows
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
        self.fault: Exception | None = None

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


@contextmanager
def interrupts_noted() -> Iterator[threading.Event]:
    """Within, the first Ctrl-C sets the event that is given; the second raises KeyboardInterrupt as usual."""
    asked = threading.Event()
    usual = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT)
    if usual is not signal.default_int_handler:  # another thread, or whoever runs us has its own way
        yield asked
        return

    def note(_signal: int, _frame: Any) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()

    signal.signal(signal.SIGINT, note)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def play_segments(
    kit: Kit,
    segments: Sequence[Segment],
    sink: Sink,
    tick: Callable[[int], None],
    interrupt: threading.Event | None = None,
) -> bool:
    """Play games and give them to `sink` in order.  tick(games) is called often.

    interrupt : of the caller's own interrupts_noted(), around several calls, so that no Ctrl-C is lost between them

    Returns whether Ctrl-C stopped it; what was finished until then went to the sink.

    Raises
    ------
    BadPlugin : a strategy misbehaved; the games before it went to the sink
    OutputRefused : the sink could not write
    """
    planner = Planner(segments, kit.config.unit_games)
    results: queue.SimpleQueue[PlayedUnit] = queue.SimpleQueue()
    collector = Collector(segments, sink, planner, tables_named(kit.config.tables))
    workers = [Worker(kit, planner, results) for _ in range(kit.threads)]
    with interrupts_noted() if interrupt is None else nullcontext(interrupt) as interrupt:
        try:
            for worker in workers:
                worker.thread.start()
            while not collector.ended and not interrupt.is_set():
                _collect(collector, results, _TICK_SECONDS)
                tick(collector.games)
        finally:
            planner.stop()
            _wait_for(workers, _LAST_WAIT_SECONDS)
        while not collector.ended and not results.empty():
            _collect(collector, results, 0)
        collector.close()
        tick(collector.games)
    if collector.fault is not None:
        raise collector.fault
    return not collector.whole


def _collect(collector: Collector, results: queue.SimpleQueue[PlayedUnit], seconds: float) -> None:
    try:
        collector.add(results.get(timeout=seconds) if seconds else results.get_nowait())
    except queue.Empty:
        pass


def _wait_for(workers: Sequence[Worker], seconds: float) -> None:
    end = time.monotonic() + seconds
    for worker in workers:
        if worker.thread.is_alive():
            worker.thread.join(max(0.0, end - time.monotonic()))
