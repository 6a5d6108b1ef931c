"""Names beside dots of a figure, placed where they cover neither dots nor each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_POINTS = 7.0  # size of the letters
_REACH = (5, 11, 18, 26, 36)  # points from the dot, nearest first
_SIDES = ((1, 0), (-1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1), (0, 1), (0, -1))
_WIDTH, _HEIGHT = 0.56, 1.25  # of a letter, in sizes


def label_dots(axes: Axes, x: np.ndarray, y: np.ndarray, low: np.ndarray, high: np.ndarray, names: Sequence[str]) -> None:
    """Name the dots whose name is not ''.  A name that fits nowhere is left out.

    low, high : ends of the dots' intervals, which names do not cover either

    Call it when everything else is drawn and the limits are set, since places depend on the layout.
    """
    figure = axes.figure.get_figure(root=True)
    assert figure is not None
    figure.draw_without_rendering()
    pixels = figure.dpi / 72
    dots, lows, highs = (axes.transData.transform(np.column_stack([x, ends])) for ends in (y, low, high))
    inside = axes.bbox
    taken = [(px - 3 * pixels, py - 3 * pixels, px + 3 * pixels, py + 3 * pixels) for px, py in dots]
    taken += [(px - pixels, bottom, px + pixels, top) for (px, bottom), (_, top) in zip(lows, highs, strict=True)]
    for (px, py), name, place in zip(dots, names, zip(x, y, strict=True), strict=True):
        if not name or np.isnan(py):
            continue
        width, height = len(name) * _POINTS * _WIDTH * pixels, _POINTS * _HEIGHT * pixels
        for reach, (right, up) in ((reach, side) for reach in _REACH for side in _SIDES):
            left = px + right * reach * pixels - (0 if right > 0 else width if right < 0 else width / 2)
            bottom = py + up * reach * pixels - height / 2
            box = (left, bottom, left + width, bottom + height)
            fits = box[0] >= inside.x0 and box[2] <= inside.x1 and box[1] >= inside.y0 and box[3] <= inside.y1
            if fits and not any(_overlap(box, other) for other in taken):
                taken.append(box)
                side = "left" if right > 0 else "right" if right < 0 else "center"
                axes.annotate(
                    name, place, xytext=(right * reach, up * reach), textcoords="offset points", ha=side, va="center",
                    fontsize=_POINTS, arrowprops={"arrowstyle": "-", "linewidth": 0.4, "color": "#888888", "shrinkB": 2},
                )  # fmt: skip
                break


def _overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
