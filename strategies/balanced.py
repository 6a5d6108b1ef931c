"""Sound all-round play.

It takes the option with the most glory in sight: pillages while nobody is in the way, quests that fit where it stands,
figures for the doomed province, stats while they still pay, battles that it is likely to win.
"""

from bloodrage_sim.strategy_api import strategy, take_best


@strategy(style={})
def decide(view, options, n, tables, params, memory, key):
    return take_best(view, n, key)
