"""One row of a forest plot as SVG: an interval in units of the minimal effect, with the band in which it does not matter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

WIDTH, HEIGHT = 260, 18  # pixels
REACH = 5.0  # minimal effects from the middle to the edge


@dataclass(frozen=True)
class Row:
    """Places in pixels; `cut` says that an end lies outside and is drawn at the edge."""

    low: float
    high: float
    point: float
    cut: bool
    band_from: float = 0.0
    band_width: float = 0.0
    middle: float = WIDTH / 2
    width: int = WIDTH
    height: int = HEIGHT


def row_of(verdict: Mapping[str, Any]) -> Row | None:
    """The row of a verdict; None if it has no effect or no minimal effect to measure it by."""
    least = verdict.get("min_effect")
    if not least or verdict.get("effect") is None or verdict.get("low") is None:
        return None
    ends = [verdict[name] / least for name in ("low", "high", "effect")]
    places = [_place(end) for end in ends]
    return Row(*places, cut=any(abs(end) > REACH for end in ends[:2]), band_from=_place(-1), band_width=_place(1) - _place(-1))


def _place(value: float) -> float:
    return round((min(max(value, -REACH), REACH) + REACH) / (2 * REACH) * WIDTH, 1)
