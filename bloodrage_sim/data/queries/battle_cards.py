"""Which cards are revealed in battles, and how often do their players win?"""

from pathlib import Path

import pandas as pd

WON = ["battle_won", "battle_kept", "battle_stolen"]


def query(run: Path) -> pd.DataFrame:
    """Columns players, name, age, revealed, won (share of reveals), watch (share that Heimdall's Watch discarded)."""
    plays = pd.read_parquet(run / "plays", columns=["players", "copy", "fate"])
    plays = plays[plays["fate"].str.startswith("battle_")]
    cards = pd.read_parquet(run / "cards.parquet", columns=["copy", "name", "age"])
    plays = plays.merge(cards, on="copy")
    plays["won"] = plays["fate"].isin(WON)
    plays["watch"] = plays["fate"] == "battle_watch"
    by = ["players", "name", "age"]
    found = plays.groupby(by, observed=True).agg(revealed=("copy", "size"), won=("won", "mean"), watch=("watch", "mean"))
    return found.reset_index().sort_values(["players", "revealed"], ascending=[True, False], ignore_index=True)
