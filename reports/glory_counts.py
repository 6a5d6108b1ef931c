"""How many players had how much glory, by strategy: for quantiles and for the shape of the distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .source import PartRows

LEAST, MOST = -100, 899  # glory beyond them counts as the end


class GloryCounts:
    """Counts of players by stratum (all, then the strategies), group and glory.

    Attributes
    ----------
    groups : number of groups, such as moments of the game
    counts : by number of players, int64 (strata, groups, MOST - LEAST + 1)
    """

    def __init__(self, groups: int) -> None:
        self.groups = groups
        self.counts: dict[int, np.ndarray] = {}

    def add(self, part: PartRows, glory: np.ndarray, kept: np.ndarray) -> None:
        """Count the players of a part.

        glory : int (player rows, groups); kept : bool of that shape, or (player rows, 1): who counts
        """
        strategies, bins = len(part.strategies), MOST - LEAST + 1
        group = part.rows["players"]["strategy"].astype(np.int64)[:, None] * self.groups + np.arange(self.groups)
        place = group * bins + np.clip(glory, LEAST, MOST) - LEAST
        told = place.ravel() if kept.all() else place[np.broadcast_to(kept, place.shape)]
        found = np.bincount(told, minlength=strategies * self.groups * bins)
        found = found.reshape(strategies, self.groups, bins)
        found = np.concatenate([found.sum(0, keepdims=True), found])
        self.counts[part.players] = self.counts.get(part.players, 0) + found

    def quantile(self, players: int, group: int, part: float) -> np.ndarray:
        """float64 by stratum: the least glory that at least this part of the players does not exceed; nan for no players."""
        counts = self.counts[players][:, group]
        total = counts.sum(-1)
        found = (counts.cumsum(-1) >= part * total[:, None]).argmax(-1) + float(LEAST)
        return np.where(total > 0, found, np.nan)
