"""Strength.  Rule 1.5."""

from __future__ import annotations

from .cards import upgrade_of_kind, upgrades_with
from .data import RESERVE, YGGDRASIL, Board, Cards, Position
from .figures import figures_in_area, is_destroyed
from .table import Table, nobody, open_table, seats_from


def figure_strength(table: Table, seat: int, figure: str, place: str) -> int:
    """STR of one figure where it stands, without pairs.  Rule 1.5."""
    strength: int
    if figure in table.monsters:
        row = table.monsters[figure]
        strength = row["figure_str"]
        if row["effect"] == "invade_yggdrasil" and place == YGGDRASIL:
            strength = row["amount"]
        return strength
    upgrade = upgrade_of_kind(table, seat, figure)
    strength = table.board["clan"][f"str_{figure}"] if upgrade is None else upgrade["figure_str"]
    return strength


def warriors_strength(table: Table, seat: int, warriors: int) -> int:
    """STR of so many Warriors of `seat` in one province.  Rule 1.5.1."""
    each = figure_strength(table, seat, "warrior", RESERVE)
    pairs = upgrades_with(table, seat, "warrior_pairs")
    if pairs:
        return int(pairs[0]["amount"]) * (warriors // 2) + each * (warriors % 2)
    return each * warriors


def strength_in(table: Table, seat: int, province: str) -> int:
    """STR of a clan in a province, ships in the fjord included.  Rule 1.5.2."""
    if is_destroyed(table, province):
        return 0
    warriors = 0
    total = 0
    for owner, figure, place in figures_in_area(table, seat, province):
        if figure == "warrior":
            warriors += 1
        else:
            total += figure_strength(table, owner, figure, place)
    return total + warriors_strength(table, seat, warriors)


def strengths(position: Position, province: str, cards: Cards | None = None, board: Board | None = None) -> list[int]:
    """STR of every clan in `province`, by seat; 0 in a destroyed province.  Rules 1.5.1, 1.5.2."""
    table = open_table(position, nobody, cards, board)
    return [strength_in(table, seat, province) for seat in seats_from(table, 0)]
