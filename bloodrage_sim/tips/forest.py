"""One row of a forest plot as SVG: an interval in units of what matters, with the band in which it does not, or that a claim names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

WIDTH, HEIGHT = 200, 18  # pixels
REACH = 5.0  # half widths of the band from the middle to the edge
EDGE = 6  # pixels that an arrow takes which says that an interval lies beyond


@dataclass(frozen=True)
class Row:
    """Places in pixels.

    Attributes
    ----------
    low, high, point : of the interval and the effect, at the edge if they are beyond
    beyond : points of an arrow where the effect lies beyond the edge, '' where it does not
    """

    low: float
    high: float
    point: float
    beyond: str
    band_from: float = WIDTH / 2 - WIDTH / (2 * REACH)
    band_width: float = WIDTH / REACH
    middle: float = WIDTH / 2
    width: int = WIDTH
    height: int = HEIGHT


def row_of(verdict: Mapping[str, Any], band: tuple[float, float] | None = None) -> Row | None:
    """The row of a verdict; None if it has no effect or nothing to measure it by.

    band : what the claim says, in units of the effect; None for the minimal effect to either side of none
    """
    least = verdict.get("min_effect") or 0.0
    low, high = band or (-least, least)
    if low == high or verdict.get("effect") is None or verdict.get("low") is None:
        return None
    middle, half = (low + high) / 2, (high - low) / 2
    ends = [(verdict[name] - middle) / half for name in ("low", "high", "effect")]
    return Row(*(_place(end) for end in ends), beyond=_arrow(ends[2]))


def _place(value: float) -> float:
    return round((min(max(value, -REACH), REACH) + REACH) / (2 * REACH) * WIDTH, 1)


def _arrow(value: float) -> str:
    if abs(value) <= REACH:
        return ""
    tip, back = (WIDTH, WIDTH - EDGE) if value > 0 else (0, EDGE)
    return f"{tip},{HEIGHT / 2:g} {back},{HEIGHT / 2 - EDGE:g} {back},{HEIGHT / 2 + EDGE:g}"
