"""Rows of finished games as metrics see them: columns by seat, whose seat is meant, sums over the rows of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..data import reader
from ..errors import unknown
from ..rows.tables_out import PLAYERS, Table, flat
from ..rules.ids import N_AGES

_AGES = tuple(str(age) for age in range(1, N_AGES + 1))
FIRST, LAST = "first_", "last_"
SEATS = ("focal", "left", "right", "others", "all", *(f"{turn}{age}" for turn in (FIRST, LAST) for age in _AGES))


def cards_meant(text: str, where: str) -> np.ndarray:
    """CARD ids of a card, of all its ages, or of a kind of card.  Raises UnknownName."""
    rows = reader.card_rows()
    found = [number for number, row in enumerate(rows) if text in (row["id"], row["kind"])]
    if not found:
        raise unknown("card", text, {row["id"] for row in rows}, where)
    return np.array(found)


def turn_of(who: str, players: int) -> int:
    """Place in the turn order of age 1, from 0, of who is first_AGE or last_AGE: the first player moves on by one each age."""
    turn, _, age = who.rpartition("_")
    return (int(age) - 1 - (f"{turn}_" == LAST)) % players


@dataclass(frozen=True)
class PlayedGames:
    """Rows of finished games.

    Attributes
    ----------
    players : seats of a table
    game_rows, player_rows : rows of the tables `games` and `players`, game by game
    names : name of the strategy by slot
    details : rows of other tables by name, games numbered from 0; {} if no metric needs them
    card_of : CARD id by game and COPY
    """

    players: int
    game_rows: np.ndarray
    player_rows: np.ndarray
    names: Sequence[str]
    details: Mapping[str, np.ndarray]
    card_of: np.ndarray

    def booked(self, table: Table, amount: np.ndarray | float, chosen: np.ndarray) -> np.ndarray:
        """Float64 (games, players): sum of amounts over the chosen rows of a detail table."""
        rows = self.details[table.name]
        return self.summed(rows["game"][chosen], rows["seat"][chosen], np.broadcast_to(amount, len(rows))[chosen])

    def summed(self, game: np.ndarray, seat: np.ndarray, amount: np.ndarray | float) -> np.ndarray:
        """Float64 (games, players): sums of amounts by game and seat."""
        total = np.zeros((len(self.game_rows), self.players))
        np.add.at(total, (game, seat), amount)
        return total

    def is_card(self, table: Table, text: str) -> np.ndarray:
        """Bool by row of a detail table: whether it is about such a card."""
        rows = self.details[table.name]
        card = np.where(rows["copy"] >= 0, self.card_of[rows["game"], rows["copy"]], -1)
        return np.isin(card, cards_meant(text, ""))

    def column(self, name: str) -> np.ndarray:
        """Float64 (games, players): a column of `players` by seat."""
        return self._by_seat(name).astype(float)

    def _by_seat(self, name: str) -> np.ndarray:
        return flat(PLAYERS, self.player_rows)[name].reshape(-1, self.players)

    def weights(self, who: str) -> np.ndarray:
        """Float64 (games, players): weights of the seats that are meant, with sum 1; 0 where nobody is."""
        slot = self._by_seat("slot")
        focal = slot == 0
        if who == "focal":
            meant = focal
        elif who in ("left", "right"):
            meant = np.roll(focal, 1 if who == "left" else -1, axis=1)
        elif who in ("others", "all"):
            meant = ~focal | (who == "all")
        elif who in SEATS:
            meant = self._turn_of(who)
        else:
            meant = np.isin(slot, [number for number, name in enumerate(self.names) if name == who and number > 0])
        return meant / np.maximum(meant.sum(1, keepdims=True), 1)

    def _turn_of(self, who: str) -> np.ndarray:
        """Bool (games, players): the seat that is first, or last, in turn in an age."""
        return self._by_seat("turn_order") == turn_of(who, self.players)
