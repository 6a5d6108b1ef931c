"""The tables of a data set: the only place that names, types and explains their columns, and their one writer.

A table is a list of columns.  Kernels fill *rows*, packed numpy records with the columns in order; neighbouring columns
with the same `field` (glory by source) are one array there.  All integers are signed, because SQL cannot subtract
unsigned ones below zero.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from .rules.events import SOURCE_RULES
from .rules.ids import N_AGES, STAT_NAMES
from .rules.ruin import CAUSE_NAMES

SCHEMA_VERSION = 1
METADATA_KEY = b"bloodrage_sim"
AGE_ENDS = ("none", "rage", "pillaged")  # by AGE_END_* of rules/action.py
STRATEGIES = "strategies"  # words of a column that the line-up of the run gives

_TYPES = {"i1": "int8", "i2": "int16", "i4": "int32", "i8": "int64", "f4": "float32"}


@dataclass(frozen=True)
class Column:
    """A column.

    Attributes
    ----------
    name : as in the files and DataFrames
    dtype : numpy type of the number in a row; for words, of their code
    meaning : one sentence with the unit
    words : the words that the codes stand for, or STRATEGIES; () for a number
    field : field of the rows; columns with the same one are an array there
    rising : whether the values rise slowly from row to row
    """

    name: str
    dtype: str
    meaning: str
    words: tuple[str, ...] | str = ()
    field: str = ""
    rising: bool = False

    @property
    def shown_type(self) -> str:
        """The type as told to users."""
        return "string" if self.words else _TYPES[self.dtype]


@dataclass(frozen=True)
class Table:
    """A table: its name, what a row is, its columns, and whether it has a row per player or one per game."""

    name: str
    meaning: str
    per_player: bool
    columns: tuple[Column, ...]

    @property
    def row(self) -> np.dtype:
        """Packed dtype of a row, one field per column."""
        return np.dtype([(column.name, "<" + column.dtype) for column in self.columns])

    @property
    def kernel_row(self) -> np.dtype:
        """The same bytes with arrays where columns share a field, as kernels fill them."""
        fields: list[tuple[Any, ...]] = []
        for name, group in groupby(self.columns, key=lambda column: column.field or column.name):
            columns = list(group)
            fields.append((name, columns[0].dtype, (len(columns),)) if columns[0].field else (name, columns[0].dtype))
        return np.dtype(fields)

    def rows_of(self, games: int, players: int) -> int:
        """Number of rows of `games` games."""
        return games * players if self.per_player else games


def _by(field: str, dtype: str, prefix: str, names: Sequence[str], meaning: str) -> tuple[Column, ...]:
    """One column for each name; `{}` in the meaning stands for it."""
    return tuple(Column(f"{prefix}{name}", dtype, meaning.format(name), field=field) for name in names)


_AGES = tuple(str(age) for age in range(1, N_AGES + 1))
_GAME = Column("game", "i8", "number of the game in the run, from 0, for this number of players", rising=True)
_DEAL = Column("deal", "i8", "number of the deal; games of one deal share decks, tokens and first player", rising=True)

GAMES = Table(
    "games",
    "one row per game",
    False,
    (
        _GAME,
        _DEAL,
        Column("rotation", "i1", "turn of the line-up: slot j sits at seat (j + rotation) mod players"),
        Column("first_player", "i1", "seat that is first player in age 1"),
        Column("turns", "i2", "turns of all seats in the action phases"),
        Column("decisions", "i4", "decisions with two options or more"),
        Column("battles", "i2", "battles fought"),
        Column("pillages", "i2", "successful pillages"),
        *(
            Column(
                f"age_{age}_end",
                "i1",
                f"why the action phase of age {age} ended: nobody had rage, or all was pillaged",
                AGE_ENDS,
                field="age_end",
            )
            for age in _AGES
        ),
    ),
)  # fmt: skip

PLAYERS = Table(
    "players",
    "one row per player of a game",
    True,
    (
        _GAME,
        _DEAL,
        Column("seat", "i1", "seat, clockwise from 0"),
        Column("slot", "i1", "place in the line-up"),
        Column("strategy", "i1", "strategy with its parameters", STRATEGIES),
        Column("turn_order", "i1", "seats clockwise from the first player of age 1, who has 0"),
        Column("glory", "i2", "final glory"),
        Column("margin", "i2", "glory less the most glory of any other player"),
        Column("rank", "i1", "1 + players with more glory"),
        Column("win_share", "f4", "1/k for each of k players tied for most glory, 0 for the others"),
        *(
            Column(f"glory_{name}", "i2", f"glory from source {name} (rule {rule})", field="glory_by")
            for name, rule in SOURCE_RULES.items()
        ),
        *_by("glory_age", "i2", "glory_age_", _AGES, "glory gained in age {}"),
        *_by("stats", "i1", "", [f"{name}_step" for name in STAT_NAMES], "step of the stat at the end, 1 to 6"),
        Column("turns", "i2", "turns taken"),
        Column("passes", "i2", "passes"),
        Column("rage_passed", "i2", "rage given up by passing"),
        Column("monsters", "i2", "monster upgrades played"),
        Column("ships_lost", "i2", "own ships destroyed, Sea Serpents too"),
        Column("provinces_locked", "i2", "provinces with an own figure in every village at the end of an action phase"),
        Column("battles", "i2", "battles taken part in"),
        Column("battles_won", "i2", "battles won"),
        Column("pillages", "i2", "successful pillages"),
        Column("pillages_unopposed", "i2", "successful pillages without a battle"),
        Column("quests_committed", "i2", "quests committed"),
        Column("quests_done", "i2", "quests fulfilled"),
        *_by("deaths", "i2", "deaths_", CAUSE_NAMES, "own figures destroyed, cause {}"),
        Column("cards_drafted", "i2", "cards kept in drafts"),
        Column("cards_played", "i2", "upgrades played, quests committed and battle cards that left the hand for good"),
    ),
)
TABLES = (GAMES, PLAYERS)
PARTITION = Column("players", "i1", "number of players; in the folder name players=N, not in the files")

GAME_ROW = GAMES.kernel_row
PLAYER_ROW = PLAYERS.kernel_row


def new_rows(table: Table, n: int) -> np.recarray:
    """`n` empty rows as kernels fill them."""
    return np.zeros(n, table.kernel_row).view(np.recarray)


def flat(table: Table, rows: np.ndarray) -> np.ndarray:
    """Rows that kernels filled as records with one field per column; shares their memory."""
    return rows.view(np.ndarray).view(table.row)


def words_of(column: Column, strategies: Sequence[str]) -> tuple[str, ...]:
    """Words of a column in a run whose distinct strategies are `strategies`."""
    return tuple(strategies) if column.words == STRATEGIES else tuple(column.words)


# --- content hash: it knows nothing of files


def empty_hash(table: Table, players: int, strategies: Sequence[str]) -> Any:
    """SHA-256 of what the rows of a table mean: columns, types, words and number of players."""
    columns = [[column.name, column.shown_type, words_of(column, strategies)] for column in table.columns]
    header = {"schema": SCHEMA_VERSION, "table": table.name, "players": players, "columns": columns}
    return hashlib.sha256(json.dumps(header, sort_keys=True).encode())


def sum_of_hashes(table: Table, rows: np.ndarray, players: int, empty: Any) -> int:
    """Sum of the SHA-256 of the rows of each game, each begun with `empty`.

    Sums (modulo 2**256) of parts add up to that of the whole, however a run is divided.
    """
    size = table.row.itemsize * (players if table.per_player else 1)
    data = memoryview(rows.view(np.ndarray).view(np.uint8))
    total = 0
    for start in range(0, len(data), size):
        digest = empty.copy()
        digest.update(data[start : start + size])
        total += int.from_bytes(digest.digest(), "little")
    return total % 2**256


# --- files


def arrow_schema(table: Table, strategies: Sequence[str], metadata: bytes) -> Any:
    """pyarrow schema of the files of a table."""
    import pyarrow as pa

    fields = []
    for column in table.columns:
        number = getattr(pa, _TYPES[column.dtype])()
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

    rising = [column.name for column in table.columns if column.rising]
    buffer = pa.BufferOutputStream()
    data = to_arrow(table, rows, strategies, metadata)
    pq.write_table(
        data,
        buffer,
        compression="zstd",
        use_dictionary=[column.name for column in table.columns if not column.rising],
        column_encoding={name: "DELTA_BINARY_PACKED" for name in rising},
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


def read_rows(path: Path, table: Table, strategies: Sequence[str], columns: Sequence[str] | None = None) -> np.ndarray:
    """Rows of a file that `write_table` wrote: the columns named, or all, as records with one field per column.

    Raises OSError or pyarrow.ArrowException for a file that cannot be read.
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


# --- documentation


def describe_tables() -> dict[str, Any]:
    """Tables and columns as plain data, for manifests and `bloodrage schema`."""
    return {
        table.name: {
            "meaning": table.meaning,
            "columns": [
                {"name": column.name, "type": column.shown_type, "meaning": column.meaning}
                for column in (PARTITION, *table.columns)
            ],
        }
        for table in TABLES
    }
