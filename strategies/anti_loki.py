"""The counter to a Loki plan, as the tips describe it.

It takes Loki's cards away in the draft, raises axes, leans on area quests and quick pillages, and gives no battles to a
clan that profits from losing: it neither joins them nor pillages where such figures stand, and plays its weakest card if it
must fight them.  These habits are traits, so `anti_loki+deny_losing=0` plays without one of them.
"""

from bloodrage_sim.strategy_api import strategy, take_best


@strategy(
    style={"axes_stat": 1.3, "quest_cards": 1.1, "loki_cards": 1.25, "tempo": 1.3},
    traits={"deny_losing": 1.0, "hate_draft": 0.3},
)
def decide(view, options, n, tables, params, memory, key):
    return take_best(view, n, key)
