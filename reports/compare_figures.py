"""Figures of a comparison: differences with their intervals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .compare_counts import SOURCES
from .dots import draw_rows
from .drawing import GREY, labels_of, new_figure
from .section import NamedFigure

if TYPE_CHECKING:
    from pandas import DataFrame

    from .compare import Comparison

MOST_CARDS = 25
_READING = "The second run less the first, with 95 % intervals; left of 0 is less in the second run."


def caption(comparison: Comparison, players: int) -> str:
    """What a figure is drawn from."""
    runs = comparison.runs[players]
    games = f"{runs.games[0]:,} and {runs.games[1]:,} games with {players} players"
    pairs = f"{runs.deals[0]:,} pairs of deals" if runs.paired else "not in pairs"
    groups = ", ".join(labels_of(comparison.groups[players]))
    return (
        f"{games}, {pairs}; {groups}; 95 % intervals by deal; first {comparison.first.name}, second {comparison.second.name}"
    )


def group_figures(comparison: Comparison) -> Iterator[NamedFigure]:
    """Changes of win share and glory by group of players."""
    for players in comparison.runs:
        rows = _rows(comparison.by_group, players)
        wins = rows[(rows["measure"] == "win_share") & (rows["group"] != "all")]
        glory = rows[rows["measure"] == "glory"]
        glory = glory[glory["group"].isin(wins["group"])]
        figure = new_figure(1.2 + 0.36 * len(wins))
        grid = figure.subplots(1, 2, sharey=True)
        for axes, mine, factor, unit in zip(grid, (wins, glory), (100, 1), ("win share in points", "glory"), strict=True):
            draw_rows(axes, mine.rename(columns={"group": "strategy"}), "strategy", "difference", factor=factor)
            axes.axvline(0, color=GREY, linewidth=1)
            axes.set_xlabel(f"{unit}, change")
        yield NamedFigure(
            f"compare_groups_{players}p",
            f"Changes in wins and glory, {players} players",
            figure,
            _READING,
            caption(comparison, players),
        )


def source_figures(comparison: Comparison) -> Iterator[NamedFigure]:
    """Changes of glory by source, of all players and by group."""
    for players in comparison.runs:
        rows = _rows(comparison.by_group, players)
        rows = rows[rows["measure"].isin(SOURCES)]
        moved = [name for name in SOURCES if rows.loc[rows["measure"] == name, ["first", "second"]].abs().to_numpy().any()]
        rows = rows[rows["measure"].isin(moved)]
        rows = rows.assign(source=[name.removeprefix("glory_").replace("_", " ") for name in rows["measure"]])
        rows = rows.rename(columns={"group": "strategy"})
        groups = rows["strategy"].nunique()
        figure = new_figure(1.2 + (0.18 + 0.09 * groups) * len(moved))
        axes = figure.subplots()
        draw_rows(axes, rows, "source", "difference", "strategy" if groups > 1 else "")
        axes.axvline(0, color=GREY, linewidth=1)
        axes.set_xlabel("glory of a player, change")
        if groups > 1:
            figure.legend(loc="outside right upper")
        yield NamedFigure(
            f"compare_sources_{players}p", f"Changes in glory by source, {players} players", figure, _READING,
            caption(comparison, players),
        )  # fmt: skip


def card_figures(comparison: Comparison) -> Iterator[NamedFigure]:
    """The cards whose pick rate changed most, with the change of the win share of those who drafted them."""
    for players in comparison.runs:
        rows = _rows(comparison.by_card, players)
        rates = rows[(rows["measure"] == "pick_rate") & rows["difference"].notna()]
        rates = rates.reindex(rates["difference"].abs().sort_values(ascending=False).index)[:MOST_CARDS]
        if rates.empty:
            continue
        rates = rates.sort_values("difference", ascending=False)
        wins = rows[rows["measure"] == "win_share_drafted"].set_index(["card", "age"])
        wins = wins.reindex(list(zip(rates["card"], rates["age"], strict=True))).reset_index()
        figure = new_figure(1.1 + 0.19 * len(rates))
        grid = figure.subplots(1, 2, sharey=True)
        for axes, mine, unit in zip(grid, (rates, wins), ("pick rate", "drafters' win share"), strict=True):
            label = [f"{card}, age {age}" for card, age in zip(mine["card"], mine["age"], strict=True)]
            draw_rows(axes, mine.assign(label=label), "label", "difference", factor=100)
            axes.axvline(0, color=GREY, linewidth=1)
            axes.set_xlabel(f"{unit}, change in points")
            axes.tick_params(axis="y", labelsize=7.5)
        yield NamedFigure(
            f"compare_cards_{players}p",
            f"Cards picked more or less often, {players} players",
            figure,
            f"The {len(rates)} cards whose pick rate changed most. {_READING} Win shares are observed, not caused.",
            caption(comparison, players),
        )


def _rows(frame: DataFrame, players: int) -> DataFrame:
    """Rows of a number of players, with the interval as draw_rows takes it."""
    rows = frame[frame["players"] == players]
    return rows.rename(columns={"low": "difference_low", "high": "difference_high"})
