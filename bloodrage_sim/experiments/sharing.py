"""Sharing out tasks among threads, because the compiled core runs without Python's lock."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from ..units import Planner

_TICK_SECONDS = 0.05
_LAST_WAIT_SECONDS = 0.6  # for a thread that is stuck in a strategy; it is left behind
Task = TypeVar("Task")


def share_out(
    tasks: Sequence[Task],
    player: Callable[[Planner], Callable[[Task], np.ndarray | None]],
    threads: int,
    keep: Callable[[np.ndarray], None],
    interrupt: threading.Event,
) -> None:
    """Play tasks and give their rows to `keep`, in any order, until `interrupt` is set.

    player : makes for a thread the function that plays a task and returns its rows, None if its planner was stopped
    Raises what a task or `keep` raises; the rows that came before are kept.
    """
    planner = Planner([], 0)
    waiting, lock = iter(tasks), threading.Lock()
    done: queue.SimpleQueue[np.ndarray | Exception | None] = queue.SimpleQueue()

    def work() -> None:
        try:
            with lock:
                play = player(planner)
            while not planner.stopped.is_set():
                with lock:
                    task = next(waiting, None)
                if task is None:
                    break
                rows = play(task)
                if rows is not None:
                    done.put(rows)
        except Exception as error:  # noqa: BLE001  anything else would leave the main thread waiting
            done.put(error)
        done.put(None)

    workers = [threading.Thread(target=work, name="bloodrage experiment", daemon=True) for _ in range(threads)]
    running, fault = len(workers), None
    try:
        for worker in workers:
            worker.start()
        while running and not interrupt.is_set():
            try:
                found = done.get(timeout=_TICK_SECONDS)
            except queue.Empty:
                continue
            if found is None:
                running -= 1
            elif isinstance(found, Exception):
                fault = fault or found
                planner.stop()
            else:
                keep(found)
    finally:
        planner.stop()
        for worker in workers:
            worker.join(_LAST_WAIT_SECONDS)
    while not done.empty():
        found = done.get()
        if isinstance(found, np.ndarray):
            keep(found)
    if fault is not None:
        raise fault
