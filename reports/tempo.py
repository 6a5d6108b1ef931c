"""The section on tempo: how many turns an age has, how it ends, and how much rage is given up."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..rows.tables_out import AGE_ENDS
from ..rules.ids import N_AGES
from ..statistics.ratios import ratio, share
from .frames import estimate_frame, joined, table_of
from .section import SectionResult
from .tallies import Counts, Tally, game_rows, strata_told
from .tempo_figures import end_figures, length_figures, turn_figures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pandas import DataFrame

    from .section import NamedTable
    from .source import PartRows, Source

AGES = tuple(range(1, N_AGES + 1))
ENDS = AGE_ENDS[1:]  # every finished age has a reason
LENGTHS = tuple(range(81))  # turns of an age, all seats; the last stands for more
_PLAYER = ("turns", "passes", "rage_passed")


class Tempo:
    """Turns, passes and rage by player; length and end of each age by game."""

    name = "tempo"
    title = "Tempo"
    tables: ClassVar[dict[str, Sequence[str]]] = {
        "games": ("turns", *(f"age_{age}_end" for age in AGES)),
        "players": ("turns", "turns_age_1", "turns_age_2", "passes", "rage_passed"),
    }

    def __init__(self, source: Source) -> None:
        self._ages = source.filters.ages or AGES
        self.turns = Tally(("players", "turns"), (N_AGES,))
        self.players = Tally(("players", *_PLAYER), ())
        self.ages = Tally(("games", "turns", *ENDS), (N_AGES,))
        self.lengths = Tally(("games", "of_length"), (N_AGES, len(LENGTHS)))

    def add(self, part: PartRows) -> None:
        rows = part.rows["players"]
        player = np.arange(len(rows))
        turns = np.stack([rows["turns_age_1"], rows["turns_age_2"], rows["turns"]], 1).astype(np.int64)
        turns[:, -1] -= turns[:, :-1].sum(1)
        counts = Counts(self.turns, part)
        age = np.tile(np.arange(N_AGES), len(rows))
        counts.of_players(np.repeat(player, N_AGES), age, {"players": 1, "turns": turns.ravel()})
        self.turns.add(counts)

        counts = Counts(self.players, part)
        counts.of_players(player, 0, {"players": 1, **{name: rows[name] for name in _PLAYER}})
        self.players.add(counts)

        length = turns.reshape(part.games, part.players, N_AGES).sum(1)
        ended = np.stack([game_rows(part)[f"age_{age}_end"] for age in AGES], 1)
        counts = Counts(self.ages, part)
        ends = {name: ended == AGE_ENDS.index(name) for name in ENDS}
        counts.of_games({"games": np.ones(length.shape), "turns": length, **ends})
        self.ages.add(counts)

        counts = Counts(self.lengths, part)
        counts.of_games_at(np.arange(N_AGES) * len(LENGTHS) + np.minimum(length, LENGTHS[-1]), "of_length")
        counts.of("games")[:] = counts.of("of_length").sum(-1, keepdims=True)
        self.lengths.add(counts)

    def result(self, source: Source) -> SectionResult:
        turns = joined(self._turns(players, source.strategies) for players in source.players)
        by_player = joined(self._players(players, source.strategies) for players in source.players)
        by_age = joined(self._ends(players) for players in source.players)
        lengths = joined(self._lengths(players) for players in source.players)
        items = [*turn_figures(turns, source), _turn_table(turns), _player_table(by_player)]
        items += [*end_figures(by_age, source), _age_table(by_age), *length_figures(lengths, source), _length_table(lengths)]
        return SectionResult(lead=(_LEAD,), items=items)

    def _turns(self, players: int, strategies: tuple[str, ...]) -> DataFrame:
        moments = self.turns.moments[players]
        measures = {"turns": ratio(moments, ("turns", "players"))}
        told = strata_told(moments, strategies, "players")
        frame = estimate_frame(players, told, {"age": AGES}, measures, "players_counted")
        return frame[frame["age"].isin(self._ages)].reset_index(drop=True)

    def _players(self, players: int, strategies: tuple[str, ...]) -> DataFrame:
        moments = self.players.moments[players]
        measures = {name: ratio(moments, (name, "players")) for name in _PLAYER}
        return estimate_frame(players, strata_told(moments, strategies, "players"), {}, measures, "players_counted")

    def _ends(self, players: int) -> DataFrame:
        moments = self.ages.moments[players]
        measures = {"turns": ratio(moments, ("turns", "games"))}
        measures |= {f"ended_{name}": share(moments, (name, "games")) for name in ENDS}
        frame = estimate_frame(players, [(0, "all")], {"age": AGES}, measures, "games")
        return frame[frame["age"].isin(self._ages)].reset_index(drop=True)

    def _lengths(self, players: int) -> DataFrame:
        moments = self.lengths.moments[players]
        measures = {"share_of_games": share(moments, ("of_length", "games"))}
        frame = estimate_frame(players, [(0, "all")], {"age": AGES, "turns": LENGTHS}, measures, "games")
        return frame[frame["age"].isin(self._ages)].reset_index(drop=True)


_LEAD = (
    "An action phase ends when nobody has rage left, or when every province is pillaged. A turn is one action or a pass; the "
    "length of an age is the turns of all players together."
)

_PLAYER_KEYS = {"players": "players", "strategy": "strategy"}
_AGE_KEYS = {"players": "players", "age": "age"}


def _turn_table(frame: DataFrame) -> NamedTable:
    return table_of(
        "tempo_turns",
        "Turns of a player by age",
        frame,
        "Mean turns of a player in an age, with 95 % intervals.",
        {**_PLAYER_KEYS, "age": "age"},
        {"players_counted": "player-games"},
        {"turns": ("turns", "number")},
    )


def _player_table(frame: DataFrame) -> NamedTable:
    return table_of(
        "tempo_players",
        "Turns, passes and rage given up in a game",
        frame,
        "Means of a player over the whole game, with 95 % intervals. Rage given up is what was left at a pass.",
        _PLAYER_KEYS,
        {"players_counted": "player-games"},
        {"turns": ("turns", "number"), "passes": ("passes", "number"), "rage_passed": ("rage given up", "number")},
    )


def _age_table(frame: DataFrame) -> NamedTable:
    return table_of(
        "tempo_ages",
        "Length and end of an age",
        frame,
        "Turns of all players in an age, and the share of games in which it ended for want of rage or because all was pillaged, "
        "in percent, with 95 % intervals.",
        _AGE_KEYS,
        {"games": "games"},
        {
            "turns": ("turns of all", "number"),
            "ended_rage": ("ended without rage, %", "share"),
            "ended_pillaged": ("ended all pillaged, %", "share"),
        },
    )


def _length_table(frame: DataFrame) -> NamedTable:
    return table_of(
        "tempo_lengths",
        "How long ages are",
        frame,
        f"Share of games by the number of turns of all players in the age, in percent; {LENGTHS[-1]} stands for as many or more.",
        {**_AGE_KEYS, "turns": "turns"},
        {"games": "games"},
        {"share_of_games": ("share of games, %", "share")},
        (frame["share_of_games"] > 0).to_numpy(),
    )
