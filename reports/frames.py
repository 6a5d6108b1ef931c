"""From estimates of many cells to tables: one with numbers for the CSV, one with texts for the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..statistics.intervals import Estimates
from ..statistics.minimum import SHOWN, hide, standing_of
from .section import NamedTable

if TYPE_CHECKING:
    from pandas import DataFrame

FORMATS = {"share": (".1f", 100), "number": (".2f", 1), "glory": (".1f", 1)}  # digits, factor


def estimate_frame(
    players: int,
    strata: Sequence[tuple[int, str]],
    axes: Mapping[str, Sequence[Any]],
    measures: Mapping[str, Estimates],
    rows: str,
) -> DataFrame:
    """One row by stratum and cell, with each measure and its 95 % interval; too small cells are blank.

    Parameters
    ----------
    players : number of players
    strata : places and names of the strata to tell
    axes : name and labels of each axis of the cells within a stratum
    measures : estimates by name, of the shape (strata, *axes)
    rows : column with the number of rows that the measures are means of; it and the number of clusters are of the first
        measure, and each measure with other rows has a column NAME_n of its own

    Returns
    -------
    columns: players, strategy, the axes, `rows`, clusters, then NAME, NAME_low, NAME_high for each measure
    """
    import pandas as pd

    shape = tuple(len(labels) for labels in axes.values())
    places = [place for place, _ in strata]
    index = np.indices((len(strata), *shape)).reshape(1 + len(shape), -1)
    data: dict[str, Any] = {"players": players, "strategy": [strata[at][1] for at in index[0]]}
    for (name, labels), at in zip(axes.items(), index[1:], strict=True):
        data[name] = [labels[one] for one in at]
    first = next(iter(measures.values()))
    data[rows] = first.rows[places].astype(np.int64).ravel()
    data["clusters"] = first.clusters[places].ravel()
    for name, found in measures.items():
        if not np.array_equal(found.rows, first.rows):
            data[f"{name}_n"] = found.rows[places].astype(np.int64).ravel()
        shown = hide(found)
        for suffix, values in (("", shown.value), ("_low", shown.low), ("_high", shown.high)):
            data[f"{name}{suffix}"] = values[places].ravel()
    return pd.DataFrame(data)


def joined(frames: Iterable[DataFrame]) -> DataFrame:
    """Frames of several numbers of players below each other."""
    import pandas as pd

    return pd.concat(list(frames), ignore_index=True)


def text_of(value: float, low: float, high: float, kind: str, signed: bool = False) -> str:
    """'24.1 (23.3 to 24.9)', '24.1' where there is no interval, '' where there is no value.

    kind : of FORMATS; signed : whether numbers above 0 get a plus
    """
    form, factor = FORMATS[kind]
    if np.isnan(value):
        return ""
    plus = "+" if signed else ""
    shown, *ends = (format(number * factor, plus + form) for number in (value, low, high))
    return shown if np.isnan(low) else f"{shown} ({ends[0]} to {ends[1]})"


def table_of(
    name: str,
    title: str,
    frame: DataFrame,
    reading: str,
    keys: Mapping[str, str],
    counts: Mapping[str, str],
    measures: Mapping[str, tuple[str, str]],
    kept: np.ndarray | None = None,
) -> NamedTable:
    """A table of a report from a frame of `estimate_frame`.

    Parameters
    ----------
    name, title, reading, frame : as in NamedTable
    keys, counts : columns with words and with whole numbers, to their headings in the page; the first of `counts` is that
        of the rows
    measures : measures to heading and kind (of FORMATS); the interval stands in the same cell
    kept : bool by row, which rows the page shows; None for all
    """
    import pandas as pd

    told = frame if kept is None else frame[kept]
    shown: dict[str, list[str]] = {heading: [str(value) for value in told[column]] for column, heading in keys.items()}
    shown |= {heading: [f"{value:,}" for value in told[column]] for column, heading in counts.items()}
    grey = np.zeros((len(told), len(shown) + len(measures)), bool)
    for place, (column, (heading, kind)) in enumerate(measures.items(), len(shown)):
        numbers = zip(told[column], told[f"{column}_low"], told[f"{column}_high"], strict=True)
        shown[heading] = [text_of(*three, kind) for three in numbers]
        rows = told[f"{column}_n"] if f"{column}_n" in told else told[next(iter(counts))]
        grey[:, place] = standing_of(rows.to_numpy(), told["clusters"].to_numpy()) != SHOWN
    return NamedTable(name, title, frame, reading, pd.DataFrame(shown), grey)
