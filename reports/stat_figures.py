"""Figures of the section on stats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..rules.ids import N_TRACK_STEPS, STAT_NAMES
from .dots import draw_lines
from .drawing import GREY, caption_of, new_figure
from .section import NamedFigure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from pandas import DataFrame

    from .source import Source


def step_figures(frame: DataFrame, source: Source) -> Iterator[NamedFigure]:
    """How many players reach a step, by age and by strategy; frame: of Stats._steps."""
    for players in source.players:
        rows = frame[frame["players"] == players]
        everyone = rows[rows["strategy"] == rows["strategy"].iloc[0]]
        n = everyone["players_counted"].iloc[0]
        ages = everyone.assign(after_age=[f"after age {age}" for age in everyone["after_age"]])
        yield NamedFigure(
            f"stat_steps_{players}p",
            f"How far stats are raised, {players} players",
            _panels(ages, "step", "reached", "after_age", "reached by, % of players", 100),
            f"Share of players who have reached a step or a higher one after each age, with 95 % intervals; n = {n:,} player-games. "
            f"{_bonus_text(everyone)}",
            caption_of(source, players),
        )
        last = rows[rows["after_age"] == rows["after_age"].max()]
        if last["strategy"].nunique() > 1:
            yield NamedFigure(
                f"stat_steps_by_strategy_{players}p",
                f"How far each strategy raises its stats, {players} players",
                _panels(last, "step", "reached", "strategy", "reached by, % of players", 100),
                "Share of players of a strategy who reach a step or a higher one by the end of age "
                f"{last['after_age'].iloc[0]}, with 95 % intervals; n = {n:,} player-games of all.",
                caption_of(source, players),
            )


def win_figures(frame: DataFrame, source: Source) -> Iterator[NamedFigure]:
    """Win share by final step; frame: of Stats._wins."""
    for players in source.players:
        rows = frame[frame["players"] == players]
        rows = rows[rows["strategy"] == rows["strategy"].iloc[0]]
        figure = _panels(rows, "final_step", "win_share", "strategy", "win share, %", 100)
        for axes in figure.axes:
            axes.axhline(100 / players, color=GREY, linewidth=1, linestyle="--")
        yield NamedFigure(
            f"stat_wins_{players}p",
            f"Win share by final step, {players} players",
            figure,
            f"Win share of players who end on a step, with 95 % intervals; dashed: fair, {100 / players:.0f} %. Observed, not "
            f"caused: who is ahead raises stats more easily. n = {rows['players_counted'].sum() // len(STAT_NAMES):,} player-games.",
            caption_of(source, players),
        )


def _panels(frame: DataFrame, at: str, name: str, group: str, unit: str, factor: float) -> Figure:
    """One panel by stat."""
    figure = new_figure(3.3)
    grid = figure.subplots(1, len(STAT_NAMES), sharey=True)
    for axes, stat in zip(grid, STAT_NAMES, strict=True):
        draw_lines(axes, frame[frame["stat"] == stat], at, name, group, factor)
        _dress(axes, stat)
    grid[0].set_ylabel(unit)
    grid[0].set_ylim(0, None)  # last, since it fixes the upper end for all panels
    if frame[group].nunique() > 1:
        handles, labels = grid[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=len(labels) if sum(map(len, labels)) < 50 else 2, fontsize=8, frameon=False)
    return figure


def _dress(axes: Axes, stat: str) -> None:
    axes.set_title(stat, fontsize=10)
    axes.set_xlabel("step")
    axes.set_xticks(range(1, N_TRACK_STEPS + 1))
    axes.grid(axis="y")


def _bonus_text(rows: DataFrame) -> str:
    """Which steps pay at the end."""
    paid = {step: bonus for step, bonus in zip(rows["step"], rows["end_bonus"], strict=True) if bonus}
    if not paid:
        return "No step pays glory at the end in these rules."
    return "At the end " + ", ".join(f"step {step} pays {bonus}" for step, bonus in sorted(paid.items())) + " glory."
