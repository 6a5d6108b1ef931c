"""Effects that hold as long as a card is on the sheet, and what a sheet gives altogether.  Rules 1.4.1, 1.5, 5.5.2, 5.7.1, 5.7.6."""

from ..cards import effect_amount, has_effect, monster_effect
from ..events import SOURCE_CARD, add_glory
from ..ids import (
    CARD_KIND_LEADER,
    CARD_KIND_MONSTER,
    CARD_KIND_SHIP,
    EFFECT_COUNTS_AS_SHIP,
    EFFECT_FREE_UPGRADE_AND_INVADE,
    EFFECT_INVADE_YGGDRASIL,
    EFFECT_NONE,
    EFFECT_UPGRADE_DISCOUNT,
    EFFECT_WARRIOR_PAIRS,
    EFFECT_WARRIOR_STR,
)
from ..jit import kernel
from ..tables import (
    FIGURE_LEADER,
    FIGURE_MONSTER,
    FIGURE_SHIP,
    FIGURE_WARRIOR,
    N_MONSTER_SLOTS,
    N_SLOTS,
    NO_CARD,
    SLOT_FIRST,
)

_FIRST_MONSTER_SLOT = SLOT_FIRST[CARD_KIND_MONSTER]


@kernel
def upgrade_discount(clan, tables):
    """Rage that upgrades cost less (Frigga's Charm).  Rule 5.7.1."""
    return effect_amount(clan, tables, EFFECT_UPGRADE_DISCOUNT)


@kernel
def warrior_str(clan, tables, card):
    """Set the STR of the clan's Warriors (Experts in Arms).  Rule 1.5.1."""
    clan.figure_str[FIGURE_WARRIOR] = tables.figure_str[card]


@kernel
def warrior_pairs(clan, tables, card):
    """Set the STR of a pair of Warriors and of a spare one (Brothers, Masters in Arms).  Rule 1.5.1."""
    warrior_str(clan, tables, card)
    clan.pair_str = tables.amount[card]


@kernel
def counts_as_ship(clan, figure):
    """Make the monster in FIGURE slot `figure` a ship (Sea Serpent).  Rule 1.4.1."""
    clan.ship_like[figure] = 1


@kernel
def free_upgrade_and_invade(clan, figure):
    """Whether the figure invades for no rage (Dwarf Chieftain, Soldier of Hel).  Rule 5.5.2."""
    return monster_effect(clan, figure) == EFFECT_FREE_UPGRADE_AND_INVADE


@kernel
def invade_yggdrasil(clan, figure):
    """Whether the figure may invade Yggdrasil and has its card's amount as STR there (Dark Elf).  Rules 1.5, 5.4.1."""
    return monster_effect(clan, figure) == EFFECT_INVADE_YGGDRASIL


@kernel
def _without_upgrades(clan, tables):
    clan.effects = 0
    clan.pair_str = 0
    for figure in range(FIGURE_MONSTER):
        clan.figure_str[figure] = tables.base_str[figure]
        clan.ship_like[figure] = 1 if figure == FIGURE_SHIP else 0
    for monster in range(N_MONSTER_SLOTS):
        clan.figure_str[FIGURE_MONSTER + monster] = 0
        clan.ship_like[FIGURE_MONSTER + monster] = 0
        clan.monster_effect[monster] = EFFECT_NONE


@kernel
def refresh_sheet(game, tables, seat):
    """Work out anew what the upgrades of `seat` give.  Rules 1.4.1, 1.5."""
    clan = game.clans[seat]
    _without_upgrades(clan, tables)
    for slot in range(N_SLOTS):
        card = clan.sheet[slot]
        if card == NO_CARD:
            continue
        effect = tables.effect[card]
        kind = tables.kind[card]
        clan.effects |= 1 << int(effect)
        if effect == EFFECT_WARRIOR_STR:
            warrior_str(clan, tables, card)
        elif effect == EFFECT_WARRIOR_PAIRS:
            warrior_pairs(clan, tables, card)
        elif kind == CARD_KIND_LEADER:
            clan.figure_str[FIGURE_LEADER] = tables.figure_str[card]
        elif kind == CARD_KIND_SHIP:
            clan.figure_str[FIGURE_SHIP] = tables.figure_str[card]
        elif kind == CARD_KIND_MONSTER:
            figure = FIGURE_MONSTER + slot - _FIRST_MONSTER_SLOT
            clan.figure_str[figure] = tables.figure_str[card]
            clan.monster_effect[slot - _FIRST_MONSTER_SLOT] = effect
            if effect == EFFECT_COUNTS_AS_SHIP:
                counts_as_ship(clan, figure)


@kernel
def pay_by_effect(game, tables, log, seat, effect, times):
    """Each upgrade of `seat` with `effect` pays `times` its amount in glory.  Rule 5.7.6."""
    if times > 0 and has_effect(game.clans[seat], effect):
        for slot in range(N_SLOTS):
            card = game.clans[seat].sheet[slot]
            if card != NO_CARD and tables.effect[card] == effect:
                add_glory(game, log, seat, times * tables.amount[card], SOURCE_CARD, card, game.secret.sheet[seat, slot])


@kernel
def multiply_glory(game, tables, log, seat, effect, glory):
    """The upgrades of `seat` with `effect` multiply `glory` by the sum of their amounts; it has been paid once already.

    That one time is taken off the first of them; each is booked what it adds.
    """
    if has_effect(game.clans[seat], effect):
        paid = 1
        for slot in range(N_SLOTS):
            card = game.clans[seat].sheet[slot]
            if card != NO_CARD and tables.effect[card] == effect:
                times = max(0, tables.amount[card] - paid)
                paid -= tables.amount[card] - times
                add_glory(game, log, seat, glory * times, SOURCE_CARD, card, game.secret.sheet[seat, slot])
