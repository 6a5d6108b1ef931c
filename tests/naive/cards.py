"""Names of cards and what a sheet gives."""

from __future__ import annotations

from .data import Row
from .table import Table, clan_of


def card_name(card: str) -> str:
    """``tyrs_crush`` of ``tyrs_crush@2``."""
    return card.split("@")[0]


def written(table: Table, card: str) -> str:
    """The card as moves show it: with its age only if a quest of another age."""
    row = table.cards[card]
    if row["kind"] == "quest" and row["age"] != table.position["age"]:
        return card
    return card_name(card)


def find_card(table: Table, cards: list[str], text: str) -> str:
    """The first of `cards` that is written `text`."""
    for card in cards:
        if written(table, card) == text:
            return card
    raise ValueError(f"no card '{text}' among {cards}")


def upgrades_with(table: Table, seat: int, effect: str) -> list[Row]:
    """Rows of the upgrades on the sheet of `seat` that have `effect`."""
    rows = []
    for card in clan_of(table, seat)["upgrades"]:
        if table.cards[card]["effect"] == effect:
            rows.append(table.cards[card])
    return rows


def has_upgrade(table: Table, seat: int, effect: str) -> bool:
    """Whether an upgrade with `effect` is on the sheet of `seat`."""
    return len(upgrades_with(table, seat, effect)) > 0


def effect_cost(table: Table, seat: int, effect: str) -> int:
    """Rage that a use of the upgrade with `effect` costs: its `amount`.  Rules 5.9.2, 6.10.7, 6.11.3.

    Frigga's Domain has no amount in every edition of the table: it costs 1 (5.10.1).
    """
    amount = upgrades_with(table, seat, effect)[0]["amount"]
    return 1 if amount is None else int(amount)


def upgrade_of_kind(table: Table, seat: int, kind: str) -> Row | None:
    """The warrior, leader or ship upgrade of `seat`, if there is one."""
    for card in clan_of(table, seat)["upgrades"]:
        if table.cards[card]["kind"] == kind:
            return table.cards[card]
    return None
