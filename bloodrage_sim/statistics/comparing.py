"""The same quantities in two runs: what changed from the first to the second, cell by cell.

Runs with the same seeds play the same deals, so their clusters come in pairs.  What a pair has in common cancels in the
difference, which makes it surer, by far where little changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .intervals import Estimates, t_quantile, two_sided_p
from .moments import Moments
from .multiple import q_values
from .ratios import Ratio, contrast


@dataclass(frozen=True)
class Comparison:
    """Second run less the first.

    Attributes
    ----------
    difference : its estimates; p: that there is none
    q : the p-values corrected for all cells together
    """

    difference: Estimates
    q: np.ndarray


def compare_unpaired(first: Estimates, second: Estimates) -> Comparison:
    """Of runs that have no cluster in common: errors add up, degrees of freedom by Welch (1947)."""
    difference = second.value - first.value
    parts = np.array([first.se, second.se]) ** 2
    variance = parts.sum(0)
    counts = np.array([first.clusters, second.clusters], float)
    with np.errstate(divide="ignore", invalid="ignore"):
        df = variance**2 / (parts**2 / (counts - 1)).sum(0)
    df = np.where(variance == 0, counts.min(0) - 1, df)
    se = np.sqrt(variance)
    half = t_quantile(df) * se
    p = two_sided_p(difference, se, df)
    rows, clusters = np.minimum(first.rows, second.rows), np.minimum(first.clusters, second.clusters)
    return _comparison(Estimates(difference, se, difference - half, difference + half, p, rows, clusters))


def compare_paired(both: Moments, of: Ratio) -> Comparison:
    """Of runs with the same clusters.

    both : moments with `names_of_both` for variables; a cluster's vector is that of the first run, then that of the second
    of : the ratio, by the names of one run
    """
    return _comparison(contrast(both, (_in_second(of[0]), _in_second(of[1])), of))


def names_of_both(names: Sequence[str]) -> tuple[str, ...]:
    """Names of the variables of both runs for `compare_paired`, from those of one."""
    return (*names, *map(_in_second, names))


def _in_second(name: str) -> str:
    return f"{name} (second run)"


def _comparison(difference: Estimates) -> Comparison:
    return Comparison(difference, q_values(difference.p))
