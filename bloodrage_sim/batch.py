"""Play many games and keep their results: `simulate` for Python, `run_to_folder` for the command.

A game is fixed by (seed, deal, rotation) and the line-up, so the division of a run into units (what a worker plays at a
time) and parts (files) changes nothing.
"""

from __future__ import annotations

import os
import secrets
import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from .datasets.dataset import DataSet, distinct_strategies, locked, read_manifest
from .plugins.loading import read_strategy
from .rows.results import prepare_batch
from .rows.table_files import to_frame
from .rows.tables_out import PLAYERS, flat, tables_named
from .ruleset import Ruleset, make_ruleset
from .running.collecting import MemorySink
from .running.runs import Kit, RunConfig, load_kit
from .running.units import Segment
from .running.workers import play_segments
from .summary import COLUMNS, Summary


class Watcher(Protocol):
    """Who is told how far a run is: progress.Progress, or a stand-in."""

    already: int

    def compiling(self, done: int, all_: int) -> None: ...

    def games(self, done: int, total: int) -> None: ...


class Silent:
    """A watcher that says nothing."""

    already = 0

    def compiling(self, done: int, all_: int) -> None:
        """Say nothing."""

    def games(self, done: int, total: int) -> None:
        """Say nothing."""


@dataclass(frozen=True)
class Outcome:
    """How a run to a folder ended.

    Attributes
    ----------
    data_set : what is there now
    played : games played by this call
    seconds : time that took
    interrupted : whether Ctrl-C ended it
    """

    data_set: DataSet
    played: int
    seconds: float
    interrupted: bool


def prepare_for(strategies: Sequence[str], watcher: Watcher) -> None:
    """Compile or load the core.  Raises what read_strategy raises, before a long compilation."""
    for text in strategies:
        read_strategy(text)
    prepare_batch(watcher.compiling)


def run_to_folder(
    config: RunConfig, out: Path, command: str, watcher: Watcher | None = None, share: tuple[int, int] = (1, 1)
) -> Outcome:
    """Play a run, or what is missing of it, into a data set in folder `out`.

    share : (k, n), play only every n-th part from the k-th on, for one of n machines

    Raises
    ------
    OutputRefused : the folder holds something else, or cannot be written
    BadPlugin, UnknownName, BadValue : strategies that cannot be loaded or misbehave; games before that are written
    """
    watcher = watcher or Silent()
    prepare_for(config.strategies, watcher)
    kit = load_kit(config)
    kit.prepare()
    with locked(out):
        return _run(kit, out, command, watcher, share)


def _run(kit: Kit, out: Path, command: str, watcher: Watcher, share: tuple[int, int]) -> Outcome:
    """Play what is missing of a run into a folder that is ours alone."""
    config = kit.config
    data_set = DataSet.open_to_write(out, kit.run, command, config.ruleset.cards_by_copy())
    segments = [
        Segment(players, first, stop)
        for players in config.players
        for first, stop in data_set.missing(players, config.part_games)
        if first // config.part_games % share[1] == share[0] - 1
    ]
    already = watcher.already = data_set.games_done
    began, interrupted = time.monotonic(), False
    if segments:
        began, total = time.monotonic(), data_set.games_asked
        interrupted = play_segments(kit, segments, data_set, lambda games: watcher.games(already + games, total))
    return Outcome(data_set, data_set.games_done - already, time.monotonic() - began, interrupted)


def summarise(data_set: DataSet) -> list[Summary]:
    """Summary of a data set for each number of players, read part by part."""
    summaries = []
    for players in data_set.run["players"]:
        summary = Summary(players, data_set.strategies)
        for rows in data_set.read(PLAYERS, players, COLUMNS):
            summary.add(rows)
        summaries.append(summary)
    return summaries


def draw_seed() -> int:
    """A seed when none is given; short enough to type."""
    return secrets.randbelow(10**9)


def stored_seed(out: Path) -> int | None:
    """Seed of the data set in `out`, None if there is none: the same command without a seed goes on with it."""
    try:
        seed = read_manifest(out)["run"]["seed"]
    except Exception:  # whatever is wrong with the folder is told when it is opened to write
        return None
    return seed if isinstance(seed, int) else None


def available_threads() -> int:
    """Processors that this process may use."""
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except AttributeError:  # not on Linux
        return os.cpu_count() or 1


@dataclass(frozen=True)
class Results:
    """Results of `simulate` or `read_results`.

    Attributes
    ----------
    tables : pandas DataFrames by name; tables_out.py and `bloodrage schema` explain their columns
    summaries : win share and glory by strategy and seat, for each number of players; print(*summary.lines(), sep="\\n")
    run : what was played, as in the manifest of a data set
    content_hash : by table; equal hashes mean equal rows
    """

    tables: Mapping[str, Any]
    summaries: tuple[Summary, ...]
    run: Mapping[str, Any]
    content_hash: Mapping[str, str]

    @property
    def games(self) -> Any:
        """DataFrame, a row per game."""
        return self.tables["games"]

    @property
    def players(self) -> Any:
        """DataFrame, a row per player of a game."""
        return self.tables["players"]


def simulate(
    players: int | Sequence[int] = 4,
    games: int = 1000,
    seed: int | None = None,
    strategies: str | Sequence[str] = "random",
    seats: str = "rotate",
    ruleset: Ruleset | None = None,
    threads: int | None = None,
    tables: Sequence[str] = ("games", "players"),
    events: str = "none",
    out: str | os.PathLike[str] | None = None,
    watcher: Watcher | None = None,
) -> Results:
    """Play many games and return their results.

    Parameters
    ----------
    players : 2 to 5, or several of these numbers
    games : games for each number of players
    seed : 0 to 2**63 - 1; drawn if None, and found in `run["seed"]` of the results
    strategies : one for all seats, or one per slot, e.g. "random:by=kind" or a path to a .py file
    seats : 'rotate', 'fixed' or 'random', see RunConfig
    ruleset : from ruleset.make_ruleset(); None for the game as it is
    threads : workers; None for all processors
    tables, events : what to keep, see RunConfig
    out : folder for a data set; None to keep the results in memory only
    watcher : progress.Progress() for a line on standard error

    Raises
    ------
    BloodRageError : bad input (errors.py says of what kind), a folder that cannot be used, a strategy that misbehaves
    KeyboardInterrupt : Ctrl-C; with `out`, what was finished is written, and the same call goes on with the rest
    """
    folder = None if out is None else Path(out)
    if seed is None:
        seed = stored_seed(folder) if folder is not None else None
    config = RunConfig(
        players=(players,) if isinstance(players, int) else tuple(players),
        games=games,
        seed=draw_seed() if seed is None else seed,
        strategies=(strategies,) if isinstance(strategies, str) else tuple(strategies),
        seats=seats,
        ruleset=ruleset or make_ruleset(),
        threads=available_threads() if threads is None else threads,
        tables=tuple(tables),
        events=events,
    )
    for text in config.warnings():
        warnings.warn(text, stacklevel=2)
    if folder is None:
        return _simulate_in_memory(config, watcher or Silent())
    outcome = run_to_folder(config, folder, "bloodrage_sim.batch.simulate", watcher)
    if outcome.interrupted:
        raise KeyboardInterrupt
    return read_results(folder)


def _simulate_in_memory(config: RunConfig, watcher: Watcher) -> Results:
    prepare_for(config.strategies, watcher)
    kit, sink = load_kit(config), MemorySink()
    kit.prepare()
    segments = [
        Segment(players, first, min(first + config.part_games, config.games))
        for players in config.players
        for first in range(0, config.games, config.part_games)
    ]
    total = config.games * len(config.players)
    if play_segments(kit, segments, sink, lambda games: watcher.games(games, total)):
        raise KeyboardInterrupt
    rows = {
        (table.name, players): [flat(table, part.rows[table.name]) for part in sink.parts if part.players == players]
        for table in tables_named(config.tables)
        for players in config.players
    }
    sums = {name: sum(part.sums[name] for part in sink.parts) % 2**256 for name in config.tables}
    return _results(rows, kit.run, {name: f"{value:064x}" for name, value in sums.items()})


def read_results(path: str | os.PathLike[str]) -> Results:
    """Results of a data set, the whole of it in memory.  Raises BadDataSet."""
    data_set = DataSet.open(Path(path))
    rows = {
        (table.name, players): list(data_set.read(table, players))
        for table in data_set.tables
        for players in data_set.run["players"]
    }
    return _results(rows, data_set.run, data_set.content_hash())


def _results(
    rows: Mapping[tuple[str, int], Sequence[np.ndarray]], run: Mapping[str, Any], content_hash: Mapping[str, str]
) -> Results:
    import pandas as pd

    strategies = distinct_strategies(run)
    frames = {
        table.name: pd.concat(
            [
                to_frame(
                    table, np.concatenate([np.zeros(0, table.row), *rows[table.name, players]]), players, strategies
                )
                for players in run["players"]
            ],
            ignore_index=True,
        )
        for table in tables_named(run["tables"])
    }
    summaries = []
    for players in run["players"]:
        summaries.append(Summary(players, strategies))
        for part in rows[PLAYERS.name, players]:
            summaries[-1].add(part)
    return Results(frames, tuple(summaries), run, content_hash)
