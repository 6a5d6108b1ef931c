"""Metrics of cards: `card_glory.CARD`, `card_plays.CARD`, `fate.FATE` and `fate.FATE.CARD`."""

from __future__ import annotations

import numpy as np

from ..errors import unknown
from ..rows.tables_out import FATES, LEDGER, PLAYS
from .played import PlayedGames, cards_meant

_NOT_PLAYED = ("discarded", "kept")


def check_card(rest: str, where: str) -> None:
    """Raise UnknownName for no card and no kind of card."""
    cards_meant(rest, where)


def check_fate(rest: str, where: str) -> None:
    """Raise UnknownName for another fate or card."""
    fate, _, card = rest.partition(".")
    if fate not in FATES:
        raise unknown("fate of a card", fate, FATES, where)
    if card:
        cards_meant(card, where)


def card_glory(rest: str, played: PlayedGames) -> np.ndarray:
    """Float64 (games, players): glory that a card gave."""
    return played.booked(LEDGER, played.details[LEDGER.name]["glory"], played.is_card(LEDGER, rest))


def card_plays(rest: str, played: PlayedGames) -> np.ndarray:
    """Float64 (games, players): how often a card was played."""
    unplayed = [tuple(FATES).index(name) for name in _NOT_PLAYED]
    is_played = ~np.isin(played.details[PLAYS.name]["fate"], unplayed)
    return played.booked(PLAYS, 1.0, is_played & played.is_card(PLAYS, rest))


def fates(rest: str, played: PlayedGames) -> np.ndarray:
    """Float64 (games, players): cards that met a fate."""
    fate, _, card = rest.partition(".")
    chosen = played.details[PLAYS.name]["fate"] == tuple(FATES).index(fate)
    return played.booked(PLAYS, 1.0, chosen & played.is_card(PLAYS, card) if card else chosen)
