"""Pillage: the call to battle, and the battle step by step.  Rule 6."""

from __future__ import annotations

from .aftermath import (
    cards_after_battle,
    lokis_blessing,
    odins_judgement,
    thors_glory,
    valkyrie_glory,
    winner_card_effects,
)
from .battle_cards import declare_quests, late_cards, play_cards_until_no_watch, smite_and_tide, texts
from .cards import effect_cost
from .data import Answers, Board, Cards, Position
from .figures import (
    empty_villages,
    figure_effect,
    figures_at,
    figures_in_area,
    is_destroyed,
    is_pillaged,
    is_ship_like,
    move_figure,
)
from .fray import Battle
from .stats import add_glory, stat_value
from .success import successful_pillage
from .table import Table, ask, clan_of, open_table, rule, seats_from
from .totals import battle_totals, destroy_losers_figures, winner_of
from .turn import can_pay_repillage


def battle(
    position: Position,
    pillager: int,
    province: str,
    answers: Answers,
    cards: Cards | None = None,
    board: Board | None = None,
) -> Position:
    """The position after a whole pillage of `province` by `pillager`.  Section 6.

    A pillaged province is repillaged: its 2 rage are paid here (5.9.2).  The 2 rage of Thor's
    Domain are not, pay them before.  The result has ``destroyed_in_battle``, figures by owner's seat.
    """
    table = open_table(position, answers, cards, board)
    if rule(table, "domain_after_blessing") != "no":
        raise ValueError("the slow twin does not know domain_after_blessing = yes")
    if is_destroyed(table, province) or not figures_in_area(table, pillager, province):
        raise ValueError(f"seat {pillager} cannot pillage {province}")
    table.position["destroyed_in_battle"] = [0 for _ in table.position["player"]]
    pay_for_repillage(table, pillager, province)
    call_to_battle(table, pillager, province)
    fighters = []
    for seat in seats_from(table, pillager):
        if figures_in_area(table, seat, province):
            fighters.append(seat)
    if fighters == [pillager]:
        successful_pillage(table, pillager, province, with_grace=False)
    else:
        kills = table.position["destroyed_in_battle"]
        fight(table, Battle(province, pillager, fighters, {}, kills))
    return table.position


def pay_for_repillage(table: Table, pillager: int, province: str) -> None:
    """Tyr's Challenge is paid before the call.  Rule 5.9.2."""
    if is_pillaged(table, province):
        if not can_pay_repillage(table, pillager):
            raise ValueError(f"seat {pillager} cannot pillage {province} again")
        clan_of(table, pillager)["rage"] -= effect_cost(table, pillager, "action_repillage")


def join_moves(table: Table, seat: int, province: str) -> list[str]:
    """Figures of `seat` that may join, by name and origin.  Rule 6.1.1."""
    moves = []
    for origin in table.board["adjacency"][province]:
        for figure in figures_at(table, seat, origin):
            if not is_ship_like(table, figure):
                moves.append(f"join {figure} from {origin}")
    return moves


def call_to_battle(table: Table, pillager: int, province: str) -> None:
    """Laps from the pillager's left until full or all decline in a row.  Rule 6.1."""
    order = seats_from(table, pillager + 1)
    declined_in_a_row = 0
    asked = 0
    while declined_in_a_row < len(order) and empty_villages(table, province) > 0:
        if rule(table, "call_to_battle") == "single_lap" and asked == len(order):
            return
        seat = order[asked % len(order)]
        asked += 1
        move = ask(table, seat, "join", [*join_moves(table, seat, province), "decline"])
        if move == "decline":
            declined_in_a_row += 1
        else:
            declined_in_a_row = 0
            _, figure, _, origin = move.split()
            move_figure(table, seat, figure, origin, province)


def fight(table: Table, fray: Battle) -> None:
    """The battle from the cards to Loki's Blessing.  Rules 6.2.4 to 6.10.8."""
    valkyries = seats_with_valkyrie(table, fray)
    play_cards_until_no_watch(table, fray)
    smite_and_tide(table, fray)
    declare_quests(table, fray)
    late_cards(table, fray)
    winner = winner_of(battle_totals(table, fray))
    losers = [seat for seat in fray.fighters if seat != winner]
    destroy_losers_figures(table, fray, losers)
    if winner == fray.pillager:
        has_grace = len(texts(fray, fray.pillager, "pillage_extra_stat")) > 0
        successful_pillage(table, fray.pillager, fray.province, with_grace=has_grace)
    if winner is not None:
        add_glory(table, winner, stat_value(table, winner, "axes"))  # 6.10.2
        winner_card_effects(table, fray, winner)
    odins_judgement(table, fray)
    valkyrie_glory(table, fray, valkyries)
    thors_glory(table, fray)
    cards_after_battle(table, fray, winner, losers)
    lokis_blessing(table, fray, losers)


def seats_with_valkyrie(table: Table, fray: Battle) -> list[int]:
    """Participants that have a Valkyrie in the area before the cards.  Rule 6.2.4."""
    seats = []
    for seat in fray.fighters:
        for _, figure, _ in figures_in_area(table, seat, fray.province):
            if figure_effect(table, figure) == "glory_per_enemy_kill":
                seats.append(seat)
    return seats
