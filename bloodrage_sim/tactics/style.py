"""The style of a scripted strategy: what it plans for, what it likes, how it weighs the terms of the appraisal.

Every scripted strategy has all of these parameters; its file gives the values in which it differs from the defaults.
"""

from __future__ import annotations

from ..parameters import Param, record_of

STYLE_PARAMS = {
    # weights of the terms (terms.TERM_NAMES)
    "pillage": Param(1.0, 0.0, 3.0, "weight of pillage rewards"),
    "battle": Param(1.0, 0.0, 3.0, "weight of glory for battles won: axes and cards"),
    "quest": Param(1.0, 0.0, 3.0, "weight of quest rewards"),
    "ragnarok": Param(1.0, 0.0, 3.0, "weight of glory for figures in the doomed province"),
    "valhalla": Param(1.0, 0.0, 3.0, "weight of glory for own deaths: release cards, dragons"),
    "loss": Param(1.0, 0.0, 3.0, "weight of figures lost"),
    "stats": Param(1.0, 0.0, 3.0, "weight of stat steps"),
    "presence": Param(1.0, 0.0, 3.0, "weight of figures on the board for later"),
    "cards": Param(1.0, 0.0, 3.0, "weight of cards: owned, spent, taken"),
    "rage": Param(1.0, 0.0, 3.0, "weight of rage spent"),
    "deny": Param(0.15, 0.0, 2.0, "weight of what the strongest rivals lose"),
    "tempo": Param(1.0, 0.0, 3.0, "weight of doing first what others could prevent"),
    # the plan: what it expects to happen to it in an age; cards are worth what they add to it
    "wins": Param(1.0, 0.0, 5.0, "battles it means to win in an age"),
    "losses": Param(0.8, 0.0, 6.0, "battles it expects to lose in an age"),
    "deaths": Param(2.0, 0.0, 10.0, "own figures it expects to die in battle in an age"),
    "doomed": Param(1.5, 0.0, 8.0, "own figures it means to have in the doomed province"),
    "ships_lost": Param(0.4, 0.0, 3.0, "own ships it expects to lose in an age"),
    "pillages": Param(2.0, 0.0, 5.0, "pillages it means to make in an age"),
    "quests_done": Param(1.6, 0.0, 5.0, "quests it means to fulfil in an age"),
    # tastes in the draft and for upgrades
    "quest_cards": Param(1.0, 0.0, 3.0, "factor on the worth of quests"),
    "battle_cards": Param(1.0, 0.0, 3.0, "factor on the worth of battle cards"),
    "clan_cards": Param(1.0, 0.0, 3.0, "factor on the worth of clan upgrades"),
    "warrior_cards": Param(1.0, 0.0, 3.0, "factor on the worth of warrior upgrades"),
    "leader_cards": Param(1.0, 0.0, 3.0, "factor on the worth of leader upgrades"),
    "ship_cards": Param(1.0, 0.0, 3.0, "factor on the worth of ship upgrades"),
    "monster_cards": Param(1.0, 0.0, 3.0, "factor on the worth of monsters"),
    "loki_cards": Param(1.0, 0.0, 3.0, "further factor on the worth of Loki's cards"),
    # stats
    "rage_stat": Param(1.0, 0.0, 4.0, "factor on a step of rage"),
    "axes_stat": Param(1.0, 0.0, 4.0, "factor on a step of axes"),
    "horns_stat": Param(1.0, 0.0, 4.0, "factor on a step of horns"),
    # judgement
    "caution": Param(1.0, 0.0, 3.0, "how much of the rivals' cards and reinforcements it expects"),
}  # fmt: skip
STYLE = record_of(STYLE_PARAMS)
