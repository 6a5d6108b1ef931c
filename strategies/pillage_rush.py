"""Pillages fast and unopposed, and lets ages be short.

It puts figures where nobody stands and pillages at once, raising stats before the others can react; when all provinces
are pillaged the age ends, and the rage and cards the others kept are lost.
"""

from bloodrage_sim.strategy_api import strategy, take_best


@strategy(
    style={
        "pillage": 1.5,
        "tempo": 2.0,
        "pillages": 3.0,
        "quest_cards": 0.9,
        "leader_cards": 1.2,
        "caution": 1.2,
    }
)
def decide(view, options, n, tables, params, memory, key):
    return take_best(view, n, key)
