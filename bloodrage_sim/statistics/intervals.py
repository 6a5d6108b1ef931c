"""Estimates of many cells, and from a standard error to an interval and a p-value: Student's t, and Wilson for shares."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

LEVEL = 0.95
EDGE = 1e-9  # a share nearer to 0 or 1 than this is 0 or 1 but for rounding


@dataclass(frozen=True)
class Estimates:
    """One number for each cell with its error; all arrays have the shape of `value`, and nan where there is no answer.

    Attributes
    ----------
    value : the estimate; nan without rows
    se : standard error, robust to rows of one cluster depending on each other; nan for fewer than two clusters
    low, high : ends of the 95 % interval; nan where `se` is
    p : two-sided, of the hypothesis that the function which made the estimate names; nan where it has none
    rows : float64, sum of the denominator; where two groups are compared, of the smaller one
    clusters : int64, number of clusters with rows; where two groups are compared, the smaller number
    """

    value: np.ndarray
    se: np.ndarray
    low: np.ndarray
    high: np.ndarray
    p: np.ndarray
    rows: np.ndarray
    clusters: np.ndarray

    def times(self, factor: np.ndarray | float) -> Estimates:
        """The same in another unit; `factor` is above 0."""
        value, se, low, high = (factor * values for values in (self.value, self.se, self.low, self.high))
        return replace(self, value=value, se=se, low=low, high=high)

    def blank(self, where: np.ndarray) -> Estimates:
        """The same with nan in some cells, which keep their rows and clusters."""
        numbers = (np.where(where, np.nan, values) for values in (self.value, self.se, self.low, self.high, self.p))
        return Estimates(*numbers, self.rows, self.clusters)


def t_quantile(df: np.ndarray | float) -> np.ndarray:
    """97.5 % point of Student's t; nan where there is no degree of freedom."""
    from scipy import stats

    return stats.t.ppf((1 + LEVEL) / 2, np.where(np.asarray(df) > 0, df, np.nan))


def two_sided_p(difference: np.ndarray, se: np.ndarray, df: np.ndarray | float) -> np.ndarray:
    """p-value of no difference by Student's t.

    Where all clusters agree, so that the error is 0, t says nothing: then no difference has p = 1, and any other is
    a sign test that all df + 1 clusters pass.
    """
    from scipy import stats

    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stats.t.sf(np.abs(difference) / se, np.where(np.asarray(df) > 0, df, np.nan))
        agreed = np.where(np.abs(difference) < 1e-12, 1.0, 2.0 ** -np.asarray(df, float))
    return np.where(se == 0, agreed, p)


def wilson(share: np.ndarray, n: np.ndarray, df: np.ndarray | float) -> tuple[np.ndarray, np.ndarray]:
    """Ends of Wilson's interval of a share, with Student's t in place of the normal quantile.

    Parameters
    ----------
    share : from 0 to 1
    n : effective number of independent rows; where it is infinite the interval is the share alone
    df : degrees of freedom of the error that `n` was found from
    """
    from scipy import stats
    from statsmodels.stats.proportion import proportion_confint

    certain = np.isinf(n)
    size = np.where(certain | ~(n > 0), np.nan, n)
    low, high = proportion_confint(share * size, size, 2 * stats.norm.sf(t_quantile(df)), "wilson")
    return np.where(certain, share, low), np.where(certain, share, high)


def effective_size(share: np.ndarray, se: np.ndarray, at_edge: np.ndarray | float) -> np.ndarray:
    """Number of independent rows whose share had the error `se`; `at_edge` for shares of 0 and 1.

    There the error is 0 whatever the size.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        n = share * (1 - share) / se**2
    return np.where((share < EDGE) | (share > 1 - EDGE), at_edge, n)
