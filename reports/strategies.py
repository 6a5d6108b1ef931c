"""The section on strategies: how often each wins, by how much, and how its glory is spread."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..statistics.ratios import ratio, share
from .frames import estimate_frame, joined, table_of
from .glory_counts import GloryCounts
from .section import SectionResult
from .strategy_figures import glory_figure, margin_figure, share_figure
from .tallies import Counts, Tally, player_rows, strata_told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pandas import DataFrame

    from .section import NamedTable
    from .source import PartRows, Source

MARGIN_STEP = 10  # points of a bin of the winner's margin
MARGIN_BINS = 11  # the last one is open
QUANTILES = {"p5": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95}
_COUNTED = {"players_counted": "player-games", "clusters": "clusters"}


class Strategies:
    """Win shares, glory and margins by strategy, and how close games are."""

    name = "strategies"
    title = "Strategies"
    tables: ClassVar[dict[str, Sequence[str]]] = {"players": ("win_share", "glory", "margin", "rank")}

    def __init__(self, source: Source) -> None:
        self.outcomes = Tally(("players", "won", "glory", "margin", "first"), (1,))
        self.glory = GloryCounts(groups=2)  # all players, and those who won
        self.margins = Tally(("games", "so_close"), (MARGIN_BINS,))

    def add(self, part: PartRows) -> None:
        rows = part.rows["players"]
        counts = Counts(self.outcomes, part)
        values = {"won": rows["win_share"], "glory": rows["glory"], "margin": rows["margin"], "first": rows["rank"] == 1}
        counts.of_players(player_rows(part), 0, {"players": 1, **values})
        self.outcomes.add(counts)

        self.glory.add(part, rows["glory"][:, None].repeat(2, 1), np.stack([part.chosen, part.chosen & (rows["rank"] == 1)], 1))

        margin = rows["margin"].reshape(part.games, part.players).max(1)
        closeness = np.minimum(margin // MARGIN_STEP, MARGIN_BINS - 1)[:, None] == np.arange(MARGIN_BINS)
        close = Counts(self.margins, part)
        close.of_games({"games": np.ones(closeness.shape), "so_close": closeness.astype(float)})
        self.margins.add(close)

    def result(self, source: Source) -> SectionResult:
        outcomes = joined(self._outcomes(players, source.strategies) for players in source.players)
        margins = joined(self._margins(players) for players in source.players)
        items = (
            share_figure(outcomes, source),
            _outcome_table(outcomes),
            glory_figure(self.glory, self._told(source), source),
            margin_figure(margins, source),
            _margin_table(margins),
        )
        return SectionResult(items=items)

    def _told(self, source: Source) -> dict[int, list[tuple[int, str]]]:
        """Strata to tell by number of players."""
        return {players: strata_told(self.outcomes.moments[players], source.strategies, "players") for players in source.players}

    def _outcomes(self, players: int, strategies: tuple[str, ...]) -> DataFrame:
        moments = self.outcomes.moments[players]
        measures = {
            "win_share_x_players": share(moments, ("won", "players"), 1 / players).times(players),
            "first_or_tied": share(moments, ("first", "players")),
            "glory": ratio(moments, ("glory", "players")),
            "margin": ratio(moments, ("margin", "players")),
        }
        told = strata_told(moments, strategies, "players")
        frame = estimate_frame(players, told, {"measured": ("game",)}, measures, "players_counted").drop(columns="measured")
        for name, part in QUANTILES.items():
            found = self.glory.quantile(players, 0, part)
            frame[f"glory_{name}"] = [found[place] for place, _ in told]
        frame.loc[frame["glory"].isna(), [f"glory_{name}" for name in QUANTILES]] = np.nan
        return frame

    def _margins(self, players: int) -> DataFrame:
        bins = [f"{MARGIN_STEP * place} to {MARGIN_STEP * (place + 1) - 1}" for place in range(MARGIN_BINS - 1)]
        bins.append(f"{MARGIN_STEP * (MARGIN_BINS - 1)} or more")
        measures = {"share_of_games": share(self.margins.moments[players], ("so_close", "games"))}
        frame = estimate_frame(players, [(0, "all")], {"margin": bins}, measures, "games")
        return frame.drop(columns="strategy")


def _outcome_table(frame: DataFrame) -> NamedTable:
    return table_of(
        "strategies",
        "Wins and glory",
        frame,
        "Win share times the number of players: 1 is fair. Margin: glory less the most glory of any other player. 95 % intervals. "
        "The CSV has quantiles of glory as well.",
        {"players": "players", "strategy": "strategy"},
        _COUNTED,
        {
            "win_share_x_players": ("win share × players", "number"),
            "first_or_tied": ("first or tied, %", "share"),
            "glory": ("mean glory", "glory"),
            "margin": ("mean margin", "glory"),
        },
    )


def _margin_table(frame: DataFrame) -> NamedTable:
    return table_of(
        "margins",
        "How close games are",
        frame,
        "Share of games by the points of glory between the winner and the second, in percent with 95 % intervals.",
        {"players": "players", "margin": "points between first and second"},
        {"games": "games", "clusters": "clusters"},
        {"share_of_games": ("share of games, %", "share")},
    )
