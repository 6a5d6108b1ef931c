"""After the battle.  Rule 6.10."""

from __future__ import annotations

from .battle_cards import texts
from .cards import effect_cost, find_card, has_upgrade, upgrades_with, written
from .data import YGGDRASIL
from .figures import empty_villages, put_figure, reserve_of
from .fray import Battle
from .stats import add_glory, raise_stat_of_choice
from .table import Table, ask, clan_of, rule
from .turn import may_invade_at_all, multisets


def winner_card_effects(table: Table, fray: Battle, winner: int) -> None:
    """Thor's Hammer, Ascension, Oath.  Rule 6.10.3."""
    for card in texts(fray, winner, "winner_glory"):
        add_glory(table, winner, card.row["amount"])
    for card in texts(fray, winner, "winner_rage_and_glory"):
        clan_of(table, winner)["rage"] += card.row["amount"]
        add_glory(table, winner, card.row["amount"])
    for _ in texts(fray, winner, "winner_raise_stat"):
        raise_stat_of_choice(table, winner)


def odins_judgement(table: Table, fray: Battle) -> None:
    """2 glory per figure destroyed in this battle, any clan's.  Rule 6.10.4."""
    for seat in fray.fighters:
        for card in texts(fray, seat, "glory_per_destroyed"):
            add_glory(table, seat, card.row["amount"] * sum(fray.kills))


def enemy_kills(fray: Battle, seat: int) -> int:
    """Figures of other clans destroyed in this battle.  Rule 6.10.5."""
    return sum(fray.kills) - fray.kills[seat]


def valkyrie_glory(table: Table, fray: Battle, valkyries: list[int]) -> None:
    """2 glory per enemy figure destroyed in this battle.  Rule 6.10.5."""
    for seat in valkyries:
        for row in upgrades_with(table, seat, "glory_per_enemy_kill"):
            add_glory(table, seat, row["amount"] * enemy_kills(fray, seat))


def thors_glory(table: Table, fray: Battle) -> None:
    """2 glory, once, if two or more enemy figures were destroyed.  Rule 6.10.6."""
    for seat in fray.fighters:
        for row in upgrades_with(table, seat, "glory_for_enemy_kills"):
            if enemy_kills(fray, seat) >= 2:
                add_glory(table, seat, row["amount"])


def cards_after_battle(table: Table, fray: Battle, winner: int | None, losers: list[int]) -> None:
    """Cards and losers' effects, in the order of the rule options.  Rule 6.10.7."""
    for seat in losers:
        for card in fray.revealed[seat]:
            give_card(table, seat, card.card)
    if winner is None:
        return
    left = [card.card for card in fray.revealed[winner]]  # the winner's cards still there
    prowess_before_poison = rule(table, "poison_vs_prowess") == "prowess_first"
    trickery_before_prowess = rule(table, "prowess_vs_trickery") == "trickery_first"
    if trickery_before_prowess:
        lokis_trickery(table, fray, winner, losers)
    if prowess_before_poison:
        tyrs_prowess(table, winner, left)
    lokis_poison(table, fray, losers, left)
    if not prowess_before_poison:
        tyrs_prowess(table, winner, left)
    table.position["discard"] += left
    if not trickery_before_prowess:
        lokis_trickery(table, fray, winner, losers)
    lokis_backstab(table, fray, winner, losers)


def give_card(table: Table, seat: int, card: str) -> None:
    """Put a card into the hand of `seat`."""
    clan = clan_of(table, seat)
    clan["hand"] = sorted([*clan["hand"], card])


def lokis_poison(table: Table, fray: Battle, losers: list[int], left: list[str]) -> None:
    """The first loser with a Poison takes the winner's cards still there.  Rule 6.10.7b."""
    for seat in losers:
        if texts(fray, seat, "loser_take_winner_cards"):
            for card in left:
                give_card(table, seat, card)
            left.clear()
            return


def tyrs_prowess(table: Table, winner: int, left: list[str]) -> None:
    """The winner may buy back any of its cards still there.  Rule 6.10.7c."""
    if not has_upgrade(table, winner, "winner_keep_cards"):
        return
    clan = clan_of(table, winner)
    cost = effect_cost(table, winner, "winner_keep_cards")
    names = [written(table, card) for card in left]
    moves = ["no"]
    for choice in multisets(names, clan["rage"] // cost):
        moves.append(f"keep {' '.join(choice)}")
    move = ask(table, winner, "prowess", moves)
    for name in move.split()[1:]:
        card = find_card(table, left, name)
        left.remove(card)
        give_card(table, winner, card)
        clan["rage"] -= cost


def lokis_trickery(table: Table, fray: Battle, winner: int, losers: list[int]) -> None:
    """Each loser with a Trickery takes a rage from the winner, if it has any.  Rule 6.10.7e."""
    for seat in losers:
        for card in texts(fray, seat, "loser_steal_rage"):
            stolen = min(card.row["amount"], clan_of(table, winner)["rage"])
            clan_of(table, winner)["rage"] -= stolen
            clan_of(table, seat)["rage"] += stolen


def lokis_backstab(table: Table, fray: Battle, winner: int, losers: list[int]) -> None:
    """Each loser with a Backstab takes 2 glory from the winner, or what there is.  Rule 6.10.7f."""
    for seat in losers:
        for card in texts(fray, seat, "loser_steal_glory"):
            stolen = min(card.row["amount"], clan_of(table, winner)["glory"])
            add_glory(table, winner, -stolen)
            add_glory(table, seat, stolen)


def may_put_warrior(table: Table, seat: int, province: str, yggdrasil_option: str) -> bool:
    """Whether a Warrior of the reserve may invade `province` for free.  Rules 5.3, 5.4, 6.10.8, 7.2."""
    if province == YGGDRASIL and rule(table, yggdrasil_option) == "no":
        return False
    return (
        reserve_of(table, seat)["warrior"] > 0
        and may_invade_at_all(table, seat)
        and empty_villages(table, province) > 0
    )


def lokis_blessing(table: Table, fray: Battle, losers: list[int]) -> None:
    """Each loser with the Blessing may invade the province with a Warrior.  Rule 6.10.8."""
    for seat in losers:
        if not has_upgrade(table, seat, "warrior_on_battle_loss"):
            continue
        if not may_put_warrior(table, seat, fray.province, "blessing_in_yggdrasil"):
            continue
        if ask(table, seat, "blessing", ["yes", "no"]) == "yes":
            put_figure(table, seat, "warrior", fray.province)
            if rule(table, "blessing_triggers_succor") == "yes":
                friggas_succor(table, seat, fray.province)


def friggas_succor(table: Table, seat: int, province: str) -> None:
    """After an invade of a province one more Warrior may follow.  Rule 7.2."""
    if not has_upgrade(table, seat, "extra_warrior_on_invade"):
        return
    if not may_put_warrior(table, seat, province, "succor_in_yggdrasil"):
        return
    if ask(table, seat, "succor", ["yes", "no"]) == "yes":
        put_figure(table, seat, "warrior", province)
