"""Many tests at once: q-values, and flags for what is both sure and large enough to matter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

FALSE_SHARE = 0.05


def q_values(p: np.ndarray, any_dependence: bool = False) -> np.ndarray:
    """p-values corrected for the false discovery rate by Benjamini and Hochberg (1995); all of `p` is one family.

    p : any shape; a nan is no test, stays nan and does not count
    any_dependence : correct by Benjamini and Yekutieli (2001) instead, which holds however the tests depend
    """
    from scipy import stats

    p = np.asarray(p, float)
    tested = ~np.isnan(p)
    q = np.full(p.shape, np.nan)
    if tested.any():
        q[tested] = stats.false_discovery_control(p[tested], method="by" if any_dependence else "bh")
    return q


@dataclass(frozen=True)
class Flags:
    """What stands out in a family of tests; all arrays have the shape of the effects.

    Attributes
    ----------
    sign : int8, 1 above, -1 below, 0 not flagged
    robust : bool, flagged, and so however the tests depend on each other
    q : q-values, nan where there was no test
    """

    sign: np.ndarray
    robust: np.ndarray
    q: np.ndarray


def flag(effect: np.ndarray, p: np.ndarray, least: np.ndarray | float) -> Flags:
    """Flag effects with q <= 5 % and a size of at least `least`, the minimal effect of interest in their unit."""
    q = q_values(p)
    flagged = (q <= FALSE_SHARE) & (np.abs(effect) >= least)
    robust = flagged & (q_values(p, any_dependence=True) <= FALSE_SHARE)
    return Flags(np.where(flagged, np.sign(effect), 0).astype(np.int8), robust, q)
