"""Data sets of a few games whose rows a test gives, so that what is counted from them can be worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bloodrage_sim.datasets.dataset import DataSet, PlayedPart
from bloodrage_sim.rows.tables_out import CARD_COLUMNS, DETAILS, GAMES, PLAYERS, STRATEGIES, TABLES

Rows = Sequence[Mapping[str, Any]]


def write_run(
    path: Path,
    strategies: Sequence[str],
    tables: Mapping[str, Rows],
    cards: Rows = (),
    seed: int = 1,
    seats: str = "rotate",
) -> None:
    """Write a data set of one number of players, as many as there are `strategies`.

    tables : rows by table name, each a mapping of columns; those left out are 0, or the first word
    cards : rows of the table `cards`
    """
    run = {
        "players": [len(strategies)],
        "games": len(tables["games"]),
        "seed": seed,
        "seats": seats,
        "tables": [table.name for table in (GAMES, PLAYERS, *DETAILS)],
        "events": "none",
        "strategies": [{"text": text, "source_hash": ""} for text in strategies],
        "rules": {},
        "cards": [],
        "board": {},
        "engine": "by hand",
        "tables_hash": "by hand",
    }
    columns = {
        name: [row.get(name, "" if type_ == "string" else 0) for row in cards] for name, (type_, _) in CARD_COLUMNS.items()
    }
    data_set = DataSet.open_to_write(path, run, "bloodrage simulate", columns)
    rows = {table.name: _records(table, tables.get(table.name, ()), strategies) for table in TABLES}
    data_set.write(PlayedPart(len(strategies), 0, len(tables["games"]), rows, dict.fromkeys(rows, 0)))


def _records(table: Any, rows: Rows, strategies: Sequence[str]) -> np.ndarray:
    records = np.zeros(len(rows), table.row)
    for column in table.columns:
        words = strategies if column.words == STRATEGIES else column.words
        for at, row in enumerate(rows):
            value = row.get(column.name, 0)
            records[column.name][at] = list(words).index(value) if isinstance(value, str) else value
    return records
