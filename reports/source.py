"""Where a report gets its numbers: the parts of a data set, checked, with the players that the filters let through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..datasets.dataset import DataSet, is_whole
from ..errors import BadDataSet, BadValue, unknown
from ..rows.results import SEATS_NAMES, SEATS_ROTATE
from ..rows.table_files import first_words, read_rows, to_arrow, unreadable
from ..rows.tables_out import CARDS_NAME, DETAILS, GAMES, PLAYERS, TABLES, Table
from ..rules.ids import N_AGES
from ..ruleset import Ruleset, ruleset_of_run


@dataclass(frozen=True)
class Filters:
    """What of a data set a report is about.

    Attributes
    ----------
    players : numbers of players; () for all of the run
    ages : ages of cards, battles and provinces; () for all
    strategies : of the players; () for all
    where : SQL condition on the columns of the table players, '' for none
    """

    players: tuple[int, ...] = ()
    ages: tuple[int, ...] = ()
    strategies: tuple[str, ...] = ()
    where: str = ""

    def words(self) -> str:
        """The filters as a phrase for captions, '' if there are none."""
        parts = [f"{name} {', '.join(map(str, values))}" for name, values in
                 (("players", self.players), ("age", self.ages), ("strategy", self.strategies)) if values]  # fmt: skip
        return "; ".join([*parts, *([f"where {self.where}"] if self.where else [])])


@dataclass(frozen=True)
class PartRows:
    """Rows of one part.

    Attributes
    ----------
    players : number of players
    strategies : words that the code `strategy` of players stands for
    rows : structured arrays by table name, with the columns that were asked for
    chosen : bool by row of `players`, whether the filters let it through
    cluster : int64 by game of the part, 0, 1, ...: what intervals take as independent.  It is the deal, since games of one
        deal are alike, or several deals (Source.deals_together); parts of a whole run begin with a new one
    first_game : number of the first game of the part
    """

    players: int
    strategies: tuple[str, ...]
    rows: Mapping[str, np.ndarray]
    chosen: np.ndarray
    cluster: np.ndarray
    first_game: int

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.cluster)

    def game_of(self, table: str) -> np.ndarray:
        """int64 by row of a table: index of its game in the part."""
        return self.rows[table]["game"] - self.first_game

    def player_row_of(self, table: str, seats: str = "seat") -> np.ndarray:
        """int64 by row of a table: row of the player in that seat, whose column is `seats`."""
        return self.game_of(table) * self.players + self.rows[table][seats]


class Source:
    """A data set as a report reads it.

    Attributes
    ----------
    data_set : the DataSet
    filters : what is let through
    damaged : files left out because they are missing or changed; only with partial=True
    lang : language of the names of cards, 'en' or 'pl'
    card_values : folder of measured values of cards, None for none
    """

    def __init__(
        self,
        path: Path,
        filters: Filters,
        partial: bool = False,
        lang: str = "en",
        card_values: Path | None = None,
        most_clusters: int | None = None,
    ) -> None:
        """Open the data set in `path`.

        most_clusters : of each number of players; with more deals than twice that, several make a cluster.  None: each deal

        Raises
        ------
        BadDataSet : no data set, one without games or without the tables of a report, or a damaged part and not partial
        BadValue, UnknownName : filters that do not fit it
        """
        self.data_set = DataSet.open(path)
        self.filters = filters
        self.lang = lang
        self.card_values = card_values
        self.damaged: list[str] = []
        self._most_clusters = most_clusters
        self._check_filters()
        asked = filters.players or self.data_set.run["players"]
        parts = {players: self._whole_parts(players, partial) for players in asked}
        self._parts = {players: whole for players, whole in parts.items() if whole}
        if not self._parts:
            raise BadDataSet(f"{path} has no whole games; play it first: {self.data_set.manifest['command']}")

    @property
    def players(self) -> tuple[int, ...]:
        """Numbers of players that are told, rising; all have games."""
        return tuple(self._parts)

    @property
    def strategies(self) -> tuple[str, ...]:
        """All strategies of the run, by code."""
        return self.data_set.strategies

    def games(self, players: int) -> int:
        """Games that are told with `players` players."""
        return sum(part["games"] for part in self._parts[players])

    def deals_together(self, players: int) -> int:
        """How many deals that follow each other make one cluster.

        Deals are independent, so any number of them together is as honest a cluster as one: the intervals only rest on fewer,
        of which thousands are left.  It makes a report of millions of games several times as fast.
        """
        deals = self.games(players) // (players if self.data_set.run["seats"] == SEATS_NAMES[SEATS_ROTATE] else 1)
        return max(1, deals // self._most_clusters) if self._most_clusters else 1

    @cached_property
    def ruleset(self) -> Ruleset:
        """The rules that the run was played by."""
        return ruleset_of_run(self.data_set.run, str(self.data_set.path))

    @cached_property
    def cards(self) -> Any:
        """DataFrame of the physical cards; row number is the copy."""
        import pandas as pd

        path = self.data_set.path / f"{CARDS_NAME}.parquet"
        try:
            return pd.read_parquet(path)
        except unreadable() as error:
            raise BadDataSet(f"{path} cannot be read: {first_words(error)}") from None

    def parts(self, columns: Mapping[str, Sequence[str]]) -> Iterator[PartRows]:
        """The parts with the columns asked for, by table.  Raises BadDataSet for a file that cannot be read."""
        for players in self.players:
            for part in self._parts[players]:
                yield self._read(players, part, columns)

    def _check_filters(self) -> None:
        run, filters = self.data_set.run, self.filters
        for players in filters.players:
            if players not in run["players"]:
                raise BadValue(f"--players {players}: the data set has games with {_listed(run['players'])} players")
        for age in filters.ages:
            if not 1 <= age <= N_AGES:
                raise BadValue(f"--age {age}; allowed: 1 to {N_AGES}")
        for strategy in filters.strategies:
            if strategy not in self.strategies:
                raise unknown("strategy", strategy, self.strategies, f"data set {self.data_set.path}")
        missing = [table.name for table in DETAILS if table not in self.data_set.tables]
        if missing:
            raise BadDataSet(
                f"{self.data_set.path} was written without {_listed(missing)}, which a report needs; "
                "play the run again with --tables all"
            )

    def _whole_parts(self, players: int, partial: bool) -> list[dict[str, Any]]:
        whole = []
        for part in self.data_set.parts(players):
            files = part["files"].values()
            bad = [file["file"] for file in files if not is_whole(self.data_set.path / file["file"], file["sha256"])]
            if bad and not partial:
                raise BadDataSet(
                    f"{self.data_set.path / bad[0]} is missing or damaged; give the command that wrote it again to repair "
                    "it, or report on the rest with --partial"
                )
            self.damaged += bad
            if not bad:
                whole.append(part)
        return whole

    def _read(self, players: int, part: Mapping[str, Any], columns: Mapping[str, Sequence[str]]) -> PartRows:
        wanted = {name: {"game", *names} for name, names in columns.items()}
        wanted[GAMES.name] = {"game", "deal", *columns.get(GAMES.name, ())}
        wanted[PLAYERS.name] = {"game", "seat", "strategy", *columns.get(PLAYERS.name, ())}
        if self.filters.where:
            wanted[PLAYERS.name] = {column.name for column in PLAYERS.columns}
        rows = {table.name: self._rows(table, part, wanted[table.name]) for table in TABLES if table.name in wanted}
        deal = rows[GAMES.name]["deal"]
        clusters = np.concatenate([[0], np.cumsum(deal[1:] != deal[:-1])]) // self.deals_together(players)
        chosen = self._chosen(rows[PLAYERS.name], players)
        return PartRows(players, self.strategies, rows, chosen, clusters, part["first_game"])

    def _rows(self, table: Table, part: Mapping[str, Any], columns: set[str]) -> np.ndarray:
        path = self.data_set.path / part["files"][table.name]["file"]
        try:
            return read_rows(path, table, self.strategies, tuple(columns))
        except unreadable() as error:
            raise BadDataSet(f"{path} cannot be read: {first_words(error)}") from None

    def _chosen(self, rows: np.ndarray, players: int) -> np.ndarray:
        chosen = np.ones(len(rows), bool)
        if self.filters.strategies:
            chosen = np.isin(rows["strategy"], [self.strategies.index(name) for name in self.filters.strategies])
        if self.filters.where:
            chosen &= _rows_where(rows, self.strategies, self.filters.where, players)
        return chosen


def _rows_where(rows: np.ndarray, strategies: Sequence[str], where: str, players: int) -> np.ndarray:
    """bool by row: whether an SQL condition holds.  It sees the table and nothing else: no files, no settings."""
    import duckdb

    with duckdb.connect(config={"enable_external_access": False, "lock_configuration": True}) as connection:
        connection.register("players", to_arrow(PLAYERS, rows, strategies))
        try:
            found = connection.execute(f"select coalesce(({where}), false)::bool from (select *, {players} as players from players)")
            return np.asarray(found.fetchnumpy().popitem()[1], bool)
        except duckdb.Error as error:
            columns = ", ".join(column.name for column in PLAYERS.columns)
            raise BadValue(f"--where {where!r}: {str(error).splitlines()[0]}; columns: {columns}") from None


def _listed(values: Sequence[object]) -> str:
    return ", ".join(map(str, values))
