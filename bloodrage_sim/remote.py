"""What travels to a worker elsewhere and back: a job, the units of it, and their rows as compressed bytes.

A worker needs this package and nothing else of the client: no shared disk, and files of strategies come with the job.
"""

from __future__ import annotations

import hashlib
import pickle
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from . import provenance
from .collecting import MemorySink
from .dataset import PlayedPart
from .errors import BadPlugin
from .param_sets import ENDING
from .plugins import load_strategy
from .rules.tables import N_SEATS
from .runs import Kit, RunConfig
from .strategy_text import is_path, split_strategy
from .tables_out import new_rows, tables_named
from .units import PlayedUnit, Segment, Unit


@dataclass(frozen=True)
class Job:
    """A run as a worker elsewhere gets it.

    Attributes
    ----------
    config : without its engine
    texts : canonical text of each strategy of the configuration, as the client read it
    files : content by path of the files that strategies name
    source : what `describe` gives on the client
    """

    config: RunConfig
    texts: tuple[str, ...]
    files: Mapping[str, bytes]
    source: Mapping[str, str]


@dataclass(frozen=True)
class PackedPart:
    """A PlayedPart with its rows compressed by zstd, by table: (bytes, number of rows)."""

    players: int
    first: int
    count: int
    rows: Mapping[str, tuple[bytes, int]]
    sums: Mapping[str, int]


def describe() -> dict[str, str]:
    """What must be equal on client and workers: version, sources and the libraries that results pass through."""
    return {**provenance.versions(), "engine": provenance.engine_digest()}


def differences(there: Mapping[str, str], here: Mapping[str, str]) -> list[str]:
    """How a worker differs from the client, one phrase each."""
    return [f"{name} {there.get(name, 'absent')} there, {here[name]} here" for name in here if there.get(name) != here[name]]


def job_of(kit: Kit) -> bytes:
    """The job of a kit, pickled."""
    config = replace(kit.config, engine=None, threads=1)
    texts = tuple(strategy.text for strategy in kit.line_up[: len(config.strategies)])
    files = {path: Path(path).read_bytes() for text in config.strategies for path in _files_of(text)}
    return pickle.dumps(Job(config, texts, files, describe()))


def _files_of(text: str) -> list[str]:
    """Paths that the text of a strategy names: its file, a file of values, and the values shipped beside its file."""
    parts = split_strategy(text)
    found = [parts.name] if is_path(parts.name) else []
    if parts.set.endswith(ENDING):
        found.append(parts.set)
    elif parts.set and found:
        found.append(str(Path(parts.name).with_suffix("")) + f".{parts.set}{ENDING}")
    return found


def _moved(text: str, folder: Path) -> str:
    """The text of a strategy with the paths that its files have in `folder`."""
    parts = split_strategy(text)
    for path in sorted({path for path in (parts.name, parts.set) if path in _files_of(text)}, key=len, reverse=True):
        text = text.replace(path, str(_place(path, folder)), 1)
    return text


def _place(path: str, folder: Path) -> Path:
    """Where a file of the client lies in `folder`: in one of its own for each folder there."""
    return folder / hashlib.sha256(str(Path(path).resolve().parent).encode()).hexdigest()[:12] / Path(path).name


@lru_cache(maxsize=8)
def _kit(pickled: bytes) -> Kit:
    """A job ready to be played.  Raises BadPlugin for a worker that would play other games than the client."""
    job: Job = pickle.loads(pickled)
    other = differences(describe(), job.source)
    if other:
        raise BadPlugin(f"a worker has another program than the client: {'; '.join(other)}; install the same there")
    folder = Path(tempfile.mkdtemp(prefix="bloodrage-"))
    for path, content in job.files.items():
        place = _place(path, folder)
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(content)
    loaded = [
        replace(load_strategy(_moved(given, folder)), text=text)
        for given, text in zip(job.config.strategies, job.texts, strict=True)
    ]
    kit = Kit(job.config, tuple(loaded[min(slot, len(loaded) - 1)] for slot in range(N_SEATS)))
    kit.prepare()
    return kit


def play_unit(pickled: bytes, unit: Unit) -> tuple[PackedPart, Exception | None]:
    """Play a unit of a job; returns its games, fewer if a strategy misbehaved, and then the fault."""
    from .results import prepare_batch
    from .workers import play_segments

    prepare_batch()
    kit, sink, fault = _kit(pickled), MemorySink(), None
    try:
        play_segments(kit, [Segment(unit.players, unit.first, unit.first + unit.count)], sink, lambda _games: None)
    except BadPlugin as error:
        fault = error
    part = sink.parts[0] if sink.parts else _nothing(kit, unit)
    return _packed(part), fault


def _nothing(kit: Kit, unit: Unit) -> PlayedPart:
    tables = tables_named(kit.config.tables)
    rows = {table.name: new_rows(table, 0) for table in tables}
    return PlayedPart(unit.players, unit.first, 0, rows, {table.name: 0 for table in tables})


def _packed(part: PlayedPart) -> PackedPart:
    import pyarrow as pa

    rows = {
        name: (pa.compress(np.ascontiguousarray(rows).view(np.uint8), codec="zstd", asbytes=True), len(rows))
        for name, rows in part.rows.items()
    }
    return PackedPart(part.players, part.first, part.count, rows, part.sums)


def unpacked(unit: Unit, packed: PackedPart, fault: Exception | None) -> PlayedUnit:
    """A unit as workers.Worker would have given it."""
    import pyarrow as pa

    rows: dict[str, Any] = {}
    for table in tables_named(tuple(packed.rows)):
        data, n = packed.rows[table.name]
        size = n * table.row.itemsize
        content = pa.decompress(data, decompressed_size=size, codec="zstd") if n else b""
        rows[table.name] = np.frombuffer(content, table.kernel_row, n)
    return PlayedUnit(unit, PlayedPart(packed.players, packed.first, packed.count, rows, packed.sums), fault)
