"""The rules of verdicts, on numbers whose verdict follows from them, and on simulated pools whose truth is known."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from bloodrage_sim.experiments.estimates import Effect, Pooled, effect_of, pooled
from bloodrage_sim.experiments.specificity import by_pool, specific
from bloodrage_sim.experiments.verdicts import (
    INCONCLUSIVE,
    NOT_EXERCISED,
    NOT_TESTABLE,
    REFUTED,
    SUPPORTED,
    PValues,
    Question,
    Verdict,
    decide,
    level_of,
    p_values_of,
    untested,
)

SURE, UNSURE = 1e-6, 0.5


def effect(value: float, se: float = 0.001) -> Effect:
    return Effect(value, se, value - 1.96 * se, value + 1.96 * se)


def verdict(values: list[float], direction: str = "higher", p: PValues | None = None, least: float = 0.02) -> Verdict:
    pools = [effect(value) for value in values]
    found = pooled(pools, [1000] * len(pools))
    question = Question(direction, least)
    return decide(found, pools, p or p_values_of(found, question), question, 0.05)


@pytest.mark.parametrize(
    ("values", "direction", "word", "reason"),
    [
        ([0.03] * 6, "higher", SUPPORTED, ""),
        ([-0.03] * 6, "higher", REFUTED, "harmful"),
        ([-0.03] * 6, "lower", SUPPORTED, ""),
        ([0.03] * 6, "lower", REFUTED, "harmful"),
        ([0.001] * 6, "higher", REFUTED, "negligible"),
        ([0.001] * 6, "none", SUPPORTED, ""),
        ([-0.03] * 6, "none", REFUTED, "there is an effect"),
        # five of six pools are enough, four are not
        ([0.05, 0.05, 0.05, 0.05, 0.05, 0.0001], "higher", SUPPORTED, ""),
        ([0.08, 0.08, 0.08, 0.08, -0.001, -0.001], "higher", INCONCLUSIVE, "pool-dependent"),
        # one pool that is surely on the other side is too many
        ([0.05, 0.05, 0.05, 0.05, 0.05, -0.03], "higher", INCONCLUSIVE, "pool-dependent"),
        # small on average, but not in two of the pools
        ([0.03, -0.03, 0.0, 0.0, 0.03, -0.03], "higher", INCONCLUSIVE, "pool-dependent"),
    ],
)
def test_verdict_of_clear_effects(values: list[float], direction: str, word: str, reason: str) -> None:
    assert verdict(values, direction) == Verdict(word, reason)


def test_unsure_effects_are_imprecise_and_sure_ones_below_the_least_are_small() -> None:
    assert verdict([0.03] * 6, p=PValues(UNSURE, UNSURE)) == Verdict(INCONCLUSIVE, "imprecise")
    assert verdict([0.015] * 6, p=PValues(SURE, UNSURE)) == Verdict(INCONCLUSIVE, "small")


def test_no_effect_at_all_is_negligible() -> None:
    assert verdict([0.0] * 6) == Verdict(REFUTED, "negligible")


@pytest.mark.parametrize(("value", "word"), [(30.0, SUPPORTED), (20.0, REFUTED), (40.0, REFUTED), (36.0, INCONCLUSIVE)])
def test_band(value: float, word: str) -> None:
    found = pooled([effect(value, 1.0)] * 4, [1000] * 4)
    question = Question("in_band", 0.0, (24.0, 36.0))
    assert decide(found, [], p_values_of(found, question), question, 0.05).word == word


def test_what_was_not_exercised_or_too_small() -> None:
    assert untested([1000, 399], 1.0, 1.0) == Verdict(NOT_TESTABLE, "399 blocks in a pool, 400 are needed")
    assert untested([400], 0.049, float("nan")).word == NOT_EXERCISED
    assert untested([400], 1.0, 0.03).word == NOT_EXERCISED
    assert untested([400], 0.05, float("nan")) is None


def test_levels_of_two_looks_add_up_to_one_look() -> None:
    assert level_of(2, 0) + level_of(2, 1) == pytest.approx(level_of(1, 0))


def test_pools_count_alike_and_their_spread_is_told() -> None:
    found = pooled([effect(1.0, 0.3), effect(3.0, 0.4)], [10, 1000])
    assert found.effect.value == 2.0
    assert found.effect.se == pytest.approx(0.25)  # sqrt(0.09 + 0.16) / 2
    # Q = sum w (x - m)^2 with w = 1 / 0.09, 1 / 0.16: m = 1.72, Q = 16; tau^2 = (Q - 1) / (sum w - sum w^2 / sum w)
    assert found.q == pytest.approx(16.0)
    assert found.tau == pytest.approx(np.sqrt(15 / (100 / 9 + 6.25 - (100**2 / 81 + 6.25**2) / (100 / 9 + 6.25))))


def simulated(true: float, blocks: int, pool_sd: float, rng: np.random.Generator) -> str:
    """Word and reason for six pools of a win share whose block values have sd 0.25."""
    pools = [effect_of(rng.normal(true + rng.normal(0, pool_sd), 0.25, blocks)) for _ in range(6)]
    found: Pooled = pooled(pools, [blocks] * 6)
    question = Question("higher", 0.02)
    return str(decide(found, pools, p_values_of(found, question), question, 0.05))


@pytest.mark.parametrize(
    ("true", "expected", "least", "most"),
    [(0.0, "refuted (negligible)", 0.88, 1.0), (0.03, "supported", 0.9, 1.0), (-0.04, "refuted (harmful)", 0.95, 1.0), (0.02, "supported", 0.3, 0.75)],
)
def test_rules_find_the_truth_as_often_as_measured(true: float, expected: str, least: float, most: float) -> None:
    """Of 4,000 blocks a pool, pool sd 0.01: negligible 95 %, supported 97 %, harmful 100 %, supported 53 %."""
    rng = np.random.default_rng(5)
    words = Counter(simulated(true, 4000, 0.01, rng) for _ in range(100))
    assert least <= words[expected] / 100 <= most, words


@pytest.mark.parametrize(
    ("inside", "outside", "direction", "reason"),
    [
        ([0.05] * 4, [[0.02] * 4, [0.01] * 4], "higher", ""),
        ([0.05] * 4, [[0.05] * 4, [0.0499] * 4], "higher", "not specific"),
        ([0.05] * 4, [[0.08] * 4], "higher", "not specific"),  # more of it elsewhere
        ([-0.05] * 4, [[-0.02] * 4], "lower", ""),
        ([-0.05] * 4, [[-0.08] * 4], "lower", "not specific"),
        ([0.05] * 4, [], "higher", "not compared with elsewhere"),
    ],
)
def test_a_claim_about_some_numbers_of_players_asks_for_less_elsewhere(
    inside: list[float], outside: list[list[float]], direction: str, reason: str
) -> None:
    places = [[effect(value) for value in pools] for pools in outside]
    difference = pooled(by_pool([effect(value) for value in inside], places), [1000] * 4) if places else None
    assert specific(difference, direction, 0.05) == Verdict(SUPPORTED, reason)


def test_the_same_noisy_effect_everywhere_is_specific_at_the_level_asked_for() -> None:
    """Of 400 claims whose effect is the same everywhere about 1 in 40 passes: 5 % two-sided, and only one side counts."""
    rng = np.random.default_rng(8)
    passed = 0
    for _ in range(400):
        inside, outside = ([effect_of(rng.normal(0.05, 0.25, 400)) for _ in range(6)] for _ in range(2))
        passed += specific(pooled(by_pool(inside, [outside]), [400] * 6), "higher", 0.05).reason == ""
    assert 2 <= passed <= 20
