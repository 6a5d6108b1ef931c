"""Plots of a tournament as PNG: bars with intervals, and heat maps of who does how well against whom.

Colours are of the palette by Okabe and Ito and the map PuOr, which people with any colour vision can tell apart; values
stand in the cells as well.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..plugins.loading import is_path

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .frames import TournamentResults

BLUE, ORANGE, GREY = "#0072B2", "#E69F00", "#7F7F7F"
MAX_LABEL = 34
MAX_VALUES = 14  # strategies up to which heat maps show every value
_DPI = 130
BY_BLOCK = "95 % intervals, clustered by block"


def plots_of(results: TournamentResults) -> Iterator[tuple[str, bytes]]:
    """Name and PNG of every plot that the results allow."""
    yield "win_share", _png(win_share_bars(results))
    yield "glory", _png(glory_bars(results))
    yield "strength", _png(strength_bars(results))
    if len(results.equilibria):
        yield "equilibrium", _png(weight_bars(results))
    yield "head_to_head", _png(heat_map(results, "head_to_head"))
    if len(results.invasion):
        yield "invasion", _png(heat_map(results, "invasion"))


def _png(figure: Figure) -> bytes:
    buffer = io.BytesIO()
    # no date and no version inside, so that equal results give equal files
    figure.savefig(buffer, format="png", dpi=_DPI, metadata={"Software": None}, bbox_inches="tight")
    return buffer.getvalue()


def labels_of(strategies: tuple[str, ...]) -> dict[str, str]:
    """A label for each strategy, each different: paths by file name where that is enough, long ones cut."""
    short = {text: _short(text) for text in strategies}
    taken = list(short.values())
    return {
        text: label if taken.count(label) == 1 else f"{label} ({number})"
        for number, (text, label) in enumerate(short.items(), 1)
    }


def _short(text: str) -> str:
    name = re.split("[:+@]", text, maxsplit=1)[0]
    label = (Path(name).name if is_path(name) else name) + text[len(name) :]
    return label if len(label) <= MAX_LABEL else label[: MAX_LABEL - 3] + "..."


def _caption(results: TournamentResults, intervals: str) -> str:
    """Two lines: what was played and how many, and what the intervals are."""
    run, design = results.run, results.design
    field = f"{len(design.compositions):,} compositions ({design.field}) of {len(design.strategies)} strategies"
    blocks = f"n = {run['blocks']:,} blocks of {design.players} rotations"
    games = f"{results.info['games']:,} games"
    return (
        f"{design.players} players, {field}, {blocks}, {games}\n"
        f"{intervals}; seed {run['seed']}, rules {run['tables_hash']}"
    )


def _bars(results: TournamentResults, name: str, sort: str, title: str, unit: str, digits: int, note: str) -> Figure:
    """Horizontal bars of a column of `strategies` with its interval, best on top."""
    from matplotlib.figure import Figure

    frame = results.strategies.sort_values(sort, kind="stable")
    labels = labels_of(results.design.strategies)
    n = len(frame)
    figure = Figure(figsize=(8, 1.5 + 0.42 * n), layout="constrained")
    axes: Axes = figure.subplots()
    value, low, high = (frame[column].to_numpy(float) for column in (name, f"{name}_low", f"{name}_high"))
    at = np.arange(n)
    axes.barh(at, value, color=BLUE, height=0.62, alpha=0.75)
    known = ~np.isnan(low)
    spread = np.maximum([value - low, high - value], 0)[:, known]
    axes.errorbar(value[known], at[known], xerr=spread, fmt="none", ecolor="black", capsize=3, linewidth=1.2)
    axes.set_yticks(at, [labels[text] for text in frame.strategy])
    axes.set_xlabel(unit)
    axes.set_title(title, loc="left", fontsize=11)
    # values stand in a column of their own at the right, where no bar or whisker reaches
    for row in range(n):
        text = f"{value[row]:.{digits}f}"
        if known[row]:
            text += f"  [{low[row]:.{digits}f}, {high[row]:.{digits}f}]"
        axes.text(1.015, row, text, transform=axes.get_yaxis_transform(), va="center", fontsize=8.5)
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(y=0.02)
    figure.supxlabel(_caption(results, note), fontsize=7.5, color=GREY)
    return figure


def win_share_bars(results: TournamentResults) -> Figure:
    """Win share over the field."""
    players = results.design.players
    figure = _bars(
        results, "win_share", "win_share", "Win share over the field", f"win share x {players} (1 = fair)", 2,
        BY_BLOCK,
    )  # fmt: skip
    figure.axes[0].axvline(1, color=ORANGE, linewidth=1.6, linestyle="--")
    return figure


def glory_bars(results: TournamentResults) -> Figure:
    """Mean final glory over the field."""
    return _bars(
        results, "glory", "glory", "Final glory over the field", "mean final glory (points)", 1, BY_BLOCK
    )


def strength_bars(results: TournamentResults) -> Figure:
    """Plackett-Luce strengths."""
    note = f"95 % intervals: {results.info['strength_repeats']} bootstraps of blocks"
    title = "Plackett-Luce strength from full rankings"
    figure = _bars(results, "elo", "elo", title, "Elo-like points (mean of strategies = 0)", 0, note)
    figure.axes[0].axvline(0, color="black", linewidth=0.8)
    return figure


def weight_bars(results: TournamentResults) -> Figure:
    """Weights in the equilibrium that the even mix leads to."""
    found = results.info["equilibria"]
    one = found.found[found.even]
    state = "" if one.accepted else ", REJECTED"
    origin = " reached from the even mix" if results.design.players > 2 else ""
    title = f"Equilibrium mix{origin} (NashConv {one.nash_conv:.4f}{state})"
    note = f"95 % intervals: {found.repeats} bootstraps of blocks"
    figure = _bars(results, "weight", "weight", title, "weight in the mix (share of players)", 2, note)
    figure.axes[0].set_xlim(0, 1.02)
    return figure


def heat_map(results: TournamentResults, name: str) -> Figure:
    """`head_to_head` or `invasion`: rows who, columns against whom; hatched where the interval has fair in it."""
    from matplotlib import colormaps
    from matplotlib.colors import TwoSlopeNorm
    from matplotlib.figure import Figure

    frame = getattr(results, name)
    second = "opponent" if name == "head_to_head" else "residents"
    order = results.strategies.sort_values("elo", ascending=False, kind="stable").strategy.tolist()
    labels = [labels_of(results.design.strategies)[text] for text in order]
    n, players = len(order), results.design.players
    value, low, high = (
        frame.pivot(index="strategy", columns=second, values=column).reindex(index=order, columns=order).to_numpy(float)
        for column in ("win_share", "win_share_low", "win_share_high")
    )
    longest = max(map(len, labels))
    side = 0.62 * n
    size = max(7.2, 2.2 + side + 0.075 * longest), max(3.4, 1.9 + side + 0.055 * longest)
    figure = Figure(figsize=size, layout="constrained")
    axes: Axes = figure.subplots()
    reach = max(0.1, float(np.nanmax(np.abs(value - 1))))
    norm = TwoSlopeNorm(1, max(0.0, 1 - reach), 1 + reach)
    image = axes.imshow(value, cmap=colormaps["PuOr_r"].with_extremes(bad="#EEEEEE"), norm=norm)
    _mark_cells(axes, value, low, high, norm)
    axes.set_xticks(range(n), labels, rotation=35, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(n), labels)
    axes.set_ylabel("strategy")
    if name == "head_to_head":
        axes.set_xlabel("at a table with")
        axes.set_title("Win share of row at tables with column", loc="left", fontsize=11)
    else:
        axes.set_xlabel(f"the other {players - 1} are all" if players > 2 else "the other is")
        axes.set_title("Win share of one row among columns", loc="left", fontsize=11)
    bar = figure.colorbar(image, ax=axes, shrink=0.85)
    bar.set_label(f"win share x {players} (1 = fair)")
    note = f"{BY_BLOCK}; hatched: fair is inside; grey: not played; order: strength"
    figure.supxlabel(_caption(results, note), fontsize=7.5, color=GREY)
    return figure


def _mark_cells(axes: Any, value: np.ndarray, low: np.ndarray, high: np.ndarray, norm: Any) -> None:
    """Hatch cells whose interval has fair in it, and write values and intervals where there is room."""
    from matplotlib.patches import Rectangle

    for row, column in np.argwhere(~np.isnan(value)):
        at, ends = value[row, column], (low[row, column], high[row, column])
        if not (ends[0] > 1 or ends[1] < 1):
            place = (column - 0.5, row - 0.5)
            axes.add_patch(Rectangle(place, 1, 1, fill=False, hatch="///", edgecolor="#C8C8C8", linewidth=0))
        if len(value) > MAX_VALUES:
            continue
        colour = "white" if abs(norm(at) - 0.5) > 0.3 else "black"
        axes.text(column, row - 0.12, f"{at:.2f}", ha="center", va="center", fontsize=8.5, color=colour)
        if ends[1] > ends[0]:
            text = f"{ends[0]:.2f}-{ends[1]:.2f}"
            axes.text(column, row + 0.22, text, ha="center", va="center", fontsize=6, color=colour)
