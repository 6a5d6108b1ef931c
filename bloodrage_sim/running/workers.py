"""Playing a run: a planner hands out units of games, workers play them, a collector puts them in order into parts.

Workers are threads, because the compiled core runs without Python's lock; an engine (cluster.py) may bring others.  The
main thread only collects and writes, so that it answers Ctrl-C at once.
"""

from __future__ import annotations

import operator
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np

from ..errors import BadPlugin, is_ctrl_c, one_line, shown
from ..play import BAD_ANSWER, DONE, LOG_FULL, play_games
from ..rows.tables_out import tables_named
from ..rules.flow import QUESTION_NAMES
from ..rules.state import new_games, new_options
from ..view import new_views
from .collecting import Collector, Sink
from .recorder import Recorder
from .runs import Kit, replay_command
from .units import UNIT_SECONDS, Planner, PlayedUnit, Segment, Unit

_FIRST_DECISIONS = 256
_MAX_DECISIONS = 1_000_000
_TICK_SECONDS = 0.05
_LAST_WAIT_SECONDS = 0.6  # for workers after Ctrl-C; one that is stuck in a strategy is left behind


class Worker:
    """Plays units one after the other in a thread of its own; holds its scratch memory."""

    def __init__(self, kit: Kit, planner: Planner, results: queue.SimpleQueue[PlayedUnit]) -> None:
        self.kit = kit
        self.planner = planner
        self.results = results
        self.thread = threading.Thread(target=self._work, name="bloodrage worker", daemon=True)
        self._games = new_games(0)
        self._options = new_options()
        self._views = new_views(1)
        self._recorder = Recorder(kit)
        self._found = np.zeros(3, np.int64)
        self._decisions = _FIRST_DECISIONS
        self._asked: tuple[float, np.recarray] | None = None  # since when a plain-Python strategy thinks, in which games
        self._shown_tables = kit.tables.copy().view(np.recarray)
        self._shown_tables.flags.writeable = False

    def _work(self) -> None:
        while (unit := self.planner.claim()) is not None:
            began = time.perf_counter()
            try:
                played = self.play(unit)
            except BaseException as error:  # noqa: BLE001  anything else would leave the main thread waiting
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
            except BaseException as error:
                if is_ctrl_c(error):
                    raise
                raise self._fault(games, f"raised {one_line(error)}") from None
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
        params, memory = kit.cast.params.of[0, slot].view(), games.memory[index, slot]
        params.flags.writeable = False
        key = kit.cast.show(games, index, kit.tables, self._options, n, self._views, slot)
        options = self._options.option[0, :n].copy()  # its own: what it writes there must not change what it may do
        self._asked = time.monotonic(), games
        try:
            answer = decide(self._views[0], options, n, self._shown_tables[0], params, memory, key)
        except BaseException as error:
            if is_ctrl_c(error):
                raise
            raise self._fault(games, f"raised {one_line(error)}") from None
        finally:
            self._asked = None
        try:
            choice = operator.index(answer)
        except Exception:  # noqa: BLE001  whatever the answer's own code does
            raise self._fault(games, f"answered {shown(answer)}, which is no whole number,") from None
        if not 0 <= choice < n:
            raise self._fault(games, f"answered {shown(choice)} to a question with {n} options")
        return choice

    def overdue(self, seconds: float) -> BadPlugin | None:
        """The error for a plain-Python strategy that has been thinking about one decision for longer than that."""
        asked = self._asked
        if asked is None or time.monotonic() - asked[0] < seconds:
            return None
        return self._fault(asked[1], f"did not answer within {seconds:g} s")

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


class ThreadCrew:
    """Workers in threads of this process."""

    def __init__(self, kit: Kit) -> None:
        self._kit = kit
        self._workers: list[Worker] = []

    def start(self, planner: Planner, results: queue.SimpleQueue[PlayedUnit]) -> None:
        """Let workers claim units and put them into `results`."""
        self._workers = [Worker(self._kit, planner, results) for _ in range(self._kit.threads)]
        for worker in self._workers:
            worker.thread.start()

    def fault(self) -> Exception | None:
        """What keeps the crew from going on, None if nothing does."""
        seconds = self._kit.config.decision_seconds
        return next((fault for worker in self._workers if (fault := worker.overdue(seconds)) is not None), None)

    def stop(self) -> None:
        """Wait a little for workers to end, after the planner was stopped."""
        end = time.monotonic() + _LAST_WAIT_SECONDS
        for worker in self._workers:
            if worker.thread.is_alive():
                worker.thread.join(max(0.0, end - time.monotonic()))


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
    engine = kit.config.engine
    planner = Planner(segments, kit.config.unit_games, **(engine.unit_size if engine else {}))
    results: queue.SimpleQueue[PlayedUnit] = queue.SimpleQueue()
    collector = Collector(segments, sink, planner, tables_named(kit.config.tables))
    crew = engine.crew(kit) if engine else ThreadCrew(kit)
    fault = None
    with interrupts_noted() if interrupt is None else nullcontext(interrupt) as interrupt:
        try:
            crew.start(planner, results)
            while not collector.ended and not interrupt.is_set() and fault is None:
                _collect(collector, results, _TICK_SECONDS)
                tick(collector.games)
                fault = crew.fault()
        finally:
            planner.stop()
            crew.stop()
        while not collector.ended and not results.empty():
            _collect(collector, results, 0)
        collector.close()
        tick(collector.games)
    fault = collector.fault or fault
    if fault is not None:
        raise fault
    return not collector.whole


def _collect(collector: Collector, results: queue.SimpleQueue[PlayedUnit], seconds: float) -> None:
    try:
        collector.add(results.get(timeout=seconds) if seconds else results.get_nowait())
    except queue.Empty:
        pass
