"""Figures of the section on glory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..rules.events import SOURCE_NAMES
from .dots import MARKERS, colour_of
from .drawing import BLACK, BLUE, GREEN, ORANGE, PURPLE, RED, SKY, YELLOW, caption_of, labels_of, new_figure
from .section import NamedFigure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from pandas import DataFrame, Series

    from .source import Source

WORDS = {
    "quest": "quests",
    "ragnarok": "Ragnarök",
    "release": "Valhalla",
    "card": "cards",
    "stat_bonus": "stat bonus",
    "lost": "lost to thieves",
}
COLOURS = {
    "battle": BLUE,
    "pillage": ORANGE,
    "quest": GREEN,
    "ragnarok": RED,
    "release": SKY,
    "card": PURPLE,
    "stat_bonus": "#A6A6A6",
    "stolen": YELLOW,
    "lost": BLACK,
}
PHASE_WORDS = {"quest": "quests", "ragnarok": "Ragnarök"}
MAX_BANDS = 4  # strategies up to which bands can be told apart


def source_figure(frame: DataFrame, source: Source) -> NamedFigure:
    """Stacked bars of the mean glory by source, a bar for each strategy, a panel for each number of players."""
    told = frame[frame["strategy"] != "all"]
    whole = "all" if (told["age"] == "all").any() else "/".join(dict.fromkeys(told["age"]))
    if whole == "all":
        told = told[told["age"] == "all"]
    told = told.groupby(["players", "strategy", "source"], sort=False).sum(numeric_only=True, min_count=1)
    names = {players: list(dict.fromkeys(told.loc[players].index.get_level_values(0))) for players in source.players}
    heights = [0.6 + 0.3 * len(names[players]) for players in source.players]
    figure = new_figure(1.0 + sum(heights))
    panels = figure.subplots(len(heights), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    longest = 0.0
    for axes, players in zip(panels, source.players, strict=True):
        rows = told.loc[players]
        ends = _stack(axes, [[rows["glory"][name, one] for one in SOURCE_NAMES] for name in names[players]], across=True)
        longest = max(longest, *ends)
        for row, name in enumerate(names[players]):
            _write_total(axes, ends[row], row, rows.loc[(name, "all")], whole)
        axes.set_yticks(range(len(ends)), labels_of(names[players]))
        axes.set_ylim(len(ends) - 0.5, -0.5)
        axes.set_title(f"{players} players, n = {source.games(players):,}", fontsize=9)
    panels[0].set_xlim(right=1.2 * max(longest, 1.0))
    panels[-1].set_xlabel("mean glory of a player (points)" + ("" if whole == "all" else f", age {whole}"))
    _legend(figure)
    return NamedFigure(
        "glory_sources",
        "Glory by source and strategy",
        figure,
        "Each bar is the mean glory of a player of the strategy, cut by where it came from; the number at its end is the sum "
        "± half of its 95 % interval. What thieves took counts below zero.",
        caption_of(source, source.players),
    )


def _write_total(axes: Axes, end: float, row: int, total: Series, whole: str) -> None:
    """Write the sum of a bar at its end; of several ages together there is no interval."""
    text = f"{total['glory']:.1f}"
    if "/" not in whole:
        text += f" ± {(total['glory_high'] - total['glory_low']) / 2:.1f}"
    if not np.isnan(total["glory"]):
        axes.annotate(text, (end, row), (4, 0), textcoords="offset points", va="center", fontsize=8)


def _stack(axes: Axes, values: Sequence[Sequence[float]], across: bool) -> np.ndarray:
    """Stack bars of values by bar and source; what is below zero goes to the other side.  Returns where the bars end."""
    heights = np.nan_to_num(np.array(values, float))
    up, down = np.zeros(len(heights)), np.zeros(len(heights))
    at = np.arange(len(heights))
    for place, name in enumerate(SOURCE_NAMES):
        height = heights[:, place]
        if not height.any():
            continue
        base = np.where(height >= 0, up, down)
        style = {"color": COLOURS[name], "edgecolor": "white", "linewidth": 0.4, "label": WORDS.get(name, name)}
        if across:
            axes.barh(at, height, 0.7, left=base, **style)
        else:
            axes.bar(at, height, 0.75, bottom=base, **style)
        up, down = up + np.maximum(height, 0), down + np.minimum(height, 0)
    (axes.axvline if across else axes.axhline)(0, color=BLACK, linewidth=0.8)
    return up


def _legend(figure: Figure) -> None:
    """One legend below all panels."""
    found = {}
    for axes in figure.axes:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    figure.legend(found.values(), found.keys(), loc="outside lower center", ncols=5)


def phase_figure(frame: DataFrame, course: DataFrame, source: Source) -> NamedFigure:
    """Stacked bars of the mean glory by source, a bar for each phase of each age, for all players that are told."""
    figure = new_figure(0.8 + 2.1 * len(source.players))
    panels = figure.subplots(len(source.players), 1, sharex=True, squeeze=False)[:, 0]
    steps = list(dict.fromkeys(zip(course["age"], course["phase"], strict=True)))
    for axes, players in zip(panels, source.players, strict=True):
        rows = frame[frame["players"] == players].set_index(["age", "phase", "source"])["glory"]
        _stack(axes, [[rows.get((*step, name), 0.0) for name in SOURCE_NAMES] for step in steps], across=False)
        mine = course[course["players"] == players]
        sums = mine[mine["strategy"] == mine["strategy"].iloc[0]].set_index(["age", "phase"])
        for place, step in enumerate(steps):
            if step in sums.index:
                value, low, high = (sums.loc[step, f"gained{end}"] for end in ("", "_low", "_high"))
                axes.errorbar([place], [value], [[value - low], [high - value]], color=BLACK, capsize=2, linewidth=1, fmt="_")
        axes.set_ylabel("mean glory (points)")
        axes.set_title(f"{players} players, n = {source.games(players):,}", fontsize=9)
        axes.grid(axis="y")
    panels[-1].set_xticks(range(len(steps)), [f"{age} {PHASE_WORDS.get(phase, phase)}" for age, phase in steps], rotation=40, ha="right", rotation_mode="anchor")
    panels[-1].set_xlabel("age and phase")
    _legend(figure)
    return NamedFigure(
        "glory_phases",
        "Glory by age and phase",
        figure,
        "Each bar is the mean glory that a player gains in that phase; the black mark is the sum with its 95 % interval.",
        caption_of(source, source.players),
    )


def course_figure(frame: DataFrame, source: Source) -> NamedFigure:
    """Lines of the mean glory so far, one for each strategy, with bands of the middle half of the players."""
    names = [name for name in dict.fromkeys(frame["strategy"]) if name != "all"]
    figure = new_figure(0.8 + min(2.5, 8.5 / len(source.players)) * len(source.players))
    panels = figure.subplots(len(source.players), 1, sharex=True, squeeze=False)[:, 0]
    steps = list(dict.fromkeys(zip(frame["age"], frame["phase"], strict=True)))
    for axes, players in zip(panels, source.players, strict=True):
        mine = frame[(frame["players"] == players) & (frame["strategy"] != "all")]
        bands = mine["strategy"].nunique() <= MAX_BANDS
        for number, (name, label) in enumerate(zip(names, labels_of(names), strict=True)):
            rows = mine[mine["strategy"] == name]
            if rows.empty:
                continue
            rows = rows.set_index(["age", "phase"]).reindex(steps)
            at, value = np.arange(len(steps)), rows["so_far"].to_numpy(float)
            colour = colour_of(number, name)
            if bands:
                axes.fill_between(at, rows["so_far_p25"], rows["so_far_p75"], color=colour, alpha=0.13, linewidth=0)
            spread = np.stack([value - rows["so_far_low"], rows["so_far_high"] - value])
            marker = MARKERS[number % len(MARKERS)]
            axes.errorbar(at, value, spread, color=colour, marker=marker, markersize=3.5, linewidth=1.3, capsize=2, label=label)
        axes.set_ylabel("glory so far (points)")
        axes.set_title(f"{players} players, n = {source.games(players):,}", fontsize=9)
        axes.grid(axis="y")
    _legend(figure)
    panels[-1].set_xticks(range(len(steps)), [f"{age} {PHASE_WORDS.get(phase, phase)}" for age, phase in steps], rotation=40, ha="right", rotation_mode="anchor")
    panels[-1].set_xlabel("end of age and phase")
    return NamedFigure(
        "glory_course",
        "Glory over the game",
        figure,
        "Mean glory at the end of each phase, with 95 % intervals that are often smaller than the mark. The bands, drawn for up to "
        f"{MAX_BANDS} strategies, hold the middle half of the players.",
        caption_of(source, source.players),
    )
