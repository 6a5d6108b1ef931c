"""Playing on a Dask cluster: the same units as on one machine, handed to its workers and collected here.

Workers may come and go.  A unit whose worker is lost is played again by another; since a game is fixed by its seed and
number, it comes out equal.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Mapping
from typing import Any

from . import remote
from .errors import BadValue, BloodRageError, MissingPackage, OutputRefused
from .remote import describe, differences, job_of, play_unit, unpacked
from .runs import Kit
from .units import Planner, PlayedUnit, Unit

UNIT_SECONDS = 5.0
MOST_UNIT_GAMES = 24_000
_AHEAD = 3  # units in flight for each worker
_RETRIES = 10  # times that a unit may lose its worker
_CONNECT_SECONDS = 30


class WorkersLost(BloodRageError):
    """A unit lost its worker too often, or the cluster is gone."""


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
            found = self.client.run(remote.describe)
        except Exception as error:  # whatever a worker without this package answers
            self.close()
            raise WorkersLost(f"the Dask workers cannot play: {type(error).__name__}: {str(error).splitlines()[0]}") from None
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

    def crew(self, kit: Kit) -> DaskCrew:
        """A crew for one call of play_segments."""
        return DaskCrew(self, kit)

    def close(self) -> None:
        """Leave the cluster; end it if it is ours."""
        self.client.close()
        if self._cluster is not None:
            self._cluster.close()

    def __enter__(self) -> DaskEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class DaskCrew:
    """Hands the units of a planner to the workers of a cluster."""

    def __init__(self, engine: DaskEngine, kit: Kit) -> None:
        self._engine = engine
        try:
            self._job = job_of(kit)
        except OSError as error:
            raise OutputRefused(f"a file of a strategy cannot be read to send it to workers: {error}") from None
        self._room = threading.Semaphore(_AHEAD * max(1, engine.workers))
        self._futures: set[Any] = set()
        self._fault: Exception | None = None

    def start(self, planner: Planner, results: queue.SimpleQueue[PlayedUnit]) -> None:
        """Let workers play the units and put them into `results`."""
        self._planner = planner
        self._results = results
        self._thread = threading.Thread(target=self._hand_out, name="bloodrage cluster", daemon=True)
        self._thread.start()

    def fault(self) -> Exception | None:
        """What keeps the crew from going on, None if nothing does."""
        return self._fault

    def stop(self) -> None:
        """Give up what is in flight, after the planner was stopped."""
        self._room.release()
        self._thread.join()
        futures = list(self._futures)
        if futures:
            self._engine.client.cancel(futures)

    def _hand_out(self) -> None:
        try:
            job = self._engine.client.scatter(self._job, broadcast=False, hash=True) if len(self._job) > 100_000 else self._job
            while True:
                self._room.acquire()
                unit = self._planner.claim()
                if unit is None:
                    return
                future = self._engine.client.submit(play_unit, job, unit, retries=_RETRIES, pure=False)
                self._futures.add(future)
                future.add_done_callback(lambda done, unit=unit, began=time.perf_counter(): self._take(done, unit, began))
        except Exception as error:  # the cluster is gone
            self._fault = WorkersLost(f"the Dask cluster is gone: {type(error).__name__}: {str(error)[:200]}")

    def _take(self, future: Any, unit: Unit, began: float) -> None:
        self._futures.discard(future)
        self._room.release()
        if self._planner.stopped.is_set() or future.status == "cancelled":
            return
        try:
            packed, fault = future.result()
        except Exception as error:
            games = f"games {unit.first} to {unit.first + unit.count - 1} with {unit.players} players"
            self._fault = WorkersLost(f"{games} could not be played: {type(error).__name__}: {str(error).splitlines()[0]}")
            return
        # several units are in flight for each worker, so a unit takes a share of the time that it is away
        self._planner.note_speed(packed.count, (time.perf_counter() - began) / _AHEAD)
        self._results.put(unpacked(unit, packed, fault))
