"""Moves of a turn.  Rule 5."""

from __future__ import annotations

import itertools

from .cards import effect_cost, has_upgrade, upgrades_with, written
from .data import RESERVE, VALHALLA, YGGDRASIL, Board, Cards, Position
from .figures import (
    empty_villages,
    figure_effect,
    figures_at,
    figures_in_area,
    figures_on_board,
    is_destroyed,
    is_leader_like,
    is_open_fjord,
    is_pillaged,
    is_ship_like,
    reserve_of,
)
from .stats import raisable_stats, stat_value
from .strength import figure_strength
from .table import Table, clan_of, nobody, open_table, rule


def turn_moves(position: Position, cards: Cards | None = None, board: Board | None = None) -> list[str]:
    """Every legal move of the seat in ``current``, sorted; none if it takes no turn.  Rules 5.2-5.10.

    That every province is pillaged (5.2.4) is not looked at: the phase would be over.
    """
    table = open_table(position, nobody, cards, board)
    seat = position["current"]
    if not takes_turns(table, seat):
        return []
    moves = ["pass"]
    moves += invade_moves(table, seat)
    moves += march_moves(table, seat)
    moves += ship_march_moves(table, seat)
    moves += upgrade_moves(table, seat)
    moves += quest_moves(table, seat)
    moves += pillage_moves(table, seat)
    moves += valhalla_invade_moves(table, seat)
    moves += sacrifice_moves(table, seat)
    return sorted(set(moves))


def takes_turns(table: Table, seat: int) -> bool:
    """Whether the clan still has turns in this phase.  Rules 5.2, 5.2.2."""
    clan = clan_of(table, seat)
    if clan["rage"] == 0:
        return False
    return not clan["passed"] or rule(table, "passed_player") == "may_return"


def may_invade_at_all(table: Table, seat: int) -> bool:
    """Whether the horns leave room for one more figure on the board.  Rule 5.3."""
    return len(figures_on_board(table, seat)) < stat_value(table, seat, "horns")


def invade_places(table: Table, seat: int, figure: str) -> list[str]:
    """Places that `figure` may invade now.  Rule 5.4."""
    if not may_invade_at_all(table, seat):
        return []
    if is_ship_like(table, figure):
        return [fjord for fjord in table.fjords if is_open_fjord(table, fjord)]
    places = []
    for province in table.provinces:
        if province == YGGDRASIL and figure_effect(table, figure) != "invade_yggdrasil":
            continue
        if empty_villages(table, province) > 0:
            places.append(province)
    return places


def invade_cost(table: Table, seat: int, figure: str, place: str) -> int:
    """Rage of the action Invade with `figure` into `place`.  Rules 5.5.2, 15.4."""
    for own in figures_at(table, seat, place):
        if figure_effect(table, own) == "free_invade_here" and place != YGGDRASIL:
            return 0
    if is_leader_like(table, figure):
        return 0
    if figure_effect(table, figure) == "free_upgrade_and_invade":
        return 0
    if place == YGGDRASIL and rule(table, "dark_elf_yggdrasil_cost") == "effective":
        return figure_strength(table, seat, figure, YGGDRASIL)
    return figure_strength(table, seat, figure, RESERVE)


def invade_moves(table: Table, seat: int) -> list[str]:
    """Action Invade.  Rule 5.5."""
    moves = []
    for figure in reserve_of(table, seat):
        for place in invade_places(table, seat, figure):
            if invade_cost(table, seat, figure, place) <= clan_of(table, seat)["rage"]:
                moves.append(f"invade {figure} {place}")
    return moves


def multisets(figures: list[str], largest: int) -> set[tuple[str, ...]]:
    """Every choice of 1 to `largest` of `figures`, equal ones alike, each sorted by name."""
    choices = set()
    for size in range(1, min(largest, len(figures)) + 1):
        for choice in itertools.combinations(sorted(figures), size):
            choices.add(choice)
    return choices


def march_moves(table: Table, seat: int) -> list[str]:
    """Action March.  Rules 5.6.1, 5.6.2."""
    moves: list[str] = []
    if clan_of(table, seat)["rage"] < table.board["costs"]["march"]:
        return moves
    for origin in table.provinces:
        walkers = [f for f in figures_at(table, seat, origin) if not is_ship_like(table, f)]
        for destination in table.provinces:
            if destination == origin:
                continue
            if rule(table, "march") == "adjacent" and not are_adjacent(table, origin, destination):
                continue
            for figures in multisets(walkers, empty_villages(table, destination)):
                moves.append(f"march {origin} {destination} {' '.join(figures)}")
    return moves


def are_adjacent(table: Table, one: str, other: str) -> bool:
    """Whether two provinces share a border.  Rule 1.1."""
    return other in table.board["adjacency"][one]


def ship_march_moves(table: Table, seat: int) -> list[str]:
    """Ships from fjord to fjord, if the rule option allows it.  Rule 5.6.2, ruling B4."""
    moves: list[str] = []
    if rule(table, "ship_march") == "never":
        return moves
    if clan_of(table, seat)["rage"] < table.board["costs"]["march"]:
        return moves
    for origin in table.fjords:
        ships = figures_at(table, seat, origin)
        for destination in table.fjords:
            if destination != origin and is_open_fjord(table, destination):
                for figures in multisets(ships, len(ships)):
                    moves.append(f"march {origin} {destination} {' '.join(figures)}")
    return moves


def upgrade_cost(table: Table, seat: int, card: str) -> int:
    """Rage to play an upgrade.  Rule 5.7.1."""
    cost: int = table.cards[card]["cost_or_str"]
    for charm in upgrades_with(table, seat, "upgrade_discount"):
        cost -= charm["amount"]
    return max(0, cost)


def upgrade_moves(table: Table, seat: int) -> list[str]:
    """Action Upgrade: into a free slot, or in place of a card of the same kind.  Rules 5.7.1, 5.7.2."""
    moves = []
    clan = clan_of(table, seat)
    for card in clan["hand"]:
        kind = table.cards[card]["kind"]
        if kind in ("battle", "quest") or upgrade_cost(table, seat, card) > clan["rage"]:
            continue
        same_kind = [other for other in clan["upgrades"] if table.cards[other]["kind"] == kind]
        slot_is_free = len(same_kind) < table.board["clan"]["slots"][kind]
        if slot_is_free:
            moves.append(f"upgrade {written(table, card)}")
        if not slot_is_free or rule(table, "upgrade_slot") == "any":
            for other in same_kind:
                moves.append(f"upgrade {written(table, card)} replace {written(table, other)}")
    return moves


def quest_moves(table: Table, seat: int) -> list[str]:
    """Action Quest.  Rule 5.8."""
    hand = clan_of(table, seat)["hand"]
    return [f"quest {written(table, card)}" for card in hand if table.cards[card]["kind"] == "quest"]


def pillage_moves(table: Table, seat: int) -> list[str]:
    """Action Pillage, with Tyr's Challenge of pillaged provinces too.  Rules 5.9.1, 5.9.2."""
    may_repillage = can_pay_repillage(table, seat)
    moves = []
    for province in table.provinces:
        if is_destroyed(table, province) or not figures_in_area(table, seat, province):
            continue
        if may_repillage or not is_pillaged(table, province):
            moves.append(f"pillage {province}")
    return moves


def can_pay_repillage(table: Table, seat: int) -> bool:
    """Whether `seat` has Tyr's Challenge and the rage for it.  Rule 5.9.2."""
    if not has_upgrade(table, seat, "action_repillage"):
        return False
    return bool(clan_of(table, seat)["rage"] >= effect_cost(table, seat, "action_repillage"))


def valhalla_invade_moves(table: Table, seat: int) -> list[str]:
    """Frigga's Domain.  Rule 5.10.1."""
    moves: list[str] = []
    if not has_upgrade(table, seat, "action_invade_from_valhalla"):
        return moves
    if clan_of(table, seat)["rage"] < effect_cost(table, seat, "action_invade_from_valhalla"):
        return moves
    for figure in figures_at(table, seat, VALHALLA):
        for place in invade_places(table, seat, figure):
            moves.append(f"invade {figure}@valhalla {place}")
    return moves


def sacrifice_moves(table: Table, seat: int) -> list[str]:
    """Frigga's Sacrifice: any two figures on the board.  Rule 5.10.2."""
    if not has_upgrade(table, seat, "action_sacrifice_for_stat"):
        return []
    if not raisable_stats(table, seat):
        return []
    names = sorted(f"{figure}@{place}" for figure, place in figures_on_board(table, seat))
    return [f"sacrifice {one} {other}" for one, other in itertools.combinations(names, 2)]
