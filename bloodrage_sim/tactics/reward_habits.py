"""Traits about rewards: stats, quests, tokens, cards."""

from __future__ import annotations

from ..rules.flow import ACTION_KEEP_CARD
from ..rules.ids import CARD_KIND_QUEST
from ..rules.jit import kernel
from .terms import TERM_CARDS, TERM_QUEST, TERM_TRAIT, add


@kernel
def quest_weight(view, tables, index, option, factor):
    """Quests count `factor` times, in the draft and on the board."""
    terms = view.appraisal.terms
    worth = terms[index, TERM_QUEST]
    if option.action == ACTION_KEEP_CARD and tables.kind[option.card] == CARD_KIND_QUEST:
        worth += terms[index, TERM_CARDS]
    add(view, index, TERM_TRAIT, (factor - 1.0) * worth)


@kernel
def on_any(view, tables, traits, index, option):
    """The traits of this file for one option of any question."""
    if traits.quest_weight > 0.0:
        quest_weight(view, tables, index, option, traits.quest_weight)
