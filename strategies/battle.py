"""Fights: axes, Tyr and Thor, big battle cards.

It raises axes, gathers strong bodies and strong cards, pillages where others stand and joins their battles when it is
likely to win.  A won battle pays axes, the rivals' figures leave the board, and Valkyrie and Thor's Glory pay for them.
It spends cards freely, so it drafts more of them than others.
"""

from bloodrage_sim.strategy_api import strategy, take_best


@strategy(
    style={
        "wins": 2.4,
        "losses": 0.6,
        "deaths": 1.5,
        "battle": 1.5,
        "axes_stat": 1.3,
        "battle_cards": 1.35,
        "deny": 0.3,
        "caution": 0.75,
        "warrior_cards": 1.3,
        "monster_cards": 1.2,
        "loki_cards": 0.7,
    }
)
def decide(view, options, n, tables, params, memory, key):
    return take_best(view, n, key)
