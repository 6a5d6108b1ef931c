"""From rows of games to effects of pools: one value a block, so that blocks are what an interval counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..rules.ids import N_AGES
from ..statistics.intervals import t_quantile
from .cells import Cell
from .files import Experiment

_REPEATS = 1000
_Measured = tuple[np.ndarray, np.ndarray]  # what is divided and by what, each (arms, blocks, rotations)


@dataclass(frozen=True)
class Effect:
    """An estimate with its 95 % interval."""

    value: float
    se: float
    low: float
    high: float


@dataclass(frozen=True)
class PoolEffect:
    """What came out in a cell.

    Attributes
    ----------
    cell : the cell
    blocks : blocks played in all arms
    effect : of the deciding metric
    difference : of an experiment with `inside`: the interaction; None without
    also : of the others
    levels : mean of the deciding metric by arm, and of what it is set against
    exposure : share of games that did not go the same way in all arms
    triggered : share of games in which an order cut options or a change was made; nan where no arm has any
    diverged : share of the games whose decisions first differ in each age
    rho : correlation of the first two arms over games, nan where one does not vary
    gain : standard error of arms on deals of their own over that of arms on the same deals; nan for one arm or no difference
    voided : decisions for each game at which a ban would have left nothing
    """

    cell: Cell
    blocks: int
    effect: Effect
    difference: Effect | None
    also: tuple[Effect, ...]
    levels: Mapping[str, float]
    exposure: float
    triggered: float
    diverged: tuple[float, ...]
    rho: float
    gain: float
    voided: float


def effect_of(values: np.ndarray) -> Effect:
    """Mean of one value a block, with a t-interval."""
    n = len(values)
    mean = float(values.mean())
    if n < 2:
        return Effect(mean, np.nan, np.nan, np.nan)
    se = float(values.std(ddof=1) / np.sqrt(n))
    half = float(t_quantile(n - 1)) * se
    return Effect(mean, se, mean - half, mean + half)


def pool_effect(experiment: Experiment, cell: Cell, rows: np.ndarray, blocks: int) -> PoolEffect:
    """The effect in a cell.  rows : of all its arms, by arm, block and rotation."""
    shape = (len(cell.arms), blocks, cell.players)
    weights = np.array([(experiment.inside or experiment.weights).get(name, 0.0) for name in cell.arms])
    all_weights = np.array([experiment.weights[name] for name in cell.arms])
    measured = [
        (rows[f"over_{number}"].astype(float).reshape(shape), rows[f"under_{number}"].astype(float).reshape(shape))
        for number in range(len(experiment.recorded))
    ]
    over, under = measured[0]
    other = measured.pop() if experiment.against is not None else None
    differ, first = _divergence(rows, shape, over)
    return PoolEffect(
        cell=cell,
        blocks=blocks,
        effect=_estimate(experiment, weights, over, under) if other is None else _gap(measured[0], other),
        difference=effect_of(all_weights @ _block_values(over, under)) if experiment.inside else None,
        also=tuple(effect_of(weights @ _block_values(*pair)) for pair in measured[1:]),
        levels=_levels(experiment, cell, (over, under), other),
        exposure=float(differ.mean()) if len(cell.arms) > 1 else 1.0,
        triggered=_triggered(experiment, cell, rows, shape),
        diverged=tuple(float((first == age).mean()) for age in range(N_AGES)),
        rho=_correlation(over[0].ravel(), over[1].ravel()) if len(cell.arms) > 1 else np.nan,
        gain=_gain(weights, _block_values(over, under)),
        voided=float(rows["voided"].mean()),
    )


def _estimate(experiment: Experiment, weights: np.ndarray, over: np.ndarray, under: np.ndarray) -> Effect:
    if experiment.estimator == "changed":
        return effect_of((over[0] != over[1]).mean(-1))
    if experiment.estimator == "quantile":
        return _quantile(over[0], experiment.quantile)
    return effect_of(weights @ _block_values(over, under))


def _gap(measured: _Measured, other: _Measured) -> Effect:
    """A metric in the first arm less what it is set against in the last, which may be the same arm."""
    one, another = (_block_values(*pair) for pair in (measured, other))
    return effect_of(one[0] - another[-1])


def _levels(experiment: Experiment, cell: Cell, measured: _Measured, other: _Measured | None) -> dict[str, float]:
    over, under = (part.sum((1, 2)) for part in measured)
    with np.errstate(divide="ignore", invalid="ignore"):
        levels = dict(zip(cell.arms, (over / under).tolist(), strict=True))
        if experiment.against is not None and other is not None:
            levels[experiment.against.text] = float(other[0][-1].sum() / other[1][-1].sum())
    return levels


def _block_values(over: np.ndarray, under: np.ndarray) -> np.ndarray:
    """Float (arms, blocks) whose means are the metric of each arm.

    Of a ratio it is the part that each block has in it: the ratio, plus how far the block is off it.
    """
    over, under = over.mean(-1), under.mean(-1)
    mean = under.mean(-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = over.mean(-1, keepdims=True) / mean
        return ratio + (over - ratio * under) / mean


def _quantile(values: np.ndarray, share: float) -> Effect:
    """Quantile over games, with a bootstrap over blocks."""
    blocks = len(values)
    draws = np.random.default_rng([blocks, 1]).integers(0, blocks, (_REPEATS, blocks))
    found = np.array([np.quantile(values[drawn], share) for drawn in draws])
    low, high = np.quantile(found, [0.025, 0.975])
    return Effect(float(np.quantile(values, share)), float(found.std(ddof=1)), float(low), float(high))


def _divergence(rows: np.ndarray, shape: tuple[int, ...], over: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Bool (blocks, rotations): whether arms differ in a decision or the metric; and the age in which decisions first do."""
    first = np.full(shape[1:], N_AGES)
    for age in reversed(range(N_AGES)):
        trace = rows[f"trace_{age + 1}"].reshape(shape)
        first[(trace != trace[0]).any(0)] = age
    return (first < N_AGES) | (over != over[0]).any(0), first


def _triggered(experiment: Experiment, cell: Cell, rows: np.ndarray, shape: tuple[int, ...]) -> float:
    arms = [experiment.arms[name] for name in cell.arms]
    if not any(arm.cuts_options or arm.changes_games for arm in arms):
        return float("nan")
    acted = [
        (rows["heeded"].reshape(shape)[number] > 0) & arm.cuts_options | (rows["changes"].reshape(shape)[number] > 0) & arm.changes_games
        for number, arm in enumerate(arms)
    ]
    return float(np.any(acted, axis=0).mean())


def _gain(weights: np.ndarray, blocks: np.ndarray) -> float:
    """See PoolEffect.gain.  blocks : float (arms, blocks)"""
    paired = float((weights @ blocks).var())
    if len(weights) == 1 or paired == 0:
        return float("nan")
    return float(np.sqrt((weights**2 @ blocks.var(axis=1)) / paired))


def _correlation(one: np.ndarray, other: np.ndarray) -> float:
    if one.std() == 0 or other.std() == 0:
        return float("nan")
    return float(np.corrcoef(one, other)[0, 1])


@dataclass(frozen=True)
class Pooled:
    """The mean of pools with equal weights.

    Attributes
    ----------
    effect : their mean; its error is from the errors within the pools
    df : degrees of freedom
    q : Cochran's Q of the pools' effects
    tau : standard deviation between pools beyond chance (DerSimonian and Laird 1986)
    """

    effect: Effect
    df: int
    q: float
    tau: float


def pooled(effects: Sequence[Effect], blocks: Sequence[int]) -> Pooled:
    """The mean of the pools' effects."""
    value = np.array([effect.value for effect in effects])
    se = np.array([effect.se for effect in effects])
    df = sum(blocks) - len(blocks)
    error = float(np.sqrt((se**2).sum()) / len(se))
    half = float(t_quantile(df)) * error
    mean = float(value.mean())
    q, tau = _heterogeneity(value, se)
    return Pooled(Effect(mean, error, mean - half, mean + half), df, q, tau)


def _heterogeneity(value: np.ndarray, se: np.ndarray) -> tuple[float, float]:
    if len(value) < 2 or not (se > 0).all():
        return float("nan"), float(value.std(ddof=1)) if len(value) > 1 else float("nan")
    weight = 1 / se**2
    mean = (weight * value).sum() / weight.sum()
    q = float((weight * (value - mean) ** 2).sum())
    scale = weight.sum() - (weight**2).sum() / weight.sum()
    if scale <= 0:  # one pool is so sure that it alone decides the mean
        return q, float("nan")
    return q, float(np.sqrt(max(0.0, (q - (len(value) - 1)) / scale)))
