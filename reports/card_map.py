"""The card map: how often drafters who see a card end up with it, and what it does for their win share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .drawing import BLUE, GREEN, GREY, ORANGE, PALE, PURPLE, RED, new_figure
from .labelling import label_dots

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from pandas import DataFrame

_KINDS = {"battle": BLUE, "quest": GREEN, "clan": ORANGE, "monster": RED, "figure": PURPLE}
_GODS = {"none": "o", "tyr": "s", "loki": "^", "thor": "D", "odin": "P", "frigga": "v", "heimdall": "X"}
_CORNERS = (  # by side of the median take rate and value
    (0.99, 0.98, "right", "top", "staples: taken, and do well"),
    (0.01, 0.98, "left", "top", "sleepers: passed, but do well"),
    (0.99, 0.02, "right", "bottom", "overdrafted: taken, but do badly"),
    (0.01, 0.02, "left", "bottom", "chaff: passed, and do badly"),
)
_NAMED = 6  # highest and lowest cards of an age that are named even if they are not flagged
LABEL = {"iwd": "win share × {}, taken less passed", "effect_share": "win share × {} that the card causes"}


def card_map(frame: DataFrame, players: int, value: str) -> Figure:
    """A panel for each age.

    frame : a row by card; columns age, name, kind, god, flag, take_rate and the column `value`, with _low and _high
    value : 'iwd' or 'effect_share'
    """
    ages = sorted(frame["age"].unique())
    figure = new_figure(0.6 + 3.1 * len(ages))
    panels = figure.subplots(len(ages), 1, squeeze=False)[:, 0]
    for axes, age in zip(panels, ages, strict=True):
        rows = frame[(frame["age"] == age) & frame[value].notna() & frame["take_rate"].notna()]
        _draw_panel(axes, rows, value)
        axes.set_title(f"Age {age}, n = {len(rows)} cards, {int(rows['drafted'].sum()):,} player-games that drafted one")
        axes.set_ylabel(LABEL[value].format(players), fontsize=8)
    panels[-1].set_xlabel("drafters who saw the card and ended with it, %")
    _draw_legend(figure)
    for axes, age in zip(panels, ages, strict=True):
        rows = frame[(frame["age"] == age) & frame[value].notna() & frame["take_rate"].notna()]
        ends = (rows[f"{value}{end}"].to_numpy() for end in ("", "_low", "_high"))
        label_dots(axes, 100 * rows["take_rate"].to_numpy(), *ends, _named(rows, value))
    return figure


def _draw_panel(axes: Axes, rows: DataFrame, value: str) -> None:
    x, y = 100 * rows["take_rate"].to_numpy(), rows[value].to_numpy()
    spread = np.abs(np.stack([y - rows[f"{value}_low"], rows[f"{value}_high"] - y]))
    axes.errorbar(x, y, spread, fmt="none", ecolor="#AAAAAA", elinewidth=0.8, zorder=1)
    for (kind, god), group in rows.groupby(["kind", "god"]):
        axes.scatter(
            100 * group["take_rate"], group[value], s=26, color=_colour(str(kind)), marker=_GODS.get(str(god), "*"),
            edgecolor="white", linewidth=0.4, zorder=2,
        )  # fmt: skip
    axes.axhline(0, color="black", linewidth=0.8, zorder=0)
    if len(rows):
        axes.axvline(float(np.median(x)), color=GREY, linewidth=0.8, linestyle=":", zorder=0)
        axes.axhline(float(np.median(y)), color=GREY, linewidth=0.8, linestyle=":", zorder=0)
    axes.grid(color=PALE, linewidth=0.4)
    axes.margins(x=0.08, y=0.16)
    for right, up, side, edge, text in _CORNERS:
        axes.text(right, up, text, transform=axes.transAxes, ha=side, va=edge, fontsize=6.5, color=GREY, style="italic")


def _colour(kind: str) -> str:
    return _KINDS.get(kind, _KINDS["figure"])


def _draw_legend(figure: Figure) -> None:
    from matplotlib.lines import Line2D

    kinds = [
        Line2D([], [], marker="o", linestyle="", color=colour, label=_kind_text(kind)) for kind, colour in _KINDS.items()
    ]
    gods = [Line2D([], [], marker=marker, linestyle="", color=GREY, label=_god_text(god)) for god, marker in _GODS.items()]
    figure.legend(
        handles=kinds + gods, loc="outside upper center", ncols=6, fontsize=7.5, handletextpad=0.1, columnspacing=0.9
    )


def _kind_text(kind: str) -> str:
    return "warrior, leader or ship" if kind == "figure" else kind


def _god_text(god: str) -> str:
    return "no god" if god == "none" else god.capitalize()


def _named(rows: DataFrame, value: str) -> list[str]:
    """Names of the cards that are flagged or at the ends of the ranking; '' for the others."""
    rank = rows[value].rank(ascending=False).to_numpy()
    named = (rows["flag"] != 0).to_numpy() | (rank <= _NAMED / 2) | (rank > len(rows) - _NAMED / 2)
    return [name if show else "" for name, show in zip(rows["name"], named, strict=True)]
