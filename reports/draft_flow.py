"""Pick rates with intervals, and beside them when cards are taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .drawing import BLUE, GREY, PALE, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame


def draft_flow(frame: DataFrame) -> Figure:
    """A row by card of one age, those taken first on top.

    frame : columns name, looks, ata, pick_rate, pick_rate_low, pick_rate_high, left, taken_1, taken_2, ...
    """
    rows = frame.sort_values(["ata", "name"], na_position="last")
    rounds = [name for name in rows if name.startswith("taken_")]
    figure = new_figure(1.15 + 0.19 * len(rows))
    rates, flow = figure.subplots(1, 2, width_ratios=(1, 1.05), sharey=True)

    at = np.arange(len(rows))
    value, low, high = (100 * rows[f"pick_rate{end}"].to_numpy() for end in ("", "_low", "_high"))
    rates.barh(at, value, height=0.7, color=BLUE, alpha=0.75)
    rates.errorbar(
        value, at, xerr=np.abs([value - low, high - value]), fmt="none", ecolor="black", elinewidth=0.9, capsize=1.5
    )
    rates.set_yticks(
        at, [f"{name}  (n {looks:,})" for name, looks in zip(rows["name"], rows["looks"], strict=True)], fontsize=7
    )
    rates.set_xlabel("pick rate per look, %")
    rates.grid(axis="x", color=PALE)
    rates.set_xlim(0, max(1.0, float(np.nanmax(np.append(high, 1))) * 1.04))

    counts = rows[[*rounds, "left"]].to_numpy(float)
    total = counts.sum(1, keepdims=True)
    shares = 100 * counts / np.where(total > 0, total, np.nan)
    image = flow.imshow(shares, aspect="auto", cmap="Blues", vmin=0, vmax=max(50.0, float(np.nanmax(shares, initial=0))))
    for row, column in np.argwhere(shares >= 0.5):
        dark = shares[row, column] > 0.55 * image.norm.vmax
        text = f"{shares[row, column]:.0f}"
        flow.text(column, row, text, ha="center", va="center", fontsize=6.5, color="white" if dark else "black")
    flow.set_xticks(range(len(rounds) + 1), [*(name.removeprefix("taken_") for name in rounds), "left"], fontsize=8)
    flow.axvline(len(rounds) - 0.5, color=GREY, linewidth=1)
    flow.set_xlabel("taken in round, % of copies dealt")
    flow.tick_params(axis="y", length=0, labelleft=False)
    flow.set_ylim(len(rows) - 0.5, -0.5)
    return figure
