"""Tables of cards as they stand in the page: texts with intervals, and which cells are grey."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..statistics.minimum import GREY, NAMES
from .section import NamedTable

if TYPE_CHECKING:
    from pandas import DataFrame, Series

SHARE, NUMBER, GAIN, GLORY = range(4)  # how a measure is printed
_FORMS = {SHARE: (".1f", 100), NUMBER: (".2f", 1), GAIN: ("+.2f", 1), GLORY: (".1f", 1)}
WORDS = {"age": "age", "name": "card", "kind": "kind", "strategy": "strategy"}


def with_interval(row: Series, name: str, kind: int) -> str:
    """'24.1 (23.3 to 24.9)' of a measure of a row; '' where it is hidden."""
    form, factor = _FORMS[kind]
    if np.isnan(row[name]):
        return ""
    ends = [format(row[f"{name}{end}"] * factor, form) for end in ("_low", "_high")]
    return f"{row[name] * factor:{form}} ({ends[0]} to {ends[1]})"


def texts(values: Iterable[float], kind: int) -> list[str]:
    """Numbers without interval; '' where they are hidden."""
    form, factor = _FORMS[kind]
    return ["" if np.isnan(value) else format(value * factor, form) for value in values]


def q_text(q: float) -> str:
    """A q-value to three digits; '' where there was no test."""
    return "" if np.isnan(q) else "< 0.001" if q < 0.001 else f"{q:.3f}"


def table_of(
    name: str, title: str, frame: DataFrame, reading: str, words: Sequence[str], counts: Mapping[str, str],
    measures: Mapping[str, tuple[str, int]], numbers: Mapping[str, tuple[str, int]], strategy: str,
) -> NamedTable:  # fmt: skip
    """A folded table of a frame of card_frames.py: the page shows the rows of one `strategy`, the CSV has all.

    Parameters
    ----------
    words : columns of WORDS that stand first
    counts : columns with whole numbers to headings
    measures : columns with an interval to heading and kind
    numbers : columns without one to heading and kind; q-values have the kind -1
    """
    import pandas as pd

    told = frame[frame["strategy"] == strategy]
    shown: dict[str, list[str]] = {WORDS[column]: [str(value) for value in told[column]] for column in words}
    shown |= {heading: [f"{value:,}" for value in told[column]] for column, heading in counts.items()}
    for column, (heading, kind) in measures.items():
        shown[heading] = [with_interval(row, column, kind) for _, row in told.iterrows()]
    for column, (heading, kind) in numbers.items():
        shown[heading] = [q_text(value) for value in told[column]] if kind < 0 else texts(told[column], kind)
    uncertain = (told["standing"] == NAMES[GREY]).to_numpy()
    grey = np.zeros((len(told), len(shown)), bool)
    grey[uncertain, len(words) + len(counts) :] = True
    return NamedTable(name, title, frame, reading, pd.DataFrame(shown), grey, folded=True)
