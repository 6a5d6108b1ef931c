"""`bloodrage compare`: differences, pairs and refusals, on small runs whose numbers are worked out here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bloodrage_sim.reports.compare import compare
from bloodrage_sim.reports.compare_groups import groups_of
from bloodrage_sim.reports.compare_section import told_pairs
from click.testing import CliRunner
from tiny_runs import write_run

from bloodrage_sim.cli import main
from bloodrage_sim.errors import BadDataSet, BadValue
from bloodrage_sim.statistics.multiple import q_values

DEALS, ROTATIONS = 60, 2


def write(path: Path, glory: np.ndarray, strategies=("loki", "quests"), taken_by_loki=0, **options) -> Path:
    """A run of 2 players: glory by deal, rotation and slot; the richer player wins.

    taken_by_loki : of every three deals, in how many slot 0 takes the one card; the other slot looks second and takes it else
    """
    games, players, deals = [], [], []
    for game in range(len(glory) * ROTATIONS):
        deal, rotation = divmod(game, ROTATIONS)
        games.append({"game": game, "deal": deal, "rotation": rotation, "turns": 20 + deal % 3, "age_1_end": "pillaged"})
        for seat in range(2):
            slot = (seat - rotation) % 2
            mine, other = glory[deal, rotation, slot], glory[deal, rotation, 1 - slot]
            players.append({
                "game": game, "deal": deal, "seat": seat, "slot": slot, "strategy": strategies[slot], "glory": mine,
                "win_share": 1.0 if mine > other else 0.5 if mine == other else 0.0,
            })  # fmt: skip
        loki = rotation % 2
        first = deal % 3 < taken_by_loki
        deals.append({
            "game": game, "copy": 0, "age": 1, "first_seat": loki, "round": 1 if first else 2,
            "taken_by": loki if first else 1 - loki,
        })  # fmt: skip
    card = {"copy": 0, "card": "friggas_charm", "number": 0, "age": 1, "kind": "clan", "name": "Frigga's Charm"}
    write_run(path, strategies, {"games": games, "players": players, "deals": deals}, [card], **options)
    return path


@pytest.fixture(scope="module")
def glories() -> tuple[np.ndarray, np.ndarray]:
    """Glory by deal, rotation and slot of two runs, which deals have in common."""
    chance = np.random.default_rng(3)
    level = chance.integers(40, 90, (DEALS, 1, 1))
    first, second = (level + chance.integers(0, 12, (DEALS, ROTATIONS, 2)) for _ in range(2))
    second[..., 0] += 4
    return first, second


@pytest.fixture(scope="module")
def runs(glories, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two runs of the same deals."""
    folder = tmp_path_factory.mktemp("compare")
    return write(folder / "a", glories[0], taken_by_loki=1), write(folder / "b", glories[1], taken_by_loki=2)


def row_of(frame, **values):
    """The one row with these values."""
    for name, value in values.items():
        frame = frame[frame[name] == value]
    assert len(frame) == 1
    return frame.iloc[0]


def test_pairs_by_hand(runs, glories) -> None:
    found = compare(*runs)
    by_deal = (glories[1] - glories[0])[..., 0].sum(1)  # of slot 0, loki
    row = row_of(found.by_group, group="loki", measure="glory")
    assert row["first"] == pytest.approx(glories[0][..., 0].mean())
    assert row["second"] == pytest.approx(glories[1][..., 0].mean())
    assert row["difference"] == pytest.approx(by_deal.sum() / (DEALS * ROTATIONS))
    error = by_deal.std(ddof=1) / np.sqrt(DEALS) / ROTATIONS
    assert (row["high"] - row["low"]) / 2 == pytest.approx(2.00100 * error, rel=1e-4)  # t quantile of 59 degrees of freedom
    assert (row["n"], row["deals"]) == (DEALS * ROTATIONS, DEALS)
    sums = [glory[..., 0].sum(1) for glory in glories]
    assert row["correlation"] == pytest.approx(np.corrcoef(*sums)[0, 1])
    apart = sums[0].var(ddof=1) + sums[1].var(ddof=1)
    assert row["gain"] == pytest.approx(apart / by_deal.var(ddof=1)) and row["gain"] > 10


def test_other_seeds_are_no_pairs(runs, glories, tmp_path: Path) -> None:
    found = compare(runs[0], write(tmp_path / "c", glories[1], seed=2))
    row = row_of(found.by_group, group="loki", measure="glory")
    variance = sum(glory[..., 0].sum(1).var(ddof=1) for glory in glories) / DEALS / ROTATIONS**2
    half = (row["high"] - row["low"]) / 2
    assert half / np.sqrt(variance) == pytest.approx(1.980, abs=0.002)  # t quantile of about 118 degrees of freedom
    assert np.isnan(row["gain"])
    assert told_pairs(found) == [
        "2 players: 120 games against 120; not in pairs, because the runs have other seeds or seats."
    ]


def test_deals_of_one_run_are_left_out_of_pairs(runs, glories, tmp_path: Path) -> None:
    longer = np.concatenate([glories[1], glories[1][:7]])
    found = compare(runs[0], write(tmp_path / "longer", longer))
    assert (found.runs[2].games, found.runs[2].left_out) == ([120, 120], [0, 14])
    assert row_of(found.by_group, group="loki", measure="glory")["second"] == pytest.approx(glories[1][..., 0].mean())
    assert "; 0 and 14 games without a partner are left out." in told_pairs(found)[0]


def test_cards_by_hand(runs) -> None:
    # 20 of 60 deals with one look, 40 with two; then the other way round
    found = compare(*runs).by_card
    rate = row_of(found, measure="pick_rate")
    assert rate["card"] == "Frigga's Charm"
    assert (rate["first"], rate["second"]) == (pytest.approx(120 / 200), pytest.approx(120 / 160))
    rounds = row_of(found, measure="round_taken")
    assert rounds["difference"] == pytest.approx(-1 / 3)
    assert row_of(found, measure="left_over")["difference"] == 0


def test_win_share_of_drafters_by_hand(runs, glories) -> None:
    loki = np.arange(DEALS) % 3 < 1
    glory = glories[0]
    drafter, other = (np.where(loki[:, None], glory[..., slot], glory[..., 1 - slot]) for slot in (0, 1))
    share = np.where(drafter > other, 1.0, np.where(drafter == other, 0.5, 0.0)).mean()
    assert row_of(compare(*runs).by_card, measure="win_share_drafted")["first"] == pytest.approx(share)


def test_q_values_are_of_the_whole_table(runs) -> None:
    frame = compare(*runs).by_group
    assert np.allclose(frame["q"], q_values(frame["p"].to_numpy()), equal_nan=True)


def test_a_run_with_itself_does_not_differ(runs, glories, tmp_path: Path) -> None:
    found = compare(runs[0], write(tmp_path / "again", glories[0], taken_by_loki=1))
    for frame in (found.by_group, found.by_game, found.by_card):
        assert (frame["difference"].dropna() == 0).all() and (frame["q"].dropna() == 1).all()
    assert found.differing == []


# --- who is compared with whom


def run_of(*strategies: str) -> dict:
    """A run with these strategies, as far as groups need it."""
    return {"strategies": [{"text": text} for text in strategies]}


@pytest.mark.parametrize(
    ("first", "second", "names", "slots"),
    [
        (("a", "b"), ("a", "b"), ("a", "b"), ([0, 1], [0, 1])),
        (("a", "b"), ("b", "a"), ("a", "b"), ([0, 1], [1, 0])),  # in another order: by strategy
        (("a",), ("a", "a"), ("a",), ([0, 0], [0, 0])),
        (("a", "c"), ("b", "c"), ("a -> b", "c"), ([0, 1], [0, 1])),
        (("c",), ("b", "c"), ("c -> b", "c"), ([0, 1], [0, 1])),
    ],
)
def test_groups(first, second, names, slots) -> None:
    found = groups_of(run_of(*first), run_of(*second), 2)
    assert found.names == names
    assert (found.first.tolist(), found.second.tolist()) == slots


def test_changed_strategies_are_told_by_slot(runs, glories, tmp_path: Path) -> None:
    found = compare(runs[0], write(tmp_path / "other", glories[1], strategies=("battle", "quests")))
    row = row_of(found.by_group, group="loki -> battle", measure="glory")
    assert row["difference"] == pytest.approx((glories[1] - glories[0])[..., 0].mean())
    assert set(found.by_group["group"]) == {"all", "loki -> battle", "quests"}
    assert found.differing == ["strategies.0.text is loki in the first, battle in the second"]


# --- refusals


def test_runs_that_cannot_be_compared(runs, glories, tmp_path: Path) -> None:
    with pytest.raises(BadValue, match="^both runs are .*; give two$"):
        compare(runs[0], runs[0])
    with pytest.raises(
        BadDataSet, match=r"^the runs have no strategy in common: loki, quests in the first, battle, ships in the "
    ):
        compare(runs[0], write(tmp_path / "strangers", glories[0], strategies=("battle", "ships")))
    with pytest.raises(BadValue, match="^--players 4: both runs have games with 2 players$"):
        compare(*runs, players=(4,))
    three = tmp_path / "three"
    players = [
        {"game": 0, "seat": seat, "slot": seat, "strategy": name} for seat, name in enumerate(("loki", "quests", "ships"))
    ]
    write_run(three, ("loki", "quests", "ships"), {"games": [{"game": 0}], "players": players})
    with pytest.raises(BadDataSet, match="^the runs have no number of players in common: 2 in the first, 3 in the second$"):
        compare(runs[0], three)


def test_damaged_parts_are_named_or_left_out(runs, glories, tmp_path: Path) -> None:
    broken = write(tmp_path / "broken", glories[1])
    (broken / "board/players=2/part-000000000.parquet").write_bytes(b"")
    with pytest.raises(BadDataSet, match=r"board/players=2/part-000000000\.parquet is missing or damaged"):
        compare(runs[0], broken)


# --- the command


def bloodrage(*arguments: str):
    """The command, in this process."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_command_writes_a_page_and_tells_the_changes(runs, tmp_path: Path) -> None:
    out = tmp_path / "page"
    result = bloodrage("compare", *runs, "--out", out)
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines[0] == "differs: nothing; both runs were asked for the same"
    assert lines[1].startswith(
        "2 players: 120 games in 60 pairs of deals that both runs played; for win shares the correlation"
    )
    assert [line.split()[:2] for line in lines if line.startswith("2  ")] == [["2", "loki"], ["2", "quests"]]
    assert lines[-1] == f"page in {out / 'report.html'}"
    assert {path.name for path in (out / "tables").iterdir()} == {
        "compare_groups.csv", "compare_cards.csv", "compare_tempo.csv", "compare_actions.csv",
    }  # fmt: skip
    assert (out / "figures/compare_groups_2p.png").exists() and (out / "figures/compare_sources_2p.svg").exists()
    page = (out / "report.html").read_text()
    assert "Wins and glory" in page and "60 pairs of deals" in page
    assert bloodrage("compare", *runs, "--out", out).exit_code == 0  # its own folder may be written again


def test_command_refuses_in_one_line(runs, tmp_path: Path) -> None:
    def refused(*arguments: str) -> str:
        result = bloodrage("compare", *arguments)
        assert result.exit_code == 2 and result.output.count("\n") == 1
        return result.output

    nothing = tmp_path / "nothing"
    assert refused(runs[0], nothing) == f"Error: {nothing} is no data set: it has no manifest.json\n"
    assert "holds files that are no bloodrage report" in refused(*runs, "--out", runs[0])
    assert refused(*runs, "--players", "x") == "Error: --players is 'x'; allowed: numbers 2 to 5, separated by commas\n"
