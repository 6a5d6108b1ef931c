"""Playing on a Dask cluster: real worker processes give the same rows, also when one of them is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from bloodrage_sim.batch import Silent, run_to_folder
from bloodrage_sim.card_values.config import ValueConfig
from bloodrage_sim.card_values.running import ValueWork, value_cards
from bloodrage_sim.cli import main
from bloodrage_sim.errors import BadPlugin
from bloodrage_sim.experiments.files import experiment_of
from bloodrage_sim.experiments.running import run_experiments
from bloodrage_sim.plugins.loading import load_strategy
from bloodrage_sim.rows.results import prepare_batch
from bloodrage_sim.rows.tables_out import TABLES
from bloodrage_sim.ruleset import make_ruleset
from bloodrage_sim.running import cluster, remote, tasks, travelling
from bloodrage_sim.running.cluster import DaskEngine, WorkersLost
from bloodrage_sim.running.runs import RunConfig, load_kit
from bloodrage_sim.running.tasks import job_of_work, play_tasks
from bloodrage_sim.running.units import Planner, Unit
from bloodrage_sim.running.workers import Worker
from bloodrage_sim.tournament.playing import TournamentConfig, play_field

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


def address(engine: DaskEngine) -> str:
    """Where the scheduler of a cluster answers."""
    return engine.client.scheduler.address


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


@pytest.fixture
def temporary(tmp_path, monkeypatch) -> Path:
    """Where a worker unpacks files of strategies meanwhile."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_files_of_strategies_travel(tmp_path, temporary):
    """What a worker plays does not come from the client's disk, and is not left on its own."""
    path = tmp_path / "last.py"
    path.write_text(STRATEGY)
    kit = load_kit(RunConfig((3,), 9, 1, (str(path), "random", "balanced@tuned"), tables=ALL))
    unit = Unit(0, 3, 0, 9)
    mine = Worker(kit, None, None)  # type: ignore[arg-type]
    mine.planner = type("Going", (), {"stopped": threading.Event()})()
    expected = mine.play(unit).part
    job = remote.job_of(kit)
    path.unlink()
    played = remote.unpacked_unit(unit, *remote.play_unit(job, unit))
    assert played.fault is None and played.part.sums == expected.sums
    assert all((played.part.rows[name] == expected.rows[name]).all() for name in ALL)
    assert not list(temporary.iterdir())


def test_a_strategy_that_misbehaves_elsewhere_is_told(engine, tmp_path):
    path = tmp_path / "bad.py"
    path.write_text(STRATEGY.replace("return n - 1", "return n if view.clock.age == 2 else 0"))
    bad = config(players=(4,), strategies=(str(path), "random", "random", "random"), engine=SmallUnits(engine))
    with pytest.raises(Exception, match=r"answered \d+ to a question with \d+ options at decision"):
        run_to_folder(bad, tmp_path / "a", "test")


def test_a_worker_with_another_program_is_refused(engine, monkeypatch):
    described = travelling.describe()
    monkeypatch.setattr(cluster, "describe", lambda: {**described, "engine": "0123456789abcdef"})
    closed = []
    monkeypatch.setattr(engine, "close", lambda: closed.append(True), raising=False)
    with pytest.raises(WorkersLost, match=rf"has another program: engine {described['engine']} there, 0123456789abcdef here"):
        engine._check_workers()
    assert closed
    job = remote.job_of(load_kit(config()))
    monkeypatch.setattr(travelling, "describe", lambda: {**described, "numba": "0.1"})
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


# ---------------------------------------------------------------- experiments and card values

TRIAL = '''
id = "trial"
claim = "Ten glory are ten glory"
players = [2, 3]
looks = [70]
metric = "glory"
also = ["card_glory.troll"]
min_effect = 1
pools = [["random"]]
focal = "random"
[treatment]
set_state = [{ age = 3, glory = 10 }]
[control]
'''


def rows_of_folder(folder: Path) -> list[tuple]:
    """Rows of all parts of a folder, in one order whoever played them."""
    rows = pd.concat([pd.read_parquet(part) for part in sorted(folder.glob("games/*.parquet"))])
    return sorted(rows.itertuples(index=False, name=None))


def test_experiments_are_those_of_threads(engine, tmp_path):
    file = tmp_path / "trial.toml"
    file.write_text(TRIAL)
    printed = []
    for name, arguments in (("threads", ["--threads", "2"]), ("dask", ["--engine", "dask", "--scheduler", address(engine)])):
        result = CliRunner().invoke(main, ["experiment", str(file), "--out", str(tmp_path / name), *arguments])
        assert result.exit_code == 0, result.output
        printed.append(result.stdout.replace(str(tmp_path / name), "DIR").partition("\n")[2])
    assert printed[0] == printed[1] and "2 players, random" in printed[0]
    here, there = (rows_of_folder(tmp_path / name / "trial") for name in ("threads", "dask"))
    assert len(here) == 70 * 2 * (2 + 3) and here == there


def test_an_experiment_goes_on_elsewhere(engine, tmp_path):
    """What threads began, a cluster ends, and nothing is there twice."""
    found = experiment_of(tomllib.loads(TRIAL), "trial.toml")
    begun = run_experiments([replace(found, looks=(30,))], make_ruleset(), 2, tmp_path)
    ended = run_experiments([found], make_ruleset(), 1, tmp_path, engine=engine)
    whole = run_experiments([found], make_ruleset(), 1)
    assert (begun.played, ended.played) == (30 * 2 * 5, 40 * 2 * 5)
    assert [finding.pools[0].effect for finding in ended.findings] == [finding.pools[0].effect for finding in whole.findings]


def test_card_values_are_those_of_threads(engine, tmp_path):
    for name, arguments in (("threads", ["--threads", "2"]), ("dask", ["--engine", "dask", "--scheduler", address(engine)])):
        command = ["card-value", "--players", "2", "--blocks", "40", "--seed", "3", "--strategy", "random", "--out", str(tmp_path / name)]
        result = CliRunner().invoke(main, [*command, *arguments])
        assert result.exit_code == 0, result.output
    here, there = (rows_of_folder(tmp_path / name) for name in ("threads", "dask"))
    assert len(here) > 40 and here == there
    assert (tmp_path / "threads/card_values.csv").read_text() == (tmp_path / "dask/card_values.csv").read_text()


def test_strategies_of_tasks_travel(tmp_path, temporary):
    """What a worker plays does not come from the client's disk, is not left on its own, and is called as the client calls it."""
    path = tmp_path / "last.py"
    path.write_text(STRATEGY)
    config = ValueConfig((), 2, 3, 1, (str(path), "random"))
    blocks = np.arange(3)
    expected = ValueWork(config).prepare(load_strategy)(Planner([], 0)).play(blocks)
    job = job_of_work(ValueWork(config))
    path.unlink()
    (found,), fault = play_tasks(job, [blocks])
    assert fault is None and np.array_equal(found, expected)
    tasks._prepared.cache_clear()
    assert not list(temporary.iterdir())
    with pytest.raises(BadPlugin, match="last.py' *$|No such file"):
        job_of_work(ValueWork(config))


def test_a_strategy_that_misbehaves_in_a_task_is_told(engine, tmp_path):
    path = tmp_path / "bad.py"
    path.write_text(STRATEGY.replace("return n - 1", "return n if view.clock.age == 2 else 0"))
    with pytest.raises(BadPlugin, match=rf"strategy {path} answered \d+ to a question with \d+ options at decision"):
        value_cards(ValueConfig((), 2, 20, 1, (str(path), "random"), engine=engine))


def test_a_killed_worker_loses_no_task(engine, tmp_path):
    found = replace(experiment_of(tomllib.loads(TRIAL), "trial.toml"), looks=(1500,))
    whole = run_experiments([found], make_ruleset(), 2)
    victim = next(iter(engine.client.run(os.getpid).values()))
    killed = threading.Event()

    class Killer(Silent):
        def games(self, done: int, total: int) -> None:
            if done > 300 and not killed.is_set():
                os.kill(victim, signal.SIGKILL)
                killed.set()

    lossy = run_experiments([found], make_ruleset(), 1, tmp_path, watcher=Killer(), engine=engine)
    assert killed.is_set() and lossy.played == whole.played == 1500 * 2 * 5
    assert [finding.pools[0].effect for finding in lossy.findings] == [finding.pools[0].effect for finding in whole.findings]


def test_a_lost_scheduler_is_told_and_what_was_played_is_kept(tmp_path):
    """The cluster is gone in mid-run: an error instead of waiting for ever; threads end the run."""
    prepare_batch()
    code = "from distributed import LocalCluster; import time\nif __name__ == '__main__':\n    c = LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None, host='127.0.0.1'); print(c.scheduler_address, flush=True); time.sleep(600)"
    script = tmp_path / "cluster.py"
    script.write_text(code)
    process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout is not None
    found = replace(experiment_of(tomllib.loads(TRIAL), "trial.toml"), looks=(6000,))
    dead = threading.Event()

    class Killer(Silent):
        def games(self, done: int, total: int) -> None:
            if done > 500 and not dead.is_set():
                os.killpg(process.pid, signal.SIGKILL)
                dead.set()

    try:
        with DaskEngine(process.stdout.readline().strip()) as lost, pytest.raises(WorkersLost, match="Dask cluster"):
            run_experiments([found], make_ruleset(), 1, tmp_path / "a", watcher=Killer(), engine=lost)
    finally:
        if not dead.is_set():
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    kept = len(rows_of_folder(tmp_path / "a/trial"))
    ended = run_experiments([found], make_ruleset(), 2, tmp_path / "a")
    assert kept > 500 and kept + ended.played == 6000 * 2 * 5
