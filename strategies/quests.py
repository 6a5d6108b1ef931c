"""Stacks quests: the same quest twice or three times, and area control for them.

It takes quests first, equal ones rather than different ones, puts its figures where they ask for STR, keeps them there
and avoids battles that could cost them.  Odin's Throne doubles what it does best.
"""

from bloodrage_sim.strategy_api import strategy, take_best


@strategy(
    style={
        "quest_cards": 1.35,
        "quest": 1.4,
        "quests_done": 2.4,
        "wins": 0.8,
        "presence": 1.2,
        "loss": 1.2,
        "deny": 0.1,
    }
)
def decide(view, options, n, tables, params, memory, key):
    return take_best(view, n, key)
