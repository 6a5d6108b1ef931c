"""The page of a report: one HTML file that needs nothing else and asks no network for anything."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from .section import NamedTable, SectionResult

TEMPLATES = Path(__file__).resolve().parent / "templates"
_NUMBER = re.compile(r"[-−+]?[\d,]+(\.\d+)?\s*%?(\s*\(.*\))?")  # '24.1 (23.3 to 24.9)' too
_NO_WORD = re.compile(r"\W+")
_LONG = 40  # letters from which a cell is wrapped


@dataclass(frozen=True)
class Chapter:
    """A section as it stands in a page: name of its anchor, heading and what was found."""

    name: str
    title: str
    result: SectionResult


@dataclass(frozen=True)
class Page:
    """What a page says.

    Attributes
    ----------
    title : heading of all
    warnings : what stands before everything else
    chapters : the sections in order
    footer : last line
    """

    title: str
    warnings: Sequence[str]
    chapters: Sequence[Chapter]
    footer: str


@dataclass(frozen=True)
class _Column:
    """A column of a table: heading, 'number' or '' for words, and the text and CSS classes of each cell."""

    heading: str
    kind: str
    cells: Sequence[str]
    classes: Sequence[str]


@dataclass(frozen=True)
class _Block:
    """Rows of a table that stand together: their heading and anchor, '' if they are not folded away, and their places."""

    heading: str
    anchor: str
    rows: Sequence[int]


def html_of(page: Page, svg: Mapping[str, bytes]) -> str:
    """The page.  All texts are escaped.

    svg : the picture of each figure, by its name
    """
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    pictures = {name: f"data:image/svg+xml;base64,{base64.b64encode(data).decode()}" for name, data in svg.items()}
    template = environment.get_template("report.html")
    return template.render(page=page, pictures=pictures, columns_of=_columns, blocks_of=_blocks)


def _blocks(table: NamedTable) -> list[_Block]:
    assert table.shown is not None
    if not table.groups:
        return [_Block("", "", range(len(table.shown)))]
    headings = groupby(range(len(table.groups)), key=lambda row: table.groups[row])
    return [_Block(heading, f"{table.name}-{_NO_WORD.sub('-', heading.lower())}", list(rows)) for heading, rows in headings]


def _columns(table: NamedTable) -> list[_Column]:
    assert table.shown is not None
    found = []
    for place, heading in enumerate(table.shown.columns):
        cells = [str(text) for text in table.shown.iloc[:, place]]
        numbers = all(_NUMBER.fullmatch(text) for text in cells if text) and any(cells)
        found.append(_Column(str(heading), "number" if numbers else "", cells, _classes(table, place, cells, numbers)))
    return found


def _classes(table: NamedTable, place: int, cells: Sequence[str], numbers: bool) -> list[str]:
    classes = []
    for row, text in enumerate(cells):
        kinds = (
            (numbers, "number"),
            (not numbers and len(text) > _LONG, "long"),
            (table.grey is not None and bool(table.grey[row, place]), "grey"),
        )
        classes.append(" ".join(name for holds, name in kinds if holds))
    return classes
