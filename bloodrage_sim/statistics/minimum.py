"""Which cells have data enough to be shown."""

from __future__ import annotations

import numpy as np

from .intervals import Estimates

HIDE_UNDER_ROWS = 100
HIDE_UNDER_CLUSTERS = 50
GREY_UNDER_ROWS = 400
SHOWN, GREY, HIDDEN = range(3)
NAMES = ("shown", "grey", "hidden")


def standing_of(rows: np.ndarray, clusters: np.ndarray) -> np.ndarray:
    """int8: SHOWN, GREY (uncertain by about 5 points of a share of 25 %) or HIDDEN.

    rows, clusters : as in Estimates; where two groups are compared, of the smaller, so that both must pass
    """
    hidden = (rows < HIDE_UNDER_ROWS) | (clusters < HIDE_UNDER_CLUSTERS)
    return np.where(hidden, HIDDEN, np.where(rows < GREY_UNDER_ROWS, GREY, SHOWN)).astype(np.int8)


def hide(estimates: Estimates) -> Estimates:
    """The same with nan in hidden cells, so that they are in no family of tests and in no ranking."""
    return estimates.blank(standing_of(estimates.rows, estimates.clusters) == HIDDEN)
