"""Sections on provinces, battles, stats and tempo: their tables against counts in plain Python and pandas."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from bloodrage_sim.reports import board_map, drawing
from bloodrage_sim.reports.battles import Battles
from bloodrage_sim.reports.fray import fray_of
from bloodrage_sim.reports.provinces import PLACES, Provinces, places_there
from bloodrage_sim.reports.section import NamedFigure, SectionResult
from bloodrage_sim.reports.source import Filters, Source
from bloodrage_sim.reports.stats import Stats
from bloodrage_sim.reports.tempo import Tempo
from tiny_runs import write_run

from bloodrage_sim.batch import run_to_folder
from bloodrage_sim.data import reader
from bloodrage_sim.datasets.dataset import DataSet
from bloodrage_sim.progress import Progress
from bloodrage_sim.rows.table_files import to_frame
from bloodrage_sim.rows.tables_out import DETAILS, SUMMARY, tables_named
from bloodrage_sim.running.runs import RunConfig

STRATEGIES = ("greedy", "random", "greedy:boldness=0.9", "random")
PROVINCES = [province["id"] for province in reader.board()["province"]]
FJORDS = {fjord["id"]: fjord["provinces"] for fjord in reader.board()["fjord"]}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """240 games of 4 players in 60 deals."""
    path = tmp_path_factory.mktemp("sections") / "run"
    tables = tuple(table.name for table in (*SUMMARY, *DETAILS))
    config = RunConfig(players=(4,), games=240, seed=5, strategies=STRATEGIES, tables=tables, part_games=100)
    run_to_folder(config, path, "bloodrage simulate", Progress())
    return path


def frame_of(run: Path, table: str) -> pd.DataFrame:
    """A whole table of the run."""
    data_set = DataSet.open(run)
    frames = [to_frame(of, rows, 4, data_set.strategies) for of in tables_named((table,)) for rows in data_set.read(of, 4)]
    return pd.concat(frames, ignore_index=True).astype({"strategy": str} if table == "players" else {})


def told(kind: type, source: Source) -> SectionResult:
    """What a section finds."""
    section = kind(source)
    for part in source.parts(section.tables):
        section.add(part)
    with drawing.style():
        return section.result(source)


@cache
def told_all(kind: type, run: Path) -> SectionResult:
    """What a section finds of the whole run."""
    return told(kind, Source(run, Filters()))


def tables(result: SectionResult) -> dict[str, pd.DataFrame]:
    """Frames by name of the table."""
    return {item.name: item.frame for item in result.items if not isinstance(item, NamedFigure)}


# --- provinces


def there_by_hand(game: pd.Series, age: int) -> set[str]:
    """Places of the board in the action phase of an age: rules 1.1 and 1.3.2 word by word."""
    gone = {PROVINCES[bit] for bit in range(9) if game["gone"] >> bit & 1}
    gone |= {str(game[f"doomed_{earlier}"]) for earlier in range(1, age)}
    left = set(PROVINCES) - gone
    return left | {fjord for fjord, shores in FJORDS.items() if left & set(shores)}


def test_provinces_agree_with_a_count_game_by_game(run: Path) -> None:
    games, board, players = frame_of(run, "games"), frame_of(run, "board"), frame_of(run, "players")
    strategy = players.set_index(["game", "seat"])["strategy"].to_dict()
    stood: defaultdict[tuple, int] = defaultdict(int)
    for row in board.itertuples():
        stood[strategy[row.game, row.seat], row.age, str(row.place)] += row.figures
    rows: defaultdict[tuple, int] = defaultdict(int)
    for _, game in games.iterrows():
        for age in (1, 2, 3):
            for place in there_by_hand(game, age):
                for seat in range(4):
                    rows[strategy[game["game"], seat], age, place] += 1
    frame = tables(told_all(Provinces, run))["provinces"]
    mine = frame[frame["strategy"] != "all"]
    assert len(mine) == 3 * 3 * 13
    checked = 0
    for row in mine.itertuples():
        assert row.players_counted == rows[row.strategy, row.age, row.place]
        if not np.isnan(row.figures):
            checked += 1
            assert row.figures == pytest.approx(stood[row.strategy, row.age, row.place] / row.players_counted)
    assert checked > 50


def test_all_players_together_and_the_interval_by_deal(run: Path) -> None:
    import statsmodels.api as sm

    frame = tables(told_all(Provinces, run))["provinces"]
    row = frame[(frame["strategy"] == "all") & (frame["age"] == 2) & (frame["place"] == "yggdrasil")].iloc[0]
    board, games = frame_of(run, "board"), frame_of(run, "games")
    mine = board[(board["age"] == 2) & (board["place"] == "yggdrasil")]
    by_game = games.set_index("game").assign(figures=mine.groupby("game")["figures"].sum()).fillna({"figures": 0})
    ols = sm.OLS(by_game["figures"].to_numpy(float), np.ones(len(games)))
    fit = ols.fit(
        cov_type="cluster", cov_kwds={"groups": by_game["deal"].to_numpy(), "use_correction": True, "df_correction": True}
    )
    assert row["games"] == 240 and row["figures_by_game"] == pytest.approx(fit.params[0])
    # its correction has G / (G - 1) times (n - 1) / (n - 1), ours G / (G - 1)
    half = (row["figures_by_game_high"] - row["figures_by_game_low"]) / 2
    assert half == pytest.approx(2.0010 * fit.bse[0], rel=1e-3)  # t quantile of 59 degrees of freedom


def test_doomed_provinces_agree_with_pandas(run: Path) -> None:
    games, board = frame_of(run, "games").set_index("game"), frame_of(run, "board")
    frame = tables(told_all(Provinces, run))["doomed_provinces"]
    for age in (1, 2, 3):
        mine = board[board["age"] == age].copy()
        mine["doomed"] = mine["place"].astype(str) == mine["game"].map(games[f"doomed_{age}"].astype(str))
        outer = mine["place"].astype(str).isin([name for name in PROVINCES if name != "yggdrasil"])
        others = sum(len(there_by_hand(game, age) & set(PROVINCES)) - 2 for _, game in games.iterrows())
        row = frame[(frame["strategy"] == "all") & (frame["age"] == age)].iloc[0]
        assert row["doomed_figures"] == pytest.approx(mine.loc[mine["doomed"], "figures"].sum() / (240 * 4))
        assert row["other_figures"] == pytest.approx(mine.loc[outer & ~mine["doomed"], "figures"].sum() / (4 * others))
        assert row["figures_difference"] == pytest.approx(row["doomed_figures"] - row["other_figures"])
        assert row["ragnarok_deaths"] == pytest.approx(mine["ragnarok_deaths"].sum() / 960)


def test_places_there_by_hand(tmp_path: Path) -> None:
    games = [
        {
            "game": 0,
            "gone": 1 << PROVINCES.index("horgr"),
            "doomed_1": "muspelheim",
            "doomed_2": "gimle",
            "doomed_3": "utgard",
        }
    ]
    players = [{"game": 0, "seat": seat, "strategy": name} for seat, name in enumerate(("loki", "quests"))]
    write_run(tmp_path / "run", ("loki", "quests"), {"games": games, "players": players})
    part = next(Source(tmp_path / "run", Filters()).parts(Provinces.tables))
    there = places_there(part)[0]
    absent = [[PLACES[place] for place in np.flatnonzero(~of_age)] for of_age in there]
    fjord = "fjord_muspelheim_horgr"  # closed with its second province
    assert absent == [["horgr"], ["muspelheim", "horgr", fjord], ["muspelheim", "horgr", "gimle", fjord]]


def test_fjords_lie_where_the_board_has_them() -> None:
    for fjord in reader.board()["fjord"]:
        first, second = (board_map._direction(PROVINCES.index(province)) for province in fjord["provinces"])
        assert {abs(first - second) % 360} <= {45, 315}
    texts = {place: board_map.PlaceText(1.0, place, "") for place in PLACES}
    from matplotlib.colors import Normalize

    figure = drawing.new_figure(4)
    axes = figure.subplots()
    board_map.draw_board(axes, texts, Normalize(0, 2), "age 1")
    at = {text.get_text(): text.get_position() for text in axes.texts}
    for fjord in reader.board()["fjord"]:
        x, y = at[fjord["id"]]
        assert fjord["side"] == f"{'north' if y > 0 else 'south'}-{'east' if x > 0 else 'west'}"
    # ring 0 is the top left one, and the numbers go on clockwise
    assert at["myrkulor"][0] < 0 < at["elvagar"][0] and at["myrkulor"][1] > 0 and at["gimle"][0] < 0 < at["gimle"][1]


# --- battles


def test_fray_by_hand() -> None:
    # a win by 3 of three, a tie for the lead, and a fight without a rival in the rows
    rows = np.zeros(6, [("battle", "i2"), ("total", "i2"), ("won", "i1")])
    rows["battle"] = [0, 0, 0, 1, 1, 0]
    rows["total"] = [4, 7, 2, 5, 5, 3]
    rows["won"] = [0, 1, 0, 0, 0, 1]
    fray = fray_of(np.array([0, 0, 0, 0, 0, 1]), rows)
    assert fray.size.tolist() == [3, 3, 3, 2, 2, 1]
    assert fray.decided.tolist() == [True, True, True, False, False, True]
    assert fray.lead.tolist() == [-3, 3, -5, 0, 0, 0]
    assert fray.margin.tolist() == [3, 3, 3, 0, 0, 0]


def test_fights_agree_with_a_count_battle_by_battle(run: Path) -> None:
    battles, players = frame_of(run, "battles"), frame_of(run, "players")
    strategy = players.set_index(["game", "seat"])["strategy"].to_dict()
    fought: defaultdict[tuple, list] = defaultdict(list)
    for row in battles.itertuples():
        fought[row.game, row.battle].append(row)
    found: defaultdict[tuple, list] = defaultdict(list)
    for rows in fought.values():
        for row in rows:
            lead = row.total - max(other.total for other in rows if other is not row)
            for age in ("all", row.age):
                for role in ("any", "pillager" if row.pillager else "joiner"):
                    found[strategy[row.game, row.seat], age, role].append((row.won, 1 / len(rows), lead))
    frame = tables(told_all(Battles, run))["battles"]
    checked = 0
    for row in frame[frame["strategy"] != "all"].itertuples():
        mine = np.array(found[row.strategy, row.age, row.role]).reshape(-1, 3)
        assert row.fights == len(mine)
        if not np.isnan(row.won):
            checked += 1
            assert [row.won, row.fair, row.lead] == pytest.approx(mine.mean(0).tolist())
            assert row.won_less_fair == pytest.approx(row.won - row.fair)
            assert row.won_low < row.won < row.won_high
    assert checked > 20


def test_contested_pillages_agree_with_the_players_table(run: Path) -> None:
    players, battles = frame_of(run, "players"), frame_of(run, "battles")
    frame = tables(told_all(Battles, run))["pillages"]
    for name, mine in players.groupby("strategy"):
        row = frame[(frame["strategy"] == name) & (frame["age"] == "all")].iloc[0]
        fought = battles.merge(mine[["game", "seat"]])["pillager"].sum()
        assert row["attempts"] == mine["pillages_unopposed"].sum() + fought
        assert row["contested"] == pytest.approx(fought / row["attempts"])
        assert row["attempts_by_player"] == pytest.approx(row["attempts"] / len(mine))


def test_cards_revealed_agree_with_pandas(run: Path) -> None:
    plays, cards = frame_of(run, "plays"), pd.read_parquet(run / "cards.parquet")
    plays = plays.assign(fate=plays["fate"].astype(str)).merge(cards, on="copy", suffixes=("", "_of_card"))
    plays = plays[plays["fate"].str.startswith("battle_")]
    frame = tables(told_all(Battles, run))["battle_cards"]
    frame = frame[frame["strategy"] == "all"].set_index(["card", "age"])
    assert frame["revealed"].sum() == len(plays)
    assert frame.loc[("any quest", 0), "revealed"] == (plays["kind"] == "quest").sum()
    seen = 0
    for (name, age), mine in plays[plays["kind"] == "battle"].groupby(["name", "age_of_card"]):
        row = frame.loc[(name, age)]
        assert row["revealed"] == len(mine)
        if not np.isnan(row["won"]):
            seen += 1
            assert row["won"] == pytest.approx(mine["fate"].isin(["battle_won", "battle_kept", "battle_stolen"]).mean())
            assert row["watch"] == pytest.approx((mine["fate"] == "battle_watch").mean())
    assert seen > 10


# --- stats and tempo


def test_stats_agree_with_pandas(run: Path) -> None:
    players = frame_of(run, "players")
    found = tables(told_all(Stats, run))
    names = {1: "{}_step_age_1", 2: "{}_step_age_2", 3: "{}_step"}
    for row in found["stat_steps"].itertuples():
        mine = players if row.strategy == "all" else players[players["strategy"] == row.strategy]
        steps = mine[names[row.after_age].format(row.stat)]
        assert row.players_counted == len(mine)
        assert [row.exactly, row.reached] == pytest.approx([(steps == row.step).mean(), (steps >= row.step).mean()])
    assert found["stat_steps"].groupby("step")["end_bonus"].first().tolist() == [0, 0, 0, 10, 10, 20]
    bonus = found["stats"][found["stats"]["measure"] == "end_bonus"].set_index("strategy")["value"]
    assert bonus["all"] == pytest.approx(players["glory_stat_bonus"].mean())
    wins = found["stat_wins"]
    shown = wins[(wins["strategy"] == "all") & wins["win_share"].notna()]
    assert len(shown) > 5
    for row in shown.itertuples():
        is_there = players[f"{row.stat}_step"] == row.final_step
        assert row.win_share == pytest.approx(players.loc[is_there, "win_share"].mean(), abs=1e-6)
        others = players.loc[~is_there, "win_share"].mean()
        assert row.difference_to_other_steps == pytest.approx(row.win_share - others, abs=1e-6)


def test_tempo_agrees_with_pandas(run: Path) -> None:
    players, games = frame_of(run, "players"), frame_of(run, "games")
    players["turns_age_3"] = players["turns"] - players["turns_age_1"] - players["turns_age_2"]
    found = tables(told_all(Tempo, run))
    for row in found["tempo_turns"].itertuples():
        mine = players if row.strategy == "all" else players[players["strategy"] == row.strategy]
        assert row.turns == pytest.approx(mine[f"turns_age_{row.age}"].mean())
    for row in found["tempo_ages"].itertuples():
        lengths = players.groupby("game")[f"turns_age_{row.age}"].sum()
        assert row.turns == pytest.approx(lengths.mean())
        assert row.ended_pillaged == pytest.approx((games[f"age_{row.age}_end"] == "pillaged").mean())
        assert row.ended_rage + row.ended_pillaged == pytest.approx(1)
        spread = found["tempo_lengths"]
        spread = spread[spread["age"] == row.age].set_index("turns")["share_of_games"]
        assert spread.sum() == pytest.approx(1)
        assert spread[lengths.max()] == pytest.approx((lengths == lengths.max()).mean())
    given_up = found["tempo_players"].set_index("strategy")["rage_passed"]
    assert given_up["random"] == pytest.approx(players.loc[players["strategy"] == "random", "rage_passed"].mean())


# --- filters and figures


def test_filters_leave_the_players_and_ages_asked_for(run: Path) -> None:
    players = frame_of(run, "players")
    source = Source(run, Filters(ages=(2,), strategies=("random",), where="turn_order = 0"))
    mine = players[(players["strategy"] == "random") & (players["turn_order"] == 0)]
    turns = tables(told(Tempo, source))["tempo_turns"]
    assert turns[["strategy", "age", "players_counted"]].to_numpy().tolist() == [["random", 2, len(mine)]]
    assert turns["turns"][0] == pytest.approx(mine["turns_age_2"].mean())
    pillages = tables(told(Battles, source))["pillages"]
    assert set(pillages["age"]) == {2}
    assert set(tables(told(Provinces, source))["provinces"]["age"]) == {2}


@pytest.mark.parametrize("kind", [Provinces, Battles, Stats, Tempo])
def test_figures_say_what_they_show(run: Path, kind: type) -> None:
    figures = [item for item in told_all(kind, run).items if isinstance(item, NamedFigure)]
    assert figures
    for figure in figures:
        assert figure.name.endswith("_4p") and "95 %" in figure.reading and "240 games with 4 players" in figure.caption
        axes = [*figure.figure.axes, *(inset for outer in figure.figure.axes for inset in outer.child_axes)]
        units = [text for one in axes for text in (one.get_xlabel(), one.get_ylabel())] + [figure.figure.get_supxlabel()]
        assert any(units)
        assert drawing.files_of(figure.figure, figure.caption)["svg"].startswith(b"<?xml")


def test_maps_show_the_mean_of_every_place(run: Path) -> None:
    result = told(Provinces, Source(run, Filters()))
    frame = next(item for item in result.items if item.name == "provinces").frame
    drawn = next(item for item in result.items if item.name == "map_pillages_4p").figure
    for age, axes in zip((1, 2, 3), drawn.axes, strict=False):
        rows = frame[(frame["strategy"] == "all") & (frame["age"] == age)]
        texts = {text.get_text() for text in axes.texts}
        for value in rows["pillages_by_game"].dropna():
            assert f"{value:.2f}" in texts
    assert frame[frame["strategy"] == "all"]["pillages_by_game"].notna().sum() > 15  # but for what is in too few games
