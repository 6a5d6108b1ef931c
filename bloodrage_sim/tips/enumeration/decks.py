"""Decks of a ruleset as rows with copies."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from ...ruleset import Ruleset, copies_of

Row = Mapping[str, str]


def deck(ruleset: Ruleset, players: int, age: int, kind: str = "") -> list[tuple[Row, int]]:
    """Rows of cards.csv in the deck of an age with their copies, of one kind if it is given.  Rule 2.6."""
    return [
        (row, copies_of(row, players))
        for row in ruleset.cards
        if row["age"] == str(age) and kind in ("", row["kind"]) and copies_of(row, players)
    ]


def copies_with(ruleset: Ruleset, players: int, age: int, effects: Collection[str]) -> int:
    """Copies in the deck of an age of the cards with one of these effects."""
    return sum(copies for row, copies in deck(ruleset, players, age) if row["effect"] in effects)


def drawn(cards: list[tuple[Row, int]]) -> Iterator[Row]:
    """Every single copy."""
    for row, copies in cards:
        yield from [row] * copies


def without(cards: list[tuple[Row, int]], *card_ids: str) -> list[tuple[Row, int]]:
    """The deck less one copy of each card named, as often as it is named."""
    left = [(row, copies - card_ids.count(row["id"])) for row, copies in cards]
    return [(row, copies) for row, copies in left if copies > 0]


def value(row: Row) -> int:
    """Printed bonus of a battle card; 0 for Heimdall's Sight, whose value is its text (rule 6.7.2)."""
    return int(row["battle_str"]) if row["battle_str"].isdigit() else 0
