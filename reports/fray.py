"""Battles from their participants: how many took part, whether somebody won, and who led by how much."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Fray:
    """What the rows of one battle say together, by row of `battles`.

    Attributes
    ----------
    size : int64, participants
    decided : bool, whether the battle has a winner
    lead : int64, own total less the best of the others, in STR points
    margin : int64, highest total less the second highest, in STR points
    """

    size: np.ndarray
    decided: np.ndarray
    lead: np.ndarray
    margin: np.ndarray


def fray_of(game: np.ndarray, rows: np.ndarray) -> Fray:
    """The Fray of rows of `battles`, where the participants of a battle stand together.

    game : int by row; rows : with the columns battle, total and won
    """
    new = np.ones(len(rows), bool)
    new[1:] = (game[1:] != game[:-1]) | (rows["battle"][1:] != rows["battle"][:-1])
    starts, which = np.flatnonzero(new), np.cumsum(new) - 1
    if not len(rows):
        empty = np.zeros(0, np.int64)
        return Fray(empty, empty.astype(bool), empty, empty)
    total = rows["total"].astype(np.int64)
    size = np.diff(starts, append=len(rows))
    decided = np.add.reduceat(rows["won"].astype(np.int64), starts) > 0
    best = np.maximum.reduceat(total, starts)
    leads = total == best[which]
    shared = np.add.reduceat(leads.astype(np.int64), starts) > 1
    lowest = np.iinfo(np.int64).min
    second = np.maximum.reduceat(np.where(leads, lowest, total), starts)
    second = np.where(shared, best, second)
    second = np.where(size == 1, best, second)  # a battle alone has no other
    lead = np.where(leads, best[which] - second[which], total - best[which])
    return Fray(size[which], decided[which], lead, (best - second)[which])
