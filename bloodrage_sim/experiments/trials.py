"""What is kept of each game of an experiment: one row, in a folder that the same command goes on with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from .. import provenance
from ..datasets.part_files import PartFiles, PartFormat
from ..rules.ids import N_AGES
from .cells import Cell
from .files import Experiment
from .metrics import Metric
from .played import PlayedGames

MANIFEST = "experiment.json"
FORMAT = "bloodrage-sim experiment"
FORMAT_VERSION = 1


@dataclass(frozen=True)
class TrialRows:
    """The form of the rows of an experiment with some metrics.

    within : bounds of the first metric between which it counts as 1, else as 0; None to take it as it is
    """

    metrics: tuple[Metric, ...]
    within: tuple[float, float] | None

    @cached_property
    def columns(self) -> Mapping[str, tuple[str, str]]:
        """Type and meaning by column."""
        return {
            "cell": ("<i2", "number of the cell in experiment.json: number of players, base of the focal seat, pool"),
            "arm": ("i1", "number of the arm in the cell"),
            "block": ("<i4", "block, which is also the deal"),
            "rotation": ("i1", "turn of the table: the focal seat is seat number `rotation`"),
            **{f"trace_{age}": ("<i8", f"hash of all decisions of age {age}") for age in range(1, N_AGES + 1)},
            "heeded": ("<i2", "decisions whose options an order cut"),
            "voided": ("<i2", "decisions at which a ban would have left no option"),
            "changes": ("<i2", "cards or numbers changed"),
            **{
                f"{part}_{number}": ("<f4", f"metric {metric.text}: {meaning}")
                for number, metric in enumerate(self.metrics)
                for part, meaning in (("over", "what is divided"), ("under", "by what; 1 if nothing is divided"))
            },
        }

    @property
    def part_format(self) -> PartFormat:
        """How the rows are kept in files."""
        row = np.dtype([(name, kind) for name, (kind, _) in self.columns.items()])
        meanings = {name: meaning for name, (_, meaning) in self.columns.items()}
        return PartFormat(MANIFEST, FORMAT, FORMAT_VERSION, "experiment", "games", row, meanings)

    def rows_of(
        self, games: np.recarray, played: PlayedGames, metrics: Sequence[Metric], cell: int, arm: int
    ) -> np.ndarray:
        """Rows of finished games of one arm."""
        rows = np.zeros(len(games), self.part_format.row)
        rows["cell"], rows["arm"] = cell, arm
        rows["block"], rows["rotation"] = games.deal, games.rotation
        for age in range(N_AGES):
            rows[f"trace_{age + 1}"] = games.trial.course[:, age].astype(np.int64)
        for name in ("heeded", "voided", "changes"):
            rows[name] = games.trial[name]
        for number, metric in enumerate(metrics):
            over, under = metric.measure(played)
            if number == 0 and self.within is not None:
                over, under = (over >= self.within[0] * under) & (over <= self.within[1] * under), np.ones(len(over))
            rows[f"over_{number}"], rows[f"under_{number}"] = over, under
        return rows


class TrialKeeper:
    """Rows of an experiment that are there, and blocks that are missing."""

    def __init__(self, experiment: Experiment, cells: Sequence[Cell], path: Path | None, command: str) -> None:
        """In folder `path`, or in memory if None.  Raises OutputRefused."""
        self.form = TrialRows(experiment.recorded, experiment.within)
        self._there: dict[int, np.ndarray] = {cell.number: np.zeros((len(cell.arms), 0), bool) for cell in cells}
        form = self.form.part_format
        run = describe(experiment, cells)
        self.files = PartFiles(form) if path is None else PartFiles.open(form, path, run, command, self._fits)

    def _room(self, cell: int, blocks: int) -> np.ndarray:
        there = self._there[cell]
        if there.shape[1] < blocks:
            self._there[cell] = there = np.pad(there, ((0, 0), (0, blocks - there.shape[1])))
        return there

    def _fits(self, rows: np.ndarray) -> bool:
        """Take the rows of a part, unless they are of another experiment or of blocks that are there already."""
        if len(rows) == 0 or not set(np.unique(rows["cell"])) <= set(self._there):
            return False
        for cell in np.unique(rows["cell"]):
            own = rows[rows["cell"] == cell]
            there = self._room(int(cell), int(own["block"].max()) + 1)
            if own["arm"].max() >= len(there) or there[own["arm"], own["block"]].any():
                return False
            there[own["arm"], own["block"]] = True
        return True

    def add(self, rows: np.ndarray) -> None:
        """Keep rows of whole blocks of an arm.  Raises OutputRefused."""
        cell = int(rows["cell"][0])
        self._room(cell, int(rows["block"].max()) + 1)[rows["arm"], rows["block"]] = True
        self.files.add(rows)

    def missing(self, cell: Cell, blocks: int) -> list[np.ndarray]:
        """By arm, the numbers below `blocks` of blocks that are not there."""
        return [np.flatnonzero(~row[:blocks]) for row in self._room(cell.number, blocks)]

    def rows(self, cell: Cell, blocks: int) -> np.ndarray:
        """Rows of the first `blocks` blocks of a cell, by arm, block and rotation."""
        rows = self.files.rows()
        rows = rows[(rows["cell"] == cell.number) & (rows["block"] < blocks)]
        return rows[np.lexsort([rows[name] for name in ("rotation", "block", "arm")])]


def describe(experiment: Experiment, cells: Sequence[Cell]) -> dict[str, Any]:
    """An experiment as plain data: all that decides its games and rows; how many there are is left open."""
    return {
        "id": experiment.id,
        "metrics": [metric.text for metric in experiment.recorded],
        "within": None if experiment.within is None else list(experiment.within),
        "cells": [cell.describe() for cell in cells],
        "engine": provenance.engine_digest(),
    }
