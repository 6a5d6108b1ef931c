"""From rows of games to means with intervals: payoffs by composition, and weighted means of them over the field.

Everything is a mean over blocks.  Block b of all compositions shares a deal, so a mean over compositions is taken
within each block first, and blocks are what an interval counts: one value a block.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

import numpy as np

from ..statistics.intervals import LEVEL, effective_size, t_quantile, two_sided_p, wilson
from .design import Design, arrangements_of


@dataclass(frozen=True)
class Estimates:
    """Means of several quantities, with intervals; every array has the shape of `mean`.

    Attributes
    ----------
    mean, se : mean and standard error over blocks; se is nan for fewer than two blocks
    low, high : ends of the 95 % interval
    """

    mean: np.ndarray
    se: np.ndarray
    low: np.ndarray
    high: np.ndarray


def estimate(values: np.ndarray) -> Estimates:
    """Mean over the last axis, one value for each block, with t-intervals."""
    blocks = values.shape[-1]
    mean = values.mean(-1)
    if blocks < 2:
        unknown = np.full(mean.shape, np.nan)
        return Estimates(mean, unknown, unknown.copy(), unknown.copy())
    se = values.std(-1, ddof=1) / np.sqrt(blocks)
    se = np.where(se < 1e-12, 0.0, se)  # equal values differ by rounding
    half = t_quantile(blocks - 1) * se
    return Estimates(mean, se, mean - half, mean + half)


def estimate_bounded(values: np.ndarray, least: np.ndarray, most: np.ndarray, games: np.ndarray) -> Estimates:
    """Like `estimate`, for values that lie between `least` and `most`: Wilson's interval with Student's t for z.

    The effective sample size is that which gives the standard error over blocks.  At the bounds
    themselves, where there is no spread, it is `games`.  Where the bounds are equal the value is certain.
    """
    found = estimate(values)
    if values.shape[-1] < 2:
        return found
    room = most - least
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.clip((found.mean - least) / room, 0, 1)
        n = effective_size(p, found.se / room, games)
    low, high = least + room * np.array(wilson(p, n, values.shape[-1] - 1))
    certain = room == 0
    return Estimates(
        found.mean, found.se, np.where(certain, found.mean, low), np.where(certain, found.mean, high)
    )


@dataclass(frozen=True)
class Payoffs:
    """What each strategy got in each composition, block by block; an entry is such a pair, see Design.entries.

    Attributes
    ----------
    design : who plays whom
    share : float64 (entries, blocks), win share of one copy times the number of players, 1.0 is fair
    glory, margin : float64 (entries, blocks), mean final glory and margin of a copy
    ranks : float64 (players, entries, blocks), share of each rank, 1 first
    winner_glory : float64 (compositions, blocks), mean glory of the winner
    """

    design: Design
    share: np.ndarray
    glory: np.ndarray
    margin: np.ndarray
    ranks: np.ndarray
    winner_glory: np.ndarray

    @property
    def blocks(self) -> int:
        return int(self.share.shape[1])

    @cached_property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Least and most that `share` of an entry can be; equal where one strategy has all seats."""
        copies = self.design.entries[2]
        most = self.design.players / copies
        return np.where(copies == self.design.players, 1.0, 0.0), most

    def shares_by(self, weights: np.ndarray) -> Estimates:
        """Weighted means of `share`; weights: (..., entries)."""
        least, most = self.bounds
        games = self.blocks * self.design.players / (weights**2).sum(-1)  # as many as of equal weight
        return estimate_bounded(weights @ self.share, weights @ least, weights @ most, games)

    def shares(self) -> Estimates:
        """`share` of every entry."""
        games = np.full(self.design.n_entries, self.blocks * self.design.players)
        return estimate_bounded(self.share, *self.bounds, games)


def payoffs_of(design: Design, rows: np.ndarray) -> Payoffs:
    """Payoffs of SEAT_ROW rows that have every block of every composition."""
    blocks = int(rows["block"].max()) + 1
    composition, strategy, copies = design.entries
    entry_of = np.full((len(design.compositions), len(design.strategies)), -1)
    entry_of[composition, strategy] = np.arange(design.n_entries)
    block = rows["block"].astype(np.int64)
    cell = entry_of[rows["composition"], rows["strategy"]] * blocks + block
    count = (design.players * copies)[:, None]  # rows of an entry in a block: its copies in each rotation

    def mean_of(values: np.ndarray) -> np.ndarray:
        return np.bincount(cell, values, design.n_entries * blocks).reshape(-1, blocks) / count

    share = rows["win_share"].astype(float)
    table = rows["composition"].astype(np.int64) * blocks + block
    best = np.bincount(table, rows["glory"] * share, len(design.compositions) * blocks)
    return Payoffs(
        design,
        share=mean_of(share) * design.players,
        glory=mean_of(rows["glory"]),
        margin=mean_of(rows["margin"]),
        ranks=np.array([mean_of(rows["rank"] == rank) for rank in range(1, design.players + 1)]),
        winner_glory=best.reshape(-1, blocks) / design.players,
    )


def field_weights(design: Design) -> np.ndarray:
    """float64 (strategies, entries): the mean of a strategy over the field.

    In a complete field every opponent is drawn at random from all strategies, the own one included; otherwise every
    table that has the strategy weighs the same.
    """
    n = len(design.strategies)
    weights = np.zeros((n, design.n_entries))
    for entry, strategy in enumerate(design.entries[1]):
        ways = arrangements_of(design.opponents[entry]) if design.complete else 1
        weights[strategy, entry] = ways
    return _normed(weights)


def pair_weights(design: Design) -> np.ndarray:
    """float64 (strategies, strategies, entries): the mean of the first at tables with the second; nan if there is none.

    In a complete field one opponent is the second strategy and the others are drawn at random; otherwise every table
    that has both weighs the same.
    """
    n = len(design.strategies)
    weights = np.zeros((n, n, design.n_entries))
    for entry, strategy in enumerate(design.entries[1]):
        opponents = list(design.opponents[entry])
        for other in set(opponents):
            rest = opponents.copy()
            rest.remove(other)
            weights[strategy, other, entry] = arrangements_of(rest) if design.complete else 1
    return _normed(weights)


def invasion_weights(design: Design) -> np.ndarray:
    """float64 (strategies, strategies, entries): one of the first among others that are all the second; nan if none."""
    n = len(design.strategies)
    weights = np.zeros((n, n, design.n_entries))
    for entry, strategy in enumerate(design.entries[1]):
        opponents = design.opponents[entry]
        if (opponents == opponents[0]).all():
            weights[strategy, opponents[0], entry] = 1
    return _normed(weights)


def _normed(weights: np.ndarray) -> np.ndarray:
    """Weights that add up to 1, nan where there are none."""
    sums = weights.sum(-1, keepdims=True)
    return weights / np.where(sums == 0, np.nan, sums)


@dataclass(frozen=True)
class Differences:
    """Differences of win share x players between strategies, paired by block.

    Attributes
    ----------
    pairs : int64 (pairs, 2)
    estimates : of the first less the second
    p : two-sided p-values of a paired t-test; nan for fewer than two blocks
    p_holm : corrected by Holm for all pairs
    """

    pairs: np.ndarray
    estimates: Estimates
    p: np.ndarray
    p_holm: np.ndarray


def differences_of(payoffs: Payoffs) -> Differences:
    """Differences between all pairs of strategies over the field."""
    from statsmodels.stats.multitest import multipletests

    n, blocks = len(payoffs.design.strategies), payoffs.blocks
    pairs = np.array([(one, other) for one in range(n) for other in range(one + 1, n)])
    values = field_weights(payoffs.design) @ payoffs.share
    found = estimate(values[pairs[:, 0]] - values[pairs[:, 1]])
    if blocks < 2:
        unknown = np.full(len(pairs), np.nan)
        return Differences(pairs, found, unknown, unknown)
    p = two_sided_p(found.mean, found.se, blocks - 1)
    return Differences(pairs, found, p, multipletests(p, 1 - LEVEL, "holm")[1])


@dataclass(frozen=True)
class Cycle:
    """Three strategies of which each does better than the next at tables that have both, the third than the first.

    strategies : their numbers; leads : by how much win share x players; every interval is above 0
    """

    strategies: tuple[int, int, int]
    leads: tuple[float, float, float]


def largest_cycle(payoffs: Payoffs) -> Cycle | None:
    """The cycle whose smallest lead is largest, None if there is none."""
    weights = pair_weights(payoffs.design)
    n = len(weights)
    lead, low = np.zeros((2, n, n))
    for one in range(n):
        found = estimate((weights[one] - weights[:, one]) @ payoffs.share)
        lead[one], low[one] = found.mean, found.low
    best = None
    for one, other, third in permutations(range(n), 3):
        steps = ((one, other), (other, third), (third, one))
        if one == min(one, other, third) and all(low[step] > 0 for step in steps):
            cycle = Cycle((one, other, third), tuple(float(lead[step]) for step in steps))
            if best is None or min(cycle.leads) > min(best.leads):
                best = cycle
    return best


def bootstrap_counts(blocks: int, repeats: int, seed: int) -> np.ndarray:
    """float64 (blocks, repeats): how often each block is in each bootstrap sample."""
    generator = np.random.default_rng([seed, blocks])
    return generator.multinomial(blocks, np.full(blocks, 1 / blocks), repeats).T.astype(float)
