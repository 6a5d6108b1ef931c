"""Estimates as dots with their intervals: one row by label, or one line of dots by group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .drawing import GREY, PALE, PALETTE, labels_of, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from pandas import DataFrame

MARKERS = ("o", "s", "^", "D", "v", "P")  # so that groups are told apart without colours too


def draw_lines(axes: Axes, frame: DataFrame, at: str, name: str, group: str, factor: float = 1) -> None:
    """Dots with intervals joined by lines, one line by value of `group`, drawn a little beside each other.

    Parameters
    ----------
    frame : columns `at`, `group`, `name`, NAME_low, NAME_high
    at : column of the x values, whole numbers
    name : column of the estimate; factor : what it is multiplied with
    """
    groups = list(dict.fromkeys(frame[group]))
    for number, (one, shown) in enumerate(zip(groups, _labels(groups, group), strict=True)):
        rows = frame[frame[group] == one]
        x = rows[at].to_numpy(float) + shift_of(number, len(groups))
        value, low, high = (rows[column].to_numpy(float) * factor for column in (name, f"{name}_low", f"{name}_high"))
        axes.errorbar(
            x, value, np.stack([value - low, high - value]), color=colour_of(number, one), marker=MARKERS[number % len(MARKERS)],
            markersize=4, linewidth=1, capsize=2, label=shown,
        )  # fmt: skip


def age_figure(rows: DataFrame, name: str, unit: str, height: float, factor: float = 1) -> Figure:
    """A figure with draw_lines by the column age, one line by strategy; unit: what the y axis says."""
    figure = new_figure(height)
    axes = figure.subplots()
    draw_lines(axes, rows, "age", name, "strategy", factor)
    axes.set_xticks(sorted(set(rows["age"])))
    axes.set_xlabel("age")
    axes.set_ylabel(unit)
    axes.grid(axis="y")
    if rows["strategy"].nunique() > 1:
        figure.legend(loc="outside right upper", fontsize=8, frameon=False)
    return figure


def draw_rows(axes: Axes, frame: DataFrame, label: str, name: str, group: str = "", factor: float = 1) -> None:
    """Dots with intervals on one row by value of `label`, the first on top; groups below each other within a row.

    frame, name, factor : as in draw_lines
    """
    labels = list(dict.fromkeys(frame[label]))
    groups = list(dict.fromkeys(frame[group])) if group else [""]
    for number, (one, shown) in enumerate(zip(groups, _labels(groups, group), strict=True)):
        rows = frame[frame[group] == one] if group else frame
        y = np.array([labels.index(text) for text in rows[label]]) + shift_of(
            number, len(groups), min(0.7, 0.17 * (len(groups) - 1))
        )
        value, low, high = (rows[column].to_numpy(float) * factor for column in (name, f"{name}_low", f"{name}_high"))
        axes.errorbar(
            value, y, xerr=np.stack([value - low, high - value]), color=colour_of(number, one), fmt=MARKERS[number % len(MARKERS)],
            markersize=4, linewidth=1, capsize=2, label=shown,
        )  # fmt: skip
    axes.set_yticks(range(len(labels)), _labels(labels, label))
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.grid(axis="x", color=PALE)
    axes.set_axisbelow(True)


def _labels(values: list[Any], column: str) -> list[str]:
    """Texts of the values of a column; strategies are shortened."""
    return labels_of(values) if column == "strategy" else [str(value) for value in values]


def colour_of(number: int, group: object) -> str:
    """Colour of a group by its number; everyone together is grey."""
    return GREY if group == "all" else PALETTE[number % len(PALETTE)]


def shift_of(number: int, groups: int, room: float = 0.3) -> float:
    """How far group `number` of `groups` is drawn from its place, in units of the axis; all together take `room`."""
    return 0.0 if groups == 1 else (number / (groups - 1) - 0.5) * room
