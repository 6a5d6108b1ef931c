"""The appraisal: every legal option in named terms of glory, and their sum weighed by a style.

The loop calls `appraise` before it asks a strategy that declares a style.  Each kind of question has its kernel; what it is
about stands in the module it comes from.
"""

from __future__ import annotations

from ..rules.flow import (
    ACTION_DECLINE,
    ACTION_INVADE,
    ACTION_PASS,
    ACTION_PILLAGE,
    ACTION_QUEST,
    QUESTION_CARD,
    QUESTION_DECLARE,
    QUESTION_DISCARD,
    QUESTION_DOMAIN,
    QUESTION_DRAFT,
    QUESTION_HAMMERS,
    QUESTION_JOIN,
    QUESTION_LATE,
    QUESTION_MARCH,
    QUESTION_PROTECT,
    QUESTION_PROWESS,
    QUESTION_RAISE,
    QUESTION_REPLACE,
    QUESTION_SACRIFICE,
    QUESTION_TIDE,
    QUESTION_TURN,
    QUESTION_WITCH,
)
from ..rules.ids import CARD_KIND_BATTLE, CARD_KIND_QUEST, N_PROVINCES
from ..rules.jit import kernel
from ..rules.tables import FIGURE_LEADER, FIGURE_MONSTER
from . import battle, moves, turn
from .card_worth import card_worth
from .habits import lay_traits
from .outlook import around_battle, look_around, look_at_figures, look_at_parties, take_outlook
from .terms import (
    N_TERMS,
    TERM_BATTLE,
    TERM_CARDS,
    TERM_DENY,
    TERM_LOSS,
    TERM_PILLAGE,
    TERM_PRESENCE,
    TERM_QUEST,
    TERM_RAGE,
    TERM_RAGNAROK,
    TERM_STATS,
    TERM_TEMPO,
    TERM_TRAIT,
    TERM_VALHALLA,
    add,
)

ALL_PROVINCES = (1 << N_PROVINCES) - 1


@kernel
def clear_terms(view, n):
    """All terms of the first n options 0."""
    appraisal = view.appraisal
    for option in range(n):
        appraisal.cost[option] = 0.0
        for term in range(N_TERMS):
            appraisal.terms[option, term] = 0.0


@kernel
def crowding(view, tables, card):
    """Factor on one more card of this kind in the hand: rage pays few upgrades, an age has few battles."""
    upgrades = battles = 0
    for position in range(view.own.hand_size):
        kind = tables.kind[view.own.hand[position]]
        if kind == CARD_KIND_BATTLE:
            battles += 1
        elif kind != CARD_KIND_QUEST:
            upgrades += 1
    if tables.kind[card] == CARD_KIND_BATTLE:
        return max(0.4, 1.3 - 0.2 * battles)
    if tables.kind[card] == CARD_KIND_QUEST:
        return 1.0
    return max(0.3, 1.0 - 0.17 * upgrades)


@kernel
def appraise_drafted(view, tables, style, index, card):
    """A card to keep in the draft."""
    worth = card_worth(view, tables, style, card, int(view.clock.age))
    add(view, index, TERM_CARDS, worth * crowding(view, tables, card) if worth > 0.0 else worth)


@kernel
def appraise_figure_option(view, tables, style, index, option):
    """One option of a question about figures."""
    question = view.flow.question
    figure, origin, place = int(option.figure), int(option.origin), int(option.place)
    if question == QUESTION_MARCH or question == QUESTION_HAMMERS:
        moves.appraise_move(view, tables, index, figure, origin, place)
    elif question == QUESTION_JOIN:
        moves.appraise_join(view, tables, style, index, option)
    elif question == QUESTION_TIDE:
        moves.appraise_kept_figure(view, tables, index, figure, 1.0)
    elif question == QUESTION_PROTECT:
        moves.appraise_protect(view, tables, index, figure)
    elif question == QUESTION_WITCH:
        moves.appraise_witch(view, tables, index, FIGURE_MONSTER)
    elif question == QUESTION_SACRIFICE:
        turn.appraise_victim(view, tables, index, option)
    else:
        turn.appraise_invade(view, tables, style, index, figure, origin, place)


@kernel
def appraise_option(view, tables, style, index, option):
    """One option of any question; declining is 0."""
    question = view.flow.question
    card = int(option.card)
    if question == QUESTION_TURN:
        turn.appraise_turn_option(view, tables, style, index, option)
    elif option.action == ACTION_DECLINE:
        return
    elif question == QUESTION_DRAFT:
        appraise_drafted(view, tables, style, index, card)
    elif question == QUESTION_CARD:
        battle.appraise_card(view, tables, style, index, card)
    elif question == QUESTION_LATE:
        battle.appraise_late(view, tables, style, index, card)
    elif question == QUESTION_RAISE:
        moves.appraise_raise(view, index, int(option.value))
    elif question == QUESTION_REPLACE:
        moves.appraise_replaced(view, tables, style, index, card)
    elif question == QUESTION_DISCARD:
        moves.appraise_kept_card(view, tables, style, index, card)
    elif question == QUESTION_PROWESS:
        moves.appraise_take_back(view, tables, style, index, card)
    elif question == QUESTION_DECLARE:
        moves.appraise_declared(view, tables, index, int(option.value))
    elif question == QUESTION_DOMAIN:
        moves.appraise_domain(view, tables, style, index, int(option.place))
    else:
        appraise_figure_option(view, tables, style, index, option)


@kernel
def is_about_cards(question):
    """Whether a question is about owning cards or raising stats, so that no figure and no province is looked at."""
    return (
        question == QUESTION_DRAFT
        or question == QUESTION_RAISE
        or question == QUESTION_DISCARD
        or question == QUESTION_REPLACE
        or question == QUESTION_PROWESS
    )


@kernel
def weigh(view, style, index):
    """Sum of the terms of an option, each by its weight."""
    terms = view.appraisal.terms
    total = style.pillage * terms[index, TERM_PILLAGE] + style.battle * terms[index, TERM_BATTLE]
    total += style.quest * terms[index, TERM_QUEST] + style.ragnarok * terms[index, TERM_RAGNAROK]
    total += style.valhalla * terms[index, TERM_VALHALLA] + style.loss * terms[index, TERM_LOSS]
    total += style.stats * terms[index, TERM_STATS] + style.presence * terms[index, TERM_PRESENCE]
    total += style.cards * terms[index, TERM_CARDS] + style.rage * terms[index, TERM_RAGE]
    total += style.deny * terms[index, TERM_DENY] + style.tempo * terms[index, TERM_TEMPO]
    return total + terms[index, TERM_TRAIT]


def appraise(view, options, n, tables, style, traits, key):
    """Fill view.appraisal for options[:n]; returns n.  view.survey must be filled.

    view : VIEW record; options : OPTION array; tables : TABLES record; style : STYLE record; traits : TRAITS record;
    key : uint64, the chance of the decision
    """
    appraisal = view.appraisal
    clear_terms(view, n)
    take_outlook(view, tables, style)
    question = view.flow.question
    if not is_about_cards(question):
        look_at_figures(view, tables)
        if question == QUESTION_CARD or question == QUESTION_LATE:
            battle.look_at_battle(view, tables)
        elif question == QUESTION_JOIN:
            look_around(view, tables, style, around_battle(view, tables))
        else:
            look_around(view, tables, style, ALL_PROVINCES)
            if question == QUESTION_TURN:
                look_at_parties(view)
    for index in range(n):
        appraise_option(view, tables, style, index, options[index])
        if traits.laid > 0.0:
            lay_traits(view, tables, style, traits, index, options[index], key)
    for index in range(n):
        appraisal.score[index] = weigh(view, style, index)
    if question == QUESTION_TURN:
        free = appraisal.outlook.waiting * style.quest
        first = 0.0  # score of the best action without cost
        best = others = 0.0
        for index in range(n):
            action = options[index].action
            if action == ACTION_PASS or appraisal.cost[index] > 0.0 or appraisal.score[index] <= 0.0:
                continue
            first = max(first, appraisal.score[index])
            if action == ACTION_QUEST:
                free += appraisal.score[index]
            elif action == ACTION_PILLAGE or action == ACTION_INVADE:
                if action == ACTION_INVADE and options[index].figure != FIGURE_LEADER:
                    continue  # the same body in another place
                others += min(best, appraisal.score[index])
                best = max(best, appraisal.score[index])
        free += best + 0.3 * min(others, best)
        appraisal.outlook.free = free
        rage = view.clans[view.seat].rage
        for index in range(n):
            if options[index].action == ACTION_PASS or appraisal.cost[index] >= rage:
                add(view, index, TERM_TEMPO, -free)
                appraisal.score[index] = weigh(view, style, index)
                if first > 0.0:  # what costs nothing comes before the last rage goes
                    appraisal.score[index] = min(appraisal.score[index], first - 0.01)
    appraisal.n = n
    return n
