"""Results of a tournament's games as they are kept: in memory, and in a folder that the same command goes on with.

    DIR/tournament.json
    DIR/games/part-00000.parquet      one row for each seat of each game, whole blocks only

A file counts only once tournament.json names it; both are written under temporary names and renamed.  How the games
are divided into parts depends on the time they took; what is in all parts together does not.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .. import provenance
from ..dataset import cannot_write
from ..manifest import manifest_of_same_run, read_manifest_file
from ..table_files import write_file
from .design import Design

MANIFEST = "tournament.json"
FORMAT = "bloodrage-sim tournament"
FORMAT_VERSION = 1
FLUSH_SECONDS = 10.0
FLUSH_ROWS = 1_000_000

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


class Keeper:
    """Rows of played blocks.

    Attributes
    ----------
    path : folder, None to keep the rows in memory only
    damaged : files that were named but are missing or changed; their blocks count as missing
    """

    def __init__(
        self, design: Design, blocks: int, path: Path | None = None, manifest: Mapping[str, Any] | None = None
    ) -> None:
        self.design = design
        self.blocks = blocks
        self.path = path
        self.damaged: list[str] = []
        self._manifest = dict(manifest or {})
        self._there = np.zeros((len(design.compositions), blocks), bool)
        self._kept: list[np.ndarray] = []
        self._fresh: list[np.ndarray] = []
        self._last = time.monotonic()

    @classmethod
    def open(cls, path: Path, design: Design, blocks: int, run: Mapping[str, Any], command: str) -> Keeper:
        """A new tournament in folder `path`, or the one begun there with the same `run`.  Raises OutputRefused."""
        try:
            occupied = path.exists() and (not path.is_dir() or any(path.iterdir()))
        except OSError as error:
            raise cannot_write(path, error) from None
        keeper = cls(design, blocks, path, _manifest(path, run, command, occupied))
        try:
            keeper.read_parts()
            (path / "games").mkdir(parents=True, exist_ok=True)
            keeper._remove_leftovers()
            keeper._save()
        except OSError as error:
            raise cannot_write(path, error) from None
        return keeper

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
        self._fresh.append(rows)
        if time.monotonic() - self._last > FLUSH_SECONDS or sum(map(len, self._fresh)) > FLUSH_ROWS:
            self.flush()

    def flush(self) -> None:
        """Write what was added since the last time.  Raises OutputRefused."""
        self._last = time.monotonic()
        if not self._fresh:
            return
        rows = np.concatenate(self._fresh)
        if self.path is not None:
            try:
                self._write(rows)
            except OSError as error:
                raise cannot_write(self.path, error, sum(map(len, self._kept)) // self.design.players) from None
        self._kept.append(rows)
        self._fresh = []

    def rows(self) -> np.ndarray:
        """All rows, by composition, block, rotation and seat."""
        rows = np.concatenate([np.zeros(0, SEAT_ROW), *self._kept, *self._fresh])
        return rows[np.lexsort([rows[name] for name in ("seat", "rotation", "block", "composition")])]

    def _write(self, rows: np.ndarray) -> None:
        assert self.path is not None
        number = max((part["number"] for part in self._manifest["parts"]), default=-1) + 1
        file = f"games/part-{number:05d}.parquet"
        sha256 = _write_rows(self.path / file, rows, self._manifest["run"])
        self._manifest["parts"].append({"number": number, "file": file, "rows": len(rows), "sha256": sha256})
        try:
            self._save()
        except BaseException:
            self._manifest["parts"].pop()
            raise

    def _save(self) -> None:
        assert self.path is not None
        self._manifest["updated"] = provenance.now()
        self._manifest["complete"] = self.complete
        write_file(self.path / MANIFEST, (json.dumps(self._manifest, indent=1) + "\n").encode())

    def read_parts(self) -> None:
        """Take what the files that the manifest names hold; damaged ones are noted and left out."""
        assert self.path is not None
        whole = []
        for part in self._manifest["parts"]:
            rows = _read_rows(self.path / part["file"], part["sha256"])
            if rows is None or not self._fits(rows):
                self.damaged.append(part["file"])
                continue
            whole.append(part)
            self._there[rows["composition"], rows["block"]] = True
            self._kept.append(rows)
        self._manifest["parts"] = whole

    def _fits(self, rows: np.ndarray) -> bool:
        """Whether rows are of this tournament and no block is there twice; the hash of the file agrees already."""
        if len(rows) == 0 or rows["composition"].max() >= len(self._there) or rows["block"].max() >= self.blocks:
            return False
        return not self._there[rows["composition"], rows["block"]].any()

    def _remove_leftovers(self) -> None:
        """Remove files of ours that the manifest does not name: a run was killed while it wrote them."""
        assert self.path is not None
        named = {self.path / part["file"] for part in self._manifest["parts"]}
        for pattern in ("games/part-*.parquet", "games/.part-*.tmp", f".{MANIFEST}.*.tmp"):
            for file in self.path.glob(pattern):
                if file not in named:
                    file.unlink(missing_ok=True)


def read_manifest(path: Path) -> dict[str, Any]:
    """tournament.json of a folder.  Raises BadDataSet for a folder that holds no tournament."""
    return read_manifest_file(path, MANIFEST, FORMAT, "format_version", FORMAT_VERSION, "tournament")


def _manifest(path: Path, run: Mapping[str, Any], command: str, occupied: bool) -> dict[str, Any]:
    if occupied:
        return manifest_of_same_run(path, run, MANIFEST, read_manifest, "tournament", "tournament")
    return _new_manifest(run, command)


def _new_manifest(run: Mapping[str, Any], command: str) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "created": provenance.now(),
        "updated": "",
        "command": command,
        "run": dict(run),
        "run_hash": provenance.digest_of(run),
        "versions": provenance.versions(),
        "complete": False,
        "columns": SEAT_COLUMNS,
        "parts": [],
    }


def _write_rows(path: Path, rows: np.ndarray, run: Mapping[str, Any]) -> str:
    """Write rows as a parquet file, whole or not at all.  Returns its hex SHA-256.  Raises OSError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = [np.ascontiguousarray(rows[name]) for name in SEAT_COLUMNS]
    kinds = [pa.from_numpy_dtype(column.dtype) for column in columns]
    arrays = [
        pa.Array.from_buffers(kind, len(column), [None, pa.py_buffer(column)])
        for kind, column in zip(kinds, columns, strict=True)
    ]
    fields = [
        pa.field(name, kind, nullable=False, metadata={"meaning": meaning})
        for (name, meaning), kind in zip(SEAT_COLUMNS.items(), kinds, strict=True)
    ]
    schema = pa.schema(fields, metadata={"bloodrage": provenance.canonical({"format": FORMAT, "run": run})})
    buffer = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_arrays(arrays, schema=schema), buffer, compression="zstd")
    content = buffer.getvalue()
    write_file(path, content)
    return hashlib.sha256(content).hexdigest()


def _read_rows(path: Path, sha256: str) -> np.ndarray | None:
    """Rows of a part, None if the file is missing or has changed."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        content = path.read_bytes()
        if hashlib.sha256(content).hexdigest() != sha256:
            return None
        data = pq.read_table(pa.BufferReader(content))
        rows = np.zeros(data.num_rows, SEAT_ROW)
        for name in SEAT_COLUMNS:
            rows[name] = data.column(name).to_numpy()
    except (OSError, KeyError, ValueError):  # pyarrow's errors are children of these
        return None
    return rows
