"""Gathers monsters.

Every monster is a strong body that comes to the board with its upgrade; two of them hold regions, win pillages and
frighten the others off.  It drafts them first, replaces weak ones by strong ones, and raises rage to bring them back.
"""

from bloodrage_sim.strategy_api import strategy, take_best


@strategy(
    style={
        "monster_cards": 2.4,
        "wins": 1.4,
        "rage_stat": 1.1,
        "clan_cards": 0.9,
    }
)
def decide(view, options, n, tables, params, memory, key):
    return take_best(view, n, key)
