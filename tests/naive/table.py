"""The table: a position with its data and its players, and how players are asked."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from .data import DEFAULT_RULES, RESERVE, Answers, Board, Cards, Position, standard_board, standard_cards


@dataclass
class Table:
    """A position in play with the data it needs and whoever answers for the players."""

    position: Position
    cards: Cards
    board: Board
    answers: Answers
    monsters: Cards = field(default_factory=dict)  # by figure name
    provinces: list[str] = field(default_factory=list)
    villages: dict[str, int] = field(default_factory=dict)
    fjords: dict[str, list[str]] = field(default_factory=dict)


def nobody(seat: int, kind: str, legal: list[str]) -> str:
    """Stands for the players where nothing may be asked."""
    raise ValueError(f"seat {seat}: no decision '{kind}' was expected here: {legal}")


def open_table(position: Position, answers: Answers, cards: Cards | None, board: Board | None) -> Table:
    """Copy `position`, bring its lists into a normal form and lay the data beside it."""
    cards = standard_cards() if cards is None else cards
    board = standard_board() if board is None else board
    position = copy.deepcopy(position)
    table = Table(position, cards, board, answers)
    for row in cards.values():
        if row["kind"] == "monster":
            table.monsters[row["id"]] = row
    for province in board["province"]:
        table.provinces.append(province["id"])
        table.villages[province["id"]] = province["villages"]
    for fjord in board["fjord"]:
        table.fjords[fjord["id"]] = fjord["provinces"]
    for variant in ("mystics", "gods"):
        if rule(table, variant) != "off":
            raise ValueError(f"the slow twin does not know the variant '{variant}'")
    position.setdefault("discard", [])
    for clan in position["player"]:
        clan["figures"] = {
            place: sorted(figures) for place, figures in clan["figures"].items() if figures and place != RESERVE
        }
        clan["hand"] = sorted(clan["hand"])
    return table


def rule(table: Table, option: str) -> str:
    """Value of a rule option in this game.  See `bloodrage rules`."""
    value: str = table.position.get("rules", {}).get(option, DEFAULT_RULES[option])
    return value


def ask(table: Table, seat: int, kind: str, moves: Iterable[str]) -> str:
    """The seat's choice among `moves`; with one legal answer nobody is asked.  Section 18."""
    legal = sorted(set(moves))
    if len(legal) == 1:
        return legal[0]
    move = table.answers(seat, kind, legal)
    if move not in legal:
        raise ValueError(f"seat {seat}: '{move}' is not legal for '{kind}'; legal: {legal}")
    return move


def clan_of(table: Table, seat: int) -> dict[str, Any]:
    """The player's table of `seat`."""
    clan: dict[str, Any] = table.position["player"][seat]
    return clan


def seats_from(table: Table, first: int) -> list[int]:
    """All seats clockwise, beginning with `first`."""
    players = len(table.position["player"])
    return [(first + step) % players for step in range(players)]
