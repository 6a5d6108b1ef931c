"""Figures of the section on tempo."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .dots import age_figure
from .drawing import PALETTE, caption_of, new_figure
from .section import NamedFigure

if TYPE_CHECKING:
    from pandas import DataFrame

    from .source import Source


def turn_figures(frame: DataFrame, source: Source) -> Iterator[NamedFigure]:
    """Turns of a player by age and strategy; frame: of Tempo._turns."""
    for players in source.players:
        rows = frame[frame["players"] == players]
        figure = age_figure(rows, "turns", "turns of a player", 3.2)
        yield NamedFigure(
            f"turns_{players}p",
            f"Turns of a player by age, {players} players",
            figure,
            "Mean turns of a player in the action phase of each age, with 95 % intervals. Few turns mean short ages or rage that is "
            f"given up. n = {rows['players_counted'].max():,} player-games of {rows['strategy'].iloc[0]}.",
            caption_of(source, players),
        )


def end_figures(frame: DataFrame, source: Source) -> Iterator[NamedFigure]:
    """Share of ages that end because all is pillaged; frame: of Tempo._ages."""
    for players in source.players:
        rows = frame[frame["players"] == players]
        figure = new_figure(2.6)
        axes = figure.subplots()
        value, low, high = (100 * rows[f"ended_pillaged{suffix}"] for suffix in ("", "_low", "_high"))
        axes.barh(range(len(rows)), value, color=PALETTE[4], height=0.6, label="all pillaged")
        axes.barh(range(len(rows)), 100 - value, left=value, color="#EEEEEE", height=0.6, label="nobody has rage")
        axes.errorbar(
            value, range(len(rows)), xerr=[value - low, high - value], fmt="none", color="black", capsize=3, linewidth=1
        )
        axes.set_yticks(range(len(rows)), [f"age {age}" for age in rows["age"]])
        axes.invert_yaxis()
        axes.set_xlim(0, 100)
        axes.set_xlabel("games, %")
        figure.legend(loc="outside upper center", ncols=2, fontsize=8, frameon=False)
        yield NamedFigure(
            f"age_ends_{players}p",
            f"How ages end, {players} players",
            figure,
            "Share of games in which the action phase ended because every province was pillaged, the others because nobody took "
            f"turns any more, with 95 % intervals. n = {rows['games'].max():,} games.",
            caption_of(source, players),
        )


def length_figures(frame: DataFrame, source: Source) -> Iterator[NamedFigure]:
    """How many turns ages have; frame: of Tempo._lengths."""
    for players in source.players:
        rows = frame[(frame["players"] == players) & frame["share_of_games"].notna()]
        figure = new_figure(3.2)
        axes = figure.subplots()
        for number, age in enumerate(dict.fromkeys(rows["age"])):
            mine = rows[rows["age"] == age]
            met = mine.loc[mine["share_of_games"] > 0, "turns"]
            mine = mine[mine["turns"].between(met.min(), met.max())]
            value, low, high = (100 * mine[f"share_of_games{suffix}"] for suffix in ("", "_low", "_high"))
            axes.step(mine["turns"], value, where="mid", color=PALETTE[number], linewidth=1.5, linestyle=("-", "--", ":")[number % 3],
                      label=f"age {age}")  # fmt: skip
            axes.fill_between(mine["turns"], low, high, step="mid", color=PALETTE[number], alpha=0.25, linewidth=0)
        seen = rows[rows["share_of_games"] > 0]["turns"]
        if len(seen):
            axes.set_xlim(seen.min() - 1, seen.max() + 1)
            axes.legend(fontsize=8, frameon=False)
        axes.set_ylim(0, None)
        axes.set_xlabel("turns of all players in the age")
        axes.set_ylabel("games, %")
        yield NamedFigure(
            f"age_lengths_{players}p",
            f"How long ages are, {players} players",
            figure,
            "Share of games in which an age had so many turns of all players together; the bands are 95 % intervals. "
            f"n = {rows['games'].max() if len(rows) else 0:,} games.",
            caption_of(source, players),
        )
