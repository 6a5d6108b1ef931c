"""Units of a run played by a worker elsewhere; their rows come back as compressed bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from ..datasets.dataset import PlayedPart
from ..errors import BadPlugin
from ..rows.tables_out import new_rows, tables_named
from .collecting import MemorySink
from .runs import Kit, load_kit
from .travelling import packed, unpacked
from .units import PlayedUnit, Segment, Unit


@dataclass(frozen=True)
class PackedPart:
    """A PlayedPart with its rows compressed by zstd, by table: (bytes, number of rows)."""

    players: int
    first: int
    count: int
    rows: Mapping[str, tuple[bytes, int]]
    sums: Mapping[str, int]


def job_of(kit: Kit) -> bytes:
    """The run of a kit, ready to travel.  Raises BadPlugin for files of strategies that are gone."""
    return packed(replace(kit.config, engine=None, threads=1), kit.config.strategies)


@lru_cache(maxsize=8)
def _kit(job: bytes) -> Kit:
    """A job ready to be played.  Raises BadPlugin for a worker that would play other games than the client."""
    config, load = unpacked(job)
    kit = load_kit(config, load)
    kit.prepare()
    return kit


def play_unit(job: bytes, unit: Unit) -> tuple[PackedPart, Exception | None]:
    """Play a unit of a job; returns its games, fewer if a strategy misbehaved, and then the fault."""
    from ..rows.results import prepare_batch
    from .workers import play_segments

    prepare_batch()
    kit, sink, fault = _kit(job), MemorySink(), None
    try:
        play_segments(kit, [Segment(unit.players, unit.first, unit.first + unit.count)], sink, lambda _games: None)
    except BadPlugin as error:
        fault = error
    part = sink.parts[0] if sink.parts else _nothing(kit, unit)
    return _packed_part(part), fault


def _nothing(kit: Kit, unit: Unit) -> PlayedPart:
    tables = tables_named(kit.config.tables)
    rows = {table.name: new_rows(table, 0) for table in tables}
    return PlayedPart(unit.players, unit.first, 0, rows, {table.name: 0 for table in tables})


def _packed_part(part: PlayedPart) -> PackedPart:
    import pyarrow as pa

    rows = {
        name: (pa.compress(np.ascontiguousarray(rows).view(np.uint8), codec="zstd", asbytes=True), len(rows))
        for name, rows in part.rows.items()
    }
    return PackedPart(part.players, part.first, part.count, rows, part.sums)


def unpacked_unit(unit: Unit, part: PackedPart, fault: Exception | None) -> PlayedUnit:
    """A unit as workers.Worker would have given it."""
    import pyarrow as pa

    rows: dict[str, Any] = {}
    for table in tables_named(tuple(part.rows)):
        data, n = part.rows[table.name]
        size = n * table.row.itemsize
        content = pa.decompress(data, decompressed_size=size, codec="zstd") if n else b""
        rows[table.name] = np.frombuffer(content, table.kernel_row, n)
    return PlayedUnit(unit, PlayedPart(part.players, part.first, part.count, rows, part.sums), fault)
