"""How strong is each strategy, and how sure is that?  Win share with its standard error.

Games of one deal share cards and tokens, so the error is found from sums by deal, not from rows: with a sum of win shares
and b players by deal, share p = sum a / sum b has the squared error G / (G - 1) * sum (a - p b)^2 / (sum b)^2 over G deals.
"""

from pathlib import Path

import pandas as pd


def query(run: Path) -> pd.DataFrame:
    """Columns players, strategy, win_share, standard_error, games, deals."""
    players = pd.read_parquet(run / "players", columns=["players", "strategy", "deal", "win_share"])
    by = ["players", "strategy"]
    deals = players.groupby([*by, "deal"], observed=True)["win_share"].agg(["sum", "count"])
    found = deals.groupby(by, observed=True).agg(won=("sum", "sum"), games=("count", "sum"), deals=("count", "size"))
    found["win_share"] = found["won"] / found["games"]
    pulls = (deals["sum"] - found["win_share"] * deals["count"]) ** 2
    squares = pulls.groupby(by, observed=True).sum()
    found["standard_error"] = (found["deals"] / (found["deals"] - 1) * squares) ** 0.5 / found["games"]
    return found.reset_index()[[*by, "win_share", "standard_error", "games", "deals"]]
