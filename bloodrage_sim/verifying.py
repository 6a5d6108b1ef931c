"""Checking a data set: its files against the manifest, and a sample of its games played anew against the stored rows."""

from __future__ import annotations

import queue
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from . import provenance
from .batch import Silent, Watcher, prepare_for
from .datasets.dataset import DataSet, is_whole
from .errors import BadDataSet
from .rows.table_files import empty_hash, sum_of_hashes
from .rows.tables_out import Table, flat
from .running.runs import Kit, config_like, load_kit, replay_command
from .running.units import Planner, PlayedUnit, Unit
from .running.workers import Worker


@dataclass(frozen=True)
class Verdict:
    """What was found.

    Attributes
    ----------
    files : files checked
    games : games played anew
    rows : their rows compared
    faults : one line for each difference; the first of each game only
    """

    files: int
    games: int
    rows: int
    faults: tuple[str, ...]


def verify(path: Path, sample: int, seed: int, watcher: Watcher | None = None, trusted: bool = False) -> Verdict:
    """Check all files of the data set in `path`, and `sample` of its games, drawn with `seed`.

    trusted : whether files of strategies that it names may be run

    Raises BadDataSet for a folder that is no data set, and, with sample > 0, for one that this program cannot play again.
    """
    watcher = watcher or Silent()
    data_set = DataSet.open(path)
    faults, files = _check_files(data_set)
    if sample == 0:
        return Verdict(files, 0, 0, tuple(faults))
    kit = _kit(data_set, watcher, trusted)
    rows = games = 0
    drawn = _drawn(data_set, sample, seed)
    worker = Worker(kit, Planner([], 1), queue.SimpleQueue[PlayedUnit]())
    for part, numbers in drawn:
        stored = {table.name: _read(data_set, part, table) for table in data_set.tables}
        for number in numbers:
            found, count = _compare(worker, part["players"], number, stored, data_set)
            rows += count
            games += 1
            faults += found[:1]
            watcher.games(games, sum(len(chosen) for _, chosen in drawn))
    return Verdict(files, games, rows, tuple(faults))


def _check_files(data_set: DataSet) -> tuple[list[str], int]:
    """Faults of the files: checksums, then the content hash of the rows, part by part."""
    faults: list[str] = []
    parts = data_set.manifest["parts"]
    for part in parts:
        for table in data_set.tables:
            file = part["files"][table.name]
            if not is_whole(data_set.path / file["file"], file["sha256"]):
                faults.append(f"{file['file']}: missing, or its SHA-256 is not {file['sha256'][:12]}...")
            elif (content := _content_of(data_set, part, table)) != file["content"]:
                faults.append(f"{file['file']}: content hash of its rows is {content[:12]}..., manifest {file['content'][:12]}...")
    return faults, sum(len(part["files"]) for part in parts)


def _read(data_set: DataSet, part: Mapping[str, Any], table: Table) -> np.ndarray | None:
    """Rows of a table of a part, None if the file cannot be read; that was told already."""
    try:
        return data_set.read_part(table, part)
    except BadDataSet:
        return None


def _content_of(data_set: DataSet, part: Mapping[str, Any], table: Table) -> str:
    rows = data_set.read_part(table, part)
    numbers = np.arange(part["first_game"], part["last_game"] + 1)
    ends = np.searchsorted(rows["game"], numbers, side="right")
    return f"{sum_of_hashes(rows, ends, empty_hash(table, part['players'], data_set.strategies)):064x}"


def _kit(data_set: DataSet, watcher: Watcher, trusted: bool) -> Kit:
    """The run of a data set, ready to be played.  Raises BadDataSet if it would be another."""

    config = config_like(data_set.path, 1, trusted)
    prepare_for(config.strategies, watcher)
    kit = load_kit(replace(config, unit_games=1))
    changed = provenance.differences(data_set.run, kit.run)
    if changed:
        raise BadDataSet(
            f"{data_set.path} cannot be played again by this program: {'; '.join(changed[:3])}; its files can be checked "
            "with --sample 0"
        )
    kit.prepare()
    return kit


def _drawn(data_set: DataSet, sample: int, seed: int) -> list[tuple[Mapping[str, Any], list[int]]]:
    """Parts, and the numbers of the games drawn of each; every stored game equally likely, without repetition."""
    parts: Sequence[Mapping[str, Any]] = data_set.manifest["parts"]
    ends = np.cumsum([part["games"] for part in parts])
    total = int(ends[-1]) if len(ends) else 0
    chosen = np.sort(np.random.default_rng(seed).choice(total, min(sample, total), replace=False)) if total else np.zeros(0, int)
    of = np.searchsorted(ends, chosen, side="right")
    return [
        (part, [part["first_game"] + int(at) - (int(ends[number]) - part["games"]) for at in chosen[of == number]])
        for number, part in enumerate(parts)
        if (of == number).any()
    ]


def _compare(
    worker: Worker, players: int, number: int, stored: Mapping[str, np.ndarray | None], data_set: DataSet
) -> tuple[list[str], int]:
    """Differences of one game, one line for each table, and the number of rows compared."""
    unit = Unit(0, players, number, 1)
    played = worker.play(unit)
    if played.fault is not None:
        raise played.fault
    faults, count = [], 0
    for table in data_set.tables:
        there = stored[table.name]
        if there is None:
            continue
        first, end = np.searchsorted(there["game"], [number, number + 1])
        mine, theirs = flat(table, played.part.rows[table.name]), there[first:end]
        count += len(mine)
        difference = _first_difference(table, mine, theirs)
        if difference:
            deal, rotation = (int(played.part.rows["games"][name][0]) for name in ("deal", "rotation"))
            show = replay_command(worker.kit.config, players, deal, rotation)
            faults.append(f"game {number} with {players} players, table {table.name}: {difference}; to see the game: {show}")
    return faults, count


def _first_difference(table: Table, mine: np.ndarray, theirs: np.ndarray) -> str:
    """Where rows of a game differ first, '' if they do not."""
    for row in range(min(len(mine), len(theirs))):
        for column in table.columns:
            if mine[row][column.name] != theirs[row][column.name]:
                shown = [_word(column.words, value) for value in (theirs[row][column.name], mine[row][column.name])]
                return f"row {row} of the game, column {column.name}: stored {shown[0]}, played {shown[1]}"
    return f"{len(theirs)} rows stored, {len(mine)} played" if len(mine) != len(theirs) else ""


def _word(words: tuple[str, ...] | str, value: Any) -> str:
    return words[int(value)] if words and not isinstance(words, str) else str(value)
