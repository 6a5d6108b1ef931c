"""Metrics: what is measured of each game, as a text.

A metric is a column of the table `players` (`bloodrage schema`), such as win_share, glory, margin, glory_quest, battles_won,
deaths_battle or rage_step, of the focal seat; `game.NAME` is a column of the table `games`; `winner` tells games with other winners
apart.  `NAME@WHO` takes another seat: left, right, others (their mean), all (the mean of the table) or the name of a strategy (the mean of
its seats).  Terms are added and taken away, `glory-glory_quest`, and sums divided once, `battles_won/battles`: that is the ratio of the
two means, not the mean of ratios.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import BadValue, unknown
from ..tables_out import GAMES, PLAYERS, flat

_NOT_MEASURED = ("game", "deal", "seat", "slot", "strategy", "turn_order", "rotation", "first_player")
GAME = "game."
WINNER = "winner"
PLAYER_METRICS = tuple(column.name for column in PLAYERS.columns if column.name not in _NOT_MEASURED)
GAME_METRICS = tuple(f"{GAME}{column.name}" for column in GAMES.columns if column.name not in _NOT_MEASURED and not column.words)
METRICS = (*PLAYER_METRICS, *GAME_METRICS, WINNER)
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
        if found[2] not in METRICS:
            raise unknown("metric", found[2], METRICS, where)
        terms.append(Term(-1 if found[1] == "-" else 1, found[2], found[3] or "focal"))
        at = found.end()
    if not terms:
        raise BadValue(f"{where}: metric {whole!r} has nothing to measure")
    return tuple(terms)


@dataclass(frozen=True)
class PlayedGames:
    """Rows of finished games.

    Attributes
    ----------
    players : seats of a table
    game_rows, player_rows : rows of the tables `games` and `players`, game by game
    names : name of the strategy by slot
    """

    players: int
    game_rows: np.ndarray
    player_rows: np.ndarray
    names: Sequence[str]

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
    return (played.column(term.name) * played.weights(term.who)).sum(1)


def check_seats(metric: Metric, names: Sequence[str], where: str) -> None:
    """Raise UnknownName if a metric asks for a strategy that no line-up has."""
    for term in (*metric.over, *metric.under):
        if term.who not in (*_SEATS, *names):
            raise unknown("seat", term.who, [*_SEATS, *names], f"{where}, metric {metric.text}")
