"""Metrics: what is measured of each game, as a text.

A metric is a column of the table `players` (`bloodrage schema`), such as win_share, glory, margin, glory_quest, battles_won,
deaths_battle or rage_step, of the focal seat; `game.NAME` is a column of the table `games`; `winner` tells games with other winners
apart.  `card_glory.CARD` is the glory that a card gave, `card_plays.CARD` how often it was played, `fate.FATE` how many cards met a fate of
the table `plays`, `fate.FATE.CARD` those of one card; in place of CARD can stand a kind of card.  `battles.foreign.won.age_1`,
`pillages.age_3`, `battle_glory.foreign.age_1` and `passed_quests.alone.back` count what their words say: battle_metrics.py,
wheel_metrics.py.

`NAME@WHO` takes another seat: left, right, others (their mean), all (the mean of the table), first_1, first_2, first_3 (the first player of
an age), last_1, last_2, last_3 (the last in turn), or the name of a strategy (the mean of its seats).  Terms are added and taken away,
`glory-glory_quest`, a number before one counts it so often, `0.5*glory@left`, and sums are divided once, `battles_won/battles`: that is the
ratio of the two means, not the mean of ratios.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..errors import BadValue, unknown
from ..rows.tables_out import GAMES, PLAYERS, flat
from .battle_metrics import BATTLE_WORDS, GLORY_WORDS, PILLAGE_WORDS, battle_glory, battles, pillages
from .card_metrics import card_glory, card_plays, check_card, check_fate, fates
from .played import FIRST, LAST, SEATS, PlayedGames, turn_of
from .wheel_metrics import WHEEL_WORDS, passed_quests

_NOT_MEASURED = ("game", "deal", "seat", "slot", "strategy", "turn_order", "rotation", "first_player")
GAME = "game."
WINNER = "winner"
PLAYER_METRICS = tuple(column.name for column in PLAYERS.columns if column.name not in _NOT_MEASURED)
GAME_METRICS = tuple(f"{GAME}{column.name}" for column in GAMES.columns if column.name not in _NOT_MEASURED and not column.words)
SHARE = "win_share"
_ROUNDING = 1e-9  # of factors that cancel


@dataclass(frozen=True)
class Family:
    """Metrics whose names begin alike, `NAME.REST`.

    Attributes
    ----------
    rest : the rest as told to users
    check : raises UnknownName for another rest, with the place of the fault
    value : float64 (games, players) of a rest
    in_events : whether it is measured in the table `events`
    """

    rest: str
    check: Callable[[str, str], None]
    value: Callable[[str, PlayedGames], np.ndarray]
    in_events: bool = False


def _check_words(known: Sequence[str], rest: str, where: str) -> None:
    for word in rest.split("."):
        if word not in known:
            raise unknown("word of a metric", word, known, where)


def _worded(known: Sequence[str], value: Callable[[str, PlayedGames], np.ndarray], in_events: bool = False) -> Family:
    return Family("WORD", partial(_check_words, known), value, in_events)


FAMILIES: Mapping[str, Family] = {
    "card_glory": Family("CARD", check_card, card_glory),
    "card_plays": Family("CARD", check_card, card_plays),
    "fate": Family("FATE", check_fate, fates),
    "battles": _worded(BATTLE_WORDS, battles),
    "pillages": _worded(PILLAGE_WORDS, pillages),
    "battle_glory": _worded(GLORY_WORDS, battle_glory, in_events=True),
    "passed_quests": _worded(WHEEL_WORDS, passed_quests),
}
METRICS = (*PLAYER_METRICS, *GAME_METRICS, WINNER, *(f"{name}.{family.rest}" for name, family in FAMILIES.items()))
_TERM = re.compile(r"\s*([+-]?)\s*(?:([0-9]+(?:\.[0-9]+)?)\s*\*\s*)?([a-z][a-z0-9_.]*)(?:@([A-Za-z0-9_]+))?")


@dataclass(frozen=True)
class Term:
    """A column of a seat with the number that it is counted with."""

    factor: float
    name: str
    who: str

    @property
    def family(self) -> Family | None:
        """The family of its name, None for a column."""
        name, dot, _ = self.name.partition(".")
        return FAMILIES.get(name) if dot else None

    @property
    def rest(self) -> str:
        """The name without the family's."""
        return self.name.partition(".")[2]

    def is_part_of(self, other: Term) -> bool:
        """Whether it counts some of what another term counts."""
        parts, whole = self.name.split("."), other.name.split(".")
        return self.who == other.who and parts[0] == whole[0] and set(whole) <= set(parts)


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
        """Whether it is measured in other tables than `games` and `players`."""
        return any(term.family is not None for term in (*self.over, *self.under))

    @property
    def needs_events(self) -> bool:
        """Whether it is measured in the table `events`."""
        return any(term.family is not None and term.family.in_events for term in (*self.over, *self.under))

    @property
    def is_share(self) -> bool:
        """Whether it is a share, from 0 to 1, or a difference of shares, so that it is told in percentage points."""
        if not self.under:
            return all(term.name == SHARE for term in self.over)
        return all(any(part.is_part_of(whole) for whole in self.under) for part in self.over)

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
        sign, factor, name, who = found.groups()
        _check_name(name, where)
        terms.append(Term(float(factor or 1) * (-1 if sign == "-" else 1), name, who or "focal"))
        at = found.end()
    if not terms:
        raise BadValue(f"{where}: metric {whole!r} has nothing to measure")
    return tuple(terms)


def _check_name(name: str, where: str) -> None:
    """Raise UnknownName for a metric that is not there."""
    family, _, rest = name.partition(".")
    if family in FAMILIES and rest:
        FAMILIES[family].check(rest, where)
    elif name not in (*PLAYER_METRICS, *GAME_METRICS, WINNER):
        raise unknown("metric", name, METRICS, where)


def _sum(terms: Sequence[Term], played: PlayedGames) -> np.ndarray:
    return sum((term.factor * _value(term, played) for term in terms), np.zeros(len(played.game_rows)))


def _value(term: Term, played: PlayedGames) -> np.ndarray:
    if term.name == WINNER:
        first = played.column("rank") == 1
        return first @ (1.0 * 2 ** np.arange(played.players))
    if term.name.startswith(GAME):
        return flat(GAMES, played.game_rows)[term.name.removeprefix(GAME)].astype(float)
    by_seat = played.column(term.name) if term.family is None else term.family.value(term.rest, played)
    return (by_seat * played.weights(term.who)).sum(1)


def check_seats(metric: Metric, names: Sequence[str], players: int, where: str) -> None:
    """Raise UnknownName if a metric asks for a strategy that no line-up has, BadValue if its terms cancel."""
    for term in (*metric.over, *metric.under):
        if term.who not in (*SEATS, *names):
            raise unknown("seat", term.who, [*SEATS, *names], f"{where}, metric {metric.text}")
    left: dict[tuple[str, str | int], float] = {}
    for term in metric.over:
        seat = turn_of(term.who, players) if term.who.startswith((FIRST, LAST)) and term.who in SEATS else term.who
        left[term.name, seat] = left.get((term.name, seat), 0.0) + term.factor
    if not any(abs(factor) > _ROUNDING for factor in left.values()):
        raise BadValue(f"{where}: metric {metric.text} is 0 in every game with {players} players, because its terms cancel")
