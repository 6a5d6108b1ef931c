"""Effects that give an action of their own.  Rules 5.9.2, 5.10.2."""

from ..cards import card_with_effect
from ..ids import EFFECT_ACTION_REPILLAGE, EFFECT_ACTION_SACRIFICE_FOR_STAT
from ..jit import kernel
from ..tables import NO_CARD


@kernel
def action_repillage(clan, tables):
    """Rage to pillage a pillaged province once more, -1 without Tyr's Challenge.  Rule 5.9.2."""
    card = card_with_effect(clan, tables, EFFECT_ACTION_REPILLAGE)
    return tables.amount[card] if card != NO_CARD else -1


@kernel
def action_sacrifice_for_stat(clan, tables):
    """Number of own figures to destroy for a stat, -1 without Frigga's Sacrifice.  Rule 5.10.2."""
    card = card_with_effect(clan, tables, EFFECT_ACTION_SACRIFICE_FOR_STAT)
    return tables.amount[card] if card != NO_CARD else -1
