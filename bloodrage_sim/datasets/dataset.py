"""A data set on disk: a folder with a manifest and parquet files in parts.

    DIR/manifest.json
    DIR/cards.parquet                               the physical cards
    DIR/games/players=4/part-000000000.parquet      named after its first game
    DIR/players/players=4/part-000000000.parquet    and so on for each table

A file counts only once the manifest names it; both are written under temporary names and renamed, so a folder is whole
at every moment.
"""

from __future__ import annotations

import errno
import hashlib
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .. import provenance
from ..errors import BadDataSet, OutputRefused
from ..rows.table_files import first_words, read_rows, unreadable, write_cards, write_file, write_table
from ..rows.tables_out import CARDS_NAME, SCHEMA_VERSION, TABLES, Table, describe_tables, tables_named
from .manifest import holds_something, manifest_of_same_run, new_manifest, read_manifest_file
from .manifest_checks import fault_of

MANIFEST = "manifest.json"
FORMAT = "bloodrage-sim data set"


@dataclass(frozen=True)
class PlayedPart:
    """Finished games of one number of players, in order.

    Attributes
    ----------
    players, first, count : number of players, number of the first game, number of games
    rows : rows as kernels fill them, by name of the table
    sums : sum of content hashes, by name of the table
    """

    players: int
    first: int
    count: int
    rows: Mapping[str, np.ndarray]
    sums: Mapping[str, int]


def distinct_strategies(run: Mapping[str, Any]) -> tuple[str, ...]:
    """Strategies of a run, each once, in the order of the line-up."""
    return tuple(dict.fromkeys(strategy["text"] for strategy in run["strategies"]))


def strategies_of(run: Mapping[str, Any]) -> tuple[str, ...]:
    """Strategies of a run as given: one, or one per slot."""
    return tuple(strategy["text"] for strategy in run["strategies"])


def read_manifest(path: Path) -> dict[str, Any]:
    """The manifest of the data set in folder `path`.  Raises BadDataSet for a folder that is none."""
    manifest = read_manifest_file(path, MANIFEST, FORMAT, "schema_version", SCHEMA_VERSION, "data set")
    fault = fault_of(manifest)
    if fault:
        raise BadDataSet(f"{path / MANIFEST} is damaged: {fault}")
    return manifest


class DataSet:
    """A data set that is being written or read.

    Attributes
    ----------
    path : its folder
    manifest : its manifest as plain data
    damaged : files that the manifest names, but which are missing or changed; their games count as missing
    """

    def __init__(self, path: Path, manifest: dict[str, Any]) -> None:
        self.path = path
        self.manifest = manifest
        self.damaged: list[str] = []

    @classmethod
    def open(cls, path: Path) -> DataSet:
        """A data set to read.  Raises BadDataSet."""
        return cls(path, read_manifest(path))

    @classmethod
    def open_to_write(
        cls, path: Path, run: Mapping[str, Any], command: str, cards: Mapping[str, Sequence[Any]]
    ) -> DataSet:
        """A new data set for `run`, or the one begun earlier for the same run; cards: what stands in its table of cards.

        Raises OutputRefused for a folder that holds anything else or cannot be written.
        """
        try:
            occupied = holds_something(path, (f"{CARDS_NAME}.parquet",))
        except OSError as error:
            raise cannot_write(path, error) from None
        if occupied:
            data_set = cls(path, manifest_of_same_run(path, run, MANIFEST, read_manifest, "bloodrage data set", "run"))
            data_set._drop_damaged()
            data_set._remove_leftovers()
        else:
            data_set = cls(path, _new_manifest(run, command))
            data_set._remove_leftovers()
        try:
            path.mkdir(parents=True, exist_ok=True)
            data_set.manifest["cards_sha256"] = write_cards(path / f"{CARDS_NAME}.parquet", cards)
            data_set.save()
        except OSError as error:
            raise cannot_write(path, error) from None
        return data_set

    @property
    def run(self) -> dict[str, Any]:
        """What was asked for: players, games, seed, seats, strategies, rules."""
        return self.manifest["run"]

    @property
    def strategies(self) -> tuple[str, ...]:
        """Distinct strategies of the run."""
        return distinct_strategies(self.run)

    @property
    def tables(self) -> tuple[Table, ...]:
        """Tables that it has."""
        return tables_named(self.run["tables"])

    @property
    def games_done(self) -> int:
        """Games of all numbers of players that are there."""
        return sum(part["games"] for part in self.manifest["parts"])

    @property
    def games_asked(self) -> int:
        """Games of all numbers of players that the run asks for."""
        return self.run["games"] * len(self.run["players"])

    @property
    def complete(self) -> bool:
        """Whether all games are there."""
        return self.games_done == self.games_asked

    def parts(self, players: int) -> list[dict[str, Any]]:
        """Parts with `players` players in the order of games."""
        found = [part for part in self.manifest["parts"] if part["players"] == players]
        return sorted(found, key=lambda part: part["first_game"])

    def missing(self, players: int, part_games: int) -> list[tuple[int, int]]:
        """Ranges [first, stop) of games that are not there, cut at multiples of `part_games`."""
        ranges = []
        at = 0
        for first, stop in [*((part["first_game"], part["last_game"] + 1) for part in self.parts(players)),
                            (self.run["games"], self.run["games"])]:  # fmt: skip
            while at < first:
                end = min(first, (at // part_games + 1) * part_games)
                ranges.append((at, end))
                at = end
            at = max(at, stop)
        return ranges

    def write(self, part: PlayedPart) -> None:
        """Write a part and the manifest.  Raises OutputRefused when that fails; then the folder is as before."""
        entry: dict[str, Any] = {
            "players": part.players,
            "first_game": part.first,
            "last_game": part.first + part.count - 1,
            "games": part.count,
            "files": {},
        }
        try:
            for table in self.tables:
                entry["files"][table.name] = self._write_file(table, part)
            self.manifest["parts"].append(entry)
            self.save()
        except BaseException as error:
            self._take_back(entry)
            if isinstance(error, OSError):
                raise cannot_write(self.path, error, self.games_done) from None
            raise

    def _take_back(self, entry: dict[str, Any]) -> None:
        """Remove a part that could not be written as a whole, so that no table has games that another lacks."""
        if entry in self.manifest["parts"]:
            self.manifest["parts"].remove(entry)
        for file in entry["files"].values():
            (self.path / file["file"]).unlink(missing_ok=True)

    def _write_file(self, table: Table, part: PlayedPart) -> dict[str, Any]:
        rows = part.rows[table.name]
        file = f"{table.name}/players={part.players}/part-{part.first:09d}.parquet"
        path = self.path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        metadata = {
            "format": FORMAT,
            "schema_version": SCHEMA_VERSION,
            "table": table.name,
            "players": part.players,
            "first_game": part.first,
            "last_game": part.first + part.count - 1,
            **{key: self.manifest[key] for key in ("command", "run", "run_hash", "versions")},
        }
        sha256 = write_table(path, table, rows, self.strategies, provenance.canonical(metadata))
        content = f"{part.sums[table.name]:064x}"
        return {"file": file, "rows": len(rows), "bytes": path.stat().st_size, "sha256": sha256, "content": content}

    def save(self) -> None:
        """Write the manifest.  Raises OSError."""
        manifest = self.manifest
        manifest["parts"].sort(key=lambda part: (part["players"], part["first_game"]))
        manifest["updated"] = provenance.now()
        manifest["complete"] = self.complete
        manifest["games_done"] = self.games_done
        manifest["content_hash"] = self.content_hash()
        write_file(self.path / MANIFEST, (json.dumps(manifest, indent=1) + "\n").encode())

    def content_hash(self) -> dict[str, str]:
        """Hex sum of the content hashes of all games, by table."""
        totals = {}
        for table in self.tables:
            total = sum(int(part["files"][table.name]["content"], 16) for part in self.manifest["parts"])
            totals[table.name] = f"{total % 2**256:064x}"
        return totals

    def read(self, table: Table, players: int, columns: tuple[str, ...] | None = None) -> Iterator[np.ndarray]:
        """Rows of a table, part by part in the order of games.  Raises BadDataSet for a file that cannot be read."""
        for part in self.parts(players):
            yield self.read_part(table, part, columns)

    def read_part(self, table: Table, part: Mapping[str, Any], columns: Sequence[str] | None = None) -> np.ndarray:
        """Rows of a table of one part.  Raises BadDataSet for a file that cannot be read."""
        path = self.path / part["files"][table.name]["file"]
        try:
            return read_rows(path, table, self.strategies, columns)
        except unreadable() as error:
            raise BadDataSet(f"{path} cannot be read: {first_words(error)}") from None

    def _drop_damaged(self) -> None:
        whole = []
        for part in self.manifest["parts"]:
            bad = [
                file["file"]
                for file in part["files"].values()
                if not is_whole(self.path / file["file"], file["sha256"])
            ]
            self.damaged += bad
            if not bad:
                whole.append(part)
        self.manifest["parts"] = whole

    def _remove_leftovers(self) -> None:
        """Remove files of ours that the manifest does not name: a run was killed while it wrote them."""
        named = {file["file"] for part in self.manifest["parts"] for file in part["files"].values()}
        for table in TABLES:
            for path in self.path.glob(f"{table.name}/players=*/*"):
                ours = path.match("part-*.parquet") or path.match(".part-*.tmp")
                if ours and path.relative_to(self.path).as_posix() not in named:
                    path.unlink(missing_ok=True)
        for name in (MANIFEST, f"{CARDS_NAME}.parquet"):
            for path in self.path.glob(f".{name}.*.tmp"):
                path.unlink(missing_ok=True)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other processes from writing into folder `path` meanwhile.  Raises OutputRefused if another one does.

    The lock is a file beside the folder, which the system frees when a process dies; so nothing has to be cleaned up.
    """
    from filelock import FileLock, Timeout

    place = path.resolve()
    lock = FileLock(place.with_name(f".{place.name}.lock"))
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=0)
    except Timeout:
        if not Path(lock.lock_file).exists():  # nobody has it: it cannot be made
            raise cannot_write(path, OSError(errno.EACCES, "no file can be made there")) from None
        raise OutputRefused(f"another process is writing into {path}; wait for it, or give another folder") from None
    except OSError as error:
        raise cannot_write(path, error) from None
    try:
        yield
    finally:
        Path(lock.lock_file).unlink(missing_ok=True)
        lock.release()


def is_whole(path: Path, sha256: str) -> bool:
    """Whether the file is there and has this hex SHA-256."""
    try:
        with path.open("rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest() == sha256
    except OSError:
        return False


def _new_manifest(run: Mapping[str, Any], command: str) -> dict[str, Any]:
    return {
        **new_manifest(FORMAT, "schema_version", SCHEMA_VERSION, run, command),
        "games_done": 0,
        "content_hash": {},
        "content_hash_is": "sum modulo 2**256 of the SHA-256 of each game's rows (tables_out.py), hex",
        "tables": describe_tables(tables_named(run["tables"])),
    }


def check_writable(path: Path) -> None:
    """Raise OutputRefused, before long work, if a folder that will be written, or made, cannot be; nothing is left there."""
    place = path.resolve()
    while not place.exists() and place != place.parent:
        place = place.parent
    try:
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        raise cannot_write(path, error) from None


def cannot_write(path: Path, error: OSError, games: int = 0) -> OutputRefused:
    """The error for a folder that cannot be written, saying what is safe."""
    safe = f"; {games:,} games written before are whole" if games else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return OutputRefused(f"the disk of {path} is full{safe}; make room and give the same command again to go on")
    return OutputRefused(f"output folder {path} cannot be written: {error.strerror or error}{safe}")
