"""What a section counts: sums by deal for everyone together and for each strategy, for each number of players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from ..rows.tables_out import GAMES, PLAYERS
from ..statistics.moments import Moments

if TYPE_CHECKING:
    from .source import PartRows

ALL = "all"  # the stratum of all players that the filters let through; the strategies come after it


class Tally:
    """Moments of the same variables for each number of players, filled part by part.

    The cells are the strata (ALL, then the strategies of the run) by the shape given.

    Attributes
    ----------
    names : variables
    shape : of the cells within a stratum
    moments : by number of players, shape (strata, *shape)
    """

    def __init__(self, names: Sequence[str], shape: Sequence[int]) -> None:
        self.names = tuple(names)
        self.shape = tuple(shape)
        self.moments: dict[int, Moments] = {}

    def add(self, counts: Counts) -> None:
        """Add what was counted of a part."""
        part = counts.part
        strata = 1 + len(part.strategies)
        if part.players not in self.moments:
            self.moments[part.players] = Moments.empty(self.names, (strata, *self.shape))
        self.moments[part.players].add(counts.sums.reshape(-1, strata, *self.shape, len(self.names)))


class Counts:
    """Sums by deal over one part, for the Tally that it is made for.

    Attributes
    ----------
    part : the part
    sums : float64 (deals, strata, cells, variables)
    """

    def __init__(self, tally: Tally, part: PartRows) -> None:
        self.part = part
        self._names = tally.names
        self._shape = tally.shape
        self._cells = prod(tally.shape)
        self._deals = int(part.cluster[-1]) + 1
        self.sums = np.zeros((self._deals, 1 + len(part.strategies), self._cells, len(tally.names)))
        strategy = part.rows[PLAYERS.name]["strategy"].astype(np.int64)
        line = np.repeat(part.cluster, part.players) * len(part.strategies) + strategy
        self._line = np.where(part.chosen, line, -1)  # by player: deal and strategy, -1 for those not let through

    def of_players(self, player_row: np.ndarray, cell: np.ndarray | int, values: Mapping[str, np.ndarray | int]) -> None:
        """Add rows that belong to players, for those whom the filters let through.

        Parameters
        ----------
        player_row : int by row, row of its player in `players`
        cell : int by row, place within a stratum
        values : by variable, numbers by row, or one for all
        """
        place = self._line[player_row]
        kept: np.ndarray | slice = slice(None) if self.part.chosen.all() else place >= 0
        place = place[kept] * self._cells + (cell[kept] if isinstance(cell, np.ndarray) else cell)
        lines = self._deals * len(self.part.strategies)
        for name, numbers in values.items():
            weights = numbers[kept] if isinstance(numbers, np.ndarray) else None
            sums = np.bincount(place, weights, lines * self._cells).reshape(self._deals, -1, self._cells)
            self._put(name, sums if isinstance(numbers, np.ndarray) else sums * numbers)

    def of_player_rows(self, values: Mapping[str, np.ndarray]) -> None:
        """Add numbers by row of `players` and cell, (player rows, cells), for players whom the filters let through."""
        part = self.part
        strategy = part.rows[PLAYERS.name]["strategy"]
        starts = np.flatnonzero(np.diff(part.cluster, prepend=-1)) * part.players
        for code in range(len(part.strategies)):
            told = (part.chosen & (strategy == code))[:, None]
            if told.any():
                for name, numbers in values.items():
                    sums = np.add.reduceat(numbers * told, starts, axis=0)
                    at = self._names.index(name)
                    self.sums[:, 1 + code, :, at] += sums
                    self.sums[:, 0, :, at] += sums

    def of_games(self, values: Mapping[str, np.ndarray]) -> None:
        """Add numbers by game and cell, (games, cells), to ALL, for games with a player whom the filters let through."""
        told = self._told()
        for name, numbers in values.items():
            self.sums[:, 0, :, self._names.index(name)] += self._by_deal(numbers * told[:, None])

    def of_games_at(self, cell: np.ndarray, name: str) -> None:
        """Count each game in the cells given, (games, any number), as `of_games` with ones there."""
        place = (self.part.cluster[:, None] * self._cells + cell)[self._told()]
        sums = np.bincount(place.ravel(), minlength=self._deals * self._cells)
        self.sums[:, 0, :, self._names.index(name)] += sums.reshape(self._deals, self._cells)

    def times_players(self, values: Mapping[str, np.ndarray]) -> None:
        """Add numbers by game and cell, (games, cells), once for each player of the game whom the filters let through."""
        for name, numbers in values.items():
            self._put(name, self._by_deal(self._players_by_game[:, :, None] * numbers[:, None, :]))

    def each_player(self, name: str) -> None:
        """Count each player whom the filters let through once in every cell."""
        self._put(name, self._by_deal(self._players_by_game)[:, :, None])

    def of(self, name: str) -> np.ndarray:
        """float64 view (deals, strata, *shape of the tally): the sums of a variable, to be read or written."""
        return self.sums[..., self._names.index(name)].reshape(*self.sums.shape[:2], *self._shape)

    @cached_property
    def _players_by_game(self) -> np.ndarray:
        """int64 (games, strategies): players whom the filters let through."""
        part = self.part
        by_game = part.rows[PLAYERS.name]["strategy"].reshape(part.games, part.players)
        chosen = part.chosen.reshape(part.games, part.players)
        return np.stack([((by_game == code) & chosen).sum(1) for code in range(len(part.strategies))], 1)

    def _told(self) -> np.ndarray:
        """bool by game: whether the filters let a player through."""
        return self.part.chosen.reshape(self.part.games, self.part.players).any(1)

    def _by_deal(self, by_game: np.ndarray) -> np.ndarray:
        """Sums over the games of each deal of an array by game."""
        games, deals = self.part.games, self._deals
        if (self.part.cluster == np.arange(games) // (games // deals)).all():  # equally many games each: faster
            return by_game.reshape(deals, games // deals, *by_game.shape[1:]).sum(1)
        return np.add.reduceat(by_game, np.flatnonzero(np.diff(self.part.cluster, prepend=-1)), axis=0)

    def _put(self, name: str, sums: np.ndarray) -> None:
        """Add sums by deal, strategy and cell to the strategies and to ALL."""
        at = self._names.index(name)
        self.sums[:, 1:, :, at] += sums
        self.sums[:, 0, :, at] += sums.sum(1)


def game_rows(part: PartRows) -> np.ndarray:
    """Rows of the table `games`, one by game of the part."""
    return part.rows[GAMES.name]


def player_rows(part: PartRows) -> np.ndarray:
    """int64 by row of `players`: its own place, for sums that have one row by player."""
    return np.arange(len(part.chosen))


def strata_told(moments: Moments, strategies: Sequence[str], of: str) -> list[tuple[int, str]]:
    """Places and names of the strata with rows: ALL first, under the name of the strategy where one has them all.

    of : variable that counts rows; its first cell says whether there are any
    """
    rows = moments.sum_of(of).reshape(moments.shape[0], -1).max(1)
    told = [(place, name) for place, name in enumerate((ALL, *strategies)) if rows[place] > 0]
    return [(0, told[1][1])] if len(told) == 2 else told
