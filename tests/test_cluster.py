"""Playing on a Dask cluster: real worker processes give the same rows, also when one of them is killed."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from bloodrage_sim import cluster, remote
from bloodrage_sim.batch import run_to_folder
from bloodrage_sim.cli import main
from bloodrage_sim.cluster import DaskEngine, WorkersLost
from bloodrage_sim.results import prepare_batch
from bloodrage_sim.runs import RunConfig, load_kit
from bloodrage_sim.tables_out import TABLES
from bloodrage_sim.tournament.playing import TournamentConfig, play_field
from bloodrage_sim.units import Unit
from bloodrage_sim.workers import Worker

ALL = tuple(table.name for table in TABLES[:-1])
STRATEGY = '''"""Takes the last option."""
from bloodrage_sim.strategy_api import strategy

@strategy()
def decide(view, options, n, tables, params, memory, key):
    return n - 1
'''


class SmallUnits:
    """An engine that hands out small units, so that a short run has many."""

    unit_size = {"seconds": 0.2, "most": 300}

    def __init__(self, engine: DaskEngine) -> None:
        self.crew = engine.crew


@pytest.fixture(scope="module")
def engine():
    prepare_batch()
    with DaskEngine(workers=2) as engine:
        yield engine


def config(**given) -> RunConfig:
    return RunConfig(**{"players": (4, 2), "games": 600, "seed": 5, "strategies": ("random",), "tables": ALL, "events": "sample", **given})


def test_rows_are_those_of_threads(engine, tmp_path):
    assert engine.workers == 2
    pids = set(engine.client.run(os.getpid).values())
    assert len(pids) == 2 and os.getpid() not in pids
    here = run_to_folder(config(threads=2), tmp_path / "threads", "test").data_set
    there = run_to_folder(config(engine=SmallUnits(engine)), tmp_path / "dask", "test").data_set
    assert there.complete and there.content_hash() == here.content_hash()


def test_a_tournament_is_that_of_threads(engine):
    field = {"players": 2, "strategies": ("random", "random:by=kind"), "blocks": 20, "seed": 4}
    here, there = (
        play_field(TournamentConfig(**field, engine=crew), None, "test").keeper.rows() for crew in (None, SmallUnits(engine))
    )
    order = ["composition", "block", "rotation", "seat"]
    assert len(here) == 3 * 20 * 2 * 2 and (np.sort(here, order=order) == np.sort(there, order=order)).all()


def test_a_killed_worker_loses_nothing(engine, tmp_path):
    games = 12_000
    here = run_to_folder(config(players=(4,), games=games, tables=("games", "players"), events="none"), tmp_path / "a", "test").data_set
    victim = next(iter(engine.client.run(os.getpid).values()))
    killed = threading.Event()

    class Killer:
        already = 0

        def compiling(self, done: int, all_: int) -> None:
            """Nothing is compiled."""

        def games(self, done: int, total: int) -> None:
            if done > 500 and not killed.is_set():
                os.kill(victim, signal.SIGKILL)
                killed.set()

    lost = config(players=(4,), games=games, tables=("games", "players"), events="none", engine=SmallUnits(engine))
    there = run_to_folder(lost, tmp_path / "b", "test", Killer()).data_set
    assert killed.is_set() and there.complete and there.content_hash() == here.content_hash()


def test_files_of_strategies_travel(tmp_path):
    """What a worker plays does not come from the client's disk."""
    path = tmp_path / "last.py"
    path.write_text(STRATEGY)
    kit = load_kit(RunConfig((3,), 9, 1, (str(path), "random", "balanced@tuned"), tables=ALL))
    unit = Unit(0, 3, 0, 9)
    mine = Worker(kit, None, None)  # type: ignore[arg-type]
    mine.planner = type("Going", (), {"stopped": threading.Event()})()
    expected = mine.play(unit).part
    job = remote.job_of(kit)
    path.unlink()
    played = remote.unpacked(unit, *remote.play_unit(job, unit))
    assert played.fault is None and played.part.sums == expected.sums
    assert all((played.part.rows[name] == expected.rows[name]).all() for name in ALL)


def test_a_strategy_that_misbehaves_elsewhere_is_told(engine, tmp_path):
    path = tmp_path / "bad.py"
    path.write_text(STRATEGY.replace("return n - 1", "return n if view.clock.age == 2 else 0"))
    bad = config(players=(4,), strategies=(str(path), "random", "random", "random"), engine=SmallUnits(engine))
    with pytest.raises(Exception, match=r"answered \d+ to a question with \d+ options at decision"):
        run_to_folder(bad, tmp_path / "a", "test")


def test_a_worker_with_another_program_is_refused(engine, monkeypatch):
    described = remote.describe()
    monkeypatch.setattr(cluster, "describe", lambda: {**described, "engine": "0123456789abcdef"})
    closed = []
    monkeypatch.setattr(engine, "close", lambda: closed.append(True), raising=False)
    with pytest.raises(WorkersLost, match=rf"has another program: engine {described['engine']} there, 0123456789abcdef here"):
        engine._check_workers()
    assert closed
    job = remote.job_of(load_kit(config()))
    monkeypatch.setattr(remote, "describe", lambda: {**described, "numba": "0.1"})
    with pytest.raises(Exception, match="a worker has another program than the client: numba 0.1 there"):
        remote.play_unit(job, Unit(0, 4, 0, 1))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--scheduler", "tcp://127.0.0.1:8786"), "--scheduler tcp://127.0.0.1:8786 is for --engine dask; give that as well"),
        (("--engine", "dask", "--scheduler", "nowhere"), "no Dask scheduler answers there"),
    ],
)
def test_bad_addresses_are_told(tmp_path: Path, monkeypatch, arguments, message):
    monkeypatch.setattr(cluster, "_CONNECT_SECONDS", 2)
    result = CliRunner().invoke(main, ["simulate", "--games", "4", "--out", str(tmp_path / "a"), *arguments])
    assert result.exit_code == 2 and message in result.output and "Traceback" not in result.output
