"""Statistics on made-up games whose truth is known: how often intervals hold it, how often flags are false.

Repetitions are cells, so all are worked out at once.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from bloodrage_sim.statistics.comparing import compare_paired, compare_unpaired, names_of_both
from bloodrage_sim.statistics.moments import Moments
from bloodrage_sim.statistics.multiple import flag
from bloodrage_sim.statistics.ratios import contrast, quotient, ratio, share
from bloodrage_sim.statistics.shrinkage import shrink

REPEATS, GAMES, SEATS = 2000, 100, 4
HOLDERS, OTHERS = ("y held", "held"), ("y other", "other")


def covers(found, truth):
    """Share of the intervals that hold the truth; 93 to 97 % are four standard deviations about 95 %."""
    return np.mean((found.low <= truth) & (truth <= found.high))


def held_and_not(y, held):
    """Moments of y of holders and others; y, held: (games, repeats, seats)."""
    moments = Moments.empty(("y held", "held", "y other", "other"), (y.shape[1],))
    moments.add(np.stack([(y * held).sum(-1), held.sum(-1), (y * ~held).sum(-1), (~held).sum(-1)], -1))
    return moments


@pytest.fixture(scope="module")
def games():
    """Glory of seats, whose games have a level each, and who holds a card that does nothing: (games, repeats, seats)."""
    generator = np.random.default_rng(1)
    shape = (GAMES, REPEATS, 5)
    glory = 100 + 10 * generator.standard_normal(shape[:2])[..., None] + 10 * generator.standard_normal(shape)
    return glory, generator.random(shape) < 0.5


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_win_shares_of_winners_who_exclude_each_other(games, seats):
    glory, held = (values[..., :seats] for values in games)
    won, fair = glory == glory.max(-1, keepdims=True), 1 / seats
    moments = held_and_not(won, held)
    holders = share(moments, HOLDERS, fair=fair)
    assert 0.93 <= covers(holders, fair) <= 0.97
    assert ((holders.p < 0.05) == ((fair < holders.low) | (holders.high < fair))).all()  # test and interval agree
    assert 0.93 <= covers(contrast(moments, HOLDERS, OTHERS), 0) <= 0.97
    # rows taken as independent give intervals that are too wide
    wide = 1.96 * np.sqrt(holders.value * (1 - holders.value) / holders.rows)
    assert np.mean(np.abs(holders.value - fair) <= wide) > 0.98


def test_glory_in_games_that_share_a_level(games):
    glory, held = games
    moments = held_and_not(glory, held)
    holders = ratio(moments, HOLDERS, null=100)
    assert 0.93 <= covers(holders, 100) <= 0.97 and 0.03 <= np.mean(holders.p < 0.05) <= 0.07
    assert 0.93 <= covers(contrast(moments, HOLDERS, OTHERS), 0) <= 0.97
    # rows taken as independent give intervals that are too narrow
    assert np.mean(np.abs(holders.value - 100) <= 1.96 * np.sqrt(200 / holders.rows)) < 0.9


def test_ratios_of_ratios(games):
    glory, held = games
    found = quotient(held_and_not(np.where(held, 1.2, 1.0) * glory, held), HOLDERS, OTHERS)
    assert 0.93 <= covers(found, 1.2) <= 0.97


@pytest.mark.parametrize("strength", [-3.0, 0.0, 1.5])
def test_win_shares_in_deals_that_suit_a_strategy_or_not(strength):
    """One strategy with three of another, 60 deals of four games; its strength in a deal is normal about `strength`."""
    generator = np.random.default_rng(2)
    level = strength + generator.standard_normal((60, REPEATS))
    won = generator.binomial(SEATS, 1 / (1 + 3 * np.exp(-level)))
    points, weights = np.polynomial.hermite_e.hermegauss(60)
    truth = weights @ (1 / (1 + 3 * np.exp(-strength - points))) / weights.sum()
    moments = Moments.empty(("won", "games"), (REPEATS,))
    moments.add(np.stack([won, np.full_like(won, SEATS)], -1).astype(float))
    assert 0.93 <= covers(share(moments, ("won", "games")), truth) <= 0.97


def test_rare_wins_of_the_same_deals():
    """At 0 wins, which is every sixth repetition here, an interval still has a width that covers."""
    won = np.random.default_rng(3).random((90, REPEATS)) < 0.02
    moments = Moments.empty(("won", "games"), (REPEATS,))
    moments.add(np.stack([won, np.ones_like(won)], -1).astype(float))
    found = share(moments, ("won", "games"))
    assert 0.1 < np.mean(found.value == 0) < 0.25 and found.high[found.value == 0].min() > 0.02
    assert 0.93 <= covers(found, 0.02) <= 0.985  # a count of so few is coarse


def test_two_runs_paired_and_not(games):
    """The second run plays the same deals with the same level, and all get 3 glory more."""
    glory, held = games
    generator = np.random.default_rng(4)
    level = glory.mean(-1, keepdims=True)
    runs = [level + 10 * generator.standard_normal(glory.shape) for _ in range(2)]
    runs[1] += 3
    sums = [np.stack([(run * held).sum(-1), held.sum(-1)], -1) for run in runs]
    both = Moments.empty(names_of_both(("glory", "rows")), (REPEATS,))
    both.add(np.concatenate(sums, -1))
    paired = compare_paired(both, ("glory", "rows")).difference
    assert 0.93 <= covers(paired, 3) <= 0.97
    estimates = []
    for at, (glory_sum, rows) in enumerate(np.moveaxis(one, -1, 0) for one in sums):
        moments = Moments.empty(("glory", "rows"), (REPEATS,))
        moments.add(np.roll(np.stack([glory_sum, rows], -1), at, axis=1))  # of another repetition: no deal in common
        estimates.append(ratio(moments, ("glory", "rows")))
    unpaired = compare_unpaired(*estimates).difference
    assert 0.93 <= covers(unpaired, 3) <= 0.97
    assert np.mean(paired.se) < 0.8 * np.mean(unpaired.se)


def deck_games(runs, bonus, seed):
    """Contrasts of 25 cards, (runs, cards): win share of holders less that of others; there are two copies of each.

    A copy of card 0 adds `bonus` to the strength of its holder; the others do nothing.  Card 0 falls on any seat, the
    others are dealt out evenly: what is in one hand is not in another, and one winner takes all, so the tests of a run
    hang together in both directions.
    """
    generator = np.random.default_rng(seed)
    dealt, copies, games = 24, 2, 50
    moments = Moments.empty(("y held", "held", "y other", "other"), (runs, 1 + dealt))
    even = np.broadcast_to(np.arange(dealt * copies, dtype=np.int8) % SEATS, (games, runs, dealt * copies))
    for _ in range(4):
        free = generator.integers(0, SEATS, (games, runs, copies), np.int8)
        seat_of = np.concatenate([free, generator.permuted(even, axis=-1)], -1)
        copies_held = (seat_of.reshape(games, runs, 1 + dealt, copies)[..., None] == np.arange(SEATS)).sum(-2)
        winner = (bonus * copies_held[:, :, 0] + generator.gumbel(size=(games, runs, SEATS))).argmax(-1)
        held = copies_held > 0
        number = held.sum(-1)
        won = np.take_along_axis(held, winner[:, :, None, None], -1)[..., 0]
        moments.add(np.stack([won, number, ~won, SEATS - number], -1).astype(float))
    return contrast(moments, HOLDERS, OTHERS)


def flags_of(found):
    """Flags of each run; the minimal effect of 0.08 / seats is half an error here, so they hang on the test alone."""
    return [flag(effect, p, 0.08 / SEATS) for effect, p in zip(found.value, found.p, strict=True)]


def test_placebo_cards_are_rarely_flagged():
    runs = 1000
    found = deck_games(runs, 0.0, 5)
    assert 0.93 <= covers(found, 0) <= 0.97
    flags = flags_of(found)
    false = sum((one.sign != 0).any() for one in flags)
    assert stats.binomtest(false, runs, 0.05, "greater").pvalue > 0.01  # 5 % but for the luck of these runs
    assert sum(one.robust.any() for one in flags) <= 0.05 * runs


def test_a_planted_card_is_found_and_few_flags_beside_it_are_false():
    runs = 300
    flags = flags_of(deck_games(runs, 0.8, 6))
    assert sum(one.sign[0] == 1 for one in flags) >= 0.95 * runs
    false = [np.count_nonzero(one.sign[1:]) / max(1, np.count_nonzero(one.sign)) for one in flags]
    assert np.mean(false) < 0.05 + 3 * np.std(false) / np.sqrt(runs)


def test_shrinkage_is_nearer_the_truth_and_covers():
    """Normal quantities about 10 with variance 4, measured with errors of 1 to 4."""
    generator = np.random.default_rng(7)
    truth = generator.normal(10, 2, REPEATS)
    se = generator.uniform(1, 4, REPEATS)
    measured = truth + se * generator.standard_normal(REPEATS)
    found = shrink(measured, se)
    assert found.tau2 == pytest.approx(4, rel=0.15) and found.mean == pytest.approx(10, abs=0.25)
    assert np.mean((found.value - truth) ** 2) < 0.5 * np.mean((measured - truth) ** 2)
    assert 0.93 <= np.mean(np.abs(found.value - truth) <= 1.96 * found.se) <= 0.97
