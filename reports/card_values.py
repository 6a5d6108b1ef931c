"""What cards cause, as `bloodrage card-value` measured it: read from its table for the column beside the observed number."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import BadFile
from ..rows.table_files import first_words, unreadable

if TYPE_CHECKING:
    from pandas import DataFrame

MEASURES = {
    "pick": "taking it, against the next choice",
    "hold": "holding it, against a blank card",
    "use": "being allowed to play it",
    "deny": "keeping it from the next player",
}
_NUMBERS = ("effect_share", "low_share", "high_share", "pairs")
_COLUMNS = ("card", "age", "players", "strategy", "measure", *_NUMBERS)
COMMAND = "bloodrage card-value"


def read_card_values(folder: Path) -> DataFrame:
    """The table of a folder that `bloodrage card-value` wrote.

    Returns
    -------
    columns card, age, players, strategy ('' for all), measure (of MEASURES), effect_share, low_share, high_share (win share
    times the number of players) and pairs

    Raises
    ------
    BadFile : there is no such table, or it lacks columns
    """
    import pandas as pd

    for path, read in ((folder / "card_values.parquet", pd.read_parquet), (folder / "card_values.csv", pd.read_csv)):
        if not path.exists():
            continue
        try:
            frame = read(path)
        except unreadable() as error:
            raise BadFile(f"--card-values: {path} cannot be read: {first_words(error)}") from None
        missing = [name for name in _COLUMNS if name not in frame]
        if missing:
            raise BadFile(f"--card-values: {path} has no column {', '.join(missing)}; write it with {COMMAND}")
        frame = frame[list(_COLUMNS)].copy()
        frame["strategy"] = frame["strategy"].fillna("").astype(str)
        try:
            return frame.astype({name: float for name in _NUMBERS} | {"age": int, "players": int})
        except (ValueError, TypeError) as error:
            raise BadFile(f"--card-values: {path}: {str(error).splitlines()[0]}") from None
    raise BadFile(f"--card-values {folder} has no card_values.parquet or card_values.csv; write it with {COMMAND} --out DIR, without --with")


def values_of(values: DataFrame, players: int, measure: str, strategy: str = "") -> DataFrame:
    """Those of one number of players, measure and strategy, by (card, age)."""
    chosen = (values["players"] == players) & (values["measure"] == measure) & (values["strategy"] == strategy)
    return values[chosen].drop_duplicates(["card", "age"]).set_index(["card", "age"])


def best_measure(values: DataFrame, players: int) -> str:
    """The first of MEASURES that was measured over all strategies for this number of players, '' if none was."""
    told = values[(values["players"] == players) & (values["strategy"] == "")]["measure"]
    return next((measure for measure in MEASURES if (told == measure).any()), "")
