"""What the numbers say in place of a claim that they refute, in sentences made from the numbers alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..experiments.report import show, show_level
from ..experiments.verdicts import REFUTED, SUPPORTED
from .outcome import TipOutcome

_SHORT = 30  # characters


def instead(found: TipOutcome) -> str:
    """What seems true in place of a refuted claim; '' for any other claim."""
    if found.verdict != REFUTED:
        return ""
    if found.proof and found.proof["decides"]:
        return str(found.proof["summary"])
    return " ".join(part for part in (_effect(found.main), _elsewhere(found), _best_pool(found)) if part)


def short_name(metric: str) -> str:
    """A metric in a sentence; long ones are told in full elsewhere."""
    return metric if len(metric) <= _SHORT else "the effect"


def _effect(row: Mapping[str, Any]) -> str:
    metric, reason = row["metric"], row["reason"]
    name = short_name(metric)
    span = f"{show(row['low'], metric)} to {show(row['high'], metric)}"
    if reason == "negligible":
        least = show(row["min_effect"], metric)
        return f"It makes no difference that matters: {name} {show(row['effect'], metric)} ({span}), less than {least}."
    if reason == "harmful":
        return f"The opposite: {name} {show(row['effect'], metric)} ({span})."
    if reason in ("too low", "too high"):
        value, low, high = (show_level(row[name], metric) for name in ("effect", "low", "high"))
        return f"The number is {reason}: measured {value} ({low} to {high})."
    return f"Measured {name} {show(row['effect'], metric)} ({span})."


def _elsewhere(found: TipOutcome) -> str:
    places = [f"{row['players']} players, {row['strength']}" for row in (*found.rows, *found.others) if row["verdict"] == SUPPORTED]
    return f"It holds with {'; '.join(places)}." if places else ""


def _best_pool(found: TipOutcome) -> str:
    """The pool in which the claim comes nearest, if it is significantly on the other side there than over all."""
    main = found.main
    pools = [row for row in found.pools if row["players"] == main["players"] and row["strength"] == main["strength"]]
    sign = -1 if main["expected_direction"] == "lower" else 1
    gains = [row for row in pools if sign * (row["low"] if sign > 0 else row["high"]) > 0]
    if not gains or main["reason"] not in ("harmful", "negligible"):
        return ""
    best = max(gains, key=lambda row: sign * row["effect"])
    return f"It goes the way of the claim against {', '.join(row['pool'] for row in gains)}, most {show(best['effect'], main['metric'])}."
