"""Metrics: what is measured of each game, as a text.

A metric is a column of the table `players` (`bloodrage schema`), such as win_share, glory, margin, glory_quest, battles_won,
deaths_battle or rage_step, of the focal seat; `game.NAME` is a column of the table `games`; `winner` tells games with other winners
apart.  `card_glory.CARD` is the glory that a card gave, `card_plays.CARD` how often it was played, `fate.FATE` how many cards met a fate of
the table `plays`, `fate.FATE.CARD` those of one card; in place of CARD can stand a kind of card.  `NAME@WHO` takes another seat: left, right, others (their mean), all (the mean of the table) or the name of a strategy (the mean of
its seats).  Terms are added and taken away, `glory-glory_quest`, and sums divided once, `battles_won/battles`: that is the ratio of the
two means, not the mean of ratios.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..data import reader
from ..errors import BadValue, unknown
from ..tables_out import FATES, GAMES, LEDGER, PLAYERS, PLAYS, Table, flat

_NOT_MEASURED = ("game", "deal", "seat", "slot", "strategy", "turn_order", "rotation", "first_player")
GAME = "game."
WINNER = "winner"
PLAYER_METRICS = tuple(column.name for column in PLAYERS.columns if column.name not in _NOT_MEASURED)
GAME_METRICS = tuple(f"{GAME}{column.name}" for column in GAMES.columns if column.name not in _NOT_MEASURED and not column.words)
CARD_GLORY, CARD_PLAYS, FATE = "card_glory", "card_plays", "fate"
_NOT_PLAYED = ("discarded", "kept")
METRICS = (*PLAYER_METRICS, *GAME_METRICS, WINNER, f"{CARD_GLORY}.CARD", f"{CARD_PLAYS}.CARD", f"{FATE}.FATE")
_SEATS = ("focal", "left", "right", "others", "all")
_TERM = re.compile(r"\s*([+-]?)\s*([a-z][a-z0-9_.]*)(?:@([A-Za-z0-9_]+))?")


@dataclass(frozen=True)
class Term:
    """A column of a seat with its sign."""

    sign: int
    name: str
    who: str


@dataclass(frozen=True)
class Metric:
    """A metric: sums of terms, the second () where nothing is divided."""

    text: str
    over: tuple[Term, ...]
    under: tuple[Term, ...]

    @classmethod
    def read(cls, text: str, where: str) -> Metric:
        """Raises BadValue for another form, UnknownName for an unknown column."""
        over, slash, under = text.partition("/")
        if "/" in under:
            raise BadValue(f"{where}: metric {text!r} divides twice; write one /")
        return cls(text, _terms(over, text, where), _terms(under, text, where) if slash else ())

    @property
    def needs_details(self) -> bool:
        """Whether it is measured in the tables `ledger` and `plays`."""
        return any(term.name.partition(".")[0] in (CARD_GLORY, CARD_PLAYS, FATE) for term in (*self.over, *self.under))

    def measure(self, played: PlayedGames) -> tuple[np.ndarray, np.ndarray]:
        """Float64 arrays (games,): what is divided, and by what (ones where nothing is)."""
        over = _sum(self.over, played)
        return over, _sum(self.under, played) if self.under else np.ones(len(over))


def _terms(text: str, whole: str, where: str) -> tuple[Term, ...]:
    terms, at = [], 0
    while at < len(text.rstrip()):
        found = _TERM.match(text, at)
        if found is None or (terms and not found[1]):
            raise BadValue(f"{where}: metric {whole!r} is no sum of columns; write e.g. glory, glory-glory_quest, battles_won/battles")
        _check_name(found[2], where)
        terms.append(Term(-1 if found[1] == "-" else 1, found[2], found[3] or "focal"))
        at = found.end()
    if not terms:
        raise BadValue(f"{where}: metric {whole!r} has nothing to measure")
    return tuple(terms)


def _check_name(name: str, where: str) -> None:
    """Raise UnknownName for a metric that is not there."""
    family, _, rest = name.partition(".")
    if family == FATE and rest:
        fate, _, rest = rest.partition(".")
        if fate not in FATES:
            raise unknown("fate of a card", fate, FATES, where)
        if not rest:
            return
    if family in (CARD_GLORY, CARD_PLAYS, FATE) and rest:
        cards_meant(rest, where)
    elif name not in METRICS:
        raise unknown("metric", name, METRICS, where)


def cards_meant(text: str, where: str) -> np.ndarray:
    """CARD ids of a card, of all its ages, or of a kind of card.  Raises UnknownName."""
    rows = reader.card_rows()
    found = [number for number, row in enumerate(rows) if text in (row["id"], row["kind"])]
    if not found:
        raise unknown("card", text, {row["id"] for row in rows}, where)
    return np.array(found)


@dataclass(frozen=True)
class PlayedGames:
    """Rows of finished games.

    Attributes
    ----------
    players : seats of a table
    game_rows, player_rows : rows of the tables `games` and `players`, game by game
    names : name of the strategy by slot
    details : rows of the tables `ledger` and `plays` by name, games numbered from 0; {} if no metric needs them
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
        total = np.zeros((len(self.game_rows), self.players))
        np.add.at(total, (rows["game"][chosen], rows["seat"][chosen]), np.broadcast_to(amount, len(rows))[chosen])
        return total

    def is_card(self, table: Table, text: str) -> np.ndarray:
        """Bool by row of a detail table: whether it is about such a card."""
        rows = self.details[table.name]
        card = np.where(rows["copy"] >= 0, self.card_of[rows["game"], rows["copy"]], -1)
        return np.isin(card, cards_meant(text, ""))

    def column(self, name: str) -> np.ndarray:
        """Float64 (games, players): a column of `players` by seat."""
        return flat(PLAYERS, self.player_rows)[name].astype(float).reshape(-1, self.players)

    def weights(self, who: str) -> np.ndarray:
        """Float64 (games, players): weights of the seats that are meant, with sum 1; 0 where nobody is."""
        slot = flat(PLAYERS, self.player_rows)["slot"].reshape(-1, self.players)
        focal = slot == 0
        if who == "focal":
            meant = focal
        elif who in ("left", "right"):
            meant = np.roll(focal, 1 if who == "left" else -1, axis=1)
        elif who in ("others", "all"):
            meant = ~focal | (who == "all")
        else:
            meant = np.isin(slot, [number for number, name in enumerate(self.names) if name == who and number > 0])
        return meant / np.maximum(meant.sum(1, keepdims=True), 1)


def _sum(terms: Sequence[Term], played: PlayedGames) -> np.ndarray:
    return sum((term.sign * _value(term, played) for term in terms), np.zeros(len(played.game_rows)))


def _value(term: Term, played: PlayedGames) -> np.ndarray:
    if term.name == WINNER:
        first = played.column("rank") == 1
        return first @ (1.0 * 2 ** np.arange(played.players))
    if term.name.startswith(GAME):
        return flat(GAMES, played.game_rows)[term.name.removeprefix(GAME)].astype(float)
    family, _, rest = term.name.partition(".")
    by_seat = played.column(term.name) if not rest else _by_card(family, rest, played)
    return (by_seat * played.weights(term.who)).sum(1)


def _by_card(family: str, rest: str, played: PlayedGames) -> np.ndarray:
    """Float64 (games, players): a metric of cards."""
    if family == CARD_GLORY:
        return played.booked(LEDGER, played.details[LEDGER.name]["glory"], played.is_card(LEDGER, rest))
    fate, names = played.details[PLAYS.name]["fate"], tuple(FATES)
    if family == CARD_PLAYS:
        is_played = ~np.isin(fate, [names.index(name) for name in _NOT_PLAYED])
        return played.booked(PLAYS, 1.0, is_played & played.is_card(PLAYS, rest))
    name, _, card = rest.partition(".")
    chosen = fate == names.index(name)
    return played.booked(PLAYS, 1.0, chosen & played.is_card(PLAYS, card) if card else chosen)


def check_seats(metric: Metric, names: Sequence[str], where: str) -> None:
    """Raise UnknownName if a metric asks for a strategy that no line-up has."""
    for term in (*metric.over, *metric.under):
        if term.who not in (*_SEATS, *names):
            raise unknown("seat", term.who, [*_SEATS, *names], f"{where}, metric {metric.text}")
