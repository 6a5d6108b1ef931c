"""Figures of the section on provinces: maps of the board by age, and what doom does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ..data import reader
from .board_map import COLOUR_MAP, REGION_COLOURS, PlaceText, draw_board
from .dots import draw_rows
from .drawing import caption_of, new_figure
from .frames import joined
from .section import NamedFigure
from .tallies import ALL

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

    from .source import Source

MAPS = {
    "figures": ("Figures at the end of the action phase", "figures of all players"),
    "pillages": ("Successful pillages", "pillages of all players"),
    "deaths": ("Figures destroyed, but for Ragnarök", "figures destroyed"),
    "ragnarok_deaths": ("Figures destroyed by Ragnarök", "figures destroyed"),
}
_READING = (
    "The board as it lies, Yggdrasil in the middle, fjords outside; the rim has the colour of the region. In each place the mean "
    "by game, with half its 95 % interval below; darker is more. Only games in which the place is still there count."
)


def map_figures(frame: DataFrame, source: Source) -> Iterator[NamedFigure]:
    """Maps by age of what stands and happens, one figure by number of players and kind; frame: of Provinces."""
    for players in source.players:
        rows = frame[(frame["players"] == players) & (frame["strategy"] == ALL)]
        for name, (title, unit) in MAPS.items():
            figure = _maps(rows, f"{name}_by_game", unit)
            yield NamedFigure(
                f"map_{name}_{players}p", f"{title}, {players} players", figure, _READING, caption_of(source, players)
            )


def _maps(frame: DataFrame, name: str, unit: str) -> Figure:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize
    from matplotlib.patches import Patch

    ages = list(dict.fromkeys(frame["age"]))
    figure = new_figure(6.9 if len(ages) > 2 else 4.1)
    grid = figure.subplots(2 if len(ages) > 2 else 1, 2, squeeze=False).ravel()
    most = np.nanmax(frame[name].to_numpy(), initial=0)
    norm = Normalize(0, most if most > 0 else 1)
    for axes, age in zip(grid, ages, strict=False):
        rows = frame[frame["age"] == age]
        texts = {row["place"]: _text(row[name], row[f"{name}_low"], row[f"{name}_high"]) for _, row in rows.iterrows()}
        draw_board(axes, texts, norm, f"age {age}")
    for axes in grid[len(ages) :]:
        axes.axis("off")
    legend = grid[-1]
    scale = legend.inset_axes((0.1, 0.55, 0.8, 0.07))
    figure.colorbar(ScalarMappable(norm, COLOUR_MAP), cax=scale, orientation="horizontal", label=f"{unit}, mean by game")
    handles = [Patch(color=REGION_COLOURS[region["colour"]], label=region["name"]) for region in reader.board()["region"]]
    handles.append(Patch(facecolor="white", edgecolor="#222222", hatch="///", label="in too few games"))
    legend.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0.35), fontsize=8, ncols=2, frameon=False)
    return figure


def _text(value: float, low: float, high: float) -> PlaceText:
    if np.isnan(value):
        return PlaceText(value, "", "")
    digits = 2 if value < 9.95 else 1
    return PlaceText(value, f"{value:.{digits}f}", "" if np.isnan(low) else f"±{(high - low) / 2:.{digits}f}")


def doom_figures(frame: DataFrame, source: Source) -> Iterator[NamedFigure]:
    """Figures in the doomed province against those in the others, by strategy and age; frame: of Provinces."""
    for players in source.players:
        rows = frame[frame["players"] == players]
        ages = list(dict.fromkeys(rows["age"]))
        figure = new_figure(1.3 + 0.42 * rows["strategy"].nunique())
        grid = figure.subplots(1, len(ages), sharex=True, sharey=True, squeeze=False)[0]
        for axes, age in zip(grid, ages, strict=True):
            draw_rows(axes, _both(rows[rows["age"] == age]), "strategy", "figures", "province")
            axes.set_title(f"age {age}", fontsize=10)
        grid[0].set_xlim(0, None)  # last, since it fixes the right end for all panels
        figure.supxlabel("own figures in the province at the end of the action phase", fontsize=9)
        handles, labels = grid[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=2, fontsize=8, frameon=False)
        yield NamedFigure(
            f"doomed_{players}p",
            f"Who gathers in the doomed province, {players} players",
            figure,
            "Mean own figures of a player in the province that Ragnarök destroys in this age, and in each other outer province "
            "that is left, with 95 % intervals. Where the first is far to the right, the strategy goes there to die.",
            caption_of(source, players),
        )


def _both(rows: DataFrame) -> DataFrame:
    frames = []
    for kind in ("doomed", "other"):
        names = {f"{kind}_figures{suffix}": f"figures{suffix}" for suffix in ("", "_low", "_high")}
        frames.append(rows[["strategy", *names]].rename(columns=names).assign(province=kind))
    return joined(frames)
