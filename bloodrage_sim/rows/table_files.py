"""Rows of tables as content hashes, arrow tables, parquet files and DataFrames: the one writer and reader of both.

A row as a kernel fills it is a packed record, see tables_out.py.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .tables_out import CARD_COLUMNS, DTYPES, PARTITION, SCHEMA_VERSION, Column, Table, flat, words_of

METADATA_KEY = b"bloodrage_sim"

# --- content hash: it knows nothing of files


def empty_hash(table: Table, players: int, strategies: Sequence[str]) -> Any:
    """SHA-256 of what the rows of a table mean: columns, types, words and number of players."""
    columns = [[column.name, column.shown_type, words_of(column, strategies)] for column in table.columns]
    header = {"schema": SCHEMA_VERSION, "table": table.name, "players": players, "columns": columns}
    return hashlib.sha256(json.dumps(header, sort_keys=True).encode())


def sum_of_hashes(rows: np.ndarray, ends: np.ndarray, empty: Any) -> int:
    """Sum of the SHA-256 of the rows of each game, each begun with `empty`.

    ends : int64 array by game, row behind its last one

    Sums (modulo 2**256) of parts add up to that of the whole, however a run is divided.
    """
    data = memoryview(np.ascontiguousarray(rows).view(np.ndarray).view(np.uint8))
    total = start = 0
    for end in (ends * rows.dtype.itemsize).tolist():
        digest = empty.copy()
        digest.update(data[start:end])
        total += int.from_bytes(digest.digest(), "little")
        start = end
    return total % 2**256


# --- files


def arrow_schema(table: Table, strategies: Sequence[str], metadata: bytes) -> Any:
    """pyarrow schema of the files of a table."""
    import pyarrow as pa

    fields = []
    for column in table.columns:
        number = getattr(pa, DTYPES[column.dtype])()
        kind = pa.dictionary(number, pa.string()) if words_of(column, strategies) else number
        fields.append(pa.field(column.name, kind, nullable=False, metadata={"meaning": column.meaning}))
    return pa.schema(fields, metadata={METADATA_KEY: metadata})


def _arrow_words(words: Sequence[str]) -> Any:
    import pyarrow as pa

    encoded = [word.encode() for word in words]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    return pa.StringArray.from_buffers(len(words), pa.py_buffer(ends), pa.py_buffer(b"".join(encoded)))


def to_arrow(table: Table, rows: np.ndarray, strategies: Sequence[str], metadata: bytes = b"{}") -> Any:
    """pyarrow table of rows.  Arrays are made from buffers, because pyarrow.array would import pandas."""
    import pyarrow as pa

    schema = arrow_schema(table, strategies, metadata)
    flat_rows = flat(table, rows)
    arrays = []
    for column, field in zip(table.columns, schema, strict=True):
        values = np.ascontiguousarray(flat_rows[column.name])
        words = words_of(column, strategies)
        kind = field.type.index_type if words else field.type
        array = pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values)])
        arrays.append(pa.DictionaryArray.from_arrays(array, _arrow_words(words)) if words else array)
    return pa.Table.from_arrays(arrays, schema=schema)


def write_table(path: Path, table: Table, rows: np.ndarray, strategies: Sequence[str], metadata: bytes) -> str:
    """Write rows as one parquet file under a temporary name, then give it its name.

    Returns the hex SHA-256 of the file.  Raises OSError, after which no file is left.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    encodings = {column.name: "DELTA_BINARY_PACKED" for column in table.columns if column.rising}
    encodings |= {column.name: "BYTE_STREAM_SPLIT" for column in table.columns if column.scattered}
    buffer = pa.BufferOutputStream()
    data = to_arrow(table, rows, strategies, metadata)
    pq.write_table(
        data,
        buffer,
        compression="zstd",
        compression_level=3,
        use_dictionary=[column.name for column in table.columns if column.name not in encodings],
        column_encoding=encodings,
        row_group_size=max(1, data.num_rows),
    )
    content = buffer.getvalue()
    del data
    write_file(path, content)
    pa.default_memory_pool().release_unused()
    return hashlib.sha256(content).hexdigest()


def write_file(path: Path, content: Any) -> None:
    """Write bytes as a whole or not at all: to a temporary name in the same folder, then renamed.  Raises OSError."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as handle:
            handle.write(content)
            handle.flush()
            os.fsync(handle.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_cards(path: Path, cards: Mapping[str, Sequence[Any]]) -> str:
    """Write the table `cards`, lists by column, as one parquet file.  Returns its hex SHA-256.  Raises OSError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    arrays, fields = [], []
    for name, (type_, meaning) in CARD_COLUMNS.items():
        if type_ == "string":
            arrays.append(_arrow_words(cards[name]))
        else:
            values = np.array(cards[name], type_)
            arrays.append(pa.Array.from_buffers(getattr(pa, type_)(), len(values), [None, pa.py_buffer(values)]))
        fields.append(pa.field(name, arrays[-1].type, nullable=False, metadata={"meaning": meaning}))
    buffer = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_arrays(arrays, schema=pa.schema(fields)), buffer, compression="zstd")
    content = buffer.getvalue()
    write_file(path, content)
    return hashlib.sha256(content).hexdigest()


def unreadable() -> tuple[type[Exception], ...]:
    """What reading a file as parquet may raise, whatever the file is."""
    import pyarrow as pa

    return OSError, ValueError, LookupError, TypeError, OverflowError, MemoryError, pa.ArrowException


def first_words(error: Exception) -> str:
    """The first line of what an error says, or its name."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def read_rows(path: Path, table: Table, strategies: Sequence[str], columns: Sequence[str] | None = None) -> np.ndarray:
    """Rows of a file that `write_table` wrote: the columns named, or all, as records with one field per column.

    Raises one of unreadable() for a file that cannot be read.
    """
    import pyarrow.parquet as pq

    wanted = [column for column in table.columns if columns is None or column.name in columns]
    with pq.ParquetFile(path) as file:
        data = file.read([column.name for column in wanted], use_threads=False)
    rows = np.zeros(data.num_rows, [(column.name, "<" + column.dtype) for column in wanted])
    for column in wanted:
        words = words_of(column, strategies)
        start = 0
        for chunk in data.column(column.name).chunks:
            rows[column.name][start : start + len(chunk)] = _numbers(chunk, column, words)
            start += len(chunk)
    return rows


def _numbers(chunk: Any, column: Column, words: Sequence[str]) -> np.ndarray:
    """Numbers of a pyarrow array of a column, or codes of its words."""
    if not words:
        return np.frombuffer(chunk.buffers()[1], "<" + column.dtype, len(chunk), chunk.offset * int(column.dtype[1]))
    if hasattr(chunk, "dictionary"):
        codes = np.array([words.index(word) for word in chunk.dictionary.to_pylist()], column.dtype)
        places = chunk.indices
        kind = f"<i{places.type.bit_width // 8}"
        return codes[np.frombuffer(places.buffers()[1], kind, len(places), places.offset * int(kind[2]))]
    return np.array([words.index(word) for word in chunk.to_pylist()], column.dtype)


def read_metadata(path: Path) -> Mapping[str, Any]:
    """Provenance that a parquet file of ours holds; {} for other files."""
    import pyarrow.parquet as pq

    return json.loads((pq.read_schema(path).metadata or {}).get(METADATA_KEY, b"{}"))


def to_frame(table: Table, rows: np.ndarray, players: int, strategies: Sequence[str]) -> Any:
    """pandas DataFrame of rows (one field per column), with the number of players as its first column."""
    import pandas as pd

    data: dict[str, Any] = {PARTITION.name: np.full(len(rows), players, PARTITION.dtype)}
    for column in table.columns:
        values = np.ascontiguousarray(rows[column.name])
        words = words_of(column, strategies)
        data[column.name] = pd.Categorical.from_codes(values, list(words)) if words else values
    return pd.DataFrame(data)
