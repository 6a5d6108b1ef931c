"""Results of a tournament's games as they are kept: in memory, and in a folder that the same command goes on with.

    DIR/tournament.json
    DIR/games/part-00000.parquet      one row for each seat of each game, whole blocks only
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..datasets.part_files import PartFiles, PartFormat
from .design import Design

# one row for each seat of each game
SEAT_ROW = np.dtype(
    [
        ("composition", "<i4"),
        ("block", "<i4"),
        ("rotation", "i1"),
        ("seat", "i1"),
        ("strategy", "<i2"),
        ("glory", "<i2"),
        ("margin", "<i2"),
        ("rank", "i1"),
        ("win_share", "<f4"),
    ]
)
SEAT_COLUMNS = {
    "composition": "number of the composition in compositions.csv",
    "block": "block, which is also the deal: equal blocks of all compositions share a deal",
    "rotation": "turn of the circular order around the table",
    "seat": "seat, clockwise from 0",
    "strategy": "number of the strategy in tournament.json, from 0",
    "glory": "final glory",
    "margin": "glory less the most glory of any other player",
    "rank": "1 + players with more glory",
    "win_share": "1/k for each of k players tied for most glory, 0 for the others",
}


FORM = PartFormat("tournament.json", "bloodrage-sim tournament", 1, "tournament", "games", SEAT_ROW, SEAT_COLUMNS)


class Keeper:
    """Rows of played blocks."""

    def __init__(self, design: Design, blocks: int) -> None:
        self.design = design
        self.blocks = blocks
        self._there = np.zeros((len(design.compositions), blocks), bool)
        self._form = replace(FORM, rows_per_game=design.players)
        self._files = PartFiles(self._form)

    @classmethod
    def open(cls, path: Path, design: Design, blocks: int, run: Mapping[str, Any], command: str) -> Keeper:
        """A new tournament in folder `path`, or the one begun there with the same `run`.  Raises OutputRefused."""
        keeper = cls(design, blocks)
        keeper._files = PartFiles.open(keeper._form, path, run, command, keeper._fits)
        return keeper

    @classmethod
    def read(cls, path: Path, design: Design, manifest: Mapping[str, Any]) -> Keeper:
        """What a folder with this manifest holds, which is left as it is.  Raises OSError."""
        keeper = cls(design, manifest["run"]["blocks"])
        keeper._files = PartFiles(keeper._form, path, manifest)
        keeper._files.read_parts(keeper._fits)
        return keeper

    @property
    def damaged(self) -> list[str]:
        """Files that were named but are missing or changed; their blocks count as missing."""
        return self._files.damaged

    @property
    def games_done(self) -> int:
        """Games of whole blocks that are there."""
        return int(self._there.sum()) * self.design.players

    @property
    def complete(self) -> bool:
        """Whether all blocks are there."""
        return bool(self._there.all())

    def missing(self, composition: int) -> np.ndarray:
        """int64 array: blocks of a composition that are not there."""
        return np.flatnonzero(~self._there[composition])

    def add(self, rows: np.ndarray) -> None:
        """Keep SEAT_ROW rows of whole blocks.  Raises OutputRefused when they cannot be written."""
        self._there[rows["composition"], rows["block"]] = True
        self._files.add(rows, self.complete)

    def flush(self) -> None:
        """Write what was added since the last time.  Raises OutputRefused."""
        self._files.flush(self.complete)

    def rows(self) -> np.ndarray:
        """All rows, by composition, block, rotation and seat."""
        rows = self._files.rows()
        return rows[np.lexsort([rows[name] for name in ("seat", "rotation", "block", "composition")])]

    def _fits(self, rows: np.ndarray) -> bool:
        """Take the blocks of a part, unless they are of another tournament or there already; the hash of the file agrees."""
        if len(rows) == 0 or rows["composition"].max() >= len(self._there) or rows["block"].max() >= self.blocks:
            return False
        if self._there[rows["composition"], rows["block"]].any():
            return False
        self._there[rows["composition"], rows["block"]] = True
        return True


def read_manifest(path: Path) -> dict[str, Any]:
    """tournament.json of a folder.  Raises BadDataSet for a folder that holds no tournament."""
    return FORM.read_manifest(path)
