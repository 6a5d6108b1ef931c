"""What a worker keeps of finished games: rows of the tables of a run, and their content hashes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ..datasets.dataset import PlayedPart
from ..errors import BloodRageError
from ..rows.results import (
    DETAIL_KINDS,
    EVENTS_NAMES,
    EVENTS_NONE,
    SEATS_NAMES,
    fill_chosen,
    fill_details,
    fill_rows,
    set_up_run,
)
from ..rows.row_bytes import copied, joined
from ..rows.table_files import empty_hash, sum_of_hashes
from ..rows.tables_out import BOARD, DETAILS, EVENTS, GAMES, PLAYERS, SUMMARY, Table, new_rows, tables_named
from ..rules.ids import DRAFT_OFF, N_AGES
from ..rules.state import GAME_EVENTS, MAX_EVENTS, N_BOARD_PLACES, new_log

if TYPE_CHECKING:
    from .runs import Kit


class Recorder:
    """Sets up games of a run and turns them into rows when they are over; scratch memory of one worker.

    Attributes
    ----------
    log : LOG array to play the games with
    """

    def __init__(self, kit: Kit) -> None:
        config = kit.config
        self._kit = kit
        self._tables = tables_named(config.tables)
        by_name = {table.name: table for table in self._tables}
        self._chosen = EVENTS_NAMES.index(config.events)
        details = len(self._tables) > len(SUMMARY)
        kinds = DETAIL_KINDS if self._chosen == EVENTS_NONE else -1
        self.log = new_log(MAX_EVENTS if details else 0, keep=details, kinds=kinds)
        self._details = details
        self._drafting = int(kit.tables.rule.draft[0] != DRAFT_OFF)
        if details:
            self._rows = {table.name: new_rows(table, MAX_EVENTS) for table in (*DETAILS, EVENTS) if table is not BOARD}
        self._pieces: dict[str, list[np.ndarray]] = {}
        self._ends: dict[str, list[np.ndarray]] = {}
        self._taken = 0
        self._empty = cache(lambda name, players: empty_hash(by_name[name], players, kit.strategies))

    def set_up(self, games: np.recarray, players: int, first: int) -> None:
        """Set up games first, first + 1, ... of the run in zeroed records, and begin anew."""
        config = self._kit.config
        set_up_run(games, self._kit.tables, players, np.uint64(config.seed), SEATS_NAMES.index(config.seats), first)
        self._pieces = {table.name: [] for table in (*DETAILS, EVENTS)}
        self._ends = {table.name: [] for table in (*DETAILS, EVENTS)}
        self._taken = 0
        self.log.begin[0] = 0

    def take(self, games: np.recarray, end: int, players: int, first: int) -> None:
        """Turn what the log holds of games before number `end` into rows, and empty the log."""
        begin, count = self._taken, end - self._taken
        if not self._details or count <= 0:
            return
        if int(games.n_events[begin:end].max()) > GAME_EVENTS:
            raise BloodRageError(f"a game had more than {GAME_EVENTS} events, which is more than can be recorded")
        rows, ends = self._rows, np.zeros((len(DETAILS), count), np.int64)
        rows[BOARD.name] = new_rows(BOARD, count * players * N_AGES * N_BOARD_PLACES)
        fill_details(
            games, begin, end, first, self.log, self._drafting, *(rows[table.name] for table in DETAILS), ends
        )  # fmt: skip
        for number, table in enumerate(DETAILS):
            self._keep(table, ends[number])
        if self._chosen != EVENTS_NONE:
            seed, event_ends = np.uint64(self._kit.config.seed), np.zeros(count, np.int64)
            fill_chosen(games, begin, end, first, seed, self._chosen, self.log, rows[EVENTS.name], event_ends)
            self._keep(EVENTS, event_ends)
        self._taken = end
        self.log.begin[0] = 0

    def _keep(self, table: Table, ends: np.ndarray) -> None:
        self._pieces[table.name].append(copied(self._rows[table.name][: ends[-1]]))
        self._ends[table.name].append(ends)

    def part(self, games: np.recarray, players: int, first: int) -> PlayedPart:
        """Rows and content hashes of finished games, number first, first + 1, ... of the run."""
        self.take(games, len(games), players, first)
        n = len(games)
        rows: dict[str, np.ndarray] = {GAMES.name: new_rows(GAMES, n), PLAYERS.name: new_rows(PLAYERS, n * players)}
        fill_rows(games, n, first, self._kit.strategy_of, rows[GAMES.name], rows[PLAYERS.name])
        numbers = np.arange(1, n + 1)
        ends = {GAMES.name: numbers, PLAYERS.name: numbers * players}
        for table in self._tables[len(SUMMARY) :]:
            rows[table.name], ends[table.name] = _joined(table, self._pieces[table.name], self._ends[table.name])
        sums = {
            table.name: sum_of_hashes(rows[table.name], ends[table.name], self._empty(table.name, players)) for table in self._tables
        }
        return PlayedPart(players, first, n, rows, sums)


def _joined(table: Table, pieces: Sequence[np.ndarray], ends: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Pieces of a table in one array, and the row behind each of their games."""
    if not pieces:
        return new_rows(table, 0), np.zeros(0, np.int64)
    starts = np.cumsum([0, *map(len, pieces[:-1])])
    return joined(pieces), np.concatenate([end + start for end, start in zip(ends, starts, strict=True)])
