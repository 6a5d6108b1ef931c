"""Plays for the doomed province: fills it or denies it, and locks villages.

Figures that die in Ragnarok pay 2, 3, 4 glory each, doubled by Odin's Inspiration; it fills the doomed province of the age
and its fjord to the last village, and stands early where the next Ragnarok will be.
"""

from bloodrage_sim.strategy_api import strategy, take_best


@strategy(
    style={
        "doomed": 4.0,
        "ragnarok": 1.9,
        "horns_stat": 1.6,
        "deaths": 2.2,
        "loki_cards": 1.1,
    }
)
def decide(view, options, n, tables, params, memory, key):
    return take_best(view, n, key)
