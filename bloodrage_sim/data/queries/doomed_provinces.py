"""Do players gather where Ragnarök will strike?  Figures in the doomed province at the end of each action phase."""

from pathlib import Path

import pandas as pd


def query(run: Path) -> pd.DataFrame:
    """Columns players, age, figures (mean of all clans together), destroyed (mean, by Ragnarök), games."""
    games = pd.read_parquet(run / "games", columns=["players", "game", "doomed_1", "doomed_2", "doomed_3"])
    doomed = games.melt(["players", "game"], var_name="age", value_name="place")
    doomed["age"] = doomed["age"].str.removeprefix("doomed_").astype("int8")
    board = pd.read_parquet(run / "board", columns=["players", "game", "age", "place", "figures", "ragnarok_deaths"])
    for frame in (doomed, board):
        frame["place"] = frame["place"].astype(str)
    # a province where nothing stood or happened has no row in `board`: it stays in, with 0 figures
    there = doomed.merge(board, on=["players", "game", "age", "place"], how="left").fillna(
        {"figures": 0, "ragnarok_deaths": 0}
    )
    by_game = there.groupby(["players", "age", "game"], observed=True)[["figures", "ragnarok_deaths"]].sum()
    found = by_game.groupby(["players", "age"], observed=True).agg(
        figures=("figures", "mean"), destroyed=("ragnarok_deaths", "mean"), games=("figures", "size")
    )
    return found.reset_index()
