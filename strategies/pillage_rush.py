"""Pillages fast and unopposed, and lets ages be short.

It puts figures where nobody stands and pillages at once, raising stats before the others can react; when all provinces
are pillaged the age ends, and the rage and cards that the others kept are lost.
"""

from bloodrage_sim.strategy_api import (
    ACTION_INVADE,
    ACTION_KEEP_CARD,
    ACTION_MARCH,
    ACTION_PILLAGE,
    ACTION_UPGRADE,
    EFFECT_ACTION_REPILLAGE,
    EFFECT_LEADER_PILLAGE_MOVE,
    N_PROVINCES,
    Param,
    kernel,
    strategy,
    take_best,
)


@kernel
def is_free(view, province):
    """Whether nobody else stands in a province that may still be pillaged."""
    return view.appraisal.outlook.reward[province] > 0.0 and view.survey.rival[province] == 0


@kernel
def pillages_more(tables, card):
    """Whether a card gives further pillages: Tyr's Challenge, Lord of Hammers."""
    effect = tables.effect[card]
    return effect == EFFECT_ACTION_REPILLAGE or effect == EFFECT_LEADER_PILLAGE_MOVE


@strategy(
    params={"rush": Param(5.0, 0.0, 12.0, "what an unopposed pillage, or a figure that makes one possible, is worth beyond the terms")},
    style={
        "pillage": 1.4,
        "tempo": 1.5,
        "pillages": 3.0,
        "horns_stat": 1.2,
        "leader_cards": 1.2,
        "quest_cards": 0.9,
        "rage": 0.7,
        "presence": 0.5,
        "ragnarok": 0.7,
    },
)
def decide(view, options, n, tables, params, memory, key):
    score = view.appraisal.score
    for index in range(n):
        option = options[index]
        if option.action == ACTION_PILLAGE:
            if is_free(view, option.place):
                score[index] += params[0]
        elif option.action == ACTION_KEEP_CARD or option.action == ACTION_UPGRADE:
            if pillages_more(tables, option.card):
                score[index] += 0.3 * params[0]
        elif option.action == ACTION_INVADE or option.action == ACTION_MARCH:
            if option.place < N_PROVINCES and is_free(view, option.place) and view.survey.own[option.place] == 0:
                score[index] += 0.6 * params[0]
    return take_best(view, n, key)
