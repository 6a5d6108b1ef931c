"""Takes what pays most glory and stats soon.

A simple sensible player: it drafts strong cards, plays upgrades that it can pay, commits to quests that it holds now,
puts figures where it has or gains the most strength, pillages where it is alone or clearly stronger, plays its best
battle card when it can win and its weakest when it cannot, and never gives rage away.
"""

from bloodrage_sim.strategy_api import (
    ACTION_ADD,
    ACTION_DECLINE,
    ACTION_INVADE,
    ACTION_JOIN,
    ACTION_KEEP_CARD,
    ACTION_KEEP_FIGURE,
    ACTION_MARCH,
    ACTION_PASS,
    ACTION_PILLAGE,
    ACTION_PLAY,
    ACTION_PROTECT,
    ACTION_QUEST,
    ACTION_RAISE,
    ACTION_REPLACE,
    ACTION_SACRIFICE,
    ACTION_TAKE_BACK,
    ACTION_UPGRADE,
    ACTION_YES,
    CARD_KIND_BATTLE,
    CARD_KIND_CLAN,
    CARD_KIND_MONSTER,
    CARD_KIND_QUEST,
    EFFECT_FIGURES_IN_VALHALLA,
    EFFECT_MOST_STR_PROVINCES,
    EFFECT_MOST_STR_REGION,
    EFFECT_MOST_STR_YGGDRASIL,
    FIGURE_LEADER,
    N_PROVINCES,
    NO_CARD,
    PLACE_VALHALLA,
    PLACE_YGGDRASIL,
    QUESTION_MARCH,
    QUESTION_TURN,
    STAT_AXES,
    STAT_HORNS,
    STAT_RAGE,
    Param,
    kernel,
    pick,
    strategy,
    trait_worth,
)

LAST_AGE = 3


@kernel
def holds(view, province):
    """Whether the clan has strictly the most STR in a province."""
    own = view.survey.own[province]
    return own > 0 and view.board.destroyed[province] == 0 and own > view.survey.rival[province]


@kernel
def quest_is_met(view, tables, card):
    """Whether a quest would be fulfilled on the board as it is."""
    effect = tables.effect[card]
    if effect == EFFECT_MOST_STR_YGGDRASIL:
        return holds(view, PLACE_YGGDRASIL)
    if effect == EFFECT_FIGURES_IN_VALHALLA:
        return view.board.count[PLACE_VALHALLA, view.seat] >= tables.amount[card]
    held = 0
    for province in range(N_PROVINCES):
        if effect == EFFECT_MOST_STR_PROVINCES or tables.region[province] == tables.card_region[card]:
            if holds(view, province):
                held += 1
    if effect == EFFECT_MOST_STR_REGION:
        return held >= 1
    return effect == EFFECT_MOST_STR_PROVINCES and held >= tables.amount[card]


@kernel
def place_worth(view, province, added):
    """Worth of `added` STR in a province: quests to hold, a token to take."""
    own = view.survey.own[province]
    rival = view.survey.rival[province]
    worth = 0.0
    if own <= rival < own + added:
        worth += 0.6 * view.survey.quest_stake[province]
    if view.board.pillaged[province] == 0:
        worth += 2.5 if rival == 0 and own == 0 else 1.0 if own <= rival < own + added else 0.2
    if view.doom[view.clock.age - 1] == province:
        worth -= 0.3
    return worth


@kernel
def card_worth(view, tables, card):
    """Worth of a card in the draft or to keep, in glory."""
    kind = tables.kind[card]
    if kind == CARD_KIND_QUEST:
        return 0.75 * tables.glory[card]
    if kind == CARD_KIND_BATTLE:
        return 1.5 + 0.7 * tables.battle_str[card] + 0.4 * min(int(tables.amount[card]), 4)
    if kind == CARD_KIND_MONSTER:
        return 3.0 + 1.2 * tables.figure_str[card] - 0.8 * tables.cost[card]
    if kind == CARD_KIND_CLAN:
        return 3.6 - 0.5 * tables.cost[card] + 0.2 * tables.age[card]
    return 4.6 - 0.5 * tables.cost[card] + 0.2 * min(int(tables.amount[card]), 8)


@kernel
def stat_worth(view, tables, seat, stat):
    """Worth of one more step of a stat: the end bonus, and rage early."""
    step = view.clans[seat].stats[stat]
    ages_left = LAST_AGE - view.clock.age
    worth = 1.2 * ages_left if stat == STAT_RAGE else 1.0 + 0.5 * ages_left if stat == STAT_AXES else 0.7 * ages_left
    if step < tables.end_bonus.shape[0]:
        worth += 0.5 * (tables.end_bonus[step] - tables.end_bonus[step - 1])
        worth += 0.4 * step
    if stat == STAT_HORNS and view.clans[seat].on_board >= tables.track[STAT_HORNS, step - 1] - 1:
        worth += 1.0
    return worth


@kernel
def pillage_worth(view, tables, seat, province, boldness):
    """Expected gain of a pillage: reward, axes and losses, by how much stronger the clan is."""
    own = view.survey.own[province]
    rival = view.survey.rival[province]
    reward = 5.0
    if province == PLACE_YGGDRASIL:
        reward = 9.0
    if rival == 0:
        return reward + 3.0
    axes = tables.track[STAT_AXES, view.clans[seat].stats[STAT_AXES] - 1]
    lead = own + view.survey.best_card - rival - 2.5
    win = min(max(0.5 + 0.11 * lead, 0.02), 0.98)
    return win * (reward + axes) - (1.0 - win) * (3.0 + own) * (1.5 - boldness)


@kernel
def invade_worth(view, tables, seat, option):
    """Worth of an invade: STR in its place, less for the places it leaves under the horns limit."""
    added = view.clans[seat].figure_str[option.figure]
    if option.place < N_PROVINCES:
        worth = 1.0 + place_worth(view, option.place, added)
    else:
        worth = 0.6
        for side in range(2):
            province = tables.supports[option.place - N_PROVINCES, side]
            if view.board.destroyed[province] == 0:
                worth += 0.5 * place_worth(view, province, added)
    if option.figure == FIGURE_LEADER:
        worth += 1.5  # costs nothing
    return worth + 0.3 * added


@kernel
def march_worth(view, option):
    """Worth of a march: what the strongest figures may gain, less what their leaving gives up."""
    if option.origin >= N_PROVINCES or option.place >= N_PROVINCES:
        return -1.0
    moved = view.survey.own[option.origin]
    gain = place_worth(view, option.place, moved)
    loss = 0.6 * view.survey.quest_stake[option.origin] if holds(view, option.origin) else 0.0
    if view.board.pillaged[option.origin] == 0:
        loss += 2.0
    return gain - loss - 1.0


@kernel
def join_worth(view, seat, option):
    """Worth of joining a battle: only if that is likely to win it."""
    province = view.battle.province
    own = view.survey.own[province]
    rival = view.survey.rival[province]
    added = view.clans[seat].figure_str[option.figure]
    lead = own + added + view.survey.best_card - rival - 3.0
    if rival == 0 or lead < 0 or own > 0 and own - rival > 4:
        return -1.0
    return lead - 0.5 * added


@kernel
def battle_card_worth(view, tables, card):
    """Worth of playing a card: enough to win if that is possible, else the least that is lost."""
    province = view.battle.province
    need = view.survey.rival[province] + 2 - view.survey.own[province]
    if tables.kind[card] != CARD_KIND_BATTLE:
        return -0.1 * card_worth(view, tables, card)
    bonus = int(tables.battle_str[card])
    if need - view.survey.best_card > 3:
        return 2.0 - bonus if tables.amount[card] == 0 else 3.0 + tables.amount[card]
    if bonus >= need:
        return 10.0 - 0.3 * bonus + 0.5 * tables.amount[card]
    return float(bonus)


@kernel
def turn_worth(view, tables, seat, option, boldness):
    """Worth of an action."""
    action = option.action
    if action == ACTION_INVADE:
        return invade_worth(view, tables, seat, option)
    if action == ACTION_PILLAGE:
        return pillage_worth(view, tables, seat, option.place, boldness)
    if action == ACTION_UPGRADE:
        return 0.8 * card_worth(view, tables, option.card)
    if action == ACTION_QUEST:
        if quest_is_met(view, tables, option.card):
            return 0.8 * tables.glory[option.card]
        return 0.3 if view.clans[seat].rage <= 1 else -0.5
    if action == ACTION_MARCH:
        return march_worth(view, option)
    if action == ACTION_SACRIFICE:
        return -2.0
    return -3.0 if action == ACTION_PASS else 0.0


@kernel
def march_figure_worth(view, seat, option):
    """Worth of taking one more figure along on a march: as many as it takes to hold the goal."""
    if option.action == ACTION_DECLINE:
        return 0.0
    place = view.flow.march_to
    if place >= N_PROVINCES:
        return -1.0
    lead = view.survey.own[place] - view.survey.rival[place]
    return 1.0 + view.clans[seat].figure_str[option.figure] if lead < 3 else -1.0


@kernel
def option_worth(view, tables, option, boldness):
    """Worth of one answer to any question, in glory."""
    seat = view.seat
    action = option.action
    if view.flow.question == QUESTION_TURN:
        return turn_worth(view, tables, seat, option, boldness)
    if view.flow.question == QUESTION_MARCH:
        return march_figure_worth(view, seat, option)
    if action == ACTION_KEEP_CARD:
        return card_worth(view, tables, option.card)
    if action == ACTION_PLAY:
        return battle_card_worth(view, tables, option.card)
    if action == ACTION_RAISE:
        return stat_worth(view, tables, seat, option.value)
    if action == ACTION_JOIN:
        return join_worth(view, seat, option)
    if action == ACTION_ADD:
        return 1.0
    if action == ACTION_KEEP_FIGURE or action == ACTION_PROTECT:
        return 1.0 + view.clans[seat].figure_str[option.figure]
    if action == ACTION_REPLACE:
        return 5.0 if option.card == NO_CARD else -card_worth(view, tables, option.card)
    if action == ACTION_TAKE_BACK:
        return float(tables.battle_str[option.card]) - 2.0
    if action == ACTION_YES:
        return 1.0
    if action == ACTION_DECLINE:
        return 0.0
    return turn_worth(view, tables, seat, option, boldness)


@strategy(params={"boldness": Param(0.5, 0.0, 1.0, "how readily it fights; 1 fears losses least")}, traits=True)
def decide(view, options, n, tables, params, memory, key):
    best = first = pick(key, 0, n)  # of equal answers the first from here on, in a circle, is taken
    best_worth = -1e9
    laid = view.appraisal.n > 0
    for option in range(first, first + n):
        index = option if option < n else option - n
        worth = option_worth(view, tables, options[index], params[0])
        if laid:
            worth += trait_worth(view, index)
        if worth > best_worth:
            best = index
            best_worth = worth
    return best
