"""Build a report: show all sections the parts of a data set in one pass, then write page, figures and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from .. import provenance
from ..errors import BadValue
from . import drawing
from .folder import PAGE, ReportFolder
from .page import Chapter, Page, html_of
from .section import NamedFigure, Section

if TYPE_CHECKING:
    from ..progress import Progress
    from .source import Source

MOST_CLUSTERS = 4096  # of each number of players; intervals that rest on so many are as good as on all deals


def build_report(source: Source, sections: Sequence[Section], folder: ReportFolder, command: str, progress: Progress) -> list[str]:
    """Write the report of a data set.

    Parameters
    ----------
    command : the command that asked for it, for the page and the marker

    Returns
    -------
    lines that the sections have for the terminal

    Raises
    ------
    BadDataSet : a file that cannot be read
    BadValue : filters that leave no player
    OutputRefused : the folder cannot be written
    """
    count_parts(source, sections, progress)
    progress.status("drawing the figures")
    with drawing.style():
        chapters = [Chapter(section.name, section.title, section.result(source)) for section in sections]
        page = Page(f"Blood Rage: report on {source.data_set.path.resolve().name}", _warnings(source), chapters, f"Made by: {command}")
        files = files_of(page)
    folder.write(files, _about(source, command, chapters))
    return [line for chapter in chapters for line in chapter.result.lines]


def count_parts(source: Source, sections: Sequence[Section], progress: Progress) -> None:
    """Show each part to each section."""
    wanted: dict[str, set[str]] = {}
    for section in sections:
        for table, names in section.tables.items():
            wanted.setdefault(table, set()).update(names)
    total = sum(source.games(players) for players in source.players)
    done = chosen = 0
    progress.games(0, total)
    for part in source.parts({table: sorted(names) for table, names in wanted.items()}):
        for section in sections:
            section.add(part)
        done += part.games
        chosen += int(part.chosen.sum())
        progress.games(done, total)
    if chosen == 0:
        raise BadValue(f"the filters leave no player ({source.filters.words()}); give wider ones")


def files_of(page: Page) -> dict[str, bytes]:
    """All files of a report by path: the page, figures with their captions, and tables.  Call it within drawing.style()."""
    files: dict[str, bytes] = {}
    svg = {}
    for item in (item for chapter in page.chapters for item in chapter.result.items):
        if isinstance(item, NamedFigure):
            pictures = drawing.files_of(item.figure, item.caption)
            files |= {f"figures/{item.name}.{ending}": data for ending, data in pictures.items()}
            svg[item.name] = pictures["svg"]
        else:
            text = item.frame.to_csv(index=False, lineterminator="\n", float_format="%.6g")
            files[f"tables/{item.name}.csv"] = text.encode()
    return {**files, PAGE: html_of(page, svg).encode()}


def _warnings(source: Source) -> list[str]:
    warnings = []
    if source.damaged:
        shown = ", ".join(source.damaged[:4]) + (f" and {len(source.damaged) - 4} more" if len(source.damaged) > 4 else "")
        warnings.append(f"Parts of the data set are missing or damaged and their games are left out: {shown}.")
    if not source.data_set.complete:
        done, asked = source.data_set.games_done, source.data_set.games_asked
        warnings.append(f"The run is not finished: it has {done:,} of {asked:,} games.")
    if source.filters.words():
        warnings.append(f"Only a part of the players is told: {source.filters.words()}.")
    return warnings


def _about(source: Source, command: str, chapters: Sequence[Chapter]) -> Mapping[str, Any]:
    manifest = source.data_set.manifest
    return {
        "created": provenance.now(),
        "command": command,
        "data_set": str(source.data_set.path),
        "run_hash": manifest["run_hash"],
        "games": {str(players): source.games(players) for players in source.players},
        "damaged": source.damaged,
        "filters": asdict(source.filters),
        "versions": provenance.versions(),
        "sections": [chapter.name for chapter in chapters],
    }
