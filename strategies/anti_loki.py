"""The counter to a Loki plan, as the tips describe it.

It takes Loki's cards away in the draft, raises axes, leans on area quests and quick pillages, and gives no battles to a
clan that profits from losing: it neither joins them nor pillages where such figures stand.
"""

from bloodrage_sim.strategy_api import strategy, take_best


@strategy(
    style={
        "axes_stat": 1.3,
        "quest_cards": 1.1,
        "battle_cards": 1.05,
        "tempo": 1.3,
    }
)
def decide(view, options, n, tables, params, memory, key):
    return take_best(view, n, key)
