"""The tables of a comparison: the first run, the second, their difference with its interval, and what pairing gained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..statistics.comparing import compare_paired, compare_unpaired
from ..statistics.intervals import Estimates
from ..statistics.minimum import GREY, HIDDEN, standing_of
from ..statistics.multiple import q_values
from ..statistics.ratios import Ratio, ratio
from .frames import joined, text_of
from .section import NamedTable

if TYPE_CHECKING:
    from pandas import DataFrame

    from .compare_pairs import TwoRuns

SURE = 0.05  # q-values up to this are called changes
_UNITS = {"share": ", %", "number": "", "glory": ""}


def change_frame(runs: TwoRuns, family: str, ratios: Mapping[str, Ratio], labels: Mapping[str, Sequence[Any]]) -> DataFrame:
    """One row by cell and measure; all measures are one family of tests.

    Parameters
    ----------
    family : of compare_counts.FAMILIES
    ratios : what to compare, by name, in the variables of the family
    labels : columns that tell the cells, in the order of the cells

    Returns
    -------
    columns: those of `labels`, measure, first, second (values), difference, low, high (95 % interval), p, q, n, deals (of the
    smaller run), correlation, gain (how many times as many deals it would take without pairs; nan where there are none).
    Cells with too few rows are blank.
    """
    frame = joined([_of_ratio(runs, family, name, of, labels) for name, of in ratios.items()])
    frame["q"] = q_values(frame["p"].to_numpy())
    return frame


def _of_ratio(runs: TwoRuns, family: str, name: str, of: Ratio, labels: Mapping[str, Sequence[Any]]) -> DataFrame:
    import pandas as pd

    first, second = (ratio(moments, of) for moments in runs.each[family])
    apart = compare_unpaired(first, second).difference
    found = compare_paired(runs.both[family], of).difference if runs.paired else apart
    hidden = standing_of(found.rows, found.clusters) == HIDDEN
    found = found.blank(hidden)
    data: dict[str, Any] = dict(labels)
    data |= {
        "measure": name,
        "first": np.where(hidden, np.nan, first.value),
        "second": np.where(hidden, np.nan, second.value),
    }
    data |= {"difference": found.value, "low": found.low, "high": found.high, "p": found.p, "q": np.nan}
    data |= {"n": found.rows.astype(np.int64), "deals": found.clusters}
    data["correlation"], data["gain"] = _gain(first, second, found) if runs.paired else (np.nan, np.nan)
    return pd.DataFrame(data)


def _gain(first: Estimates, second: Estimates, paired: Estimates) -> tuple[np.ndarray, np.ndarray]:
    """Correlation of the deals of both runs, and the variance without pairs by that with them; nan where nothing varies."""
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = first.se**2 + second.se**2
        correlation = (apart - paired.se**2) / (2 * first.se * second.se)
        gain = apart / paired.se**2
    return (np.where(np.isfinite(values), values, np.nan) for values in (correlation, gain))


def q_text(q: float) -> str:
    """A q-value as text; '' for none."""
    return "" if np.isnan(q) else "< 0.001" if q < 0.001 else f"{q:.3f}"


def is_sure(frame: DataFrame) -> np.ndarray:
    """bool by row: whether the difference stands out after correction for all tests of the table."""
    return (frame["q"] <= SURE).to_numpy()


def change_table(
    name: str,
    title: str,
    frame: DataFrame,
    reading: str,
    keys: Mapping[str, str],
    kinds: Mapping[str, str],
    kept: np.ndarray,
) -> NamedTable:
    """A table of changes for the page.

    Parameters
    ----------
    name, title, reading, frame : as in NamedTable; frame of `change_frame`
    keys : columns that tell the rows, to their headings
    kinds : kind of each measure, of frames.FORMATS
    kept : bool by row, which rows the page shows
    """
    import pandas as pd

    told = frame[kept]
    shown: dict[str, list[str]] = {heading: [str(value) for value in told[column]] for column, heading in keys.items()}
    shown["measure"] = [measure.replace("_", " ") + _UNITS[kinds[measure]] for measure in told["measure"]]
    numbers = [(row, kinds[row["measure"]]) for _, row in told.iterrows()]
    for column in ("first", "second"):
        shown[f"{column} run"] = [text_of(row[column], np.nan, np.nan, kind) for row, kind in numbers]
    shown["difference"] = [text_of(row["difference"], row["low"], row["high"], kind, signed=True) for row, kind in numbers]
    shown["q"] = [q_text(q) for q in told["q"]]
    shown["n"] = [f"{n:,}" for n in told["n"]]
    grey = np.zeros((len(told), len(shown)), bool)
    grey[standing_of(told["n"].to_numpy(), told["deals"].to_numpy()) >= GREY] = True
    return NamedTable(name, title, frame, reading, pd.DataFrame(shown), grey)
