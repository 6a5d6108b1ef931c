"""What a section of a report is: it is shown the parts of a data set one after the other, then gives tables and figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

    from .source import PartRows, Source


@dataclass(frozen=True)
class NamedTable:
    """A table of a report: shown in the page if `shown`, and always written as NAME.csv.

    Attributes
    ----------
    name : of its file, as in 'cards_draft'
    title : heading
    frame : pandas DataFrame as it goes into the CSV: numbers whole, shares as fractions
    reading : one or two sentences on how to read it
    shown : DataFrame of texts as they stand in the page; None to leave it out there
    grey : bool by row and column of `shown`, which cells are uncertain and printed grey; None for none
    folded : whether the page shows only its title until it is opened
    groups : heading of each row of `shown`, equal ones together; the page folds the rows of each heading away under it and
        gives it an anchor.  () for none
    """

    name: str
    title: str
    frame: DataFrame
    reading: str
    shown: DataFrame | None = None
    grey: Any = None
    folded: bool = False
    groups: Sequence[str] = ()


@dataclass(frozen=True)
class NamedFigure:
    """A figure of a report, written as NAME.png and NAME.svg.

    Attributes
    ----------
    name : of its files
    title : heading
    figure : matplotlib Figure
    reading : a sentence on how to read it
    caption : what it is drawn from: number of games, players, strategies, filters
    """

    name: str
    title: str
    figure: Figure
    reading: str
    caption: str


@dataclass(frozen=True)
class SectionResult:
    """What a section found.

    Attributes
    ----------
    lead : paragraphs that stand first
    warnings : what a reader must know before believing the numbers
    items : tables and figures in the order of the page
    lines : what the command prints on the terminal as well
    """

    lead: Sequence[str] = ()
    warnings: Sequence[str] = ()
    items: Sequence[NamedTable | NamedFigure] = field(default_factory=list)
    lines: Sequence[str] = ()


class Section(Protocol):
    """A section; one object makes one report.  Its class is called with the Source.

    Attributes
    ----------
    name : anchor in the page
    title : heading
    tables : columns that `add` reads, by table; other tables are not loaded for it
    """

    name: str
    title: str
    tables: ClassVar[dict[str, Sequence[str]]]

    def add(self, part: PartRows) -> None:
        """Count a part.  Parts come in the order of games, those of one number of players together."""

    def result(self, source: Source) -> SectionResult:
        """Tables and figures, after all parts."""
