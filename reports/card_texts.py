"""Tables of cards as they stand in the page: texts with intervals, and which cells are grey."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..statistics.minimum import GREY, NAMES
from .frames import text_of
from .section import NamedTable

if TYPE_CHECKING:
    from pandas import DataFrame, Series

SHARE, NUMBER, GAIN, GLORY = ("share", False), ("number", False), ("number", True), ("glory", False)  # how it is printed
Form = tuple[str, bool]  # kind of frames.FORMATS, and whether numbers above 0 get a plus
WORDS = {"age": "age", "name": "card", "kind": "kind", "strategy": "strategy"}


def with_interval(row: Series, name: str, form: Form) -> str:
    """'24.1 (23.3 to 24.9)' of a measure of a row; '' where it is hidden."""
    return text_of(row[name], row[f"{name}_low"], row[f"{name}_high"], *form)


def texts(values: Iterable[float], form: Form) -> list[str]:
    """Numbers without interval; '' where they are hidden."""
    return [text_of(value, np.nan, np.nan, *form) for value in values]


def q_text(q: float) -> str:
    """A q-value to three digits; '' where there was no test."""
    return "" if np.isnan(q) else "< 0.001" if q < 0.001 else f"{q:.3f}"


def table_of(
    name: str, title: str, frame: DataFrame, reading: str, words: Sequence[str], counts: Mapping[str, str],
    measures: Mapping[str, tuple[str, Form]], numbers: Mapping[str, tuple[str, Form | None]], strategy: str,
) -> NamedTable:  # fmt: skip
    """A folded table of a frame of card_frames.py: the page shows the rows of one `strategy`, the CSV has all.

    Parameters
    ----------
    words : columns of WORDS that stand first
    counts : columns with whole numbers to headings
    measures : columns with an interval to heading and form
    numbers : columns without one to heading and form; None for q-values
    """
    import pandas as pd

    told = frame[frame["strategy"] == strategy]
    shown: dict[str, list[str]] = {WORDS[column]: [str(value) for value in told[column]] for column in words}
    shown |= {heading: [f"{value:,}" for value in told[column]] for column, heading in counts.items()}
    for column, (heading, form) in measures.items():
        shown[heading] = [with_interval(row, column, form) for _, row in told.iterrows()]
    for column, (heading, plain) in numbers.items():
        shown[heading] = texts(told[column], plain) if plain else [q_text(value) for value in told[column]]
    uncertain = (told["standing"] == NAMES[GREY]).to_numpy()
    grey = np.zeros((len(told), len(shown)), bool)
    grey[uncertain, len(words) + len(counts) :] = True
    return NamedTable(name, title, frame, reading, pd.DataFrame(shown), grey, folded=True)
