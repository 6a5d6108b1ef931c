"""Faults tried for real: full and read-only disks, clocks that jump, Ctrl-C twice, two runs at once, strategies that hang.

What every command promises: one line says what happened, the exit status is as README has it, nothing finished is lost, and the
same command goes on without a row twice.
"""

from __future__ import annotations

import random
import re
import resource
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result

from bloodrage_sim.batch import run_to_folder
from bloodrage_sim.cli import main
from bloodrage_sim.datasets import part_files
from bloodrage_sim.datasets.dataset import DataSet, locked
from bloodrage_sim.errors import BadPlugin, OutputRefused
from bloodrage_sim.progress import Progress
from bloodrage_sim.running import tasks
from bloodrage_sim.running.runs import RunConfig

PROGRAM = [
    sys.executable,
    "-c",
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "from bloodrage_sim.cli import main; main(prog_name='bloodrage')",
]
TRIAL = '''
id = "trial"
claim = "Ten glory are ten glory"
players = [2]
looks = [{blocks}]
metric = "glory"
min_effect = 1
pools = [["random"]]
focal = "random"
[treatment]
set_state = [{{ age = 3, glory = 10 }}]
[control]
'''
PLAIN = '''"""Plain Python."""
import time

from bloodrage_sim.strategy_api import strategy

@strategy(compiled=False)
def decide(view, options, n, tables, params, memory, key):
    {body}
    return 0
'''


def bloodrage(*arguments: object) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments], prog_name="bloodrage")


def refused(*arguments: object) -> str:
    """Error message of a command that must end with one line and status 2."""
    result = bloodrage(*arguments)
    assert result.exit_code == 2, (result.output, result.exception)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    line = result.stderr.strip().splitlines()[-1]
    assert line.startswith("Error: ")
    return line.removeprefix("Error: ")


@contextmanager
def disk(path: Path, options: str) -> Iterator[Path]:
    """A disk of its own in folder `path`, mounted with `options`."""
    path.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(path)], capture_output=True, check=False)
    if made.returncode != 0:
        pytest.skip(f"no disk can be mounted here, which takes root: {made.stderr.decode().strip()}")
    try:
        yield path
    finally:
        subprocess.run(["umount", "-l", str(path)], check=True)


def remount(path: Path, options: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{options}", str(path)], check=True)


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A folder in which nobody, not even root, can write."""
    with disk(tmp_path / "read-only", "size=1m,ro") as path:
        yield path


def experiment_file(folder: Path, blocks: int) -> Path:
    file = folder / "trial.toml"
    file.write_text(TRIAL.format(blocks=blocks))
    return file


def rows_of(folder: Path) -> list[tuple]:
    """Rows of all parts of an experiment, a tournament or a valuation, sorted."""
    return sorted(row for part in folder.glob("games/*.parquet") for row in pd.read_parquet(part).itertuples(index=False, name=None))


# ---------------------------------------------------------------- disks


def test_a_small_disk_keeps_what_was_finished(tmp_path):
    settings = RunConfig((4,), 2_000, 3, ("random",), part_games=100, tables=("games", "players", "plays"))
    with disk(tmp_path / "small", "size=400k") as small:
        with pytest.raises(OutputRefused) as caught:
            run_to_folder(settings, small / "run", "test")
        told = re.fullmatch(
            rf"the disk of {small / 'run'} is full; ([\d,]+) games written before are whole; make room and give the same command again to go on",
            str(caught.value),
        )
        there = DataSet.open(small / "run")
        assert told is not None and there.games_done == int(told[1].replace(",", "")) > 0
        assert sum(len(pd.read_parquet(file)) for file in (small / "run/games").rglob("*.parquet")) == there.games_done
        assert not list((small / "run").rglob(".*"))
        remount(small, "size=50m")
        outcome = run_to_folder(settings, small / "run", "test")
        assert outcome.played == 2_000 - there.games_done
        assert outcome.data_set.content_hash() == run_to_folder(settings, tmp_path / "whole", "test").data_set.content_hash()


WRITERS = {
    "simulate": ("simulate", "--games", "400", "--seed", "1", "--out", "{out}"),
    "tournament": ("tournament", "--players", "2", "--strategy", "random", "--strategy", "random:by=kind", "--blocks", "300", "--seed", "1", "--out", "{out}"),
    "experiment": ("experiment", "{file}", "--out", "{out}"),
    "card-value": ("card-value", "--players", "2", "--strategy", "random", "--blocks", "64", "--seed", "1", "--out", "{out}"),
    "synergy": ("card-value", "troll", "--with", "fire_giant", "--players", "3", "--strategy", "random", "--blocks", "40", "--seed", "1", "--out", "{out}"),
    "tips run": ("tips", "run", "experts_backfire", "--players", "4", "--looks", "4", "--no-strengths", "--out", "{out}"),
    "proofs": ("tips", "run", "locked_immune_troll", "--out", "{out}"),
    "tips report": ("tips", "report", "{tips}", "--out", "{out}"),
    "tune": ("tune", "random", "--players", "2", "--generations", "1", "--games", "8", "--held-out", "8", "--seed", "1", "--out", "{out}/mine.toml"),
    "report": ("report", "{run}", "--out", "{out}"),
    "compare": ("compare", "{run}", "{other}", "--out", "{out}"),
    "merge": ("merge", "{run}", "--out", "{out}"),
}  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> dict[str, Path]:
    """What the commands of WRITERS read."""
    folder = tmp_path_factory.mktemp("made")
    for name, seed in (("run", 1), ("other", 2)):
        assert bloodrage("simulate", "--games", 40, "--seed", seed, "--out", folder / name).exit_code == 0
    assert bloodrage("tips", "run", "locked_immune_troll", "--out", folder / "tips").exit_code == 0
    return {"run": folder / "run", "other": folder / "other", "tips": folder / "tips", "file": experiment_file(folder, 300)}


def arguments_of(name: str, out: Path, made: dict[str, Path]) -> list[str]:
    return [argument.format(out=out, **made) for argument in WRITERS[name]]


@pytest.mark.parametrize("name", WRITERS)
def test_a_read_only_folder_is_told(name, made, read_only):
    text = refused(*arguments_of(name, read_only / "out", made))
    assert str(read_only / "out") in text and re.search("Read-only file system|no file can be made there", text)


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("place", ["a file/out", "/proc/out", "/dev/null/out"])
def test_a_place_for_no_folder_is_told(name, place, made, tmp_path):
    (tmp_path / "a file").write_text("mine")
    out = tmp_path / place
    assert str(out) in refused(*arguments_of(name, out, made))
    assert (tmp_path / "a file").read_text() == "mine"


SIZES = {"tournament": (16, 300, 60_000), "report": (300, 60_000), "compare": (40, 300, 60_000)}  # kB; they take long, and begin anew each time


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_is_told_and_the_same_command_goes_on(name, made, tmp_path, monkeypatch):
    """All sizes of disks: the writer is stopped at its first file, or in the middle, or at its last."""
    monkeypatch.setattr(part_files, "FLUSH_SECONDS", 0.0)
    stopped = 0
    with disk(tmp_path / "small", "size=4k") as small:
        out = small / "out"
        for size in SIZES.get(name, (4, 16, 40, 100, 300, 1_000, 3_000, 60_000)):
            remount(small, f"size={size}k")
            result = bloodrage(*arguments_of(name, out, made))
            assert result.exit_code in (0, 2), (result.output, result.exception)
            if result.exit_code == 0:
                break
            line = result.stderr.strip().splitlines()[-1]
            assert line.startswith("Error: the disk of ") and "is full" in line, line
            stopped += 1
        assert result.exit_code == 0 and stopped > 0
        assert not [file for file in small.rglob(".*") if file.suffix == ".tmp"]
        if name in ("experiment", "tournament", "card-value"):
            folder = out / "trial" if name == "experiment" else out
            elsewhere = tmp_path / "elsewhere"
            assert bloodrage(*arguments_of(name, elsewhere, made)).exit_code == 0
            assert rows_of(folder) == rows_of(elsewhere / "trial" if name == "experiment" else elsewhere)


def test_a_limit_on_the_size_of_files_is_told(tmp_path):
    """Where no disk can be mounted: the system refuses to let any file grow."""
    process = subprocess.run(
        [*PROGRAM, "simulate", "--games", "4000", "--seed", "1", "--out", str(tmp_path / "a")],
        capture_output=True, text=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)),
    )  # fmt: skip
    assert process.returncode == 2 and "Traceback" not in process.stderr
    assert process.stderr.strip().splitlines()[-1] == f"Error: output folder {tmp_path / 'a'} cannot be written: File too large"
    assert bloodrage("simulate", "--games", 4000, "--seed", 1, "--out", tmp_path / "a").exit_code == 0


# ---------------------------------------------------------------- clocks


def test_clocks_that_jump_change_nothing(tmp_path, monkeypatch):
    settings = RunConfig((4,), 3_000, 3, ("random",), part_games=250, threads=2)
    whole = run_to_folder(settings, tmp_path / "whole", "test").data_set
    for name in ("time", "monotonic", "perf_counter"):
        real, jump = getattr(time, name), random.Random(7)
        monkeypatch.setattr(time, name, lambda real=real, jump=jump: real() + jump.choice([-1e6, -3600, 0, 0, 0, 3600, 1e6]))

    class Lines:
        text = ""

        def isatty(self) -> bool:
            return False

        def write(self, text: str) -> None:
            self.text += text

        def flush(self) -> None:
            """Nothing is kept back."""

    stream = Lines()
    jumping = run_to_folder(settings, tmp_path / "jumping", "test", Progress(stream))
    assert jumping.data_set.complete and jumping.data_set.content_hash() == whole.content_hash()
    for line in stream.text.splitlines():
        assert re.fullmatch(r"[\d,]+ of 3,000 games(, [\d,]+ games/s, (\d+ s|\d+ min \d+ s|\d+ h \d\d min) left)?", line), line


# ---------------------------------------------------------------- Ctrl-C twice, two runs at once

LONG = {
    "tournament": ("tournament", "--players", "2", "--strategy", "random", "--strategy", "random:by=kind", "--blocks", "{n}", "--seed", "1", "--out", "{out}"),
    "experiment": ("experiment", "{file}", "--out", "{out}"),
    "card-value": ("card-value", "--players", "2", "--strategy", "random", "--blocks", "{n}", "--seed", "1", "--out", "{out}"),
}  # fmt: skip
MANIFESTS = {"tournament": "tournament.json", "experiment": "trial/experiment.json", "card-value": "values.json"}


@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_twice(name, tmp_path):
    """The second comes at once: the command ends soon, with whole files, and a shorter one of the same goes on with them."""
    out = tmp_path / "out"
    arguments = [text.format(out=out, n=30_000, file=experiment_file(tmp_path, 60_000)) for text in LONG[name]]
    process = subprocess.Popen([*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 120
    while not (out / MANIFESTS[name]).exists():
        assert time.monotonic() < end and process.poll() is None
        time.sleep(0.02)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    told, errors = process.communicate(timeout=60)
    assert time.monotonic() - began < 10 and process.returncode == 130, (process.returncode, told, errors)
    assert "Traceback" not in errors and "stopped" in told + errors
    folder = out / MANIFESTS[name].rpartition("/")[0]
    before = rows_of(folder)
    assert len(set(before)) == len(before)
    if name == "tournament":  # its number of blocks decides the run
        return
    fewer = [text.format(out=out, n=40, file=experiment_file(tmp_path, 40)) for text in LONG[name]]
    again = bloodrage(*fewer)
    assert again.exit_code == 0, again.output
    after = rows_of(folder)
    assert len(set(after)) == len(after) and set(before) <= set(after)


def test_ctrl_c_where_nothing_can_be_kept(made, tmp_path):
    """A report has nothing to go on with; it ends with the status of all commands."""
    process = subprocess.Popen(
        [*PROGRAM, "report", str(made["run"]), "--out", str(tmp_path / "r")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    time.sleep(2.5)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130 and "Traceback" not in errors and errors.strip().endswith("stopped")


@pytest.mark.parametrize("name", ["simulate", "tournament", "experiment", "card-value", "synergy", "tips run", "tune"])
def test_two_runs_into_one_place(name, made, tmp_path):
    out = tmp_path / "out"
    place = out / "mine.toml" if name == "tune" else out
    out.parent.mkdir(exist_ok=True)
    with locked(place):
        assert refused(*arguments_of(name, out, made)) == f"another process is writing into {place}; wait for it, or give another folder"
    assert bloodrage(*arguments_of(name, out, made)).exit_code == 0


# ---------------------------------------------------------------- strategies


@pytest.mark.parametrize("name", ["experiment", "card-value"])
def test_a_strategy_that_never_answers_is_told_elsewhere_too(name, tmp_path, monkeypatch):
    monkeypatch.setattr(tasks, "DECISION_SECONDS", 1.0)
    (tmp_path / "hang.py").write_text(PLAIN.format(body="while view.clock.age == 2: time.sleep(0.01)"))
    file = tmp_path / "hang.toml"
    file.write_text(TRIAL.format(blocks=4).replace('focal = "random"', f'focal = "{tmp_path / "hang.py"}"'))
    arguments = {
        "experiment": ("experiment", file),
        "card-value": ("card-value", "--players", 2, "--strategy", tmp_path / "hang.py", "--blocks", 4, "--seed", 1),
    }[name]
    began = time.monotonic()
    text = refused(*arguments, "--out", tmp_path / "out")
    assert time.monotonic() - began < 30
    assert text.startswith(f"strategy {tmp_path / 'hang.py'} did not answer within 1 s at decision ")


@pytest.mark.parametrize("body", ["view.clan.glory = 99", "view.hand[:] = 0", "params[:] = 5", "tables.cost[:] = 0", "options['card'] = 3", "view.survey.own[:] = 9"])
def test_what_plain_python_writes_changes_no_game(body, tmp_path):
    """It gets copies, or what cannot be written: then it is told."""
    (tmp_path / "writer.py").write_text(PLAIN.format(body=f"try:\n        {body}\n    except (ValueError, AttributeError, IndexError):\n        pass"))
    (tmp_path / "reader.py").write_text(PLAIN.format(body="pass"))
    settings = {"players": (3,), "games": 6, "seed": 3}
    wrote, read = (
        run_to_folder(RunConfig(strategies=(str(tmp_path / f"{name}.py"), "random:by=kind", "random"), **settings), tmp_path / name, "test").data_set
        for name in ("writer", "reader")
    )
    rows = [np.sort(np.concatenate(list(data_set.read(data_set.tables[1], 3))), order=["game", "seat"]) for data_set in (wrote, read)]
    assert rows[0].tobytes() == rows[1].tobytes()


def test_parameters_are_not_for_writing(tmp_path):
    """They are of all games of a run, so a strategy that writes there would play other games with other threads."""
    text = PLAIN.format(body="params[0] += 1").replace("compiled=False", "compiled=False, params={'wins': Param(1.0, 0.0, 9.0, \'a weight\')}")
    (tmp_path / "writer.py").write_text(text.replace("import strategy", "import Param, strategy"))
    text = refused("simulate", "--games", 4, "--strategy", tmp_path / "writer.py", "--out", tmp_path / "a")
    assert "raised ValueError: assignment destination is read-only at decision 0" in text
    shown = refused(*shlex.split(text.partition("to see it: bloodrage ")[2]))
    assert shown.startswith("ValueError (assignment destination is read-only) in strategy ")


@pytest.mark.slow
def test_one_fault_in_100_000_games(tmp_path):
    path = tmp_path / "rare.py"
    path.write_text(
        '"""Raises once in 100,000 games."""\nimport numpy as np\n\nfrom bloodrage_sim.strategy_api import strategy\n\n\n'
        "@strategy()\ndef decide(view, options, n, tables, params, memory, key):\n"
        "    if key % np.uint64(4_000_037) == np.uint64(7):\n        raise ValueError('at last')\n    return n - 1\n"
    )
    settings = RunConfig((2,), 100_000, 4, (str(path), "random"), threads=2, part_games=5_000)
    with pytest.raises(BadPlugin) as caught:
        run_to_folder(settings, tmp_path / "a", "test")
    data_set = DataSet.open(tmp_path / "a")
    deal, rotation = divmod(data_set.games_done, 2)
    assert data_set.games_done == 85_292
    assert "raised ValueError: at last" in str(caught.value) and f"of deal {deal}, rotation {rotation}," in str(caught.value)
    assert sum(len(rows) for rows in data_set.read(data_set.tables[0], 2)) == data_set.games_done
    shown = refused(*shlex.split(str(caught.value).partition("to see it: bloodrage ")[2]))
    assert shown.startswith("ValueError (at last) in strategy ")
