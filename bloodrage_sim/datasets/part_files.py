"""Rows of a long run in a folder: written in parts while it goes on, and found again by the same command.

    DIR/<manifest>
    DIR/<folder>/part-00000.parquet

A file counts only once the manifest names it with its SHA-256; both are written under temporary names and renamed.  How
rows are divided into parts depends on the time they took; what is in all parts together does not.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .. import provenance
from ..errors import BadDataSet
from ..rows.table_files import unreadable, write_file
from .dataset import cannot_write
from .manifest import holds_something, manifest_of_same_run, new_manifest, read_manifest_file
from .manifest_checks import is_listed_file

FLUSH_SECONDS = 10.0
FLUSH_ROWS = 1_000_000


@dataclass(frozen=True)
class PartFormat:
    """What a folder of parts holds.

    Attributes
    ----------
    manifest : name of the manifest
    name : what the manifest says of itself
    version : version of the format
    thing : what such a folder is called in messages
    folder : folder of the parts
    row : numpy dtype of a row
    columns : meaning by column, all fields of `row`
    rows_per_game : for messages
    """

    manifest: str
    name: str
    version: int
    thing: str
    folder: str
    row: np.dtype
    columns: Mapping[str, str]
    rows_per_game: int = 1

    def read_manifest(self, path: Path) -> dict[str, Any]:
        """The manifest of a folder.  Raises BadDataSet for another folder."""
        manifest = read_manifest_file(path, self.manifest, self.name, "format_version", self.version, self.thing)
        for part in manifest["parts"]:
            if not is_listed_file(part, self.folder):
                raise BadDataSet(f"{path / self.manifest} is damaged: its list of parts is not what this program writes there")
        return manifest


class PartFiles:
    """Rows kept in memory and, with a path, in a folder.

    Attributes
    ----------
    path : the folder, None to keep the rows in memory only
    damaged : files that were named but are missing or changed; their rows count as missing
    """

    def __init__(self, form: PartFormat, path: Path | None = None, manifest: Mapping[str, Any] | None = None) -> None:
        self.form = form
        self.path = path
        self.damaged: list[str] = []
        self._manifest = dict(manifest or {})
        self._kept: list[np.ndarray] = []
        self._fresh: list[np.ndarray] = []
        self._last = time.monotonic()

    @classmethod
    def open(
        cls, form: PartFormat, path: Path, run: Mapping[str, Any], command: str, fits: Callable[[np.ndarray], bool]
    ) -> PartFiles:
        """A new folder, or the one begun there with the same `run`.

        fits(rows) : whether the rows of a part belong to the run; called for each part in turn
        Raises OutputRefused.
        """
        try:
            occupied = holds_something(path)
        except OSError as error:
            raise cannot_write(path, error) from None
        if occupied:
            manifest = manifest_of_same_run(path, run, form.manifest, form.read_manifest, form.thing, form.thing)
        else:
            manifest = _new_manifest(form, run, command)
        files = cls(form, path, manifest)
        try:
            files.read_parts(fits)
            (path / form.folder).mkdir(parents=True, exist_ok=True)
            files._remove_leftovers()
            files._save(False)
        except OSError as error:
            raise cannot_write(path, error) from None
        return files

    def add(self, rows: np.ndarray, complete: bool = False) -> None:
        """Keep rows; complete : whether all is there now.  Raises OutputRefused when they cannot be written."""
        self._fresh.append(rows)
        if time.monotonic() - self._last > FLUSH_SECONDS or sum(map(len, self._fresh)) > FLUSH_ROWS:
            self.flush(complete)

    def flush(self, complete: bool = False) -> None:
        """Write what was added since the last time; complete : whether all is there.  Raises OutputRefused."""
        self._last = time.monotonic()
        try:
            if self._fresh:
                rows = np.concatenate(self._fresh)
                if self.path is not None:
                    self._write(rows)
                self._kept.append(rows)
                self._fresh = []
            if self.path is not None and complete:
                self._save(True)
        except OSError as error:
            assert self.path is not None
            games = sum(map(len, self._kept)) // self.form.rows_per_game
            raise cannot_write(self.path, error, games) from None

    def rows(self) -> np.ndarray:
        """All rows, in the order in which they came."""
        return np.concatenate([np.zeros(0, self.form.row), *self._kept, *self._fresh])

    def _write(self, rows: np.ndarray) -> None:
        assert self.path is not None
        number = max((part["number"] for part in self._manifest["parts"]), default=-1) + 1
        file = f"{self.form.folder}/part-{number:05d}.parquet"
        sha256 = self._write_rows(self.path / file, rows)
        self._manifest["parts"].append({"number": number, "file": file, "rows": len(rows), "sha256": sha256})
        try:
            self._save(False)
        except BaseException:
            self._manifest["parts"].pop()
            raise

    def _save(self, complete: bool) -> None:
        assert self.path is not None
        self._manifest["updated"] = provenance.now()
        self._manifest["complete"] = complete
        write_file(self.path / self.form.manifest, (json.dumps(self._manifest, indent=1) + "\n").encode())

    def read_parts(self, fits: Callable[[np.ndarray], bool]) -> None:
        """Take what the files that the manifest names hold; damaged ones, and rows that do not fit, are noted and left out."""
        assert self.path is not None
        whole = []
        for part in self._manifest["parts"]:
            rows = self._read_rows(self.path / part["file"], part["sha256"])
            if rows is None or not fits(rows):
                self.damaged.append(part["file"])
                continue
            whole.append(part)
            self._kept.append(rows)
        self._manifest["parts"] = whole

    def _remove_leftovers(self) -> None:
        """Remove files of ours that the manifest does not name: a run was killed while it wrote them."""
        assert self.path is not None
        named = {self.path / part["file"] for part in self._manifest["parts"]}
        folder = self.form.folder
        for pattern in (f"{folder}/part-*.parquet", f"{folder}/.part-*.tmp", f".{self.form.manifest}.*.tmp"):
            for file in self.path.glob(pattern):
                if file not in named:
                    file.unlink(missing_ok=True)

    def _write_rows(self, path: Path, rows: np.ndarray) -> str:
        """Write rows as a parquet file, whole or not at all.  Returns its hex SHA-256.  Raises OSError."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        form = self.form
        columns = [np.ascontiguousarray(rows[name]) for name in form.columns]
        kinds = [pa.from_numpy_dtype(column.dtype) for column in columns]
        arrays = [
            pa.Array.from_buffers(kind, len(column), [None, pa.py_buffer(column)])
            for kind, column in zip(kinds, columns, strict=True)
        ]
        fields = [
            pa.field(name, kind, nullable=False, metadata={"meaning": meaning})
            for (name, meaning), kind in zip(form.columns.items(), kinds, strict=True)
        ]
        about = provenance.canonical({"format": form.name, "run": self._manifest["run"]})
        buffer = pa.BufferOutputStream()
        table = pa.Table.from_arrays(arrays, schema=pa.schema(fields, metadata={"bloodrage": about}))
        pq.write_table(table, buffer, compression="zstd")
        content = buffer.getvalue()
        write_file(path, content)
        return hashlib.sha256(content).hexdigest()

    def _read_rows(self, path: Path, sha256: str) -> np.ndarray | None:
        """Rows of a part, None if the file is missing or has changed."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            content = path.read_bytes()
            if hashlib.sha256(content).hexdigest() != sha256:
                return None
            data = pq.read_table(pa.BufferReader(content))
            rows = np.zeros(data.num_rows, self.form.row)
            for name in self.form.columns:
                rows[name] = data.column(name).to_numpy()
        except unreadable():
            return None
        return rows


def _new_manifest(form: PartFormat, run: Mapping[str, Any], command: str) -> dict[str, Any]:
    manifest = new_manifest(form.name, "format_version", form.version, run, command)
    return {**manifest, "columns": dict(form.columns)}
