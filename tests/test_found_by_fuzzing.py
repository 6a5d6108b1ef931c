"""Inputs that once ended in a traceback or never: each is refused with a line that says what came, where and what is allowed."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.lib
import pytest
from click.testing import CliRunner
from fuzzing.files import Board, Cards, Experiments, Fields, Scenarios, texts
from fuzzing.words import ANSWERS, Answers

from bloodrage_sim.batch import run_to_folder
from bloodrage_sim.card_values.running import FORM
from bloodrage_sim.cli import main
from bloodrage_sim.datasets.dataset import read_manifest
from bloodrage_sim.datasets.manifest_checks import fault_of
from bloodrage_sim.datasets.part_files import PartFiles
from bloodrage_sim.errors import BadFile, BadPlugin, BadValue, BloodRageError, OutputRefused
from bloodrage_sim.notation import find_card
from bloodrage_sim.plugins.loading import read_strategy
from bloodrage_sim.rows.table_files import unreadable
from bloodrage_sim.ruleset import load_toml
from bloodrage_sim.running.runs import RunConfig

MUCH = "9" * 5000
SCENARIO = texts("tests/scenarios/rule_1_3_2_closed_fjord.toml")[0]
EXPERIMENT = texts("bloodrage_sim/tips/experiments/experts_backfire.toml")[0]


def with_players(text: str, players: str) -> str:
    """A text of TOML with another line `players`."""
    lines = [f"players = {players}" if line.startswith("players = ") else line for line in text.splitlines()]
    assert f"players = {players}" in lines
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        (Scenarios(), with_players(SCENARIO, MUCH), "input.toml is no TOML file: Exceeds the limit"),
        (Experiments(), with_players(EXPERIMENT, MUCH), "input.toml is no TOML file: Exceeds the limit"),
        (Experiments(), with_players(EXPERIMENT, '[{ card = "troll" }]'), "write different numbers of players, 2 to 5"),
        (Experiments(), with_players(EXPERIMENT, "[4.0]"), "players is [4.0]; write different numbers of players"),
        (Cards(), f"id,age,column,value\ntroll,,cost_or_str,{MUCH}", "allowed: whole numbers 0 to 99"),
        (Cards(), "id,age,column,value\ntroll,,cost_or_str,²", "cost_or_str of troll is '²'; allowed: whole numbers 0 to 99"),
        (Fields(), f"greedy,random*{MUCH}", "random*999"),
        (Fields(), "greedy,random*²", "random*²"),
        (Board(), "tracks.horns = [20, 0, 0, 12, 20, 18]", "tracks.horns is [20, 0, 0, 12, 20, 18]; figures on the board are never taken back"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_files(kind, text, message, tmp_path):
    with pytest.raises(BloodRageError) as caught:
        kind.check(text.encode(), tmp_path)
    assert message in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["troll@²", f"troll@{MUCH}"])
def test_ages_of_cards(text):
    with pytest.raises(BloodRageError, match="has no age"):
        find_card(text, 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("simulate", "--share", "²/3", "--out", "x"), "--share is '²/3'; it is written K/N"),
        (("simulate", "--share", f"1/{MUCH}", "--out", "x"), "it is written K/N"),
        (("tips", "run", "--looks", MUCH, "--out", "x"), "write rising numbers of blocks"),
        (("experiment", "x.toml", "--players", "²", "--out", "x"), "cannot be read"),
        (("experiment", "x.toml", "--threads", "0", "--out", "x"), "cannot be read"),
    ],
)
def test_commands(arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2 and message in result.output.replace("\n", " "), result.output
    assert not list(tmp_path.iterdir())


def test_paths_with_a_nul(tmp_path):
    with pytest.raises(BadValue, match="has a letter with the number 0"):
        read_strategy("./\0none.py:doomed=7")
    with pytest.raises(BadFile, match="embedded null byte"):
        load_toml(tmp_path / "a\0b.toml", "rules file")


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda manifest: manifest["parts"][0]["files"]["games"].pop("file"), "parts[0]"),
        (lambda manifest: manifest["parts"][0].pop("files"), "parts[0]"),
        (lambda manifest: manifest["parts"].append(7), "parts[1]"),
        (lambda manifest: manifest["parts"][0].update(games=5), "parts[0]"),
        (lambda manifest: manifest["run"].pop("tables"), "run.tables"),
        (lambda manifest: manifest["run"].update(players=[2, 2]), "run.players"),
        (lambda manifest: manifest["run"].update(strategies=[{"text": 1}]), "run.strategies"),
        (lambda manifest: manifest.update(versions=None), "versions"),
    ],
)
def test_manifests(change, place, tmp_path):
    run = tmp_path / "run"
    run_to_folder(RunConfig((2,), 4, 1, ("random",)), run, "test")
    assert not fault_of(read_manifest(run))
    manifest = json.loads((run / "manifest.json").read_text())
    change(manifest)
    (run / "manifest.json").write_text(json.dumps(manifest))
    for arguments in (("verify", run), ("merge", run, "--out", tmp_path / "merged"), ("report", run)):
        result = CliRunner().invoke(main, [*map(str, arguments)])
        assert result.exit_code == 2 and f"manifest.json is damaged: {place} is not what this program writes there" in result.output


@pytest.mark.parametrize("entry", [7, {}, {"number": 0, "rows": 1, "sha256": "0" * 64, "file": "games/../../x.parquet"}])
def test_manifests_of_long_runs(entry, tmp_path):
    """Of experiments, tournaments and valuations."""
    files = PartFiles.open(FORM, tmp_path, {"a": 1}, "test", lambda rows: True)
    manifest = json.loads((tmp_path / "values.json").read_text())
    manifest["parts"].append(entry)
    (tmp_path / "values.json").write_text(json.dumps(manifest))
    with pytest.raises(OutputRefused, match="values.json is damaged: its list of parts"):
        PartFiles.open(FORM, tmp_path, {"a": 1}, "test", lambda rows: True)
    assert files.rows().size == 0


@pytest.mark.parametrize("name", [name for name in dir(pyarrow.lib) if name.startswith("Arrow") and name.endswith(("Error", "Invalid", "Exception"))])
def test_every_error_of_pyarrow_is_a_damaged_file(name):
    assert issubclass(getattr(pyarrow.lib, name), unreadable())


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("the end of the program", "raised SystemExit: 0 at"),
        ("ctrl-c", "raised KeyboardInterrupt at"),
        ("the end of a generator", "raised GeneratorExit at"),
        ("mute", "raised _Mute at"),
        ("lines", "raised ValueError: one at"),
        ("odd", "answered a _Odd, which is no whole number, at"),
        ("a bad index", "which is no whole number, at"),
        ("2**80", "answered 1208925819614629174706176 to a question with"),
    ],
)
def test_answers(answer, message, tmp_path):
    """Some of them left the run waiting for ever."""
    assert answer in ANSWERS
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(BadPlugin) as caught:
        Answers().check((answer, 3), folder)
    assert message in str(caught.value) and "decision 4 " in str(caught.value)


def test_threads_of_experiments(tmp_path):
    """No worker would play for ever."""
    file = tmp_path / "x.toml"
    file.write_text(EXPERIMENT)
    for threads in ("0", "257"):
        result = CliRunner().invoke(main, ["experiment", str(file), "--threads", threads, "--out", str(tmp_path / "out")])
        assert result.exit_code == 2 and f"threads is {threads}; allowed: whole numbers 1 to 256" in result.output
    assert Path(tmp_path / "out").exists() is False
