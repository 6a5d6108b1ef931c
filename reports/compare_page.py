"""Writes a comparison as a page with figures and tables, and as lines for the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .. import provenance
from ..layout import show_columns
from . import drawing
from .building import files_of
from .compare_frames import q_text
from .compare_section import sections, told_pairs
from .frames import text_of
from .page import Chapter, Page

if TYPE_CHECKING:
    from .compare import Comparison
    from .folder import ReportFolder


def default_folder(first: Path, second: Path) -> Path:
    """Where the page goes: beside the second run."""
    place = second.resolve()
    return place.parent / f"{place.name}-against-{first.resolve().name}"


def write_page(comparison: Comparison, folder: ReportFolder, command: str) -> None:
    """Write the page.  Raises OutputRefused if the folder cannot be written."""
    title = f"Blood Rage: {comparison.second.resolve().name} against {comparison.first.resolve().name}"
    with drawing.style():
        chapters = [Chapter(*section) for section in sections(comparison)]
        files = files_of(Page(title, (), chapters, f"Made by: {command}"))
    about = {
        "created": provenance.now(),
        "command": command,
        "data_sets": [str(comparison.first), str(comparison.second)],
        "games": {str(players): runs.games for players, runs in comparison.runs.items()},
        "paired": {str(players): runs.paired for players, runs in comparison.runs.items()},
        "damaged": list(comparison.damaged),
        "versions": provenance.versions(),
    }
    folder.write(files, about)


def change_lines(comparison: Comparison) -> list[str]:
    """What was compared, and the changes of win shares."""
    frame = comparison.by_group
    rows = frame[(frame["measure"] == "win_share") & (frame["group"] != "all")]
    table = [["players", "", "first", "second", "difference in points", "q"]]
    for _, row in rows.iterrows():
        cells = [text_of(row[name], np.nan, np.nan, "share") for name in ("first", "second")]
        change = text_of(row["difference"], row["low"], row["high"], "share", signed=True)
        table.append([str(row["players"]), row["group"], *cells, change or "too few games", q_text(row["q"])])
    differing = comparison.differing or ["nothing; both runs were asked for the same"]
    heading = [*(f"differs: {phrase}" for phrase in differing), *told_pairs(comparison)]
    return [*heading, "Win shares in percent, 95 % intervals:", *show_columns(table, right=(2, 3, 5))]
