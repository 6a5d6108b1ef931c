"""The phases after the action phase, and the end of the game.  Rules 9 to 12."""

from __future__ import annotations

from .cards import upgrades_with
from .data import RESERVE, STATS, VALHALLA, YGGDRASIL, Answers, Board, Cards, Position
from .destruction import destroy
from .figures import figure_effect, figures_at, figures_in_area, figures_on_board, is_destroyed, move_figure
from .stats import add_glory, raise_stat_of_choice
from .strength import strength_in
from .table import Table, clan_of, nobody, open_table, seats_from


def quest_done(
    position: Position,
    seat: int,
    card: str,
    cards: Cards | None = None,
    board: Board | None = None,
) -> bool:
    """Whether `seat` fulfils the quest ``id@age`` on the board as it is.  Rules 9.3 to 9.5."""
    return is_quest_done(open_table(position, nobody, cards, board), seat, card)


def is_quest_done(table: Table, seat: int, card: str) -> bool:
    """The same on an open table.  Rules 9.3 to 9.5."""
    row = table.cards[card]
    amount: int = row["amount"] or 0
    if row["effect"] == "figures_in_valhalla":
        return len(figures_at(table, seat, VALHALLA)) >= amount
    held = [province for province in table.provinces if has_most_str(table, seat, province)]
    if row["effect"] == "most_str_yggdrasil":
        return YGGDRASIL in held
    if row["effect"] == "most_str_provinces":
        return len(held) >= amount
    if row["effect"] == "most_str_region":
        for region in table.board["region"]:
            if region["id"] == row["region"]:
                return any(province in held for province in region["provinces"])
    raise ValueError(f"'{card}' is not a quest")


def has_most_str(table: Table, seat: int, province: str) -> bool:
    """Whether `seat` has STR in `province` and more than every other clan.  Rule 9.3."""
    own = strength_in(table, seat, province)
    if own == 0:
        return False
    for other in seats_from(table, 0):
        if other != seat and strength_in(table, other, province) >= own:
            return False
    return True


def quest_phase(
    position: Position, answers: Answers, cards: Cards | None = None, board: Board | None = None
) -> Position:
    """Resolve and discard all committed quests.  Rules 9.1, 9.2."""
    table = open_table(position, answers, cards, board)
    for seat in seats_from(table, position["first_player"]):
        for card in clan_of(table, seat)["quests"]:
            if is_quest_done(table, seat, card):
                pay_quest(table, seat, card)
    for clan in table.position["player"]:
        table.position["discard"] += clan["quests"]
        clan["quests"] = []
    return table.position


def pay_quest(table: Table, seat: int, card: str) -> None:
    """Glory, twice that with Odin's Throne, then a stat of choice.  Rule 9.2."""
    glory = table.cards[card]["glory"]
    for row in upgrades_with(table, seat, "multiply_quest_glory"):
        glory *= row["amount"]
    add_glory(table, seat, glory)
    raise_stat_of_choice(table, seat)


def ragnarok_phase(
    position: Position, answers: Answers, cards: Cards | None = None, board: Board | None = None
) -> Position:
    """Destroy the doomed province and everybody in its area.  Section 10.

    The destroyed province leaves ``pillaged``; ``doom`` becomes that of the next age, "" after age 3.
    """
    table = open_table(position, answers, cards, board)
    province = province_of_ragnarok(table)
    if not is_destroyed(table, province):
        destroy_province(table, province)
    places = table.position["board"]
    places["doom"] = places["next_doom"][0] if places["next_doom"] else ""
    places["next_doom"] = places["next_doom"][1:]
    return table.position


def province_of_ragnarok(table: Table) -> str:
    """The doomed province, or the outer one where Fenrir stands.  Rules 10.1, 15.2."""
    for seat in seats_from(table, 0):
        for figure, place in figures_on_board(table, seat):
            if figure_effect(table, figure) == "redirect_ragnarok" and place != YGGDRASIL:
                return place
    doom: str = table.position["board"]["doom"]
    return doom


def destroy_province(table: Table, province: str) -> None:
    """Mark it destroyed, then destroy the figures in its area and pay for them.  Rules 10.1 to 10.3."""
    places = table.position["board"]
    places["destroyed"].append(province)
    if province in places["pillaged"]:
        places["pillaged"].remove(province)
    doomed = []
    for seat in seats_from(table, 0):
        doomed += figures_in_area(table, seat, province)
    dead = destroy(table, doomed, "ragnarok", table.position["first_player"])
    for seat, _, _ in dead:
        glory = table.board["ragnarok"]["glory_per_figure"][table.position["age"] - 1]
        for row in upgrades_with(table, seat, "multiply_ragnarok_glory"):
            glory *= row["amount"]
        add_glory(table, seat, glory)


def release_phase(position: Position, cards: Cards | None = None, board: Board | None = None) -> Position:
    """Valhalla returns to the reserves; Loki's cards pay for it.  Rules 11.1, 11.2."""
    table = open_table(position, nobody, cards, board)
    for seat in seats_from(table, 0):
        for figure in figures_at(table, seat, VALHALLA):
            move_figure(table, seat, figure, VALHALLA, RESERVE)
            for row in upgrades_with(table, seat, "release_glory"):
                add_glory(table, seat, row["amount"])
    return table.position


def final_scoring(position: Position, cards: Cards | None = None, board: Board | None = None) -> Position:
    """Glory for stats and for Thor's Conquest.  Rules 12.1, 12.2."""
    table = open_table(position, nobody, cards, board)
    for seat in seats_from(table, 0):
        for stat in STATS:
            step = clan_of(table, seat)["stats"][stat]
            add_glory(table, seat, table.board["tracks"]["end_bonus"][step - 1])
        for row in upgrades_with(table, seat, "end_glory_per_figure"):
            add_glory(table, seat, row["amount"] * len(figures_on_board(table, seat)))
    return table.position


def win_shares(position: Position) -> list[float]:
    """1 shared by all with the most glory, 0 for the others.  Rule 12.3."""
    glory = [clan["glory"] for clan in position["player"]]
    winners = glory.count(max(glory))
    return [1 / winners if own == max(glory) else 0.0 for own in glory]
