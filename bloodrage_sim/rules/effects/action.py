"""Effects that give an action of their own.  Rules 5.9.2, 5.10.2."""

from ..cards import card_with_effect, copy_with_effect
from ..events import REASON_CARD, change_rage
from ..ids import EFFECT_ACTION_REPILLAGE, EFFECT_ACTION_SACRIFICE_FOR_STAT
from ..jit import kernel
from ..tables import NO_CARD


@kernel
def action_repillage(clan, tables):
    """Rage to pillage a pillaged province once more, -1 without Tyr's Challenge.  Rule 5.9.2."""
    card = card_with_effect(clan, tables, EFFECT_ACTION_REPILLAGE)
    return tables.amount[card] if card != NO_CARD else -1


@kernel
def pay_repillage(game, tables, log, seat):
    """Pay for Tyr's Challenge.  Rule 5.9.2."""
    copy = copy_with_effect(game, tables, seat, EFFECT_ACTION_REPILLAGE)
    change_rage(game, log, seat, -action_repillage(game.clans[seat], tables), REASON_CARD, copy)


@kernel
def action_sacrifice_for_stat(clan, tables):
    """Number of own figures to destroy for a stat, -1 without Frigga's Sacrifice.  Rule 5.10.2."""
    card = card_with_effect(clan, tables, EFFECT_ACTION_SACRIFICE_FOR_STAT)
    return tables.amount[card] if card != NO_CARD else -1
