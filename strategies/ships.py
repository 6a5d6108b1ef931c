"""Dragons, Sea Serpent, Frigga's Domain: ships that pay when they sink.

It takes dragons and Sea Serpents first and puts ships into fjords where battles and Ragnarok will sink them, again and again
if Frigga's Domain brings them back.  A ship counts in two provinces, so on the way it holds quests and opens pillages, and
with dragons on the sheet it pillages from the fjord without minding the loss.
"""

from bloodrage_sim.strategy_api import (
    ACTION_INVADE,
    ACTION_KEEP_CARD,
    ACTION_PILLAGE,
    ACTION_UPGRADE,
    EFFECT_ACTION_INVADE_FROM_VALHALLA,
    EFFECT_COUNTS_AS_SHIP,
    EFFECT_SHIP_DEATH_GLORY,
    Param,
    kernel,
    strategy,
    take_best,
)


@kernel
def has_dragons(view):
    """Whether a ship upgrade that pays for sinking is on the sheet."""
    return view.clans[view.seat].effects >> EFFECT_SHIP_DEATH_GLORY & 1 == 1


@kernel
def makes_ships(tables, card):
    """Whether a card gives one more ship, or brings sunken ones back."""
    effect = tables.effect[card]
    return effect == EFFECT_COUNTS_AS_SHIP or effect == EFFECT_ACTION_INVADE_FROM_VALHALLA


@strategy(
    params={
        "launch": Param(3.0, 0.0, 6.0, "what launching a ship is worth beyond the terms; half without dragons"),
        "fleet": Param(5.0, 0.0, 12.0, "what Sea Serpent and Frigga's Domain are worth beyond the terms"),
    },
    style={
        "ship_cards": 2.4,
        "ships_lost": 2.0,
        "losses": 1.8,
        "deaths": 3.0,
        "loss": 0.6,
        "valhalla": 1.5,
        "monster_cards": 1.1,
    },
)
def decide(view, options, n, tables, params, memory, key):
    dragons = has_dragons(view)
    clan = view.clans[view.seat]
    score = view.appraisal.score
    for index in range(n):
        option = options[index]
        if option.action == ACTION_INVADE and clan.ship_like[option.figure]:
            score[index] += params[0] if dragons else 0.5 * params[0]
        elif option.action == ACTION_KEEP_CARD or option.action == ACTION_UPGRADE:
            if makes_ships(tables, option.card):
                score[index] += params[1]
        elif option.action == ACTION_PILLAGE and dragons and tables.fjord_of[option.place] >= 0:
            if view.board.count[tables.fjord_of[option.place], view.seat] > 0:
                score[index] += 0.5 * params[0]
    return take_best(view, n, key)
