"""`bloodrage tips run` and `report`: what is played, kept and shown."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner, Result

from bloodrage_sim.cli import main
from bloodrage_sim.experiments.verdicts import INCONCLUSIVE, REFUTED, SUPPORTED
from bloodrage_sim.tips.catalogue import find_tip
from bloodrage_sim.tips.forest import REACH, WIDTH, row_of
from bloodrage_sim.tips.instead import instead
from bloodrage_sim.tips.outcome import Results

TIPS = ("lock_is_good", "win_costs_cards", "ragnarok_28_age3", "novice_rage_burn", "wheel_unique_quest")
ARGUMENTS = ("--players", "2", "--looks", "2", "--no-strengths")


def run(*arguments: object) -> Result:
    """A command of `bloodrage tips`."""
    return CliRunner().invoke(main, ["tips", *map(str, arguments)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run."""
    out = tmp_path_factory.mktemp("tips") / "out"
    done = run("run", *TIPS, *ARGUMENTS, "--out", out)
    assert done.exit_code == 0, done.output
    return out


def test_run_tells_and_keeps_every_claim(folder: Path) -> None:
    results = Results(folder)
    verdicts = {name: results.of(find_tip(name)).verdict for name in TIPS}
    assert verdicts == {
        "lock_is_good": "not testable",  # two blocks in a pool say nothing
        "win_costs_cards": REFUTED, "ragnarok_28_age3": SUPPORTED, "novice_rage_burn": "not testable",
        "wheel_unique_quest": "not yet run",  # it is for 3 players and more
    }  # fmt: skip
    assert "2 blocks in a pool" in results.of(find_tip("lock_is_good")).reason
    pools = pd.read_csv(folder / "games" / "pools.csv")
    assert set(pools.pool) == {"mixed", "balanced", "tuned", "losers", "fighters", "simple"}
    cases = pd.read_csv(folder / "cases" / "win_costs_cards.csv")
    assert cases.against.sum() == 3
    assert not (folder / "strengths").exists()


def test_the_same_command_plays_nothing_again(folder: Path) -> None:
    before = pd.read_csv(folder / "games" / "verdicts.csv")
    again = run("run", *TIPS, *ARGUMENTS, "--out", folder)
    assert again.exit_code == 0
    assert "all games were there already" in again.output
    pd.testing.assert_frame_equal(before, pd.read_csv(folder / "games" / "verdicts.csv"))


def test_a_folder_takes_no_other_run(folder: Path, tmp_path: Path) -> None:
    other = run("run", "lock_is_good", *ARGUMENTS, "--out", folder)
    assert other.exit_code == 2
    assert "holds another run of tips" in other.output
    (tmp_path / "file").write_text("mine")
    assert "holds files that are no run of tips" in run("run", "novice_rage_burn", "--out", tmp_path).output


def test_report_shows_every_claim(folder: Path, tmp_path: Path) -> None:
    done = run("report", folder, "--out", tmp_path, "--lang", "pl")
    assert done.exit_code == 0, done.output
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    for name in TIPS:
        assert f'<article id="{name}"' in page
    assert "Waleczność Tyra" in page
    assert "src=" not in page and "href=\"http" not in page
    assert "What seems true instead: 23 of 23 positions show it; but: A winner with an empty hand" in page
    assert ">nan" not in page and " nan" not in page
    table = pd.read_csv(tmp_path / "tips.csv").set_index("id")
    assert table.verdict["win_costs_cards"] == REFUTED
    assert len(table) == len(TIPS)


def test_show_reads_a_folder(folder: Path) -> None:
    shown = run("show", "wheel_unique_quest", "--from", folder)
    assert "From the tables alone" in shown.output
    assert "71% with 3" in shown.output
    assert "nan" not in run("show", *TIPS, "--from", folder).output


def test_report_needs_verdicts(tmp_path: Path) -> None:
    (tmp_path / "tips.json").write_text(json.dumps({"format": "bloodrage-sim tips", "command": "", "run": {"tips": []}}))
    failed = run("report", tmp_path)
    assert failed.exit_code == 2
    assert "has no verdicts yet" in failed.output


# ---------------------------------------------------------------- verdicts made by hand


def made(tmp_path: Path, **changes: object) -> Results:
    """Results with one verdict of lock_is_good at 4 players, and one at 2 that supports it."""
    row = {
        "id": "lock_is_good", "players": "4", "strength": "balanced", "verdict": REFUTED, "reason": "negligible", "metric": "win_share",
        "effect": 0.004, "low": -0.002, "high": 0.010, "min_effect": 0.02, "expected_direction": "higher", "games": 1000, "exposure": 0.9,
    }  # fmt: skip
    rows = [row | changes, row | {"players": "2", "verdict": SUPPORTED, "reason": None, "effect": 0.05}]
    pools = [
        {"id": "lock_is_good", "players": "4", "strength": "balanced", "pool": name, "metric": "win_share", "decides": True, "effect": effect,
         "low": effect - 0.01, "high": effect + 0.01}
        for name, effect in (("mixed", 0.03), ("simple", -0.02))
    ]  # fmt: skip
    (tmp_path / "games").mkdir(parents=True)
    pd.DataFrame(rows).to_csv(tmp_path / "games" / "verdicts.csv", index=False)
    pd.DataFrame(pools).to_csv(tmp_path / "games" / "pools.csv", index=False)
    return Results(tmp_path)


def test_four_players_decide_and_others_are_told(tmp_path: Path) -> None:
    found = made(tmp_path).of(find_tip("lock_is_good"))
    assert found.verdict == REFUTED
    assert found.disagreeing == ["2 players, balanced: supported"]
    assert instead(found) == (
        "It makes no difference that matters: win_share +0.40 pp (-0.20 pp to +1.00 pp), less than +2.00 pp. It holds with 2 players, balanced. "
        "It goes the way of the claim against mixed, most +3.00 pp."
    )


def test_harm_is_told_as_the_opposite(tmp_path: Path) -> None:
    found = made(tmp_path, reason="harmful", effect=-0.05, low=-0.06, high=-0.04).of(find_tip("lock_is_good"))
    assert instead(found).startswith("The opposite: win_share -5.00 pp (-6.00 pp to -4.00 pp).")


def test_what_is_not_refuted_has_nothing_instead(tmp_path: Path) -> None:
    assert instead(made(tmp_path, verdict=INCONCLUSIVE, reason="small").of(find_tip("lock_is_good"))) == ""


def test_forest_of_a_number_is_in_half_widths_of_its_band() -> None:
    """24 to 36 is the grey band of five parts of ten; 18 lies one half width below it, and the claim's middle is the middle."""
    row = row_of({"effect": 30.0, "low": 18.0, "high": 36.0, "min_effect": 0.0}, (24.0, 36.0))
    assert row is not None
    part = WIDTH / (2 * REACH)
    assert (row.low, row.point, row.high) == (WIDTH / 2 - 2 * part, WIDTH / 2, row.band_from + row.band_width)
    assert row_of({"effect": 30.0, "low": 18.0, "high": 36.0, "min_effect": 0.0}) is None


def test_page_shows_opponents_band_and_what_it_depends_on(tmp_path: Path) -> None:
    made(tmp_path / "run", verdict=INCONCLUSIVE, reason="small")
    versions = {"bloodrage-sim": "1"}
    document = {"format": "bloodrage-sim tips", "command": "made", "run": {"tips": ["lock_is_good"], "versions": versions}}
    (tmp_path / "run" / "tips.json").write_text(json.dumps(document))
    assert run("report", tmp_path / "run", "--out", tmp_path / "page").exit_code == 0
    page = (tmp_path / "page" / "index.html").read_text(encoding="utf-8")
    assert "the claim says higher; the grey band is ±2.00 pp" in page
    assert "+0.40 pp (-0.20 to +1.00)" in page
    assert "<details open><summary>by opponents, 4 players, balanced</summary>" in page
    assert "against simple" in page and "-2.00 pp (-3.00 to -1.00)" in page
    assert "It depends: 2 players, balanced: supported." in page
    assert page.count("<circle") == 4  # two numbers of players, two pools


def test_forest_is_in_minimal_effects() -> None:
    """An interval from none to two minimal effects reaches from the middle two of ten parts to the right."""
    row = row_of({"effect": 0.02, "low": 0.0, "high": 0.04, "min_effect": 0.02})
    assert row is not None
    part = WIDTH / (2 * REACH)  # a minimal effect
    assert (row.low, row.point, row.high) == (WIDTH / 2, WIDTH / 2 + part, WIDTH / 2 + 2 * part)
    assert (row.band_from, row.band_width) == (WIDTH / 2 - part, 2 * part)
    assert row.beyond == ""
    far = row_of({"effect": -0.5, "low": -0.6, "high": 0.6, "min_effect": 0.02})
    assert far is not None
    assert (far.low, far.point, far.high) == (0, 0, WIDTH)
    assert far.beyond.startswith("0,")  # the arrow's tip is at the left edge
    assert row_of({"effect": None, "low": None, "high": None, "min_effect": 0.02}) is None
