"""The scripted strategies: each beats greedy, each does more of what its name says, and all are fair to repeat.

The full figures with intervals come from scripts/gates.py; here the numbers of games are small and the limits wide.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bloodrage_sim.batch import simulate
from bloodrage_sim.plugins.loading import import_strategy, load_strategy, strategy_names
from bloodrage_sim.tactics.style import STYLE_PARAMS
from bloodrage_sim.tactics.terms import TERM_NAMES

ARCHETYPES = [name for name in strategy_names() if name not in ("random", "greedy")]
DEFINING = {
    "loki": "losses",
    "quests": "quests_done",
    "ragnarok": "deaths_ragnarok",
    "battle": "battles_won",
    "pillage_rush": "pillages_unopposed",
    "monsters": "monsters",
    "ships": "ships_lost",
}


def table(focal: str, others: str, players: int, games: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Rows of the focal strategy, and of the others."""
    rows = simulate(players, games, seed=303, strategies=[focal, *[others] * (players - 1)]).players
    rows["losses"] = rows.battles - rows.battles_won
    return rows[rows.slot == 0], rows[rows.slot != 0]


def lower_bound(rows: pd.DataFrame) -> float:
    """Lower end of the 95 % interval of the win share, by deal."""
    by_deal = rows.win_share.groupby(rows.deal).mean()
    return float(by_deal.mean() - 1.96 * by_deal.std() / np.sqrt(len(by_deal)))


def test_all_that_are_asked_for_are_there() -> None:
    asked = {"random", "greedy", "balanced", "loki", "quests", "ragnarok", "battle", "pillage_rush", "monsters", "ships"}
    assert asked | {"anti_loki"} == set(strategy_names())
    for name in strategy_names():
        assert len(import_strategy(name).doc.strip()) > 60


@pytest.mark.parametrize("name", ARCHETYPES)
@pytest.mark.parametrize("players", [3, 4, 5])
def test_each_beats_greedy(name: str, players: int) -> None:
    focal, _ = table(name, "greedy", players, 100 * players)
    assert lower_bound(focal) > 1 / players


@pytest.mark.parametrize("name", ARCHETYPES)
def test_each_plays_a_duel_to_the_end(name: str) -> None:
    focal, _ = table(name, "greedy", 2, 100)
    assert len(focal) == 100 and focal.glory.mean() > 30 and focal.win_share.mean() > 0.1


@pytest.mark.parametrize(("name", "count"), DEFINING.items())
def test_each_does_more_of_what_its_name_says(name: str, count: str) -> None:
    focal, others = table(name, "balanced", 4, 400)
    assert focal[count].mean() > 1.35 * others[count].mean()


def test_little_rage_is_given_up() -> None:
    for name in ARCHETYPES:
        rows = simulate(4, 80, seed=5, strategies=name).players
        assert rows.rage_passed.mean() < 0.1 * 3 * 6  # ten per cent of three ages at the lowest rage stat


def test_threads_change_nothing() -> None:
    line_up = ["loki", "ragnarok", "ships", "anti_loki"]
    one = simulate(4, 120, seed=8, strategies=line_up, threads=1)
    two = simulate(4, 120, seed=8, strategies=line_up, threads=2)
    assert one.content_hash == two.content_hash


def test_same_strategy_under_two_names_comes_out_equal(tmp_path: Path) -> None:
    twin = tmp_path / "twin.py"
    twin.write_text(Path(str(import_strategy("balanced").path)).read_text())
    rows = simulate(4, 1200, seed=12, strategies=["balanced", str(twin), "balanced", str(twin)]).players
    shares = rows.win_share.groupby([rows.deal, rows.slot % 2]).mean().unstack()
    difference = shares[0] - shares[1]
    assert abs(difference.mean()) < 4 * difference.std() / np.sqrt(len(difference))


def test_weights_are_named_like_terms() -> None:
    assert set(TERM_NAMES) - {"trait"} <= set(STYLE_PARAMS)


def test_a_weight_of_a_term_changes_play() -> None:
    plain = simulate(4, 80, seed=3, strategies="balanced").players
    keen = simulate(4, 80, seed=3, strategies="balanced:ragnarok=3").players
    assert keen.deaths_ragnarok.mean() > plain.deaths_ragnarok.mean() + 0.3


def test_own_traits_can_be_taken_off() -> None:
    assert load_strategy("anti_loki").traits["hate_draft"] == 0.5
    off = load_strategy("anti_loki+hate_draft=0")
    assert off.traits["hate_draft"] == 0 and off.text == "anti_loki+hate_draft=0"
    assert load_strategy("anti_loki+hate_draft=0.5").text == "anti_loki"
