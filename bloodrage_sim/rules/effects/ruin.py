"""Effects on destruction.  Rules 6.11.3, 6.11.6, 10.3."""

from ..cards import card_with_effect, effect_amount, has_effect, monster_effect
from ..events import SOURCE_CARD, add_glory
from ..ids import (
    EFFECT_ESCAPE_TO_YGGDRASIL,
    EFFECT_MULTIPLY_RAGNAROK_GLORY,
    EFFECT_PROTECT_FOR_RAGE,
    EFFECT_SHIP_DEATH_GLORY,
    PLACE_YGGDRASIL,
)
from ..jit import kernel
from ..tables import N_SLOTS, NO_CARD, NO_COPY


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
def ship_death_glory(game, tables, log, seat, ships):
    """Glory for destroyed ships (the dragons).  Rule 6.11.6."""
    if ships > 0 and has_effect(game.clans[seat], EFFECT_SHIP_DEATH_GLORY):
        for slot in range(N_SLOTS):
            card = game.clans[seat].sheet[slot]
            if card != NO_CARD and tables.effect[card] == EFFECT_SHIP_DEATH_GLORY:
                copy = game.secret.sheet[seat, slot]
                add_glory(game, log, seat, ships * tables.amount[card], SOURCE_CARD, card, copy)


@kernel
def multiply_ragnarok_glory(game, tables, log, seat, glory):
    """The increment of Ragnarok glory by Odin's Inspiration; the base amount is booked by the caller.  Rule 10.3."""
    factor = effect_amount(game.clans[seat], tables, EFFECT_MULTIPLY_RAGNAROK_GLORY)
    if factor > 1:
        card = card_with_effect(game.clans[seat], tables, EFFECT_MULTIPLY_RAGNAROK_GLORY)
        add_glory(game, log, seat, glory * (factor - 1), SOURCE_CARD, card, NO_COPY)
