"""Loses on purpose: Valhalla, Loki's cards, Glorious Death, Ragnarok.

It drafts what pays for losing and dying (release cards, Glorious Death, dragons, Trickery, Backstab, Poison), sends
figures into battles that others will win and into the doomed province, starts pillages that it may lose, and plays its
weak Loki cards there, which come back to its hand.  Axes hardly matter to it.  If Loki's cards do not come, the terms of
the appraisal bring it back to quests and quiet pillages.
"""

from bloodrage_sim.strategy_api import strategy, take_best


@strategy(
    style={
        "losses": 2.2,
        "deaths": 4.5,
        "doomed": 2.5,
        "wins": 0.5,
        "ships_lost": 0.9,
        "valhalla": 1.35,
        "loss": 0.55,
        "ragnarok": 1.2,
        "axes_stat": 0.4,
        "loki_cards": 1.35,
    }
)
def decide(view, options, n, tables, params, memory, key):
    return take_best(view, n, key)
