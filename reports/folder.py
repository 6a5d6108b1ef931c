"""The folder of a report.  It is replaced by the next report, so it must be one that a report made.

    DIR/report.html
    DIR/figures/NAME.png, NAME.svg
    DIR/tables/NAME.csv
    DIR/report.json        says that the folder is ours, what the report is of, and which files belong to it
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..datasets.dataset import cannot_write, check_writable
from ..errors import OutputRefused
from ..rows.table_files import write_file

MARKER = "report.json"
PAGE = "report.html"
FORMAT = "bloodrage-sim report"
_OURS = re.compile(r"report\.html|figures/[\w-]+\.(png|svg)|tables/[\w-]+\.csv")


class ReportFolder:
    """A folder that a report may be written to.

    Attributes
    ----------
    path : the folder
    """

    def __init__(self, path: Path) -> None:
        """A new or empty folder, or one with a report.  Raises OutputRefused for any other, or one that cannot be written."""
        self.path = path
        self._old: list[str] = []
        try:
            if path.exists() and not path.is_dir():
                raise OutputRefused(f"output {path} is a file; give a new folder")
            if path.exists() and any(path.iterdir()):
                self._old = _files_of_report(path)
        except OSError as error:
            raise cannot_write(path, error) from None
        check_writable(path)

    def write(self, files: Mapping[str, bytes], about: Mapping[str, Any]) -> None:
        """Write a report and remove what is left of the one before.  Files of other makers stay.

        At every moment the marker names all files of ours, and the page is replaced last.

        Parameters
        ----------
        files : contents by path within the folder, as _OURS has them
        about : what the marker says of the report

        Raises
        ------
        OutputRefused : the folder cannot be written
        """
        new = sorted(files)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._mark({*self._old, *new}, about)
            for name in sorted(new, key=lambda name: name == PAGE):
                place = self.path / name
                place.parent.mkdir(exist_ok=True)
                write_file(place, files[name])
            for name in {*self._old}.difference(new):
                (self.path / name).unlink(missing_ok=True)
            self._mark(new, about)
        except OSError as error:
            raise cannot_write(self.path, error) from None
        self._old = new

    def _mark(self, names: Iterable[str], about: Mapping[str, Any]) -> None:
        marker = {"format": FORMAT, **about, "files": sorted(names)}
        write_file(self.path / MARKER, (json.dumps(marker, indent=1) + "\n").encode())


def _files_of_report(path: Path) -> list[str]:
    """Files of the report in a folder that is not empty.  Raises OutputRefused if it holds none."""
    refused = OutputRefused(f"output folder {path} holds files that are no bloodrage report; give a new or empty folder")
    try:
        marker = json.loads((path / MARKER).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValueError, RecursionError):
        raise refused from None
    if not isinstance(marker, dict) or marker.get("format") != FORMAT or not isinstance(marker.get("files"), list):
        raise refused
    return [name for name in marker["files"] if isinstance(name, str) and _OURS.fullmatch(name)]
