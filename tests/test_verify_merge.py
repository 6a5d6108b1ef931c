"""`verify` finds what is wrong with a data set, `merge` joins the shares of a run, and nobody writes beside another."""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from bloodrage_sim.batch import run_to_folder
from bloodrage_sim.cli import main
from bloodrage_sim.datasets.dataset import DataSet, locked, read_manifest
from bloodrage_sim.rows.tables_out import TABLES
from bloodrage_sim.running.runs import RunConfig

ALL = tuple(table.name for table in TABLES[:-1])


def bloodrage(*arguments: object):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def play(out: Path, share: tuple[int, int] = (1, 1), **given) -> DataSet:
    config = RunConfig(**{"players": (3, 4), "games": 72, "seed": 2, "strategies": ("random",), "tables": ALL, "part_games": 12, **given})
    return run_to_folder(config, out, "bloodrage simulate", share=share).data_set


@pytest.fixture
def data_set(tmp_path) -> DataSet:
    return play(tmp_path / "a")


def change_row(data_set: DataSet, table: str, column: str, row: int) -> None:
    """Add 1 to a value of the first part, and make the checksum fit."""
    part = data_set.manifest["parts"][0]["files"][table]
    path = data_set.path / part["file"]
    rows = pq.ParquetFile(path).read()
    values = rows.column(column).to_numpy().copy()
    values[row] += 1
    place = rows.column_names.index(column)
    pq.write_table(rows.set_column(place, rows.schema.field(place), pa.array(values)), path)
    manifest = json.loads((data_set.path / "manifest.json").read_text())
    manifest["parts"][0]["files"][table]["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    (data_set.path / "manifest.json").write_text(json.dumps(manifest))


def test_a_good_data_set_is_all_equal(data_set):
    result = bloodrage("verify", data_set.path, "--sample", 30)
    assert result.exit_code == 0
    rows = result.output.split("30 games played anew, ")[1].split(" rows")[0]
    assert f"{12 * len(ALL)} files checked" in result.output and "all equal" in result.output and int(rows.replace(",", "")) > 3_000


def test_a_damaged_file_is_named(data_set):
    path = data_set.path / "ledger/players=4/part-000000012.parquet"
    content = bytearray(path.read_bytes())
    content[200] ^= 1
    path.write_bytes(content)
    result = bloodrage("verify", data_set.path, "--sample", 0)
    assert result.exit_code == 1
    assert "DIFFERENT: ledger/players=4/part-000000012.parquet: missing, or its SHA-256 is not" in result.output
    assert "0 games played anew" in result.output and "1 differences" in result.output


def test_a_changed_row_is_found_by_its_hash_and_by_playing(data_set):
    rows = next(data_set.read(TABLES[0], 3))
    change_row(data_set, "games", "turns", 5)
    result = bloodrage("verify", data_set.path, "--sample", 144)
    turns = int(rows["turns"][5])
    assert result.exit_code == 1
    assert "games/players=3/part-000000000.parquet: content hash of its rows is" in result.output
    expected = f"game 5 with 3 players, table games: row 0 of the game, column turns: stored {turns + 1}, played {turns}; to see the game: "
    assert expected + "bloodrage play --players 3 --seed 2 --deal 1 --rotation 2 --strategy random" in result.output
    assert "2 differences" in result.output


def test_another_program_is_told(data_set):
    manifest = json.loads((data_set.path / "manifest.json").read_text())
    manifest["run"]["engine"] = "0123456789abcdef"
    (data_set.path / "manifest.json").write_text(json.dumps(manifest))
    result = bloodrage("verify", data_set.path)
    assert result.exit_code == 2 and "cannot be played again by this program: engine is 0123456789abcdef there" in result.output
    assert bloodrage("verify", data_set.path, "--sample", 0).exit_code == 0


@pytest.mark.parametrize("arguments", [("--sample", -1), ("--seed", -1)])
def test_verify_refuses_bad_numbers(data_set, arguments):
    result = bloodrage("verify", data_set.path, *arguments)
    assert result.exit_code == 2 and f"{arguments[0]} is -1; allowed: 0 or more" in result.output


def test_shares_merged_are_the_whole(data_set, tmp_path):
    folders = [tmp_path / str(number) for number in range(3)]
    for number, folder in enumerate(folders):
        share = play(folder, (number + 1, 3))
        assert not share.complete and share.games_done == 48
    result = bloodrage("merge", *folders, "--out", tmp_path / "whole")
    assert result.exit_code == 0 and "144 of 144 games are in" in result.output
    merged = DataSet.open(tmp_path / "whole")
    assert merged.complete and merged.content_hash() == data_set.content_hash() == read_manifest(tmp_path / "whole")["content_hash"]
    assert bloodrage("verify", tmp_path / "whole").exit_code == 0


def test_merge_refuses_what_does_not_fit(data_set, tmp_path):
    play(tmp_path / "b", (1, 3))
    play(tmp_path / "c", (2, 3), seed=3)
    play(tmp_path / "d", (2, 3))
    (tmp_path / "d/games/players=3/part-000000012.parquet").unlink()
    out = tmp_path / "out"
    both = bloodrage("merge", data_set.path, tmp_path / "b", "--out", out)
    assert both.exit_code == 2 and f"{data_set.path} and {tmp_path / 'b'} both have game 0 with 3 players" in both.output.replace("\n", "")
    other = bloodrage("merge", tmp_path / "b", tmp_path / "c", "--out", out)
    assert other.exit_code == 2 and "are of different runs: seed is 2 there, 3 here" in other.output
    damaged = bloodrage("merge", tmp_path / "b", tmp_path / "d", "--out", out)
    assert damaged.exit_code == 2 and "part-000000012.parquet is missing or damaged" in damaged.output
    full = bloodrage("merge", tmp_path / "b", "--out", data_set.path)
    assert full.exit_code == 2 and "exists; give a new folder" in full.output
    nothing = bloodrage("merge", tmp_path / "none", "--out", out)
    assert nothing.exit_code == 2 and "is no data set" in nothing.output
    assert not out.exists()


@pytest.mark.parametrize("share", ["0/3", "4/3", "1", "a/b", "-1/3", "1/0"])
def test_bad_shares_are_told(tmp_path, share):
    result = bloodrage("simulate", "--games", 4, "--out", tmp_path / "a", "--share", share)
    assert result.exit_code == 2 and f"--share is '{share}'; it is written K/N" in result.output


def test_resume_wants_a_run_to_go_on_with(tmp_path):
    result = bloodrage("simulate", "--games", 4, "--out", tmp_path / "a", "--resume")
    assert result.exit_code == 2 and "is no data set" in result.output and not (tmp_path / "a").exists()
    assert bloodrage("simulate", "--games", 4, "--seed", 1, "--out", tmp_path / "a").exit_code == 0
    again = bloodrage("simulate", "--games", 4, "--seed", 1, "--out", tmp_path / "a", "--resume")
    assert again.exit_code == 0 and "all games were there already" in again.output


def test_one_process_at_a_time_writes_into_a_folder(tmp_path):
    with locked(tmp_path / "a"):
        result = bloodrage("simulate", "--games", 4, "--out", tmp_path / "a")
    assert result.exit_code == 2 and "another process is writing into" in result.output
    assert bloodrage("simulate", "--games", 4, "--out", tmp_path / "a").exit_code == 0


def test_a_lock_of_a_killed_process_is_free(tmp_path):
    code = f"""
import time
from pathlib import Path
from bloodrage_sim.datasets.dataset import locked
with locked(Path({str(tmp_path / "a")!r})):
    print("locked", flush=True)
    time.sleep(60)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "locked\n"
    process.kill()
    process.wait()
    assert bloodrage("simulate", "--games", 4, "--out", tmp_path / "a").exit_code == 0


PLAIN = '''"""Plain Python."""
import time

from bloodrage_sim.strategy_api import strategy

@strategy(compiled=False)
def decide(view, options, n, tables, params, memory, key):
    {body}
    return 0
'''


def test_a_strategy_that_thinks_too_long_is_told(tmp_path):
    (tmp_path / "slow.py").write_text(PLAIN.format(body="time.sleep(30 if view.clock.age == 2 else 0)"))
    began = time.monotonic()
    result = bloodrage(
        "simulate", "--players", 2, "--games", 2, "--strategy", tmp_path / "slow.py", "--decision-seconds", 0.5, "--out", tmp_path / "a"
    )
    assert time.monotonic() - began < 20
    assert result.exit_code == 2 and "did not answer within 0.5 s at decision" in result.output


def test_what_a_strategy_writes_into_its_options_changes_nothing(tmp_path):
    """It gets its own copy of them; the first option is what is meant."""
    (tmp_path / "still.py").write_text(PLAIN.format(body="pass"))
    (tmp_path / "writes.py").write_text(PLAIN.format(body="options.place[:] = 0; options.card[:] = 1; view.clock.age = 3"))
    folders = []
    for name in ("still", "writes"):
        run = bloodrage("simulate", "--players", 2, "--games", 6, "--seed", 1, "--strategy", tmp_path / f"{name}.py", "--out", tmp_path / name)
        assert run.exit_code == 0, run.output
        folders.append(DataSet.open(tmp_path / name))
    glory = [np.concatenate([rows["glory"] for rows in data_set.read(TABLES[1], 2)]) for data_set in folders]
    assert (glory[0] == glory[1]).all()


def killed_and_resumed(tmp_path: Path, times: int) -> None:
    whole = RunConfig((4,), 6_000, 11, ("random",), part_games=250)
    expected = run_to_folder(whole, tmp_path / "whole", "test").data_set.content_hash()
    code = f"""
from pathlib import Path
from bloodrage_sim.batch import run_to_folder
from bloodrage_sim.running.runs import RunConfig
run_to_folder(RunConfig((4,), 6_000, 11, ("random",), part_games=250, threads=2), Path({str(tmp_path / "killed")!r}), "test")
"""
    moments = random.Random(3)
    for _ in range(times):
        before = read_manifest(tmp_path / "killed")["games_done"] if (tmp_path / "killed").exists() else 0
        process = subprocess.Popen([sys.executable, "-c", code])
        while process.poll() is None:
            time.sleep(moments.uniform(0.001, 0.03))
            there = (tmp_path / "killed/manifest.json").exists() and read_manifest(tmp_path / "killed")["games_done"]
            if there > before:
                os.kill(process.pid, signal.SIGKILL)
                break
        process.wait()
        assert read_manifest(tmp_path / "killed")["games_done"] >= before
    outcome = run_to_folder(whole, tmp_path / "killed", "test")
    assert outcome.data_set.complete and not outcome.data_set.damaged
    assert outcome.data_set.content_hash() == expected


def test_killed_and_resumed(tmp_path):
    killed_and_resumed(tmp_path, 2)


@pytest.mark.slow
def test_killed_and_resumed_twenty_times(tmp_path):
    killed_and_resumed(tmp_path, 20)
