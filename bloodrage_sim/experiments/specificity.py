"""Whether an effect is there only, or more than elsewhere: what a claim such as 'with 4 or 5 players', or 'against Loki', asks besides it.

Such a claim is supported if the effect is, and if it differs from that outside in the claim's direction; else it is supported,
but not specific.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..statistics.intervals import two_sided_p
from .estimates import Effect, Pooled
from .verdicts import SUPPORTED, Verdict

NOT_SPECIFIC = Verdict(SUPPORTED, "not specific")
NOT_COMPARED = Verdict(SUPPORTED, "not compared with elsewhere")


def mean_of(effects: Sequence[Effect]) -> Effect:
    """Mean of independent effects, with its interval."""
    value = float(np.mean([effect.value for effect in effects]))
    se = float(np.sqrt(sum(effect.se**2 for effect in effects)) / len(effects))
    return Effect(value, se, value - 1.96 * se, value + 1.96 * se)


def less(one: Effect, other: Effect) -> Effect:
    """An effect less an independent one."""
    value, se = one.value - other.value, float(np.hypot(one.se, other.se))
    return Effect(value, se, value - 1.96 * se, value + 1.96 * se)


def by_pool(inside: Sequence[Effect], outside: Sequence[Sequence[Effect]]) -> list[Effect]:
    """Effects less the mean of those outside.  inside : by pool; outside : the same for each place outside"""
    return [less(one, mean_of(others)) for one, *others in zip(inside, *outside, strict=True)]


def specific(difference: Pooled | None, direction: str, level: float) -> Verdict:
    """The verdict of a claim whose effect is supported.

    difference : effect less that outside; None if nothing was played there
    level : what is asked of the p-value
    """
    if difference is None:
        return NOT_COMPARED
    effect, sign = difference.effect, -1.0 if direction == "lower" else 1.0
    is_sure = two_sided_p(np.array(effect.value), np.array(effect.se), difference.df) <= level
    return Verdict(SUPPORTED, "") if is_sure and sign * effect.value > 0 else NOT_SPECIFIC
