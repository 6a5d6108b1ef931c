"""Verdicts, by rules that were fixed before the run.

At a look the p-values of all tests of the run are corrected together (Benjamini and Hochberg); 0.01 and then 0.04 is asked of the
corrected ones where two looks are planned, 0.05 where there is one.

    not testable   no operational rule, fewer than 400 blocks in a pool, or a focal strategy that plays too badly, see gate.py
    not exercised  less than 5 % of the games differed between the arms, or the treatment acted in less than 5 % of them
    supported      an effect: it differs from 0, is the minimal effect or more, has its sign in four fifths of the pools (5 of 6), and no pool's interval lies
                   wholly on the other side of 0
    refuted        harmful: such an effect the other way; negligible: smaller than the minimal effect, in as many pools too
    inconclusive   pool-dependent: only the rule on pools fails; small: differs from 0, but is under the minimal effect; else imprecise

A claim that something is so with some numbers of players, or against some opponents, is supported, not specific, unless there is surely less of
the effect with the others.  Of a claim that there is no effect a negligible one is support.  A number that is compared with a band is in it, or outside, by one-sided
tests against its ends.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..statistics.intervals import two_sided_p
from .estimates import Effect, Pooled

SUPPORTED = "supported"
REFUTED = "refuted"
INCONCLUSIVE = "inconclusive"
NOT_EXERCISED = "not exercised"
NOT_TESTABLE = "not testable"
VERDICTS = (SUPPORTED, REFUTED, INCONCLUSIVE, NOT_EXERCISED, NOT_TESTABLE)

ONE_LOOK = (0.05,)
TWO_LOOKS = (0.01, 0.04)
LEAST_EXPOSURE = 0.05
LEAST_BLOCKS = 400
AGREEING = 0.8  # of the pools


@dataclass(frozen=True)
class Verdict:
    """A word of VERDICTS and why."""

    word: str
    reason: str

    def __str__(self) -> str:
        return f"{self.word} ({self.reason})" if self.reason else self.word


@dataclass(frozen=True)
class Question:
    """What decides a verdict besides the numbers.

    Attributes
    ----------
    direction : higher, lower, none or in_band
    min_effect : least effect that matters
    band : in units of the effect, for in_band
    """

    direction: str
    min_effect: float
    band: tuple[float, float] | None = None


@dataclass(frozen=True)
class PValues:
    """p-values of a question: that there is an effect, two-sided, and that it is smaller than the minimal one (or in the band)."""

    effect: float
    equal: float


def p_values_of(found: Pooled, question: Question) -> PValues:
    """p-values before correction."""
    low, high = question.band or (-question.min_effect, question.min_effect)
    below, above = _one_sided(found, low), _one_sided(found, high)
    equal = max(1 - below, above)
    if question.direction == "in_band":
        return PValues(min(1.0, 2 * min(below, 1 - above)), equal)
    return PValues(float(two_sided_p(np.array(found.effect.value), np.array(found.effect.se), found.df)), equal)


def _one_sided(found: Pooled, bound: float) -> float:
    """p-value of a true effect of `bound` or more: small if the effect lies below."""
    from scipy import stats

    distance = found.effect.value - bound
    if found.effect.se == 0 or math.isnan(found.effect.se):
        return 0.0 if distance < 0 else 1.0
    return float(stats.t.cdf(distance / found.effect.se, found.df))


def level_of(looks: int, look: int) -> float:
    """What is asked of a corrected p-value at a look, numbered from 0."""
    return (ONE_LOOK if looks == 1 else TWO_LOOKS)[look]


def untested(blocks: Sequence[int], exposure: float, triggered: float) -> Verdict | None:
    """The verdict of a test that says nothing, None for one that counts."""
    if min(blocks) < LEAST_BLOCKS:
        return Verdict(NOT_TESTABLE, f"{min(blocks)} blocks in a pool, {LEAST_BLOCKS} are needed")
    if exposure < LEAST_EXPOSURE:
        return Verdict(NOT_EXERCISED, f"the arms differ in {100 * exposure:.1f} % of the games")
    if triggered < LEAST_EXPOSURE:
        return Verdict(NOT_EXERCISED, f"the treatment acted in {100 * triggered:.1f} % of the games")
    return None


def decide(found: Pooled, pools: Sequence[Effect], corrected: PValues, question: Question, level: float) -> Verdict:
    """The verdict of a test that counts.

    pools : effects of the pools; corrected : p-values corrected for all tests of the run
    """
    if question.direction == "in_band":
        return _decide_band(found, corrected, question, level)
    sign = -1.0 if question.direction == "lower" else 1.0
    value, least = sign * found.effect.value, question.min_effect
    is_sure, is_equal = corrected.effect <= level, corrected.equal <= level
    if is_sure and abs(value) >= least and value != 0:
        way = sign * math.copysign(1, value)
        against = [number for number, pool in enumerate(pools) if _upper(pool, way) < 0]
        if _enough(sum(way * pool.value > 0 for pool in pools), len(pools)) and not against:
            if question.direction == "none":
                return Verdict(REFUTED, "there is an effect")
            return Verdict(SUPPORTED, "") if value > 0 else Verdict(REFUTED, "harmful")
        return Verdict(INCONCLUSIVE, "pool-dependent")
    if is_equal:
        if _enough(sum(abs(pool.value) < least for pool in pools), len(pools)):
            return Verdict(SUPPORTED, "") if question.direction == "none" else Verdict(REFUTED, "negligible")
        return Verdict(INCONCLUSIVE, "pool-dependent")
    return Verdict(INCONCLUSIVE, "small" if is_sure else "imprecise")


def _upper(pool: Effect, way: float) -> float:
    """The end of a pool's interval that lies furthest in the direction `way`, measured that way."""
    return pool.high if way > 0 else -pool.low


def _enough(pools: int, all_: int) -> bool:
    return pools >= math.ceil(AGREEING * all_ - 1e-9)


def _decide_band(found: Pooled, corrected: PValues, question: Question, level: float) -> Verdict:
    assert question.band is not None
    low, high = question.band
    if corrected.equal <= level:
        return Verdict(SUPPORTED, "")
    if corrected.effect <= level and not low <= found.effect.value <= high:
        return Verdict(REFUTED, "too low" if found.effect.value < low else "too high")
    return Verdict(INCONCLUSIVE, "imprecise")
