"""Empirical Bayes for ranking: estimates drawn towards their mean by as much as they are uncertain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Shrunk:
    """Estimates of many alike quantities after shrinkage.

    Attributes
    ----------
    value, se : posterior means and standard deviations, shape as given; nan where there was no estimate or no error
    mean : of the quantities, the point they were drawn to; nan for fewer than two
    tau2 : variance between the quantities, without the errors of their estimates
    """

    value: np.ndarray
    se: np.ndarray
    mean: float
    tau2: float


def shrink(value: np.ndarray, se: np.ndarray) -> Shrunk:
    """Posterior of normal quantities with normal errors; their variance tau^2 by DerSimonian and Laird (1986).

    An estimate keeps tau^2 / (tau^2 + se^2) of its distance to the mean.  Estimates without error (se = 0) stay as they
    are and take no part in finding the mean and tau^2.
    """
    from statsmodels.stats.meta_analysis import combine_effects

    known = ~np.isnan(value) & (se > 0)
    if known.sum() < 2:
        return Shrunk(np.where(np.isnan(se), np.nan, value), np.where(np.isnan(value), np.nan, se), np.nan, np.nan)
    effect, variance = value[known], se[known] ** 2
    with np.errstate(divide="ignore", invalid="ignore"):  # it goes on with a negative tau^2, which is 0
        tau2 = max(0.0, float(combine_effects(effect, variance, "dl").tau2))
    mean = float(np.average(effect, weights=1 / (variance + tau2)))
    kept = tau2 / (tau2 + np.where(known, se, np.nan) ** 2)
    certain = ~np.isnan(value) & (se == 0)
    drawn = np.where(certain, value, mean + kept * (value - mean))
    return Shrunk(drawn, np.where(certain, 0.0, np.sqrt(kept) * se), mean, tau2)
