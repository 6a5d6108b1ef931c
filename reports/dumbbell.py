"""Observed beside causal value of cards: how far apart they are shows how selection misleads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .drawing import BLUE, GREY, ORANGE, PALE, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame


def dumbbell(frame: DataFrame, players: int) -> Figure:
    """A row by card, the most valuable on top.

    frame : columns name, iwd and effect_share with _low and _high, drafted, pairs
    """
    rows = frame.sort_values("effect_share", ascending=False)
    figure = new_figure(1.25 + 0.19 * len(rows))
    axes = figure.subplots()
    at = np.arange(len(rows))
    axes.hlines(at, rows["iwd"], rows["effect_share"], color=PALE, linewidth=3, zorder=0)
    for name, colour, marker, shift, text in (
        ("iwd", ORANGE, "s", 0.16, "observed: taken less passed, same strategy"),
        ("effect_share", BLUE, "o", -0.16, "causal: the same games with and without the card"),
    ):
        value = rows[name].to_numpy()
        spread = np.abs(np.stack([value - rows[f"{name}_low"], rows[f"{name}_high"] - value]))
        axes.errorbar(value, at + shift, xerr=spread, fmt=marker, color=colour, markersize=4, elinewidth=1, label=text)
    axes.axvline(0, color="black", linewidth=0.8)
    counts = zip(rows["name"], rows["drafted"], rows["pairs"], strict=True)
    axes.set_yticks(at, [f"{name} (n {n:,}; {pairs:,.0f} pairs)" for name, n, pairs in counts], fontsize=7)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlabel(f"difference of win share × {players} (1 = a fair share)", color="black")
    axes.grid(axis="x", color=PALE)
    axes.tick_params(axis="y", color=GREY)
    figure.legend(loc="outside upper center", ncols=1)
    return figure
