"""Dragons, Sea Serpent, Frigga's Domain: ships that pay when they sink.

It takes dragons and puts its ships into fjords where battles and Ragnarok will sink them, twice an age if Frigga's Domain
brings them back; a ship counts in two provinces, so it holds quests and opens pillages on the way.
"""

from bloodrage_sim.strategy_api import strategy, take_best


@strategy(
    style={
        "ship_cards": 2.2,
        "ships_lost": 1.2,
        "doomed": 2.0,
        "valhalla": 1.3,
        "losses": 1.2,
        "loki_cards": 1.2,
    }
)
def decide(view, options, n, tables, params, memory, key):
    return take_best(view, n, key)
