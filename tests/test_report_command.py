"""`bloodrage report`: its folder, what it says and refuses."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from bloodrage_sim.reports import sections
from bloodrage_sim.reports.folder import ReportFolder
from click.testing import CliRunner, Result
from seesaw import write_seesaw

from bloodrage_sim.cli import main
from bloodrage_sim.errors import OutputRefused


@pytest.fixture(scope="module", autouse=True)
def few_sections() -> Iterator[None]:
    """Two sections are enough here; the page in a browser has all of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sections, "SECTIONS", ("overview:Overview", "seats:Seats"))
        yield


@pytest.fixture(scope="module")
def made(few_sections: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with a report beside it."""
    path = tmp_path_factory.mktemp("command") / "run"
    write_seesaw(path)
    assert run(path).exit_code == 0
    return path


@pytest.fixture
def copy(made: Path, tmp_path: Path) -> Path:
    """The same run for tests that change it."""
    shutil.copytree(made, tmp_path / "run")
    return tmp_path / "run"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["report", *map(str, arguments)])


def refusal(*arguments: object) -> str:
    """The one line that a refused command prints."""
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    lines = result.stderr.strip().splitlines()
    assert lines[-1].startswith("Error: "), result.output
    return lines[-1].removeprefix("Error: ")


def without_part(path: Path) -> str:
    """Name a second part in the manifest whose files are not there; returns the first of them."""
    manifest = json.loads((path / "manifest.json").read_text())
    part = json.loads(json.dumps(manifest["parts"][0]).replace("part-000000000", "part-000000120"))
    manifest["parts"].append({**part, "first_game": 120, "last_game": 239})
    manifest["run"]["games"] = 240
    (path / "manifest.json").write_text(json.dumps(manifest))
    return next(iter(part["files"].values()))["file"]


def test_a_report_is_a_page_with_figures_and_tables(made):
    folder = made.with_name("run-report")
    marker = json.loads((folder / "report.json").read_text())
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert found == {*marker["files"], "report.json"}
    names = {path.stem for path in folder.glob("figures/*.png")}
    assert names == {path.stem for path in folder.glob("figures/*.svg")} == {"seats"}
    assert (folder / "tables" / "seats.csv").read_text().startswith("players,strategy,seats_from_first_player,players_counted,clusters,")
    assert marker["games"] == {"2": 120}
    page = (folder / "report.html").read_text()
    assert page.count("data:image/svg+xml") == len(names)
    assert "http:" not in page
    assert "https:" not in page


def test_it_says_where_the_page_is_and_equal_reports_have_equal_figures(made, tmp_path):
    again = tmp_path / "again"
    result = run(made, "--out", again)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "ledger check: it sums to the final glory of all 240 players",
        f"report in {again / 'report.html'}",
    ]
    first = made.with_name("run-report")
    figures = [path.relative_to(first) for path in first.glob("figures/*")]
    assert len(figures) == 2
    for path in figures:
        assert (again / path).read_bytes() == (first / path).read_bytes(), path


def test_names_from_files_are_text_and_nothing_else(tmp_path):
    evil = "./<script>alert(1)</script>&$x$.py"
    write_seesaw(tmp_path / "run", ("axe", evil))
    assert run(tmp_path / "run").exit_code == 0
    page = (tmp_path / "run-report" / "report.html").read_text()
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;&amp;$x$.py" in page


def test_a_report_replaces_only_what_a_report_made(tmp_path):
    folder = tmp_path / "report"
    ReportFolder(folder).write({"report.html": b"old", "tables/gone.csv": b""}, {})
    (folder / "notes.txt").write_text("mine")
    ReportFolder(folder).write({"report.html": b"new", "figures/a.png": b""}, {"of": "x"})
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert found == {"report.html", "report.json", "figures/a.png", "notes.txt"}
    assert (folder / "report.html").read_bytes() == b"new"
    assert json.loads((folder / "report.json").read_text())["files"] == ["figures/a.png", "report.html"]


def test_a_marker_cannot_make_it_remove_other_files(tmp_path):
    folder = tmp_path / "report"
    ReportFolder(folder).write({"report.html": b""}, {})
    precious = tmp_path / "precious.csv"
    precious.write_text("1")
    marker = json.loads((folder / "report.json").read_text())
    marker["files"] += ["../precious.csv", "tables/../../precious.csv", str(precious), 7]
    (folder / "report.json").write_text(json.dumps(marker))
    ReportFolder(folder).write({"report.html": b""}, {})
    assert precious.exists()


@pytest.mark.parametrize("text", [None, "", "[]", '{"format": "something else"}', '{"format": "bloodrage-sim report"}'])
def test_other_folders_are_refused(tmp_path, text):
    (tmp_path / "notes.txt").write_text("mine")
    if text is not None:
        (tmp_path / "report.json").write_text(text)
    with pytest.raises(OutputRefused, match="holds files that are no bloodrage report; give a new or empty folder"):
        ReportFolder(tmp_path)


def test_it_never_writes_into_the_data_set(made):
    assert refusal(made, "--out", made) == f"output folder {made} holds files that are no bloodrage report; give a new or empty folder"
    file = made / "manifest.json"
    assert refusal(made, "--out", file) == f"output {file} is a file; give a new folder"


def test_a_missing_part_is_named_and_can_be_left_out(copy):
    file = without_part(copy)
    assert refusal(copy).startswith(f"{copy / file} is missing or damaged")
    result = run(copy, "--partial")
    assert result.exit_code == 0
    assert f"warning: {file} is missing or damaged; its games are left out" in result.stderr
    assert file in (copy.with_name("run-report") / "report.html").read_text()


def test_a_damaged_part_is_named(copy):
    file = next(copy.glob("ledger/*/*.parquet"))
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    assert refusal(copy).startswith(f"{file} is missing or damaged")
    assert "has no whole games" in refusal(copy, "--partial")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--players", "3"], "--players 3: the data set has games with 2 players"),
        (["--players", "x"], "--players is 'x'; allowed: numbers 2 to 5, separated by commas"),
        (["--age", "4"], "--age 4; allowed: 1 to 3"),
        (["--age", "one"], "--age is 'one'; allowed: numbers 1 to 3, separated by commas"),
        (["--where", "glory > 99"], "the filters leave no player (where glory > 99); give wider ones"),
        (["--lang", "de"], "Invalid value for '--lang': 'de' is not one of 'en', 'pl'."),
    ],
)
def test_filters_that_do_not_fit(made, tmp_path, options, message):
    assert refusal(made, "--out", tmp_path / "new", *options) == message
    assert not (tmp_path / "new").exists()


def test_names_that_are_not_there(made, tmp_path):
    assert "unknown strategy 'ax'" in refusal(made, "--strategy", "ax")
    assert "did you mean axe?" in refusal(made, "--strategy", "ax")
    assert refusal(tmp_path) == f"{tmp_path} is no data set: it has no manifest.json"
    found = refusal(made, "--where", "wealth > 1")
    assert "wealth" in found
    assert "columns: game, deal, seat" in found
    assert "--where" in refusal(made, "--where", "(select count(*) from read_csv('/etc/passwd')) > 0")
