"""Cards as experiments name them, and the spare rows of the card table for cards that the game does not have.

A card is written `id`, or `id@age` where an id stands in several ages and the context does not say which.  In place of a
card can stand `blank` (a dead card: it counts in the hand and can never be played) and `textless:id` (the card without
its text: same kind, cost and STR).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..data import reader
from ..errors import BadValue, unknown
from ..rules.ids import CARD_KINDS, EFFECT_NONE, N_CARD_ROWS
from ..rules.tables import N_CARDS

BLANK = "blank"
TEXTLESS = "textless:"
PATCHES = ("cost", "battle_str", "figure_str", "glory", "amount")
KINDS = (*CARD_KINDS, "upgrade")
_UNPLAYABLE = 99


def rows_of_card(text: str, where: str) -> list[int]:
    """CARD ids of all rows that `id` or `id@age` means.  Raises UnknownName, BadValue."""
    name, at, age = text.partition("@")
    rows = reader.card_rows()
    if name not in {row["id"] for row in rows}:
        raise unknown("card", name, {row["id"] for row in rows}, where)
    found = [number for number, row in enumerate(rows) if row["id"] == name and (not at or row["age"] == age)]
    if not found:
        ages = ", ".join(row["age"] for row in rows if row["id"] == name)
        raise BadValue(f"{where}: {name} is in no deck of age {age}; allowed: {ages}")
    return found


def card_of(text: str, age: int, where: str) -> int:
    """CARD id of `id` or `id@age`; of several ages the one that is played in `age`.  Raises UnknownName, BadValue."""
    found = rows_of_card(text, where)
    if len(found) > 1:
        found = [number for number in found if reader.card_rows()[number]["age"] == str(age)]
    if len(found) != 1:
        raise BadValue(f"{where}: {text} is a card of several ages, none of them {age}; write {text}@1, {text}@2 or {text}@3")
    return found[0]


def kinds_mask(kinds: Iterable[str]) -> int:
    """Bit per CARD_KIND of these words of KINDS; `upgrade` means all that go on the sheet."""
    mask = 0
    for kind in kinds:
        mask |= 0b11111 if kind == "upgrade" else 1 << CARD_KINDS.index(kind)
    return mask


class SpareCards:
    """The spare rows that the arms of an experiment share, in the order in which they were asked for."""

    def __init__(self) -> None:
        self._made: dict[tuple[Any, ...], int] = {}

    def number_of(self, text: str, age: int, patch: Mapping[str, int], where: str) -> int:
        """CARD id of a card, a blank, a text-less or a patched card.  Raises UnknownName, BadValue."""
        if text == BLANK:
            if patch:
                raise BadValue(f"{where}: a blank has no numbers, so none to patch")
            return self._spare((BLANK,), where)
        textless = text.startswith(TEXTLESS)
        card = card_of(text.removeprefix(TEXTLESS), age, where)
        if not textless and not patch:
            return card
        return self._spare((card, textless, tuple(sorted(patch.items()))), where)

    def _spare(self, key: tuple[Any, ...], where: str) -> int:
        if key not in self._made:
            if N_CARD_ROWS + len(self._made) >= N_CARDS:
                raise BadValue(f"{where}: more than {N_CARDS - N_CARD_ROWS} blank, text-less and patched cards in one experiment")
            self._made[key] = N_CARD_ROWS + len(self._made)
        return self._made[key]

    def write(self, tables: np.recarray) -> None:
        """Fill the spare rows of a TABLES array."""
        record = tables[0]
        for key, number in self._made.items():
            if key == (BLANK,):
                record.kind[number] = -1
                record.cost[number] = _UNPLAYABLE
                continue
            card, textless, patch = key
            for name in ("kind", "age", "cost", "battle_str", "figure_str", "glory", "effect", "amount", "card_region"):
                getattr(record, name)[number] = getattr(record, name)[card]
            if textless:
                record.effect[number] = EFFECT_NONE
                record.amount[number] = 0
            for name, value in patch:
                getattr(record, name)[number] = value

    def describe(self) -> list[list[Any]]:
        """The spare cards as plain data."""
        return [list(key) for key in self._made]
