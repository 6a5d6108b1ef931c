"""What orders go by: measures of a seat as the game stands, and whether an option fits a sieve."""

from __future__ import annotations

from ..rules.figures import figures_in_area, strength
from ..rules.ids import CARD_KIND_BATTLE, N_PROVINCES, PLACE_VALHALLA
from ..rules.jit import kernel

FAR = 9999  # a bound that nothing reaches
MEASURES = (
    "turn", "rage", "hand", "battle_cards", "rage_lead", "glory_lead", "strength_lead", "pillager", "free_villages", "open_provinces",
    "on_board", "in_valhalla",
)  # fmt: skip
(
    MEASURE_TURN, MEASURE_RAGE, MEASURE_HAND, MEASURE_BATTLE_CARDS, MEASURE_RAGE_LEAD, MEASURE_GLORY_LEAD, MEASURE_STRENGTH_LEAD,
    MEASURE_PILLAGER, MEASURE_FREE_VILLAGES, MEASURE_OPEN_PROVINCES, MEASURE_ON_BOARD, MEASURE_IN_VALHALLA,
) = range(len(MEASURES))  # fmt: skip


@kernel
def strength_lead(game, tables, province, seat):
    """STR of `seat` in the area of a province, in points, less the most of any other clan."""
    best = 0
    for other in range(game.clock.players):
        if other != seat:
            best = max(best, int(strength(game.board, game.clans[other], tables, province, other)))
    return int(strength(game.board, game.clans[seat], tables, province, seat)) - best


@kernel
def rivals_in(game, tables, province, seat):
    """Figures of other clans in the area of a province."""
    count = 0
    for other in range(game.clock.players):
        if other != seat:
            count += figures_in_area(game.board, tables, province, other)
    return count


@kernel
def battle_cards(game, tables, seat):
    """Battle cards in the hand of `seat`."""
    count = 0
    for position in range(game.clans[seat].hand):
        if tables.kind[game.secret.card_of[game.secret.hand[seat, position]]] == CARD_KIND_BATTLE:
            count += 1
    return count


@kernel
def lead_of(game, seat, glory):
    """Glory of `seat`, or rage with glory = 0, less the most of any other clan."""
    best = -FAR
    for other in range(game.clock.players):
        if other != seat:
            best = max(best, int(game.clans[other].glory) if glory != 0 else int(game.clans[other].rage))
    return (int(game.clans[seat].glory) if glory != 0 else int(game.clans[seat].rage)) - best


@kernel
def count_provinces(game, tables, villages):
    """Free villages of the map, or with villages = 0 the provinces that can still be pillaged."""
    count = 0
    for province in range(N_PROVINCES):
        if game.board.destroyed[province]:
            continue
        if villages == 0:
            count += 1 if game.board.pillaged[province] == 0 else 0
        elif tables.villages[province] > 0:
            count += max(0, int(tables.villages[province]) - int(game.board.crowd[province]))
    return count


@kernel
def measure(game, tables, seat, which):
    """MEASURE number `which` of `seat` as the game stands."""
    clan = game.clans[seat]
    if which == MEASURE_TURN:
        return int(game.tally[seat].turns_age[game.clock.age - 1])
    if which == MEASURE_RAGE:
        return int(clan.rage)
    if which == MEASURE_HAND:
        return int(clan.hand)
    if which == MEASURE_BATTLE_CARDS:
        return battle_cards(game, tables, seat)
    if which == MEASURE_RAGE_LEAD or which == MEASURE_GLORY_LEAD:
        return lead_of(game, seat, 1 if which == MEASURE_GLORY_LEAD else 0)
    if which == MEASURE_STRENGTH_LEAD:
        return strength_lead(game, tables, game.battle.province, seat) if game.battle.province >= 0 else 0
    if which == MEASURE_PILLAGER:
        return 1 if game.battle.province >= 0 and game.battle.pillager == seat else 0
    if which == MEASURE_FREE_VILLAGES or which == MEASURE_OPEN_PROVINCES:
        return count_provinces(game, tables, 1 if which == MEASURE_FREE_VILLAGES else 0)
    if which == MEASURE_ON_BOARD:
        return int(clan.on_board)
    return int(game.board.count[PLACE_VALHALLA, seat])


@kernel
def fits(game, tables, seat, option, sieve):
    """Whether an option fits a sieve."""
    if sieve.actions != 0 and sieve.actions >> option.action & 1 == 0:
        return False
    if sieve.by_card != 0 and (option.card < 0 or sieve.cards[option.card] == 0):
        return False
    if sieve.kinds != 0 and (option.card < 0 or tables.kind[option.card] < 0 or sieve.kinds >> tables.kind[option.card] & 1 == 0):
        return False
    if sieve.places != 0 and (option.place < 0 or sieve.places >> option.place & 1 == 0):
        return False
    if sieve.figures != 0 and (option.figure < 0 or sieve.figures >> option.figure & 1 == 0):
        return False
    if sieve.values != 0 and (option.value < 0 or sieve.values >> option.value & 1 == 0):
        return False
    return fits_province(game, tables, seat, option.place, sieve)


@kernel
def fits_province(game, tables, seat, place, sieve):
    """Whether the place of an option, -1 if it has none, is a province such as a sieve asks for."""
    by_rivals = sieve.rivals[0] > 0 or sieve.rivals[1] < FAR
    by_lead = sieve.lead[0] > -FAR or sieve.lead[1] < FAR
    if not by_rivals and not by_lead and sieve.tokens == 0 and sieve.doomed == 0:
        return True
    if place < 0 or place >= N_PROVINCES:
        return False
    if sieve.tokens != 0 and sieve.tokens >> game.board.token[place] & 1 == 0:
        return False
    if sieve.doomed != 0 and (game.doom[game.clock.age - 1] == place) != (sieve.doomed == 1):
        return False
    if by_rivals:
        rivals = rivals_in(game, tables, place, seat)
        if rivals < sieve.rivals[0] or rivals > sieve.rivals[1]:
            return False
    if by_lead:
        lead = strength_lead(game, tables, place, seat)
        if lead < sieve.lead[0] or lead > sieve.lead[1]:
            return False
    return True
