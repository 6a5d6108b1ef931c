"""Destruction.  Rule 6.11."""

from __future__ import annotations

from .cards import effect_cost, has_upgrade, upgrades_with
from .data import VALHALLA, YGGDRASIL, Figure
from .figures import figure_effect, is_ship_like, move_figure
from .fray import Battle
from .stats import add_glory
from .table import Table, ask, clan_of, rule, seats_from


def destroy_in_battle(table: Table, fray: Battle, doomed: list[Figure]) -> None:
    """Destruction with cause *battle*; counts the kills by owner.  Rules 6.11, 6.10.6."""
    for seat, _, _ in destroy(table, doomed, "battle", fray.pillager):
        fray.kills[seat] += 1


def destroy(table: Table, doomed: list[Figure], cause: str, first: int) -> list[Figure]:
    """Destroy figures at one moment; owners decide clockwise from `first`.  Rule 6.11.

    Returns the figures that were in fact destroyed.
    """
    dead: list[Figure] = []
    for seat in seats_from(table, first):
        own = [figure for figure in doomed if figure[0] == seat]
        own = witch_flees(table, seat, own, cause)
        own = friggas_protection(table, seat, own, cause)
        dead += own
    for seat, figure, place in dead:
        move_figure(table, seat, figure, place, VALHALLA)
    dragon_glory(table, dead)
    return dead


def witch_flees(table: Table, seat: int, own: list[Figure], cause: str) -> list[Figure]:
    """The Witch may flee from an outer province to Yggdrasil; returns who is left.  Rule 6.11.3a."""
    if cause == "sacrifice" and rule(table, "sacrifice_escape") == "no":
        return own
    if cause == "ragnarok" and rule(table, "witch_flees_ragnarok") == "no":
        return own
    left = []
    for _, figure, place in own:
        flees = (
            figure_effect(table, figure) == "escape_to_yggdrasil"
            and place != YGGDRASIL
            and ask(table, seat, "witch", ["yes", "no"]) == "yes"
        )
        if flees:
            move_figure(table, seat, figure, place, YGGDRASIL)
        else:
            left.append((seat, figure, place))
    return left


def friggas_protection(table: Table, seat: int, own: list[Figure], cause: str) -> list[Figure]:
    """Figures saved one by one for a rage each; returns who is left.  Rule 6.11.3c."""
    if cause == "ragnarok" or (cause == "sacrifice" and rule(table, "sacrifice_escape") == "no"):
        return own
    if not has_upgrade(table, seat, "protect_for_rage"):
        return own
    clan = clan_of(table, seat)
    cost = effect_cost(table, seat, "protect_for_rage")
    left = list(own)
    while left and clan["rage"] >= cost:
        moves = [f"protect {figure}@{place}" for _, figure, place in left]
        move = ask(table, seat, "protect", [*moves, "decline"])
        if move == "decline":
            break
        figure, place = move.split()[1].split("@")
        left.remove((seat, figure, place))
        clan["rage"] -= cost
    return left


def dragon_glory(table: Table, dead: list[Figure]) -> None:
    """The dragons pay for every ship-like figure of their owner.  Rule 6.11.6."""
    for seat, figure, _ in dead:
        if is_ship_like(table, figure):
            for row in upgrades_with(table, seat, "ship_death_glory"):
                add_glory(table, seat, row["amount"])
