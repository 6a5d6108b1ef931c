"""Running a valuation, in a folder that the same command goes on with.

    DIR/values.json, games/part-*.parquet       one row for each instance, kept while it goes on
    DIR/card_values.csv, card_values.parquet    what they come to, see values.py
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from .. import provenance
from ..batch import Silent, Watcher, prepare_for
from ..datasets.dataset import locked
from ..datasets.part_files import PartFiles, PartFormat
from ..plugins.loading import Strategy, load_strategy
from ..ruleset import tables_hash
from ..running.tasks import share_out
from ..running.units import Planner
from ..running.workers import interrupts_noted
from .config import ValueConfig
from .replaying import VALUE_COLUMNS, VALUE_ROW, Replayer

FORM = PartFormat("values.json", "bloodrage-sim card values", 1, "valuation of cards", "games", VALUE_ROW, VALUE_COLUMNS)
PLAYED = -1  # measure of the row that says that a block was played
_UNIT_BLOCKS = 16


@dataclass(frozen=True)
class Outcome:
    """How a valuation ended.

    Attributes
    ----------
    rows : VALUE_ROW rows of all instances, sorted
    blocks : blocks that are there; played : by this call
    strategies : text by slot
    """

    rows: np.ndarray
    blocks: int
    played: int
    seconds: float
    interrupted: bool
    damaged: tuple[str, ...]
    strategies: tuple[str, ...]


def describe(config: ValueConfig) -> dict[str, Any]:
    """A valuation as plain data: all that decides its rows but the number of blocks."""
    loaded = [load_strategy(text) for text in config.slots]
    return {
        "cards": list(config.cards),
        "players": config.players,
        "seed": config.seed,
        "measures": list(config.measures),
        "strategies": [{"text": strategy.text, "source_hash": strategy.source_hash} for strategy in loaded],
        **config.ruleset.describe(),
        "tables_hash": tables_hash(config.ruleset.tables()),
        "engine": provenance.engine_digest(),
    }


def stored_seed(out: Path) -> int | None:
    """Seed of the valuation in `out`, None if there is none: the same command without a seed goes on with it."""
    try:
        seed = FORM.read_manifest(out)["run"]["seed"]
    except Exception:  # noqa: BLE001  whatever is wrong with the folder is told when it is opened to write
        return None
    return seed if isinstance(seed, int) else None


def value_cards(config: ValueConfig, out: Path | None = None, command: str = "", watcher: Watcher | None = None) -> Outcome:
    """Play a valuation, or what is missing of it in folder `out`; None keeps it in memory.

    Raises
    ------
    UnknownName, BadValue, BadPlugin : strategies that cannot be loaded or misbehave; blocks before that are kept
    OutputRefused : the folder holds something else, or cannot be written
    """
    watcher = watcher or Silent()
    prepare_for(config.strategies, watcher)
    with locked(out) if out is not None else nullcontext():
        return _play(config, out, command, watcher)


def _play(config: ValueConfig, out: Path | None, command: str, watcher: Watcher) -> Outcome:
    """Play what is missing, with nobody else writing into the folder."""
    there = np.zeros(config.blocks, bool)

    def fits(rows: np.ndarray) -> bool:
        played = rows["block"][rows["measure"] == PLAYED]
        known = played[played < config.blocks]
        if len(played) == 0 or there[known].any():
            return False
        there[known] = True
        return True

    run = describe(config)
    files = PartFiles(FORM) if out is None else PartFiles.open(FORM, out, run, command, fits)
    before = watcher.already = int(there.sum())

    def keep(rows: np.ndarray) -> None:
        there[rows["block"]] = True
        files.add(rows)
        watcher.games(int(there.sum()), config.blocks)

    missing = np.flatnonzero(~there)
    units = [
        part[at : at + _UNIT_BLOCKS]
        for part in np.split(missing, np.flatnonzero(np.diff(missing) > 1) + 1)
        for at in range(0, len(part), _UNIT_BLOCKS)
    ]
    began = time.monotonic()
    with interrupts_noted() as interrupt:
        try:
            share_out(ValueWork(replace(config, engine=None)), units, config.threads, keep, interrupt, config.engine)
        except KeyboardInterrupt:  # the second Ctrl-C
            pass
        finally:
            files.flush(bool(there.all()))
    rows = files.rows()
    rows = rows[(rows["measure"] != PLAYED) & (rows["block"] < config.blocks)]
    rows = rows[np.lexsort([rows[name] for name in reversed(VALUE_ROW.names)])]  # sums come out alike whoever was done first
    strategies = tuple(strategy["text"] for strategy in run["strategies"])
    return Outcome(
        rows, int(there.sum()), int(there.sum()) - before, time.monotonic() - began, not there.all(), tuple(files.damaged), strategies
    )  # fmt: skip


@dataclass(frozen=True)
class ValueWork:
    """What the units of a valuation, each some numbers of deals, have in common."""

    config: ValueConfig

    @property
    def strategies(self) -> tuple[str, ...]:
        """Texts of all strategies that take part."""
        return self.config.slots

    def prepare(self, load: Callable[[str], Strategy]) -> Callable[[Planner], ValuePlayer]:
        """The function that makes a player for a thread.  Raises what load_strategy raises."""
        return lambda planner: ValuePlayer(self.config, planner, load)


class ValuePlayer(Replayer):
    """Plays units in one thread."""

    def play(self, unit: np.ndarray) -> np.ndarray | None:  # type: ignore[override]  a task here is some deals
        """Rows of a unit, None if it was stopped.  Raises BadPlugin."""
        rows = self.unit(int(unit[0]), len(unit))
        if rows is None:
            return None
        marks = np.zeros(len(unit), VALUE_ROW)
        marks["block"], marks["measure"] = unit, PLAYED
        return np.concatenate([marks, rows])
