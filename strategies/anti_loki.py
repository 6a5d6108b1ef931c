"""The counter to a Loki plan, as the tips describe it.

It takes Loki's cards away in the draft, raises axes, leans on area quests and quick pillages, and plays to win battles
itself, so that the losers' cards find less to feed on.  The tips also advise to give Loki no battles; in games that habit
cost more than it denied, so it is left to `anti_loki+deny_losing`.
"""

from bloodrage_sim.strategy_api import strategy, take_best


@strategy(
    style={
        "wins": 1.9,
        "losses": 0.1,
        "doomed": 0.3,
        "quests_done": 2.0,
        "axes_stat": 1.0,
        "rage_stat": 1.3,
        "quest_cards": 1.1,
        "loki_cards": 1.4,
        "rage": 1.3,
        "tempo": 1.3,
    },
    traits={"hate_draft": 0.5},
)
def decide(view, options, n, tables, params, memory, key):
    return take_best(view, n, key)
