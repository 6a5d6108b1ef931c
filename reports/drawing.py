"""How figures of reports look: colours, sizes, captions, and their files."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .source import Source

# Okabe and Ito (2008): told apart with any colour vision; yellow comes last, because it is faint on white
BLUE, ORANGE, GREEN, PURPLE, SKY, RED, BLACK, YELLOW = PALETTE = (
    "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000", "#F0E442",
)  # fmt: skip
GREY, PALE = "#666666", "#DDDDDD"
WIDTH = 6.8  # inches: the text width of A4 and Letter; phones scroll it inside its box
MAX_NAMED = 6  # strategies up to which a caption names them
MAX_LABEL = 28
_DPI = 150
_CAPTION_POINTS, _CAPTION_LETTERS = 7, 18  # size; letters in an inch
_STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.labelsize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "legend.fontsize": 8.5,
    "legend.frameon": False,
    "grid.color": PALE,
    "grid.linewidth": 0.6,
    "text.parse_math": False,  # names of strategies are words, not formulas
    "text.hinting": "none",  # widths of words do not depend on the resolution, so that what was laid out fits
    "svg.hashsalt": "bloodrage",  # equal figures give equal files
}


def style() -> AbstractContextManager[None]:
    """The settings that figures are made and saved with, whatever the user's own matplotlib settings are."""
    import matplotlib

    return matplotlib.rc_context({**matplotlib.rcParamsDefault, **_STYLE, "backend": "agg"})


def new_figure(height: float, width: float = WIDTH) -> Figure:
    """An empty figure of this size in inches, whose parts make room for each other."""
    from matplotlib.figure import Figure

    # laid out at the resolution that it is saved with, because letters are not equally wide at all of them
    return Figure(figsize=(width, height), dpi=_DPI, layout="constrained")


def percent(share: float, digits: int = 1) -> str:
    """0.2412 as '24.1 %'."""
    return f"{100 * share:.{digits}f} %"


def labels_of(names: Sequence[str]) -> list[str]:
    """A label for each strategy, each different: paths by file name, long ones cut."""
    from ..tournament.plots import labels_of as labelled

    labels = labelled(tuple(names))
    return [labels[name] for name in names]


def caption_of(source: Source, players: int | Sequence[int], intervals: str | None = None) -> str:
    """What a figure is drawn from: games, players, strategies, filters, seed and rules.

    players : number of players of the figure, or several
    intervals : what its intervals are, '' for none; None for 95 % by cluster
    """
    told = (players,) if isinstance(players, int) else tuple(players)
    if intervals is None:
        intervals = f"95 % intervals, clustered by {cluster_words(source, told)}"
    names = source.filters.strategies or source.strategies
    shown = ", ".join(labels_of(names)) if len(names) <= MAX_NAMED else f"{len(names)} strategies"
    run = source.data_set.run
    parts = [
        " and ".join(f"{source.games(one):,} games with {one} players" for one in told),
        f"of {shown}",
        source.filters.words() and f"only {source.filters.words()}",
        intervals,
        f"seed {run['seed']}, rules {run['tables_hash'][:8]}",
    ]
    return "; ".join(part for part in parts if part)


def cluster_words(source: Source, players: Sequence[int]) -> str:
    """What makes a cluster: 'deal', or how many deals."""
    together = sorted({source.deals_together(one) for one in players})
    return "deal" if together == [1] else f"{' or '.join(map(str, together))} deals"


def draw_legend(axes: Axes, columns: int = 1) -> None:
    """A legend to the right of the axes, where it covers nothing."""
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), ncols=columns, borderaxespad=0.2)


def files_of(figure: Figure, caption: str) -> dict[str, bytes]:
    """PNG and SVG of a figure by ending, its caption below it.

    There are no dates and versions inside, so that equal figures give equal files.
    """
    from matplotlib.transforms import Bbox

    width, height = (float(side) for side in figure.get_size_inches())
    lines = textwrap.wrap(caption, int(width * _CAPTION_LETTERS), break_on_hyphens=False)
    room = (len(lines) * _CAPTION_POINTS * 1.3 + 8) / 72
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # what was laid out stays, while the picture grows by the caption
    for legend in figure.legends:
        if legend.get_bbox_to_anchor() is figure.bbox:  # which grows as well
            legend.set_bbox_to_anchor((0, 0, 1, 1), figure.transFigure)
    text = "\n".join(lines)
    figure.text(0.07 / width, -0.04 / height, text, fontsize=_CAPTION_POINTS, color=GREY, va="top", linespacing=1.3)
    box = Bbox([[0, -room], [width, height]])
    png, svg = io.BytesIO(), io.BytesIO()
    figure.savefig(svg, format="svg", bbox_inches=box, metadata={"Date": None, "Creator": None})
    figure.savefig(png, format="png", bbox_inches=box, dpi=_DPI, metadata={"Software": None})
    return {"png": png.getvalue(), "svg": svg.getvalue()}
