"""Figures of the section on strategies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from .dots import colour_of, draw_rows
from .drawing import BLACK, BLUE, GREY, ORANGE, PALE, SKY, caption_of, labels_of, new_figure
from .glory_counts import LEAST
from .section import NamedFigure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

    from .glory_counts import GloryCounts
    from .source import Source

_BIN = 5  # points of glory in a step of a violin
_HALF = 0.42  # half of the room of a violin


def share_figure(frame: DataFrame, source: Source) -> NamedFigure:
    """Win share of each strategy, one panel for each number of players."""
    told = frame[frame["strategy"] != "all"]
    names = list(dict.fromkeys(told["strategy"]))
    told = told.assign(strategy=told["strategy"].map(dict(zip(names, labels_of(names), strict=True))))
    figure = new_figure(1.1 + 0.3 * max(len(names), 3))
    panels = figure.subplots(1, len(source.players), sharex=True, sharey=True, squeeze=False)[0]
    for axes, players in zip(panels, source.players, strict=True):
        draw_rows(axes, told[told["players"] == players], "strategy", "win_share_x_players")
        axes.axvline(1, color=ORANGE, linewidth=1.4, linestyle="--", zorder=1.5)
        axes.set_title(f"{players} players\nn = {source.games(players):,}", fontsize=9)
        axes.locator_params(axis="x", nbins=8 // len(source.players) + 1)
    panels[0].set_xlim(0, 1.05 * max([1.0, *told["win_share_x_players_high"].dropna()]))
    figure.supxlabel("win share × players (1 = fair)", fontsize=9)
    return NamedFigure(
        "strategies",
        "Win share by strategy",
        figure,
        "The dashed line is a fair share: a strategy right of it wins more than its seats would. Whiskers are 95 % intervals.",
        caption_of(source, source.players),
    )


def glory_figure(counts: GloryCounts, told: Mapping[int, Sequence[tuple[int, str]]], source: Source) -> NamedFigure:
    """Violins of final glory by strategy, one panel below the other for each number of players."""
    strata = {players: [one for one in places if one[1] != "all"] for players, places in told.items()}
    figure = new_figure(sum(0.75 + 0.42 * len(places) for places in strata.values()) + 0.3)
    heights = [0.8 + 0.42 * len(places) for places in strata.values()]
    panels = figure.subplots(len(strata), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    for axes, players in zip(panels, source.players, strict=True):
        _violins(axes, counts, players, strata[players])
        axes.set_title(f"{players} players, n = {source.games(players):,}", fontsize=9)
    panels[-1].set_xlabel("final glory (points)")
    panels[0].legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return NamedFigure(
        "strategies_glory",
        "Final glory by strategy",
        figure,
        "Each shape is as high as players with that glory are many; the dark part are the winners. The dot is the median, the bar "
        "holds the middle half of the players and the thin line nine tenths.",
        caption_of(source, source.players, "quantiles over players, no intervals of means"),
    )


def _violins(axes: Axes, counts: GloryCounts, players: int, strata: Sequence[tuple[int, str]]) -> None:
    found = counts.counts[players]
    binned = found.reshape(*found.shape[:2], -1, _BIN).sum(-1)
    x = LEAST + _BIN * (np.arange(binned.shape[-1]) + 0.5)
    ends = [counts.quantile(players, 0, part) for part in (0.05, 0.25, 0.5, 0.75, 0.95)]
    for row, (place, _) in enumerate(strata):
        height = binned[place] / max(1, binned[place, 0].max()) * _HALF
        some = np.flatnonzero(binned[place, 0])
        inside = slice(some[0], some[-1] + 1)
        labels = ("all players", "winners") if row == 0 else (None, None)
        for group, colour in enumerate((SKY, BLUE)):
            shape = height[group, inside]
            axes.fill_between(x[inside], row - shape, row + shape, step="mid", color=colour, linewidth=0, label=labels[group])
        low, quarter, middle, three, high = (end[place] for end in ends)
        axes.plot([low, high], [row, row], color=BLACK, linewidth=0.9)
        axes.plot([quarter, three], [row, row], color=BLACK, linewidth=3.5, solid_capstyle="butt")
        axes.plot([middle], [row], marker="o", markersize=5, color="white", markeredgecolor=BLACK)
    axes.set_yticks(range(len(strata)), labels_of([name for _, name in strata]))
    axes.set_ylim(len(strata) - 0.5, -0.5)
    axes.grid(axis="x", color=PALE)


def margin_figure(frame: DataFrame, source: Source) -> NamedFigure:
    """How many games end with which margin, one line for each number of players."""
    figure = new_figure(2.7)
    axes = figure.subplots()
    bins = list(dict.fromkeys(frame["margin"]))
    width = 0.8 / len(source.players)
    for number, players in enumerate(source.players):
        rows = frame[frame["players"] == players]
        value, low, high = (100 * rows[f"share_of_games{end}"].to_numpy(float) for end in ("", "_low", "_high"))
        at = np.arange(len(bins)) + (number - (len(source.players) - 1) / 2) * width
        axes.bar(at, value, width, color=colour_of(number, players), label=f"{players} players")
        axes.errorbar(at, value, np.stack([value - low, high - value]), fmt="none", ecolor=GREY, elinewidth=1, capsize=1.5)
    axes.set_xticks(range(len(bins)), [text.replace(" to ", "–").replace(" or more", "+") for text in bins])
    axes.set_xlabel("glory of the winner less that of the second (points)")
    axes.set_ylabel("share of games (%)")
    axes.grid(axis="y")
    if len(source.players) > 1:
        axes.legend()
    return NamedFigure(
        "margins",
        "How close games are",
        figure,
        "Bars on the left are close games. A tie for the first place counts as 0 points.",
        caption_of(source, source.players),
    )
