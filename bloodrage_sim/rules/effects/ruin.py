"""Effects on destruction.  Rules 6.11.3, 6.11.6, 10.3."""

from ..cards import card_with_effect, copy_with_effect, monster_effect
from ..events import REASON_CARD, change_rage
from ..ids import (
    EFFECT_ESCAPE_TO_YGGDRASIL,
    EFFECT_MULTIPLY_RAGNAROK_GLORY,
    EFFECT_PROTECT_FOR_RAGE,
    EFFECT_SHIP_DEATH_GLORY,
    PLACE_YGGDRASIL,
)
from ..jit import kernel
from ..tables import NO_CARD
from .sheet import multiply_glory, pay_by_effect


@kernel
def escape_to_yggdrasil(clan, figure, place):
    """Whether the figure is one that may flee from `place` to Yggdrasil (Volur Witch).  Rule 6.11.3a."""
    return monster_effect(clan, figure) == EFFECT_ESCAPE_TO_YGGDRASIL and place != PLACE_YGGDRASIL


@kernel
def protect_for_rage(clan, tables):
    """Rage that Frigga's Protection asks to save one figure, -1 without it.  Rule 6.11.3c."""
    card = card_with_effect(clan, tables, EFFECT_PROTECT_FOR_RAGE)
    return tables.amount[card] if card != NO_CARD else -1


@kernel
def pay_protection(game, tables, log, seat):
    """Pay for Frigga's Protection.  Rule 6.11.3c."""
    copy = copy_with_effect(game, tables, seat, EFFECT_PROTECT_FOR_RAGE)
    change_rage(game, log, seat, -protect_for_rage(game.clans[seat], tables), REASON_CARD, copy)


@kernel
def ship_death_glory(game, tables, log, seat, ships):
    """Glory for destroyed ships (the dragons).  Rule 6.11.6."""
    pay_by_effect(game, tables, log, seat, EFFECT_SHIP_DEATH_GLORY, ships)


@kernel
def multiply_ragnarok_glory(game, tables, log, seat, glory):
    """The increment of Ragnarok glory by Odin's Inspiration; the base amount is booked by the caller.  Rule 10.3."""
    multiply_glory(game, tables, log, seat, EFFECT_MULTIPLY_RAGNAROK_GLORY, glory)
