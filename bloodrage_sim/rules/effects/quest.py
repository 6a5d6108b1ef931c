"""What quests ask for and what doubles their glory.  Rules 9.2 to 9.5."""

from ..figures import figures_in_place, strength
from ..ids import (
    EFFECT_FIGURES_IN_VALHALLA,
    EFFECT_MOST_STR_PROVINCES,
    EFFECT_MOST_STR_REGION,
    EFFECT_MOST_STR_YGGDRASIL,
    EFFECT_MULTIPLY_QUEST_GLORY,
    N_PROVINCES,
    PLACE_VALHALLA,
    PLACE_YGGDRASIL,
)
from ..jit import kernel
from .sheet import multiply_glory


@kernel
def has_most_str(game, tables, seat, province):
    """Whether `seat` has strictly the most STR in `province`, above 0.  Rule 9.3."""
    if game.board.destroyed[province]:
        return False
    own = strength(game.board, game.clans[seat], tables, province, seat)
    if own == 0:
        return False
    for other in range(game.clock.players):
        if other != seat and strength(game.board, game.clans[other], tables, province, other) >= own:
            return False
    return True


@kernel
def most_str_region(game, tables, seat, region):
    """Most STR in at least one province of the region (Alfheim, Manheim, Jotunheim).  Rule 9.5."""
    for province in range(N_PROVINCES):
        if tables.region[province] == region and has_most_str(game, tables, seat, province):
            return True
    return False


@kernel
def most_str_yggdrasil(game, tables, seat):
    """Most STR in Yggdrasil.  Rule 9.5."""
    return has_most_str(game, tables, seat, PLACE_YGGDRASIL)


@kernel
def most_str_provinces(game, tables, seat, wanted):
    """Most STR in at least `wanted` provinces (Widespread).  Rule 9.5."""
    held = 0
    for province in range(N_PROVINCES):
        if has_most_str(game, tables, seat, province):
            held += 1
    return held >= wanted


@kernel
def figures_in_valhalla(game, seat, wanted):
    """At least `wanted` own figures in Valhalla (Glorious Death).  Rule 9.5."""
    return figures_in_place(game.board, PLACE_VALHALLA, seat) >= wanted


@kernel
def is_quest_done(game, tables, seat, card):
    """Whether `seat` fulfils quest `card` on the board as it is now.  Rules 9.1, 9.5."""
    effect = tables.effect[card]
    if effect == EFFECT_MOST_STR_REGION:
        return most_str_region(game, tables, seat, tables.card_region[card])
    if effect == EFFECT_MOST_STR_YGGDRASIL:
        return most_str_yggdrasil(game, tables, seat)
    if effect == EFFECT_MOST_STR_PROVINCES:
        return most_str_provinces(game, tables, seat, tables.amount[card])
    if effect == EFFECT_FIGURES_IN_VALHALLA:
        return figures_in_valhalla(game, seat, tables.amount[card])
    return False


@kernel
def multiply_quest_glory(game, tables, log, seat, glory):
    """The increment of quest glory by Odin's Throne; the base amount is booked by the caller.  Rule 9.2."""
    multiply_glory(game, tables, log, seat, EFFECT_MULTIPLY_QUEST_GLORY, glory)
