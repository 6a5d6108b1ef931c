"""The section on seats: what it is worth to sit at, or behind, the first player."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ..ruleset import PLAYER_COUNTS
from ..statistics.multiple import q_values
from ..statistics.ratios import ratio, share
from .dots import draw_lines
from .drawing import ORANGE, caption_of, new_figure
from .frames import estimate_frame, joined, table_of
from .section import NamedFigure, NamedTable, SectionResult
from .tallies import Counts, Tally, player_rows, strata_told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pandas import DataFrame

    from .source import PartRows, Source

_COUNTED = {"players_counted": "player-games", "clusters": "clusters"}


class Seats:
    """Win share and glory by seat, counted clockwise from the first player of age 1."""

    name = "seats"
    title = "Seats and turn order"
    tables: ClassVar[dict[str, Sequence[str]]] = {"players": ("turn_order", "win_share", "glory")}

    def __init__(self, source: Source) -> None:
        self.seats = Tally(("players", "won", "glory"), (max(PLAYER_COUNTS),))

    def add(self, part: PartRows) -> None:
        rows = part.rows["players"]
        counts = Counts(self.seats, part)
        values = {"players": 1, "won": rows["win_share"], "glory": rows["glory"]}
        counts.of_players(player_rows(part), rows["turn_order"].astype("i8"), values)
        self.seats.add(counts)

    def result(self, source: Source) -> SectionResult:
        frame = joined(self._frame(players, source.strategies) for players in source.players)
        warnings = []
        if source.data_set.run["seats"] == "fixed" and len(source.strategies) > 1:
            warnings.append(
                "The run had fixed seats: each strategy kept its seat against the others, so that the numbers of seats are "
                "those of strategies as well. Play with --seats rotate to tell them apart."
            )
        return SectionResult(warnings=warnings, items=(_figure(frame, source), _table(frame)))

    def _frame(self, players: int, strategies: tuple[str, ...]) -> DataFrame:
        moments = self.seats.moments[players]
        shares = share(moments, ("won", "players"), 1 / players)
        measures = {"win_share_x_players": shares.times(players), "glory": ratio(moments, ("glory", "players"))}
        told = strata_told(moments, strategies, "players")
        axes = {"seats_from_first_player": range(max(PLAYER_COUNTS))}
        frame = estimate_frame(players, told, axes, measures, "players_counted")
        frame["p"] = shares.p[[place for place, _ in told]].ravel()
        frame = frame[frame["seats_from_first_player"] < players].reset_index(drop=True)
        frame.loc[frame["win_share_x_players"].isna(), "p"] = float("nan")
        frame["q"] = q_values(frame["p"].to_numpy())
        return frame


def _figure(frame: DataFrame, source: Source) -> NamedFigure:
    counts = source.players
    figure = new_figure(3.0)
    panels = figure.subplots(1, len(counts), sharey=True, squeeze=False, width_ratios=[players + 1 for players in counts])[0]
    for axes, players in zip(panels, counts, strict=True):
        rows = frame[frame["players"] == players]
        everyone = rows[rows["strategy"] == rows["strategy"].iloc[0]]
        draw_lines(axes, everyone, "seats_from_first_player", "win_share_x_players", "strategy")
        axes.axhline(1, color=ORANGE, linewidth=1.4, linestyle="--", zorder=1.5)
        axes.set_xticks(range(players), ["first", *(f"+{seat}" for seat in range(1, players))])
        axes.set_xlim(-0.5, players - 0.5)
        axes.set_title(f"{players} players\nn = {source.games(players):,}", fontsize=9)
        axes.grid(axis="y")
    panels[0].set_ylabel("win share × players (1 = fair)")
    figure.supxlabel("seats clockwise from the first player of age 1", fontsize=9)
    return NamedFigure(
        "seats",
        "Win share by seat",
        figure,
        "The dashed line is a fair share. A seat whose interval does not touch it wins more or less than its share.",
        caption_of(source, counts),
    )


def _table(frame: DataFrame) -> NamedTable:
    return table_of(
        "seats",
        "Win share and glory by seat",
        frame,
        "Seat 0 is the first player of age 1, seat 1 sits to the left, and so on. Win share times the number of players: 1 is "
        "fair. The CSV has p and q, which is p corrected for all seats of a number of players, of the seat being fair.",
        {"players": "players", "strategy": "strategy", "seats_from_first_player": "seat"},
        _COUNTED,
        {"win_share_x_players": ("win share × players", "number"), "glory": ("mean glory", "glory")},
    )
