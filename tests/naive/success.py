"""A successful pillage.  Rule 6.9."""

from __future__ import annotations

from .cards import has_upgrade
from .data import STATS, YGGDRASIL
from .figures import empty_villages, figure_effect, figures_at, is_leader_like, is_pillaged, move_figure
from .stats import add_glory, raise_stat, raise_stat_of_choice
from .table import Table, ask, rule


def successful_pillage(table: Table, seat: int, province: str, with_grace: bool) -> None:
    """Mark the province and take everything the pillage pays.  Rule 6.9."""
    if not is_pillaged(table, province):
        table.position["board"]["pillaged"].append(province)
    take_reward(table, seat, province)
    for figure in figures_at(table, seat, province):
        if figure_effect(table, figure) == "extra_pillage_reward":
            for _ in range(table.monsters[figure]["amount"]):
                take_reward(table, seat, province)
    if with_grace:
        raise_stat_of_choice(table, seat, barred=token_of(table, province))
    leader_upgrade(table, seat, province)


def token_of(table: Table, province: str) -> str:
    """The pillage token of a province; Yggdrasil's is its own.  Rules 2.3, 6.9.2."""
    if province == YGGDRASIL:
        return YGGDRASIL
    token: str = table.position["board"]["tokens"][province]
    return token


def take_reward(table: Table, seat: int, province: str) -> None:
    """The reward of the token.  Rule 6.9.2."""
    token = token_of(table, province)
    if token == YGGDRASIL and rule(table, "yggdrasil_reward") == "all_stats":
        for stat in STATS:
            raise_stat(table, seat, stat)
    elif token in STATS:
        raise_stat(table, seat, token)
    else:
        add_glory(table, seat, table.board["pillage_tokens"]["glory_value"])


def leader_upgrade(table: Table, seat: int, province: str) -> None:
    """Lord of Axes, Spears or Hammers, once, with a leader-like figure there.  Rule 6.9.5."""
    leaders = [f for f in figures_at(table, seat, province) if is_leader_like(table, f)]
    if not leaders:
        return
    if has_upgrade(table, seat, "leader_pillage_stat"):
        raise_stat_of_choice(table, seat)
    if has_upgrade(table, seat, "leader_pillage_all_stats"):
        for stat in STATS:
            raise_stat(table, seat, stat)
    if has_upgrade(table, seat, "leader_pillage_move"):
        lord_of_hammers(table, seat, province, leaders)


def lord_of_hammers(table: Table, seat: int, province: str, leaders: list[str]) -> None:
    """The Leader may step to an adjacent province with room.  Rule 6.9.5."""
    moves = ["no"]
    for leader in leaders:
        for destination in table.board["adjacency"][province]:
            if empty_villages(table, destination) > 0:
                moves.append(f"march {province} {destination} {leader}")
    move = ask(table, seat, "hammers", moves)
    if move != "no":
        _, origin, destination, leader = move.split()
        move_figure(table, seat, leader, origin, destination)
