"""A comparison as sections of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .compare import Comparison
from .compare_counts import ACTIONS, SOURCES, STRENGTH
from .compare_figures import card_figures, group_figures, source_figures
from .compare_frames import change_table, is_sure
from .section import SectionResult

if TYPE_CHECKING:
    from pandas import DataFrame

    from .section import NamedTable

_SHARES = ("win_share", "pick_rate", "left_over", "win_share_drafted")
_MOST_CARDS = 30  # rows of the page; the CSV has all
_HOW = (
    "Difference is the second run less the first, with its 95 % interval; q is the p-value corrected for all rows of the CSV "
    "(Benjamini and Hochberg). n is the smaller number of rows."
)


def kind_of(measure: str) -> str:
    """Kind of a measure, of frames.FORMATS."""
    return "share" if measure in _SHARES or measure.endswith("all_pillaged") else "number"


def sections(comparison: Comparison) -> list[tuple[str, str, SectionResult]]:
    """Anchor, title and contents of each section."""
    return [
        ("runs", "The two runs", _runs(comparison)),
        ("strength", "Wins and glory", _strength(comparison)),
        ("cards", "Cards", _cards(comparison)),
        ("tempo", "Tempo and actions", _tempo(comparison)),
    ]


def told_pairs(comparison: Comparison) -> list[str]:
    """One sentence for each number of players: how many games, whether in pairs, and what the pairs gained."""
    lines = []
    for players, runs in comparison.runs.items():
        first, second = runs.games
        if not runs.paired:
            lines.append(
                f"{players} players: {first:,} games against {second:,}; not in pairs, because the runs have other seeds or seats."
            )
            continue
        text = f"{players} players: {first:,} games in {runs.deals[0]:,} pairs of deals that both runs played"
        frame = comparison.by_group
        wins = frame[(frame["players"] == players) & (frame["measure"] == "win_share") & frame["gain"].notna()]
        if len(wins):
            text += (
                f"; for win shares the correlation of a pair is {wins['correlation'].median():.2f}, and without pairs it would "
                f"take {wins['gain'].median():.1f} times as many games"
            )
        if any(runs.left_out):
            text += f"; {runs.left_out[0]:,} and {runs.left_out[1]:,} games without a partner are left out"
        lines.append(text + ".")
    return lines


def _runs(comparison: Comparison) -> SectionResult:
    lead = [f"The first run is {comparison.first}, the second {comparison.second}.", *told_pairs(comparison)]
    differing = comparison.differing or ["nothing: both runs were asked for the same"]
    lead.append("What differs: " + "; ".join(differing) + ".")
    warnings = [f"{file} is missing or damaged; its games are left out." for file in comparison.damaged]
    return SectionResult(lead=lead, warnings=warnings)


def _strength(comparison: Comparison) -> SectionResult:
    frame = comparison.by_group
    main = frame["measure"].isin((*STRENGTH, *SOURCES)).to_numpy()
    shown = main & (frame["n"] > 0).to_numpy() & ~((frame["first"] == 0) & (frame["second"] == 0)).to_numpy()
    shown &= ~((frame["group"] == "all") & (frame["measure"] == "win_share")).to_numpy()  # fair in both, by what it is
    table = _table("compare_groups", "Wins, glory and its sources", frame, {"players": "players", "group": "group"}, shown)
    return SectionResult(items=[*group_figures(comparison), *source_figures(comparison), table])


def _cards(comparison: Comparison) -> SectionResult:
    frame = comparison.by_card
    order = frame.assign(size=_size(frame)).sort_values(["players", "size"], ascending=[True, False])
    frame = order.drop(columns="size").reset_index(drop=True)
    sure = is_sure(frame)
    rank = np.zeros(len(frame), int)
    for players in comparison.runs:
        mine = (frame["players"] == players).to_numpy() & sure
        rank[mine] = np.arange(1, mine.sum() + 1)
    shown = (rank > 0) & (rank <= _MOST_CARDS)
    keys = {"players": "players", "age": "age", "card": "card"}
    count = f"{sure.sum():,} of {frame['q'].notna().sum():,} differences stand out (q at most 5 %)."
    table = _table("compare_cards", "Cards that changed most", frame, keys, shown)
    return SectionResult(lead=[count], warnings=[_WARNING], items=[*card_figures(comparison), table])


def _tempo(comparison: Comparison) -> SectionResult:
    games = comparison.by_game
    everything = np.ones(len(games), bool)
    frame = comparison.by_group
    shown = frame["measure"].isin(ACTIONS).to_numpy() & is_sure(frame)
    frame_items = [
        _table("compare_tempo", "By game", games, {"players": "players"}, everything),
        _table("compare_actions", "Actions that changed", frame, {"players": "players", "group": "group"}, shown),
    ]
    return SectionResult(items=frame_items)


def _size(frame: DataFrame) -> np.ndarray:
    """How far a difference is from 0 in units of its interval."""
    half = (frame["high"] - frame["low"]).to_numpy() / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        size = np.abs(frame["difference"].to_numpy()) / half
    return np.where(np.isnan(size), -1, size)


def _table(name: str, title: str, frame: DataFrame, keys: dict[str, str], kept: np.ndarray) -> NamedTable:
    kinds = {measure: kind_of(measure) for measure in set(frame["measure"])}
    return change_table(name, title, frame, _HOW, keys, kinds, kept)


_WARNING = (
    "A win share of those who drafted a card is observed: it can change because other players draft the card now, not because the "
    "card is worth more."
)
