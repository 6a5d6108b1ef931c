"""Totals, the winner, and the losers' figures.  Rules 6.7, 6.8."""

from __future__ import annotations

from .destruction import destroy_in_battle
from .figures import figure_effect, figures_in_area
from .fray import Battle, Revealed
from .strength import figure_strength, strength_in
from .table import Table


def bonus(card: Revealed) -> int:
    """Value of a card other than Heimdall's Sight, which is 0 here.  Rules 6.3.2, 6.5.4."""
    if card.row["kind"] == "quest":
        return card.declared
    if card.row["kind"] != "battle" or card.row["battle_str"] == "X":
        return 0
    return int(card.row["battle_str"])


def sight(fray: Battle, seat: int) -> int:
    """Highest value of a single card of an opponent of `seat`.  Rule 6.7.2."""
    highest = 0
    for opponent in fray.fighters:
        if opponent != seat:
            for card in fray.revealed[opponent]:
                highest = max(highest, bonus(card))
    return highest


def cards_value(fray: Battle, seat: int) -> int:
    """Sum of the values of all cards that `seat` has on the table.  Rule 6.7.1."""
    total = 0
    for card in fray.revealed[seat]:
        total += bonus(card)
        if card.row["battle_str"] == "X" and not card.cancelled:
            total += sight(fray, seat)
    return total


def figures_total(table: Table, fray: Battle, seat: int) -> int:
    """STR of a participant; with a Wolfman in the area only of its monsters.  Rules 6.7.1, 15.3."""
    wolfman = False
    monsters = 0
    for fighter in fray.fighters:
        for owner, figure, place in figures_in_area(table, fighter, fray.province):
            if figure_effect(table, figure) == "only_monsters_count":
                wolfman = True
            if fighter == seat and figure in table.monsters:
                monsters += figure_strength(table, owner, figure, place)
    return monsters if wolfman else strength_in(table, seat, fray.province)


def battle_totals(table: Table, fray: Battle) -> dict[int, int]:
    """Total of every participant.  Rule 6.7.1."""
    totals = {}
    for seat in fray.fighters:
        totals[seat] = figures_total(table, fray, seat) + cards_value(fray, seat)
    return totals


def winner_of(totals: dict[int, int]) -> int | None:
    """The seat with the strictly highest total, or nobody.  Rule 6.7.3."""
    best = max(totals.values())
    leaders = [seat for seat, total in totals.items() if total == best]
    return leaders[0] if len(leaders) == 1 else None


def destroy_losers_figures(table: Table, fray: Battle, losers: list[int]) -> None:
    """All figures of all losers in the area, all at once.  Rule 6.8.1."""
    doomed = []
    for seat in losers:
        doomed += figures_in_area(table, seat, fray.province)
    destroy_in_battle(table, fray, doomed)
