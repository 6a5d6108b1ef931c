"""Plackett-Luce strengths: one number for each strategy, from the full rankings of all games.

In a game the first place goes to a player with probability proportional to exp(strength), the second likewise among
the others, and so on.  The fit is iterative Luce spectral ranking (Maystre and Grossglauser 2015) as in
choix.ilsr_rankings, on counts of rankings instead of a list of them, which makes a bootstrap affordable.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, permutations, product
from math import factorial
from typing import Any

import numpy as np

ALPHA = 0.01  # transition rate added between all pairs, so that a strategy that never lost has a finite strength
ELO = 400 / np.log(10)  # Elo points for each unit of strength
REPEATS = 200
_MAX_STEPS = 200


@dataclass(frozen=True)
class Strengths:
    """Strengths by strategy, their mean 0, with a bootstrap interval over blocks (nan for fewer than two blocks)."""

    strength: np.ndarray
    low: np.ndarray
    high: np.ndarray
    repeats: int


@dataclass(frozen=True)
class Rankings:
    """Distinct rankings, and how often each came in each block.

    Attributes
    ----------
    order : int64 (rankings, players), strategies from first to last; one may stand there several times
    counts : scipy.sparse array (rankings, blocks); games with ties count as fractions of all their orders
    """

    order: np.ndarray
    counts: Any


def rankings_of(rows: np.ndarray, players: int) -> Rankings:
    """Rankings of SEAT_ROW rows in the order of games."""
    from scipy import sparse

    strategy = rows["strategy"].reshape(-1, players).astype(np.int64)
    rank = rows["rank"].reshape(-1, players).astype(np.int64)
    block = rows["block"].reshape(-1, players)[:, 0].astype(np.int64)
    places = np.argsort(rank * (strategy.max() + 1) + strategy, axis=1)  # ties in the order of strategies
    seen = np.hstack([np.take_along_axis(strategy, places, 1), np.take_along_axis(rank, places, 1)])
    distinct, which = np.unique(seen, axis=0, return_inverse=True)
    n_blocks = int(block.max()) + 1
    count = sparse.coo_array((np.ones(len(block)), (which.ravel(), block)), shape=(len(distinct), n_blocks)).tocsr()
    orders, sources, parts = [], [], []
    for source, row in enumerate(distinct):
        for order, part in _untied(row[:players].tolist(), row[players:].tolist()):
            orders.append(order)
            sources.append(source)
            parts.append(part)
    return Rankings(np.array(orders, np.int64), sparse.diags_array(np.array(parts)) @ count[sources])


def _untied(strategies: list[int], ranks: list[int]) -> Iterator[tuple[list[int], float]]:
    """Every order of a game whose players of equal rank may stand in any order, with its share of the game."""
    by_rank = groupby(zip(ranks, strategies, strict=True), lambda pair: pair[0])
    tied = [[strategy for _, strategy in group] for _, group in by_rank]
    ways = 1
    for group in tied:
        ways *= factorial(len(group))
    for choice in product(*(permutations(group) for group in tied)):
        yield [strategy for group in choice for strategy in group], 1 / ways


def fit(
    order: np.ndarray, count: np.ndarray, strategies: int, start: np.ndarray | None = None, tolerance: float = 1e-8
) -> np.ndarray:
    """Strengths float64 (strategies,), their mean 0, that make the rankings most likely.

    order : int64 (rankings, players); count : float64 (rankings,), how often each came
    """
    from choix.utils import exp_transform, log_transform, statdist

    stages = [(place, later) for place in range(order.shape[1]) for later in range(place + 1, order.shape[1])]
    moves = np.array([order[:, later] * strategies + order[:, place] for place, later in stages])
    places = np.array([place for place, _ in stages])
    strength = np.zeros(strategies) if start is None else start
    for _ in range(_MAX_STEPS):
        weight = exp_transform(strength)
        left = np.cumsum(weight[order][:, ::-1], axis=1)[:, ::-1]  # weight of all who are not placed before this place
        rate = (count[:, None] / left).T[places]
        chain = ALPHA + np.bincount(moves.ravel(), rate.ravel(), strategies**2).reshape(strategies, strategies)
        np.fill_diagonal(chain, 0)
        chain -= np.diag(chain.sum(axis=1))
        before, strength = strength, log_transform(statdist(chain))
        if np.abs(strength - before).sum() < tolerance * strategies:
            break
    return strength


def strengths_of(rows: np.ndarray, players: int, strategies: int, counts: np.ndarray) -> Strengths:
    """Strengths from SEAT_ROW rows; counts: bootstrap_counts (blocks, repeats)."""
    rankings = rankings_of(rows, players)
    best = fit(rankings.order, np.asarray(rankings.counts.sum(axis=1)).ravel(), strategies)
    if counts.shape[0] < 2:
        unknown = np.full(strategies, np.nan)
        return Strengths(best, unknown, unknown.copy(), 0)
    drawn = rankings.counts @ counts
    found = [fit(rankings.order, drawn[:, nth], strategies, best, 1e-4) for nth in range(counts.shape[1])]
    low, high = np.quantile(found, [0.025, 0.975], axis=0)
    return Strengths(best, np.minimum(low, best), np.maximum(high, best), counts.shape[1])
