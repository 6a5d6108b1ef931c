"""What strangers may send: a data set, a scenario or any other file of data runs no code, leaves no folder and is text on every page."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner, Result
from seesaw import write_seesaw

from bloodrage_sim.cli import main

ROOT = Path(__file__).resolve().parent.parent
EVIL = "<script>alert(1)</script>&\"'$\\frac{x$"
# modules that read what can be code, and why that is safe
CODE_READERS = {
    "bloodrage_sim/running/travelling.py": "jobs come from the client of a cluster, which sends strategies, that is code, anyway",
    "bloodrage_sim/rules/kept_code.py": "machine code that this program wrote into the user's own cache folder",
}
SAYS_HELLO = '''"""Tells that it was run."""
from pathlib import Path

from bloodrage_sim.strategy_api import strategy

Path({marker!r}).write_text("run")


@strategy()
def decide(view, options, n, tables, params, memory, key):
    return n - 1
'''


def bloodrage(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], prog_name="bloodrage")


# ---------------------------------------------------------------- no code


def _suspects(path: Path) -> list[str]:
    """What could run code that stands in data."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names if alias.name.split(".")[0] in ("pickle", "marshal", "shelve", "yaml", "dill", "joblib")]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("pickle", "marshal", "shelve", "yaml", "dill", "joblib"):
            found.append(str(node.module))
        elif isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
            owner = node.func.value.id if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) else ""
            plain = isinstance(node.func, ast.Name) and called in ("eval", "exec", "__import__")
            arrays = owner in ("np", "numpy") and called in ("load", "fromfile")
            frames = owner == "pd" and called in ("read_pickle", "read_hdf", "eval")
            if plain or arrays or frames or called == "read_pickle":
                found.append(f"{owner}.{called}".lstrip("."))
    return found


def test_no_file_of_data_is_read_as_code():
    sources = [path for folder in ("bloodrage_sim", "reports", "strategies") for path in (ROOT / folder).rglob("*.py")]
    assert len(sources) > 200
    suspects = {path.relative_to(ROOT).as_posix(): found for path in sources if (found := _suspects(path))}
    assert set(suspects) == set(CODE_READERS), suspects


@pytest.fixture
def strange(tmp_path: Path) -> tuple[Path, Path]:
    """A data set that was played with a strategy file, and the file that appears when that is run."""
    marker = tmp_path / "marker"
    strategy = tmp_path / "hello.py"
    strategy.write_text(SAYS_HELLO.format(marker=str(marker)))
    arguments = ["simulate", "--players", "2", "--games", "4", "--seed", "1", "--strategy", str(strategy), "--out", str(tmp_path / "run")]
    # elsewhere, because a process loads a strategy file once
    subprocess.run([sys.executable, "-c", "from bloodrage_sim.cli import main; main()", *arguments], check=True, capture_output=True)
    assert marker.exists()
    marker.unlink()
    return tmp_path / "run", marker


def test_a_data_set_runs_no_code(strange, tmp_path):
    run, marker = strange
    for arguments in (("verify", run), ("simulate", "--like", run, "--out", tmp_path / "like")):
        result = bloodrage(*arguments)
        assert result.exit_code == 2 and "hello.py, which is code; give --trust-files if you trust it" in result.output.replace("\n", " ")
    for arguments in (
        ("verify", run, "--sample", 0),
        ("merge", run, "--out", tmp_path / "merged"),
        ("compare", run, shutil.copytree(run, tmp_path / "other"), "--out", tmp_path / "compared"),
    ):
        assert bloodrage(*arguments).exit_code in (0, 1), arguments
    assert not marker.exists() and not (tmp_path / "like").exists()
    bloodrage("verify", run, "--trust-files")
    assert marker.exists()


# ---------------------------------------------------------------- no way out of the folder


@pytest.mark.parametrize("file", ["../precious.parquet", "/etc/passwd", "games/players=2/../../../precious.parquet", "games/players=2/part-000000001.parquet"])
def test_files_that_a_manifest_names_are_in_its_folder(file, tmp_path):
    run = tmp_path / "run"
    assert bloodrage("simulate", "--players", 2, "--games", 4, "--seed", 1, "--tables", "summary", "--out", run).exit_code == 0
    whole = shutil.copytree(run, tmp_path / "whole")
    manifest = json.loads((run / "manifest.json").read_text())
    manifest["parts"][0]["files"]["games"]["file"] = file
    (run / "manifest.json").write_text(json.dumps(manifest))
    (tmp_path / "precious.parquet").write_text("mine")
    for arguments in (
        ("verify", run),
        ("merge", run, "--out", tmp_path / "deep/merged"),
        ("report", run, "--out", tmp_path / "report"),
        ("compare", run, whole, "--out", tmp_path / "compared"),
        ("simulate", "--players", 2, "--games", 4, "--seed", 1, "--tables", "summary", "--out", run),
    ):
        result = bloodrage(*arguments)
        assert result.exit_code == 2 and "parts[0] is not what this program writes there" in result.output.replace("\n", " "), result.output
    assert (tmp_path / "precious.parquet").read_text() == "mine" and not (tmp_path / "deep/precious.parquet").exists()


# ---------------------------------------------------------------- pages


def check_page(page: str) -> None:
    """Evil text is there, and is text."""
    assert "<script>alert(1)" not in page and "<script>alert(1)" in page.replace("&lt;", "<").replace("&gt;", ">")


@pytest.fixture(scope="module")
def evil_run(tmp_path_factory) -> Path:
    """A run of two strategies, one of them with an evil name."""
    path = tmp_path_factory.mktemp("evil") / "run"
    write_seesaw(path, ("axe", f"./{EVIL.replace('/', '|')}.py"))
    manifest = json.loads((path / "manifest.json").read_text())
    manifest["command"] = f"bloodrage simulate {EVIL}"
    manifest["run"]["engine"] = EVIL
    (path / "manifest.json").write_text(json.dumps(manifest))
    cards = pd.read_parquet(path / "cards.parquet")
    for column in ("name", "name_pl", "card"):
        cards[column] = EVIL
    cards.to_parquet(path / "cards.parquet")
    return path


def test_report(evil_run, tmp_path):
    result = bloodrage("report", evil_run, "--out", tmp_path / "page")
    assert result.exit_code == 0, result.output
    check_page((tmp_path / "page/report.html").read_text(encoding="utf-8"))


def test_compare(evil_run, tmp_path):
    shutil.copytree(evil_run, tmp_path / "other")
    result = bloodrage("compare", evil_run, tmp_path / "other", "--out", tmp_path / "page")
    assert result.exit_code == 0, result.output
    check_page((tmp_path / "page/report.html").read_text(encoding="utf-8"))


def test_tips_report(tmp_path):
    folder = tmp_path / "tips"
    arguments = ("lock_is_good", "win_costs_cards", "--players", 2, "--looks", 2, "--no-strengths", "--out", folder)
    assert bloodrage("tips", "run", *arguments).exit_code == 0
    document = json.loads((folder / "tips.json").read_text())
    document["command"] = EVIL
    document["run"]["versions"]["bloodrage-sim"] = EVIL
    (folder / "tips.json").write_text(json.dumps(document))
    changed = 0
    for file in (folder / "games/verdicts.csv", folder / "games/pools.csv", folder / "proofs.csv"):
        frame = pd.read_csv(file, dtype=str)
        for column in ("reason", "strength", "pool", "focal", "flips", "detail", "text", "claim"):
            if column in frame:
                frame[column] = EVIL
                changed += 1
        frame.to_csv(file, index=False)
    assert changed > 3
    result = bloodrage("tips", "report", folder, "--out", tmp_path / "page")
    assert result.exit_code == 0, result.output
    check_page((tmp_path / "page/index.html").read_text(encoding="utf-8"))


def test_tournament(tmp_path):
    """It has plots and tables in place of a page: names with the signs of formulas must not stop them."""
    strategy = tmp_path / "<b>$\\frac x$ $y.py"
    strategy.write_text(SAYS_HELLO.format(marker=str(tmp_path / "marker")))
    result = bloodrage("tournament", "--players", 2, "--strategy", "random", "--strategy", strategy, "--blocks", 4, "--seed", 1, "--out", tmp_path / "cup")
    assert result.exit_code == 0, result.output
    assert len(list((tmp_path / "cup/plots").glob("*.png"))) > 1
    assert pd.read_csv(tmp_path / "cup/tables/strategies.csv").iloc[:, 0].str.contains("frac").any()
