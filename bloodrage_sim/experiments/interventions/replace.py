"""`replace`: cards become others where they lie.

    replace = [{ in = "hand", card = "troll", age = 1, by = "blank" }]

Keys: `in` (`hand`, at the start of the action phase of `age`; `play`, on the sheet then; `deck`, before the game), which cards
(`card`, `cards`, `kind`, `kinds`), `by` (`blank`, `textless`, `same`, or a card), `patch` (other numbers of what comes in),
`count` (so many of the cards that fit, drawn by chance; all if left out), `to` (focal, left, right, others, all or the name of a
strategy; focal if left out).  `textless`, and a patch on `same`, need `card`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import BadValue
from ...steering.changes import REPLACE_DECK, REPLACE_HAND, REPLACE_SHEET
from ..building import ArmBuilder
from ..cards import BLANK, TEXTLESS, card_of
from ..reading import check_keys, read_int, read_text, read_word, read_words
from ..sieves import CARD_KEYS, Sieve
from .deal import read_patch

WHERE_CARDS_LIE = {"hand": REPLACE_HAND, "play": REPLACE_SHEET, "deck": REPLACE_DECK}
SAME = "same"


@dataclass(frozen=True)
class ReplaceCard:
    """Cards become others; see above."""

    place: str
    sieve: Sieve
    by: str
    age: int
    count: int
    to: tuple[str, ...]
    patch: tuple[tuple[str, int], ...]
    where: str

    @classmethod
    def read(cls, table: Any, where: str) -> ReplaceCard:
        """Raises BadValue, UnknownName."""
        check_keys(table, (*CARD_KEYS, "in", "by", "age", "count", "to", "patch"), where)
        place = read_word(table, "in", WHERE_CARDS_LIE, where, "hand")
        age = read_int(table, "age", 1, 3, where, 1 if place == "deck" else None)
        sieve = Sieve.read(table, where).need_cards(where)
        by = _new_card(read_text(table, "by", where), sieve, table, where)
        if by != BLANK:
            card_of(by.removeprefix(TEXTLESS), age, where)
        return cls(
            place, sieve, by, age, read_int(table, "count", 0, 48, where, 0), read_words(table, "to", where),
            read_patch(table, where), where,
        )  # fmt: skip

    def lay(self, builder: ArmBuilder) -> None:
        """Add the change to an arm."""
        card = builder.spare.number_of(self.by, self.age, dict(self.patch), self.where)
        what = WHERE_CARDS_LIE[self.place]
        age = 0 if self.place == "deck" else self.age
        builder.add_change(what, self.to, self.where, self.sieve, age=age, card=card, count=self.count)


def _new_card(by: str, sieve: Sieve, table: Mapping[str, Any], where: str) -> str:
    """What the cards become, as cards.py writes it."""
    if by not in ("textless", SAME):
        return by
    if len(sieve.cards) != 1:
        raise BadValue(f"{where}: by = {by!r} needs one card; give card = \"...\"")
    if by == SAME and "patch" not in table:
        return sieve.cards[0]
    return (TEXTLESS if by == "textless" else "") + sieve.cards[0]
