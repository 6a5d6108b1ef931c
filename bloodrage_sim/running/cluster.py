"""Playing on a Dask cluster: the same units or tasks as on one machine, handed to its workers and collected here.

Workers may come and go.  A piece whose worker is lost is played again by another; since a game is fixed by its seed and
number, it comes out equal.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

import numpy as np

from ..errors import BadPlugin, BadValue, BloodRageError, MissingPackage, one_line
from . import travelling
from .remote import PackedPart, job_of, play_unit, unpacked_unit
from .runs import Kit
from .tasks import Done, Work, job_of_work, play_tasks
from .travelling import describe, differences
from .units import Planner, PlayedUnit, Unit

UNIT_SECONDS = 5.0
MOST_UNIT_GAMES = 24_000
TASK_SECONDS = 1.0
MOST_TASKS = 16
_AHEAD = 3  # pieces in flight for each worker
_RETRIES = 10  # times that a piece may lose its worker
_CONNECT_SECONDS = 30


class WorkersLost(BloodRageError):
    """A piece lost its worker too often, or the cluster is gone."""


class DaskEngine:
    """A cluster: a running one, or worker processes on this machine that live as long as the engine.

    Attributes
    ----------
    unit_size : see runs.Engine
    """

    unit_size: Mapping[str, Any] = {"seconds": UNIT_SECONDS, "most": MOST_UNIT_GAMES}

    def __init__(self, scheduler: str | None = None, workers: int = 1) -> None:
        """Connect to the cluster at address `scheduler`, or start one of `workers` processes.

        Raises MissingPackage without dask.distributed, BadValue for an address where no scheduler answers, WorkersLost for
        a cluster with other programs than this one.
        """
        try:
            import dask
            from distributed import Client, LocalCluster
        except ImportError:
            raise MissingPackage("--engine dask needs dask.distributed: pip install 'bloodrage-sim[dask]'") from None
        dask.config.set({"distributed.scheduler.allowed-failures": _RETRIES})
        self._cluster = None
        address: Any = scheduler
        if scheduler is None:
            address = self._cluster = LocalCluster(
                n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
            )
        try:
            self.client = Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise BadValue(f"--scheduler {scheduler}: no Dask scheduler answers there: {error}") from None
        self._check_workers()

    def _check_workers(self) -> None:
        try:
            self.client.wait_for_workers(1, timeout=_CONNECT_SECONDS)
            found = self.client.run(travelling.describe)
        except Exception as error:  # whatever a worker without this package answers
            self.close()
            raise WorkersLost(f"the Dask workers cannot play: {one_line(error)}") from None
        here = describe()
        for worker, there in found.items():
            other = differences(there, here)
            if other:
                self.close()
                raise WorkersLost(f"Dask worker {worker} has another program: {'; '.join(other)}; install the same there")

    @property
    def workers(self) -> int:
        """Number of workers now."""
        return len(self.client.scheduler_info(n_workers=-1)["workers"])

    def crew(self, kit: Kit) -> UnitCrew:
        """A crew for one call of play_segments.  Raises BadPlugin for files of strategies that are gone."""
        return UnitCrew(Dispatcher(self, job_of(kit), play_unit))

    def task_crew(self, work: Work[Any]) -> TaskCrew:
        """A crew for the tasks of a piece of work.  Raises BadPlugin for files of strategies that are gone."""
        return TaskCrew(Dispatcher(self, job_of_work(work), play_tasks))

    def close(self) -> None:
        """Leave the cluster; end it if it is ours."""
        self.client.close()
        if self._cluster is not None:
            self._cluster.close()

    def __enter__(self) -> DaskEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Dispatcher:
    """Hands out pieces of a job to the workers of a cluster, a few ahead for each of them."""

    def __init__(self, engine: DaskEngine, job: bytes, function: Callable[[bytes, Any], Any]) -> None:
        """function(job, piece) : what a worker does with a piece"""
        self._client = engine.client
        self._job = job
        self._function = function
        self._room = threading.Semaphore(_AHEAD * max(1, engine.workers))
        self._futures: set[Any] = set()
        self._stopped = threading.Event()
        self._fault: Exception | None = None

    def start(self, claim: Callable[[], Any], take: Callable[[Any, Any, float], None]) -> None:
        """Let workers play pieces.

        claim() : the next piece, None if there is none; called in a thread of its own
        take(piece, result, seconds) : called with what came back, and how long a worker was busy with it, about
        """
        self._claim, self._take = claim, take
        self._thread = threading.Thread(target=self._hand_out, name="bloodrage cluster", daemon=True)
        self._thread.start()

    def fault(self) -> Exception | None:
        """What keeps the cluster from going on, None if nothing does."""
        return self._fault

    def stop(self) -> None:
        """Give up what is in flight, after the last claim."""
        self._stopped.set()
        self._room.release()
        self._thread.join()
        futures = list(self._futures)
        if futures:
            self._client.cancel(futures)

    def _hand_out(self) -> None:
        try:
            while True:
                self._room.acquire()
                piece = None if self._stopped.is_set() else self._claim()
                if piece is None:
                    return
                future = self._client.submit(self._function, self._job, piece, retries=_RETRIES, pure=False)
                self._futures.add(future)
                future.add_done_callback(lambda done, piece=piece, began=time.perf_counter(): self._receive(done, piece, began))
        except Exception as error:  # the cluster is gone
            self._fault = WorkersLost(f"the Dask cluster is gone: {one_line(error)}")

    def _receive(self, future: Any, piece: Any, began: float) -> None:
        self._futures.discard(future)
        self._room.release()
        if self._stopped.is_set():
            return
        if future.status == "cancelled":
            self._fault = WorkersLost("the Dask cluster gave up what it had to play; is its scheduler still there?")
            return
        try:
            result = future.result()
        except Exception as error:
            self._fault = WorkersLost(f"the Dask workers could not play {_words(piece)}: {one_line(error)}")
            return
        # several pieces are in flight for each worker, so a piece takes a share of the time that it is away
        self._take(piece, result, (time.perf_counter() - began) / _AHEAD)


def _words(piece: Any) -> str:
    return " ".join(str(piece).split())[:100]


class UnitCrew:
    """Hands the units of a planner to the workers of a cluster."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher
        self.fault = dispatcher.fault
        self.stop = dispatcher.stop

    def start(self, planner: Planner, results: queue.SimpleQueue[PlayedUnit]) -> None:
        """Let workers play the units and put them into `results`."""

        def take(unit: Unit, result: tuple[PackedPart, Exception | None], seconds: float) -> None:
            part, fault = result
            planner.note_speed(part.count, seconds)
            results.put(unpacked_unit(unit, part, fault))

        self._dispatcher.start(planner.claim, take)


class TaskCrew:
    """Hands tasks to the workers of a cluster, as many at a time as take about TASK_SECONDS."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher
        self._bundle = 1
        self.fault = dispatcher.fault
        self.stop = dispatcher.stop

    def start(self, tasks: Iterator[Any], done: Done) -> None:
        """Let workers play tasks and put their rows, or what went wrong, into `done`."""

        def take(bundle: list[Any], result: tuple[list[np.ndarray], BadPlugin | None], seconds: float) -> None:
            found, fault = result
            self._bundle = max(1, min(2 * self._bundle, MOST_TASKS, int(TASK_SECONDS * len(bundle) / max(seconds, 1e-6))))
            for rows in found:
                done.put(rows)
            if fault is not None:
                done.put(fault)

        self._dispatcher.start(lambda: list(islice(tasks, self._bundle)) or None, take)
