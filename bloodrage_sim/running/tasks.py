"""Tasks of one piece of work, shared out among threads or among workers elsewhere; their rows come back in any order.

A task is a pure function of the work, which is plain data that can travel, so who plays it changes nothing.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Protocol, TypeVar

import numpy as np

from ..errors import BadPlugin
from ..plugins.loading import load_strategy, read_strategy
from .runs import DECISION_SECONDS, Engine
from .travelling import Loader, packed, unpacked
from .units import Planner

_TICK_SECONDS = 0.05
_LAST_WAIT_SECONDS = 0.6  # for a thread that is stuck in a strategy; it is left behind
Task = TypeVar("Task")
TaskIn = TypeVar("TaskIn", contravariant=True)
Done = queue.SimpleQueue[np.ndarray | BaseException]


class TaskPlayer(Protocol[TaskIn]):
    """Plays tasks one after the other in one thread."""

    def play(self, task: TaskIn) -> np.ndarray | None:
        """Rows of a task, None if its planner was stopped.  Raises BadPlugin."""

    def overdue(self, seconds: float) -> BadPlugin | None:
        """The error for a strategy in plain Python that thinks about one decision for longer than that."""


class Work(Protocol[TaskIn]):
    """What tasks have in common.

    Attributes
    ----------
    strategies : texts of all strategies that take part
    """

    @property
    def strategies(self) -> Sequence[str]: ...

    def prepare(self, load: Loader) -> Callable[[Planner], TaskPlayer[TaskIn]]:
        """Load what is needed; returns the function that makes a player for a thread.  Raises what load_strategy raises."""


class TaskThreads:
    """Plays tasks in threads of this process, because the compiled core runs without Python's lock."""

    def __init__(self, maker: Callable[[Planner], TaskPlayer[Any]], threads: int) -> None:
        self._maker = maker
        self._planner = Planner([], 0)
        self._lock = threading.Lock()
        self._players: list[TaskPlayer[Any]] = []
        self._threads = [threading.Thread(target=self._work, name="bloodrage task", daemon=True) for _ in range(threads)]

    def start(self, tasks: Iterator[Any], done: Done) -> None:
        """Let threads take tasks and put their rows, or what went wrong, into `done`."""
        self._tasks, self._done = tasks, done
        for thread in self._threads:
            thread.start()

    def _work(self) -> None:
        try:
            with self._lock:
                player = self._maker(self._planner)
                self._players.append(player)
            while not self._planner.stopped.is_set():
                with self._lock:
                    task = next(self._tasks, None)
                if task is None:
                    return
                rows = player.play(task)
                if rows is not None:
                    self._done.put(rows)
        except BaseException as error:  # noqa: BLE001  anything else would leave the main thread waiting
            self._done.put(error)

    def fault(self) -> Exception | None:
        """What keeps the threads from going on, None if nothing does."""
        return next((fault for player in self._players if (fault := player.overdue(DECISION_SECONDS)) is not None), None)

    def stop(self) -> None:
        """Wait a little for the threads to end."""
        self._planner.stop()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(_LAST_WAIT_SECONDS)


def share_out(
    work: Work[Task],
    tasks: Sequence[Task],
    threads: int,
    keep: Callable[[np.ndarray], None],
    interrupt: threading.Event,
    engine: Engine | None = None,
) -> None:
    """Play tasks and give their rows to `keep`, in any order, until `interrupt` is set.

    threads : of this process; one does where a strategy is plain Python, which holds Python's lock
    engine : who plays, None for threads
    Raises BadPlugin when a strategy misbehaves, and what `keep` and the engine raise; the rows that came before are kept.
    """
    if engine is not None:
        _share_out(engine.task_crew(work), tasks, keep, interrupt)
        return
    compiled = all(read_strategy(text).source.declared.compiled for text in work.strategies)
    _share_out(TaskThreads(work.prepare(load_strategy), threads if compiled else 1), tasks, keep, interrupt)


def _share_out(crew: Any, tasks: Sequence[Any], keep: Callable[[np.ndarray], None], interrupt: threading.Event) -> None:
    """The same with a crew: TaskThreads, or what an engine has in its place."""
    done: Done = queue.SimpleQueue()
    left, fault = len(tasks), None
    try:
        crew.start(iter(tasks), done)
        while left and fault is None and not interrupt.is_set():
            try:
                found = done.get(timeout=_TICK_SECONDS)
            except queue.Empty:
                fault = crew.fault()
                continue
            if isinstance(found, BaseException):
                fault = found
            else:
                left -= 1
                keep(found)
    finally:
        crew.stop()
    while not done.empty():
        found = done.get()
        if isinstance(found, np.ndarray):
            keep(found)
    if fault is not None:
        raise fault


# ---------------------------------------------------------------- on a worker elsewhere


def job_of_work(work: Work[Any]) -> bytes:
    """Work, ready to travel.  Raises BadPlugin for files of strategies that are gone."""
    return packed(work, work.strategies)


@lru_cache(maxsize=8)
def _prepared(job: bytes) -> Callable[[Planner], TaskPlayer[Any]]:
    work, load = unpacked(job)
    made: Callable[[Planner], TaskPlayer[Any]] = work.prepare(load)
    return made


def play_tasks(job: bytes, tasks: Sequence[Any]) -> tuple[list[np.ndarray], BadPlugin | None]:
    """Play tasks of a job; returns their rows, and the fault if a strategy misbehaved."""
    from ..rows.results import prepare_batch

    prepare_batch()
    found: list[np.ndarray] = []
    try:
        _share_out(TaskThreads(_prepared(job), 1), tasks, found.append, threading.Event())
    except BadPlugin as fault:
        return found, fault
    return found, None
