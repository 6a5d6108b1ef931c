"""Figures of the section on battles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .dots import age_figure, draw_rows
from .drawing import GREY, caption_of, new_figure
from .section import NamedFigure

if TYPE_CHECKING:
    from pandas import DataFrame

    from .source import Source


def role_figures(frame: DataFrame, source: Source) -> Iterator[NamedFigure]:
    """Share of fights won as pillager and as joiner, by strategy; frame: of Battles._fights."""
    for players in source.players:
        rows = frame[(frame["players"] == players) & frame["age"].isin(frame["age"][:1])]
        if rows["won"].isna().all():  # too few battles, or none
            continue
        figure = new_figure(1.6 + 0.34 * rows["strategy"].nunique())
        grid = figure.subplots(1, 2, sharex=True, sharey=True)
        for axes, role in zip(grid, ("pillager", "joiner"), strict=True):
            mine = rows[rows["role"] == role]
            draw_rows(axes, mine, "strategy", "won", factor=100)
            axes.plot(
                100 * mine["fair"], range(len(mine)), "|", color=GREY, markersize=13, markeredgewidth=1.5, label="fair share"
            )
            axes.set_title("as the clan that pillages" if role == "pillager" else "as another participant", fontsize=10)
            axes.set_xlabel("battles won, %")
        figure.legend(handles=grid[0].lines[-1:], loc="outside upper right", fontsize=8, frameon=False)
        yield NamedFigure(
            f"battles_won_{players}p",
            f"Who wins battles, {players} players",
            figure,
            "Share of a strategy's battles that it wins, with 95 % intervals; the grey mark is what chance would give, one by the "
            f"number of participants. n = {rows[rows['role'] == 'any']['fights'].max():,} participations of "
            f"{rows['strategy'].iloc[0]}.",
            caption_of(source, players),
        )


def contest_figures(frame: DataFrame, source: Source) -> Iterator[NamedFigure]:
    """Share of pillages that meet a battle, by age and strategy; frame: of Battles._pillages."""
    for players in source.players:
        rows = frame[(frame["players"] == players) & (frame["age"] != "all")]
        figure = age_figure(rows, "contested", "pillages contested, %", 3.4, 100)
        yield NamedFigure(
            f"pillages_contested_{players}p",
            f"How often a pillage meets a battle, {players} players",
            figure,
            "Share of the pillages that a strategy attempts which end in a battle, by age, with 95 % intervals. Low is a "
            f"strategy that pillages where nobody resists. n = {rows['attempts'].min():,} to {rows['attempts'].max():,} attempts.",
            caption_of(source, players),
        )


def card_figures(frame: DataFrame, source: Source) -> Iterator[NamedFigure]:
    """Win share of battles in which a card was revealed; frame: of BattleCards."""
    for players in source.players:
        rows = frame[(frame["players"] == players) & frame["won"].notna()]
        rows = rows[rows["strategy"] == rows["strategy"].iloc[0]] if len(rows) else rows
        if rows.empty:
            continue
        rows = rows.sort_values("won", ascending=False)
        ages = [f", age {age}" if age else "" for age in rows["age"]]
        label = [f"{card}{age} ({n:,})" for card, age, n in zip(rows["card"], ages, rows["revealed"], strict=True)]
        figure = new_figure(1.1 + 0.19 * len(rows))
        axes = figure.subplots()
        draw_rows(axes, rows.assign(label=label), "label", "won", factor=100)
        axes.tick_params(axis="y", labelsize=7.5)
        mean = 100 * (rows["won"] * rows["revealed"]).sum() / rows["revealed"].sum()
        axes.axvline(mean, color=GREY, linewidth=1, linestyle="--")
        axes.annotate(
            f"all reveals {mean:.0f} %", (mean, 1), xycoords=("data", "axes fraction"), xytext=(0, 3), textcoords="offset points",
            ha="center", fontsize=8, color=GREY,
        )  # fmt: skip
        axes.set_xlabel("battles won by the player who revealed it, %")
        yield NamedFigure(
            f"battle_cards_{players}p",
            f"Cards revealed in battles, {players} players",
            figure,
            "Share of battles won by whoever revealed the card, with 95 % intervals; in brackets how often it was revealed. Loki's "
            "cards are played to lose, so low is what they are for.",
            caption_of(source, players),
        )
