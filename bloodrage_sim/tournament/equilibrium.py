"""Symmetric equilibria of the game of choosing a strategy: mixes of the field in which nobody gains by another choice.

NashConv of a mix x is the win share that the best strategy gets against opponents drawn from x, less what x itself
gets.  A mix is accepted as an equilibrium at NashConv <= ACCEPT.  With two players the game has a constant
sum and linear programming solves it; with more, multiplicative weights from random starts, which finds the equilibria
that small changes lead back to.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .design import Design, arrangements_of

ACCEPT = 0.005  # win share
STARTS = 10
STEPS = 3000
REPEATS = 500
REPEAT_STEPS = 600
RATE = 4.0  # per win share
SAME = 0.1  # mixes that differ by less, summed over strategies, are one equilibrium
SUPPORT = 0.01  # least weight that counts as being in the support


@dataclass(frozen=True)
class Game:
    """Win share of every strategy against every mix of opponents.

    Mixes are columns, float64 (strategies, mixes); win shares of entries are (entries, 1) for all mixes, or
    (entries, mixes), each for one.

    Attributes
    ----------
    strategy : int64 (entries,), who, ascending
    opponents : int64 (entries, players - 1), against whom
    ways : float64 (entries,), in how many orders these opponents can be drawn
    strategies : number of strategies
    """

    strategy: np.ndarray
    opponents: np.ndarray
    ways: np.ndarray
    strategies: int

    def fitness(self, mixes: np.ndarray, shares: np.ndarray) -> np.ndarray:
        """float64 (strategies, mixes): win share against opponents drawn from each mix."""
        fitness = np.empty_like(mixes)
        ends = np.searchsorted(self.strategy, np.arange(self.strategies + 1))
        for strategy, (first, stop) in enumerate(pairwise(ends)):  # one after the other, as that fits into the cache
            opponents = self.opponents[first:stop]
            chance = self.ways[first:stop, None] * mixes[opponents[:, 0]]
            for seat in range(1, opponents.shape[1]):
                chance *= mixes[opponents[:, seat]]
            fitness[strategy] = np.einsum("em,em->m", chance, shares[first:stop])
        return fitness

    def nash_conv(self, mixes: np.ndarray, shares: np.ndarray) -> np.ndarray:
        """float64 (mixes,): the most that one player gains by another choice, in win share."""
        fitness = self.fitness(mixes, shares)
        return np.maximum(fitness.max(0) - (fitness * mixes).sum(0), 0.0)  # rounding can give less than 0


def game_of(design: Design) -> tuple[Game, np.ndarray]:
    """The game of a complete field, and the entries of the design in its order."""
    by_strategy = np.argsort(design.entries[1], kind="stable")
    opponents = design.opponents[by_strategy]
    ways = np.array([arrangements_of(row) for row in opponents], float)
    return Game(design.entries[1][by_strategy], opponents, ways, len(design.strategies)), by_strategy


def approach(game: Game, shares: np.ndarray, starts: np.ndarray, steps: int) -> np.ndarray:
    """Mixes (strategies, mixes) that multiplicative weights reach from `starts`.

    Of the last mix and of the mean of the later half, which settles where the mix itself circles, the one with the
    smaller NashConv.
    """
    log_mix = np.log(starts)
    mean = np.zeros_like(starts)
    for step in range(steps):
        mixes = _softmax(log_mix)
        if step >= steps // 2:
            mean += mixes / (steps - steps // 2)
        fitness = game.fitness(mixes, shares)
        rate = RATE / np.sqrt(1 + step / 100)
        log_mix += rate * (fitness - fitness.max(0))
        log_mix = np.maximum(log_mix - log_mix.max(0), -600.0)
    last = _softmax(log_mix)
    better = game.nash_conv(mean, shares) < game.nash_conv(last, shares)
    return np.where(better, mean, last)


def _softmax(log_mix: np.ndarray) -> np.ndarray:
    weights = np.exp(log_mix - log_mix.max(0))
    return weights / weights.sum(0)


def solve_two(game: Game, shares: np.ndarray) -> np.ndarray:
    """The mix that does best against its worst opponent, for two players, whose shares add up to 1.

    shares : (entries,); returns float64 (strategies,)
    """
    from scipy.optimize import linprog

    n = game.strategies
    payoff = np.zeros((n, n))
    payoff[game.strategy, game.opponents[:, 0]] = shares
    # most value v with payoff.T @ x >= v
    found = linprog(
        np.append(np.zeros(n), -1.0),
        A_ub=np.hstack([-payoff.T, np.ones((n, 1))]),
        b_ub=np.zeros(n),
        A_eq=np.append(np.ones(n), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, None)] * n + [(None, None)],
    )
    mix = np.clip(found.x[:n], 0, None)
    return mix / mix.sum()


@dataclass(frozen=True)
class Equilibrium:
    """A mix that starts led to.

    Attributes
    ----------
    weights : float64 (strategies,)
    fitness : float64 (strategies,), win share of each strategy against it
    nash_conv : win share
    starts : how many starts led here
    """

    weights: np.ndarray
    fitness: np.ndarray
    nash_conv: float
    starts: int

    @property
    def accepted(self) -> bool:
        return self.nash_conv <= ACCEPT


@dataclass(frozen=True)
class Equilibria:
    """All that was found, accepted ones first, and the bootstrap of the one that the even mix leads to.

    Attributes
    ----------
    found : by number of starts, descending, accepted ones first
    starts : number of starts
    even : number in `found` of the one that the even mix leads to
    low, high : float64 (strategies,), 95 % bootstrap interval of its weights, nan without
    in_support : float64 (strategies,), share of bootstrap samples with a weight over SUPPORT, nan without
    repeats : bootstrap samples that led to an accepted mix
    all_repeats : bootstrap samples
    """

    found: tuple[Equilibrium, ...]
    starts: int
    even: int
    low: np.ndarray
    high: np.ndarray
    in_support: np.ndarray
    repeats: int
    all_repeats: int


def equilibria_of(design: Design, share: np.ndarray, counts: np.ndarray, seed: int) -> Equilibria:
    """Equilibria of a complete field.

    share : Payoffs.share, (entries, blocks); counts : bootstrap_counts (blocks, repeats); seed : of the starts
    """
    game, entries = game_of(design)
    by_block = share[entries] / design.players
    shares = by_block.mean(1)
    n = game.strategies
    even = np.full((n, 1), 1 / n)
    generator = np.random.default_rng([seed, n])
    starts = np.hstack([even, np.maximum(generator.dirichlet(np.ones(n), STARTS - 1).T, 1e-6)])
    if design.players == 2:
        mixes = solve_two(game, shares)[:, None]
    else:
        mixes = approach(game, shares[:, None], starts / starts.sum(0), STEPS)
    found, number_of_even = gather(game, shares[:, None], mixes)
    blocks, repeats = counts.shape
    unknown = np.full(n, np.nan)
    if blocks < 2:
        return Equilibria(found, mixes.shape[1], number_of_even, unknown, unknown, unknown, 0, 0)
    drawn = by_block @ counts / blocks
    if design.players == 2:
        again = np.array([solve_two(game, one) for one in drawn.T]).T
    else:
        again = approach(game, drawn, np.repeat(even, repeats, 1), REPEAT_STEPS)
    accepted = again[:, game.nash_conv(again, drawn) <= ACCEPT]
    if accepted.size == 0:
        return Equilibria(found, mixes.shape[1], number_of_even, unknown, unknown, unknown, 0, repeats)
    low, high = np.quantile(accepted, [0.025, 0.975], axis=1)
    in_support = (accepted > SUPPORT).mean(1)
    return Equilibria(found, mixes.shape[1], number_of_even, low, high, in_support, accepted.shape[1], repeats)


def gather(game: Game, shares: np.ndarray, mixes: np.ndarray) -> tuple[tuple[Equilibrium, ...], int]:
    """The distinct ones among mixes, each with the smallest NashConv of its kind; and which one mixes[:, 0] is."""
    conv = game.nash_conv(mixes, shares)
    kinds: list[list[int]] = []
    for mix in np.argsort(conv, kind="stable").tolist():
        for kind in kinds:
            if np.abs(mixes[:, mix] - mixes[:, kind[0]]).sum() < SAME:
                kind.append(mix)
                break
        else:
            kinds.append([mix])
    kinds.sort(key=lambda kind: (conv[kind[0]] > ACCEPT, -len(kind), kind[0]))
    fitness = game.fitness(mixes, shares)
    found = tuple(
        Equilibrium(mixes[:, kind[0]], fitness[:, kind[0]], float(conv[kind[0]]), len(kind)) for kind in kinds
    )
    return found, next(number for number, kind in enumerate(kinds) if 0 in kind)
