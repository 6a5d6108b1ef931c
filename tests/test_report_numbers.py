"""Sections on strategies, seats and glory, and the ledger check, on a run whose numbers can be worked out by hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from bloodrage_sim.reports import drawing
from bloodrage_sim.reports.glory import Glory
from bloodrage_sim.reports.glory_counts import GloryCounts
from bloodrage_sim.reports.overview import Overview
from bloodrage_sim.reports.seats import Seats
from bloodrage_sim.reports.section import NamedFigure, NamedTable, SectionResult
from bloodrage_sim.reports.source import Filters, Source
from bloodrage_sim.reports.strategies import Strategies
from scipy import stats
from seesaw import DEALS, write_seesaw

if TYPE_CHECKING:
    from pandas import DataFrame


@pytest.fixture(scope="module")
def seesaw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("reports") / "seesaw"
    write_seesaw(path)
    return path


def told(kind: type, path: Path, **filters) -> SectionResult:
    """What a section finds."""
    source = Source(path, Filters(**filters))
    section = kind(source)
    for part in source.parts(section.tables):
        section.add(part)
    with drawing.style():
        return section.result(source)


def table(result: SectionResult, name: str) -> DataFrame:
    (found,) = (item for item in result.items if item.name == name and isinstance(item, NamedTable))
    return found.frame


def half_width(step: float) -> float:
    """Half of the interval of a mean over deals that lie `step` above it and below it by turns."""
    return float(stats.t.ppf(0.975, DEALS - 1)) * step / np.sqrt(DEALS - 1)


def test_wins_and_glory_by_strategy(seesaw):
    frame = table(told(Strategies, seesaw), "strategies").set_index("strategy")
    assert list(frame.index) == ["all", "axe", "quill"]
    assert (frame.players_counted == [240, 120, 120]).all()
    assert (frame.clusters == DEALS).all()
    assert frame.win_share_x_players.tolist() == pytest.approx([1, 1, 1])
    assert frame.glory.tolist() == pytest.approx([16, 15, 17])
    assert frame.margin.tolist() == pytest.approx([0, -2, 2])
    assert frame.glory_high["axe"] - 15 == pytest.approx(half_width(5))
    assert frame.glory_high["quill"] - 17 == pytest.approx(half_width(13))
    # the mean of both is 7 in even deals and 25 in odd ones
    assert 16 - frame.glory_low["all"] == pytest.approx(half_width(9))
    assert frame.loc["quill", ["glory_p25", "glory_median", "glory_p75"]].tolist() == [4, 4, 30]


def test_half_of_the_games_end_by_six_points_and_half_by_ten(seesaw):
    frame = table(told(Strategies, seesaw), "margins")
    assert frame.set_index("margin").share_of_games[lambda shares: shares > 0].to_dict() == {"0 to 9": 0.5, "10 to 19": 0.5}
    assert (frame.games == 120).all()


def test_seats_are_fair_where_the_line_up_rotates(seesaw):
    frame = table(told(Seats, seesaw), "seats").set_index(["strategy", "seats_from_first_player"])
    assert frame.win_share_x_players["all"].tolist() == pytest.approx([1, 1])
    assert len(frame) == 6  # two seats for all and for each of two strategies
    assert (frame.players_counted["axe"] == 60).all()
    assert frame.win_share_x_players["axe"].isna().all()  # 60 rows are too few to be told
    assert frame.q["all"].tolist() == pytest.approx([1, 1])


def test_glory_by_source_and_age(seesaw):
    frame = table(told(Glory, seesaw), "glory_sources").set_index(["strategy", "age", "source"]).glory
    assert frame["all", "all", "all"] == pytest.approx(16)
    assert frame["all", "1", "battle"] == frame["all", "all", "battle"] == pytest.approx(7.5)
    assert frame["axe", "1", "battle"] == frame["axe", "1", "all"] == pytest.approx(15)
    assert frame["quill", "2", "quest"] == pytest.approx(17)
    assert frame["axe", "2", "all"] == frame["axe", "all", "quest"] == 0


def test_glory_over_the_game(seesaw):
    result = told(Glory, seesaw)
    frame = table(result, "glory_course").set_index(["strategy", "age", "phase"])
    assert frame.gained["all"].to_dict() == pytest.approx({(1, "action"): 7.5, (2, "quest"): 8.5})
    assert frame.so_far["quill"].to_dict() == pytest.approx({(1, "action"): 0, (2, "quest"): 17})
    assert frame.loc[("axe", 2, "quest"), ["so_far_p25", "so_far_p75"]].tolist() == [10, 20]
    phases = table(result, "glory_phases").set_index(["age", "phase", "source"]).glory.to_dict()
    assert phases == pytest.approx({(1, "action", "battle"): 7.5, (2, "quest", "quest"): 8.5})


def test_leaders(seesaw):
    """After age 1 axe leads in all games and wins half; after age 2 the leader is who wins."""
    frame = table(told(Glory, seesaw), "glory_leads").set_index(["strategy", "after_age"])
    assert frame.win_share["all"].tolist() == pytest.approx([0.5, 1])
    assert frame.leaders["axe"].tolist() == [120, 60]
    assert frame.leaders["quill"].tolist() == [0, 60]


def test_filters(seesaw):
    of_axe = table(told(Strategies, seesaw, strategies=("axe",)), "strategies")
    assert of_axe[["strategy", "players_counted", "glory"]].values.tolist() == [["axe", 120, 15]]
    rich = table(told(Strategies, seesaw, where="glory >= 10"), "strategies").set_index("strategy")
    assert (rich.players_counted == [180, 120, 60]).all()
    assert rich.glory["all"] == pytest.approx(20)
    ages = table(told(Glory, seesaw, ages=(2,)), "glory_sources")
    assert set(ages.age) == {"2"}


def test_ledger_check(seesaw, tmp_path):
    result = told(Overview, seesaw)
    assert result.lines == ("ledger check: it sums to the final glory of all 240 players",)
    assert result.warnings == ()
    write_seesaw(tmp_path / "wrong", ledger_lacks=3)
    result = told(Overview, tmp_path / "wrong")
    assert result.lines == ("ledger check FAILED: 3 of 240 players have another final glory than their ledger adds up to",)
    assert len(result.warnings) == 1


def test_figures_say_what_they_show(seesaw):
    for kind in (Strategies, Seats, Glory):
        figures = [item for item in told(kind, seesaw).items if isinstance(item, NamedFigure)]
        assert figures
        for item in figures:
            assert "120 games with 2 players" in item.caption
            assert item.figure.axes[-1].get_xlabel() or item.figure.get_supxlabel()
            files = drawing.files_of(item.figure, item.caption)
            assert files["png"].startswith(b"\x89PNG")
            assert b"<svg" in files["svg"]


def test_quantiles_of_glory_are_those_of_numpy(seesaw):
    source = Source(seesaw, Filters())
    (part,) = source.parts({"players": ("glory",)})
    glory = np.random.default_rng(1).integers(0, 200, (240, 1))
    counts = GloryCounts(groups=1)
    counts.add(part, glory, part.chosen[:, None])
    for quantile in (0.05, 0.25, 0.5, 0.95):
        found = counts.quantile(2, 0, quantile)
        assert found[0] == np.quantile(glory, quantile, method="inverted_cdf")
        mine = glory[part.rows["players"]["strategy"] == 1]
        assert found[2] == np.quantile(mine, quantile, method="inverted_cdf")
