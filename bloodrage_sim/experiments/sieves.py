"""Sieves: which options of a question, or which cards, an order or a change is about, as keys of a TOML table.

Keys, each of which narrows the choice: `action` (decline, pass, join, pillage, ...), `card` or `cards`, `kind` or `kinds`
(warrior, leader, ship, monster, clan, battle, quest, upgrade), `place` or `places` (where to), `figure` or `figures`
(warrior, leader, ship, mystic, monster), `stat` (to raise), `token` or `tokens` (rage, axes, horns, glory, ... that lies there),
`doomed` (true: the province that Ragnarok takes in this age; false: another), `rivals = [least, most]` (figures of other clans in the area
of the place), `lead = [least, most]` (own STR there less the most STR of another clan, cards left out).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import BadValue
from ..rules.flow import ACTION_NAMES
from ..rules.ids import PLACE_NAMES, STAT_NAMES, TOKEN_NAMES
from ..rules.tables import FIGURE_MONSTER, FIGURE_NAMES, N_FIGURES
from ..steering.measures import FAR
from .cards import KINDS, kinds_mask, rows_of_card
from .reading import read_bool, read_range, read_words

CARD_KEYS = ("card", "cards", "kind", "kinds")
KEYS = (*CARD_KEYS, "action", "actions", "place", "places", "figure", "figures", "stat", "token", "tokens", "doomed", "rivals", "lead")
_FIGURES = (*FIGURE_NAMES, "monster")


@dataclass(frozen=True)
class Sieve:
    """Which options or cards are meant; an empty tuple means any."""

    actions: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    stats: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    doomed: bool | None = None
    rivals: tuple[int, int] = (-FAR, FAR)
    lead: tuple[int, int] = (-FAR, FAR)

    @classmethod
    def read(cls, table: Mapping[str, Any], where: str) -> Sieve:
        """The sieve of a table, whose other keys are left to others.  Raises BadValue, UnknownName."""

        def words(one: str, many: str, known: tuple[str, ...] | None) -> tuple[str, ...]:
            return (*read_words(table, one, where, known), *read_words(table, many, where, known))

        cards = words("card", "cards", None)
        for card in cards:
            rows_of_card(card, where)
        return cls(
            actions=words("action", "actions", ACTION_NAMES),
            cards=cards,
            kinds=words("kind", "kinds", KINDS),
            places=words("place", "places", PLACE_NAMES),
            figures=words("figure", "figures", _FIGURES),
            stats=read_words(table, "stat", where, STAT_NAMES),
            tokens=words("token", "tokens", TOKEN_NAMES),
            doomed=read_bool(table, "doomed", where) if "doomed" in table else None,
            rivals=read_range(table, "rivals", FAR, where),
            lead=read_range(table, "lead", FAR, where),
        )

    @property
    def is_empty(self) -> bool:
        """Whether everything fits."""
        return self == Sieve()

    def need_cards(self, where: str) -> Sieve:
        """The sieve itself.  Raises BadValue if it says nothing of cards."""
        if not self.cards and not self.kinds:
            raise BadValue(f"{where} names no cards; give card = \"...\", cards = [...] or kinds = [...]")
        return self

    def write(self, record: Any, tables: np.recarray) -> None:
        """Fill a SIEVE record.  A card stands for all that a player cannot tell from it."""
        record.actions = sum(1 << ACTION_NAMES.index(action) for action in self.actions)
        record.kinds = kinds_mask(self.kinds)
        record.by_card = bool(self.cards)
        face = tables[0].face
        for text in self.cards:
            for card in rows_of_card(text, ""):
                record.cards[face == face[card]] = 1
        record.places = sum(1 << PLACE_NAMES.index(place) for place in self.places)
        for figure in self.figures:
            slot = _FIGURES.index(figure)
            record.figures |= sum(1 << monster for monster in range(FIGURE_MONSTER, N_FIGURES)) if slot == FIGURE_MONSTER else 1 << slot
        record.values = sum(1 << STAT_NAMES.index(stat) for stat in self.stats)
        record.tokens = sum(1 << TOKEN_NAMES.index(token) for token in self.tokens)
        record.doomed = 0 if self.doomed is None else 1 if self.doomed else 2
        record.rivals[:] = self.rivals
        record.lead[:] = self.lead
