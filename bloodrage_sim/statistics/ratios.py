"""Ratios of sums over clusters, their differences and their ratios, with cluster-robust errors for all cells at once.

A ratio is named by its two variables, such as ("won", "drafted").  With p = sum a / sum b over G clusters, cluster g
pulls it by u_g = (a_g - p b_g) / sum b, and SE^2 = G / (G - 1) * sum u_g^2.  That is what ordinary least
squares with errors clustered by g gives.  All that is estimated from ratios adds up such pulls, and sums of their squares
follow from the moments.  Rows of a cluster may depend on each other in any way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from .intervals import EDGE, Estimates, effective_size, t_quantile, two_sided_p, wilson
from .moments import Moments

Ratio = tuple[str, str]
_ROUNDING = 1e-12  # a sum of squares below this part of what was added up is 0


def ratio(moments: Moments, of: Ratio, null: np.ndarray | float = np.nan) -> Estimates:
    """sum a / sum b, such as a mean by row, with a t-interval.  p: that it is `null`."""
    value, pulls = _ratio(moments, of)
    clusters = moments.clusters_with(of[1])
    return _estimates(moments, value, pulls, moments.sum_of(of[1]), clusters, null)


def share(moments: Moments, of: Ratio, fair: np.ndarray | float = np.nan) -> Estimates:
    """sum a / sum b that lies between 0 and 1, with Wilson's interval on the effective sample.  p: that it is `fair`.

    A share of 0 or 1 has no spread to tell its error.  There each cluster counts as one row, and `se` is the interval's
    half-width in units of the t quantile, so that weights and sums of errors stay honest.

    fair : between 0 and 1, both excluded; p is nan at nan
    """
    found = ratio(moments, of)
    if np.nanmin(found.value, initial=0) < -EDGE or np.nanmax(found.value, initial=1) > 1 + EDGE:
        raise ValueError(f"{of[0]} / {of[1]} is outside 0 to 1, so it is no share")
    value, df = np.clip(found.value, 0, 1), found.clusters - 1
    n = effective_size(value, found.se, np.where(found.clusters > 1, found.clusters, np.nan))
    low, high = wilson(value, n, df)
    low, high = np.minimum(low, value), np.maximum(high, value)  # but for rounding they are so
    edge = (value < EDGE) | (value > 1 - EDGE)
    se = np.where(edge, (high - low) / 2 / t_quantile(df), found.se)
    # the error that a fair share would have: the p-value is under 5 % just where the interval leaves `fair` out
    p = two_sided_p(value - fair, np.sqrt(fair * (1 - fair) / n), df)
    return replace(found, value=value, se=se, low=low, high=high, p=p)


def contrast(moments: Moments, first: Ratio, second: Ratio) -> Estimates:
    """a/b - c/d with a t-interval, by cluster: what both have in common in a cluster cancels.  p: that it is 0.

    With b = d this is the mean of paired differences a - c.  The clusters that count are those of the smaller group.
    A ratio that is the same in all clusters, such as a win share of 0, adds no error: hide small cells (minimum.py).
    """
    one, pulls = _ratio(moments, first)
    other, minus = _ratio(moments, second)
    pulls += [(name, -factor) for name, factor in minus]
    return _estimates(moments, one - other, pulls, *_smaller(moments, first, second), 0.0)


def within(moments: Moments, strata: Sequence[tuple[Ratio, Ratio]]) -> Estimates:
    """a/b - c/d among rows of one stratum, averaged over strata, with a t-interval, by cluster.  p: that it is 0.

    As least squares of the rows on the group and an effect of each stratum, errors clustered: strata may differ in level,
    and a stratum counts by b d / (b + d), so one that lacks a group does not count.

    strata : by stratum, the ratio of the first and of the second group

    How many clusters the strata share is not known, so `clusters` is that of the stratum with most: no more than there are.
    """
    sums = [[np.nan_to_num(moments.sum_of(name)) for name in (*first, *second)] for first, second in strata]
    clusters = np.max([_smaller(moments, *groups)[1] for groups in strata], axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        weights = np.stack([np.nan_to_num(b * d / (b + d)) for _, b, _, d in sums])
        differences = np.stack([np.nan_to_num(a / b - c / d, posinf=0, neginf=0) for a, b, c, d in sums])
        weight = np.where(weights.sum(0) == 0, np.nan, weights.sum(0))
        value = (weights * differences).sum(0) / weight
        pulls: _Pulls = []
        for (first, second), (a, b, c, d) in zip(strata, sums, strict=True):
            part, level = np.nan_to_num(b / (b + d)), np.nan_to_num((a + c) / (b + d))
            pulls += [(first[0], (1 - part) / weight), (first[1], -(1 - part) * (level + value * (1 - part)) / weight)]
            pulls += [(second[0], -part / weight), (second[1], part * (level - value * part) / weight)]
    both = weights > 0
    rows = [np.where(both, [stratum[group] for stratum in sums], 0).sum(0) for group in (1, 3)]
    return _estimates(moments, value, pulls, np.minimum(*rows), clusters, 0.0)


def quotient(moments: Moments, first: Ratio, second: Ratio) -> Estimates:
    """(a/b) / (c/d) of numbers above 0, with an interval by the delta method on the log scale.  p: that it is 1.

    nan where c is 0; where a is 0 the quotient is 0 and its error unknown.
    """
    one, pulls = _ratio(moments, first)
    other, minus = _ratio(moments, second)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.where(other == 0, np.nan, one / other)
        parts = [(name, factor / one) for name, factor in pulls] + [(name, -factor / other) for name, factor in minus]
        log = _estimates(moments, np.log(value), parts, *_smaller(moments, first, second), 0.0)
    log = log.blank(~(value > 0))
    return replace(log, value=value, se=value * log.se, low=np.exp(log.low), high=np.exp(log.high))


_Pulls = list[tuple[str, np.ndarray]]


def _ratio(moments: Moments, of: Ratio) -> tuple[np.ndarray, _Pulls]:
    """A ratio, and what each variable's value in a cluster pulls it by."""
    above, below = moments.sum_of(of[0]), moments.sum_of(of[1])
    size = np.where(below == 0, np.nan, below)
    value = above / size
    return value, [(of[0], 1 / size), (of[1], -value / size)]


def _smaller(moments: Moments, first: Ratio, second: Ratio) -> tuple[np.ndarray, np.ndarray]:
    """Rows and clusters of the smaller of two groups."""
    rows = np.minimum(moments.sum_of(first[1]), moments.sum_of(second[1]))
    return rows, np.minimum(moments.clusters_with(first[1]), moments.clusters_with(second[1]))


def _estimates(
    moments: Moments,
    value: np.ndarray,
    pulls: Iterable[tuple[str, np.ndarray]],
    rows: np.ndarray,
    clusters: np.ndarray,
    null: np.ndarray | float,
) -> Estimates:
    terms = [(moments.place(name), factor) for name, factor in pulls]
    squares, size = np.zeros((2, *moments.shape))
    for one, factor in terms:
        for other, times in terms:
            term = factor * times * moments.cross[:, one, other].reshape(moments.shape)
            squares += term
            size += np.abs(term)
    squares = np.where(squares < _ROUNDING * size, 0.0, squares)
    # G / (G - 1), unknown for fewer than two clusters
    se = np.sqrt(squares * clusters / np.where(clusters > 1, clusters - 1, np.nan))
    half = t_quantile(clusters - 1) * se
    p = two_sided_p(value - null, se, clusters - 1)
    return Estimates(value, se, value - half, value + half, p, rows, clusters)
