"""`deal`: a card into a hand after the draft.  The copy is out of the deck in all arms, so the draft is the same in all.

    deal = [{ card = "lokis_domain", age = 1 }]

Keys: `card` (id, `textless:id` or `blank`), `age`, `to` (focal, left, right or the name of a strategy; focal if left out),
`play` (`policy`: when its player likes, the default; `first_action`: as soon as it can be paid; `start`: an upgrade lies
on the sheet from the start), `patch` (other numbers: cost, battle_str, figure_str, glory, amount).

An arm that does not deal a card that another arm deals gives a blank in its place; nothing with `play = "start"`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import BadValue
from ...rules.flow import QUESTION_TURN
from ...rules.tables import NO_COPY
from ...ruleset import PLAYER_COUNTS
from ...steering.changes import DEAL, PLAY
from ...steering.orders import MAX_RESERVED, ONLY
from ..building import FOCAL, ArmBuilder
from ..cards import BLANK, PATCHES, TEXTLESS, card_of
from ..reading import check_keys, read_int, read_text, read_word
from ..sieves import Sieve

PLAYS = ("policy", "first_action", "start")


@dataclass(frozen=True)
class DealCard:
    """A card for one seat at the start of the action phase of an age; see above."""

    card: str
    age: int
    to: str
    play: str
    patch: tuple[tuple[str, int], ...]
    where: str

    @classmethod
    def read(cls, table: Any, where: str) -> DealCard:
        """Raises BadValue, UnknownName."""
        check_keys(table, ("card", "age", "to", "play", "patch"), where)
        age = read_int(table, "age", 1, 3, where)
        card = read_text(table, "card", where)
        patch = read_patch(table, where)
        if card != BLANK:
            card_of(card.removeprefix(TEXTLESS), age, where)
        to = read_text(table, "to", where, FOCAL)
        if to in ("others", "all"):
            raise BadValue(f"{where}: to is {to!r}, but there is one copy; write one deal for each seat: focal, left, right")
        return cls(card, age, to, read_word(table, "play", PLAYS, where, "policy"), patch, where)

    @property
    def drawn(self) -> int:
        """CARD id of the card that must be in a deck."""
        return card_of(self.card.removeprefix(TEXTLESS), self.age, self.where)

    @property
    def key(self) -> tuple[Any, ...]:
        """Equal keys of different arms are the same deal."""
        return self.card, self.age, self.to, self.play, self.patch


def read_patch(table: Mapping[str, Any], where: str) -> tuple[tuple[str, int], ...]:
    """Patched numbers of a card.  Raises BadValue, UnknownName."""
    patch = check_keys(table.get("patch", {}), PATCHES, f"{where}.patch")
    return tuple(sorted((name, read_int(patch, name, 0, 99, f"{where}.patch")) for name in patch))


def all_deals(arms: Iterable[Sequence[DealCard]]) -> list[DealCard]:
    """Deals of all arms together: of equal ones as many as the arm with most has."""
    most: dict[tuple[Any, ...], list[DealCard]] = {}
    for deals in arms:
        for key in {deal.key for deal in deals}:
            own = [deal for deal in deals if deal.key == key]
            if len(own) > len(most.get(key, ())):
                most[key] = own
    found = [deal for deals in most.values() for deal in deals if deal.card != BLANK]
    return sorted(found, key=lambda deal: deal.key)


def copies_for(deals: Sequence[DealCard], tables: np.recarray, players: int) -> list[int]:
    """COPY id for each deal, all different.  Raises BadValue if the decks have too few copies."""
    record, used = tables[0], []
    for deal in deals:
        card = deal.drawn
        copy = next((copy for copy in _copies(record, players, card) if copy not in used), NO_COPY)
        if copy == NO_COPY:
            wanted = Counter(other.drawn for other in deals)[card]
            fitting = [n for n in PLAYER_COUNTS if len(_copies(record, n, card)) >= wanted]
            raise BadValue(
                f"{deal.where}: {wanted} of {deal.card} are dealt, but the decks with {players} players have "
                f"{len(_copies(record, players, card))}; numbers of players that have enough: "
                f"{', '.join(map(str, fitting)) or 'none'}"
            )
        used.append(copy)
    if len(used) > MAX_RESERVED:
        raise BadValue(f"{deals[MAX_RESERVED].where}: more than {MAX_RESERVED} cards are dealt")
    return used


def _copies(record: Any, players: int, card: int) -> list[int]:
    decks = record.deck[players]
    return [int(copy) for copy in decks[decks >= 0] if record.card_of[copy] == card]


def lay_deals(own: Sequence[DealCard], deals: Sequence[DealCard], copies: Sequence[int], builder: ArmBuilder) -> None:
    """Lay the deals of an arm, `own`, among those of all arms: those that it lacks give blanks.  Raises BadValue."""
    left = Counter(deal.key for deal in own)
    for deal, copy in zip(deals, copies, strict=True):
        builder.reserve(copy)
        has = left[deal.key] > 0
        left[deal.key] -= 1
        if not has and deal.play == "start":
            continue
        text = deal.card if has else BLANK
        card = builder.spare.number_of(text, deal.age, dict(deal.patch) if has else {}, deal.where)
        what = PLAY if has and deal.play == "start" else DEAL
        builder.add_change(what, [deal.to], deal.where, age=deal.age, dealt=copy, card=card)
        if has and deal.play == "first_action":
            sieve = Sieve(actions=("upgrade", "quest"), cards=(deal.card.removeprefix(TEXTLESS),))
            builder.add_order(ONLY, sieve, [deal.to], deal.where, age=deal.age, question=QUESTION_TURN, limit=1)
            builder.record.order[builder.record.n_orders - 1].sieve.cards[card] = 1
