"""The appraisal of actions: invade, march, upgrade, quest, pillage, sacrifice, pass.  Rules 5.2 to 5.10."""

from __future__ import annotations

from ..rules.cards import effect_amount, has_effect, monster_effect
from ..rules.effects.invade import action_invade_from_valhalla
from ..rules.effects.sheet import free_upgrade_and_invade
from ..rules.figures import room
from ..rules.flow import (
    ACTION_INVADE,
    ACTION_MARCH,
    ACTION_PASS,
    ACTION_PILLAGE,
    ACTION_QUEST,
    ACTION_UPGRADE,
)
from ..rules.ids import (
    EFFECT_ACTION_REPILLAGE,
    EFFECT_END_GLORY_PER_FIGURE,
    EFFECT_EXTRA_WARRIOR_ON_INVADE,
    EFFECT_INVADE_KILL_ENEMY_NONMONSTERS,
    EFFECT_INVADE_KILL_ENEMY_WARRIORS,
    EFFECT_MULTIPLY_QUEST_GLORY,
    EFFECT_MULTIPLY_RAGNAROK_GLORY,
    EFFECT_RELEASE_GLORY,
    N_AGES,
    N_PROVINCES,
    PLACE_RESERVE,
    PLACE_VALHALLA,
    PLACE_YGGDRASIL,
)
from ..rules.invade import invade_cost
from ..rules.jit import kernel
from ..rules.tables import FIGURE_LEADER, FIGURE_MONSTER, FIGURE_WARRIOR
from .area import (
    add_arrival,
    add_crowding,
    add_exposure,
    add_stay,
    add_strength,
    is_doomed,
    own_loss,
)
from .card_worth import (
    quest_odds,
    quest_reward,
    upgrade_cost,
    upgrade_worth,
    worst_in_slots,
)
from .odds import battle_share
from .outlook import STAY, axes_of, best_stat_worth, reward_worth
from .terms import (
    TERM_BATTLE,
    TERM_CARDS,
    TERM_DENY,
    TERM_LOSS,
    TERM_PILLAGE,
    TERM_PRESENCE,
    TERM_QUEST,
    TERM_RAGE,
    TERM_RAGNAROK,
    TERM_STATS,
    TERM_TEMPO,
    TERM_VALHALLA,
    add,
)

EARLY = 0.05  # share of a quest's worth that there is in committing it now, while it can wait
LATE_RAGE = 2  # with so little rage left, what costs nothing must not wait
FLEETING = 0.5  # share of a pillage's reward that is lost by leaving it: so often a rival comes before the next turn
PATIENT = 0.35  # share of an upgrade's worth that there is in playing it now, if it only pays at the end of an age
CARD_SPENT = 1.3  # what the card costs that a won battle discards, in glory


@kernel
def add_rage(view, index, cost):
    """Book the rage an option costs."""
    view.appraisal.cost[index] = cost
    add(view, index, TERM_RAGE, -cost * view.appraisal.outlook.price)


@kernel
def add_kills(view, tables, index, figure, province):
    """Book what Troll and Fire Giant destroy when they come.  Rule 7.1."""
    effect = monster_effect(view.clans[view.seat], figure)
    if effect != EFFECT_INVADE_KILL_ENEMY_WARRIORS and effect != EFFECT_INVADE_KILL_ENEMY_NONMONSTERS:
        return
    last = FIGURE_MONSTER if effect == EFFECT_INVADE_KILL_ENEMY_NONMONSTERS else FIGURE_WARRIOR + 1
    killed = 0.0
    for rival in range(view.clock.players):
        if rival != view.seat:
            for other in range(last):
                killed += view.board.figures[province, rival, other] * view.clans[rival].figure_str[other]
    add(view, index, TERM_DENY, 3.0 * killed)
    add_strength(view, tables, index, province, 0.8 * killed)


@kernel
def appraise_invade(view, tables, style, index, figure, origin, place):
    """An invade: all that the figure is worth there, and what comes with it."""
    clan = view.clans[view.seat]
    add_arrival(view, tables, index, figure, place)
    add_crowding(view, tables, index, figure)
    if place < N_PROVINCES:
        add_kills(view, tables, index, figure, place)
        if place != PLACE_YGGDRASIL and has_effect(clan, EFFECT_EXTRA_WARRIOR_ON_INVADE):
            if view.board.figures[PLACE_RESERVE, view.seat, FIGURE_WARRIOR] > 0 and room(view.board, tables, place) > 1:
                add_arrival(view, tables, index, FIGURE_WARRIOR, place)
    if origin == PLACE_VALHALLA:
        add(view, index, TERM_VALHALLA, -view.appraisal.outlook.death_pay[figure])


@kernel
def appraise_paid_invade(view, tables, style, index, option):
    """The action Invade, or an invade by Frigga's Domain.  Rules 5.5, 5.10.1."""
    figure, place = int(option.figure), int(option.place)
    appraise_invade(view, tables, style, index, figure, int(option.origin), place)
    clan = view.clans[view.seat]
    if option.origin == PLACE_VALHALLA:
        add_rage(view, index, action_invade_from_valhalla(clan, tables))
        return
    add_rage(view, index, invade_cost(clan, tables, figure, place))
    if figure == FIGURE_LEADER or free_upgrade_and_invade(clan, figure):
        add(view, index, TERM_TEMPO, 0.5)


@kernel
def march_party(view, tables, origin, place):
    """Figures that a march could take along, as STR points and as a number: (points, count).  Rule 5.6.1."""
    outlook = view.appraisal.outlook
    points, count = outlook.party[origin], outlook.party_size[origin]
    space = float(room(view.board, tables, place))
    if count > space:
        return points * space / count, space
    return points, count


@kernel
def add_party_stay(view, tables, index, place, points, factor):
    """Book what a party of `points` STR and `factor` figures (both below 0 when it leaves) is worth where it stands."""
    outlook = view.appraisal.outlook
    if is_doomed(view, tables, place):
        add(view, index, TERM_RAGNAROK, factor * 0.85 * outlook.doom_pay[FIGURE_WARRIOR])
    elif view.clock.age < N_AGES:
        add(view, index, TERM_PRESENCE, STAY * points)
    else:
        add(view, index, TERM_PRESENCE, factor * outlook.stay[FIGURE_WARRIOR])


@kernel
def appraise_march(view, tables, index, option):
    """A march with all figures that find room."""
    origin, place = int(option.origin), int(option.place)
    add_rage(view, index, int(tables.march_cost))
    outlook = view.appraisal.outlook
    if origin >= N_PROVINCES or place >= N_PROVINCES:
        return  # ships, by a rule option
    points, count = march_party(view, tables, origin, place)
    if outlook.reward[place] == 0.0 and outlook.stake[place] == 0.0 and not is_doomed(view, tables, place):
        add(view, index, TERM_PRESENCE, -0.1 * count)  # nothing to gain there: not worth a closer look
        return
    odds = add_strength(view, tables, index, place, points)
    add_strength(view, tables, index, origin, -points)
    add_exposure(view, index, FIGURE_WARRIOR, place, odds)
    add_party_stay(view, tables, index, place, points, count)
    add_party_stay(view, tables, index, origin, -points, -count)


@kernel
def pays_late(tables, card):
    """Whether an upgrade pays only after the action phase, so that it can wait."""
    effect = tables.effect[card]
    return (
        effect == EFFECT_RELEASE_GLORY
        or effect == EFFECT_MULTIPLY_RAGNAROK_GLORY
        or effect == EFFECT_MULTIPLY_QUEST_GLORY
        or effect == EFFECT_END_GLORY_PER_FIGURE
    )


@kernel
def appraise_upgrade(view, tables, style, index, card):
    """An upgrade: what it gives from now on, less what it replaces.  Rule 5.7."""
    age = int(view.clock.age)
    worth = upgrade_worth(view, tables, style, card, age)
    clan = view.clans[view.seat]
    if clan.rage > upgrade_cost(view, tables, card) + 2 and view.appraisal.outlook.open > 3.0 and pays_late(tables, card):
        worth *= PATIENT
    worth -= worst_in_slots(view, tables, style, int(tables.kind[card]), age)
    add(view, index, TERM_CARDS, worth)
    add_rage(view, index, upgrade_cost(view, tables, card))


@kernel
def appraise_quest(view, tables, style, index, card):
    """Committing a quest: it costs nothing, so it may wait while there is rage and the age is young.  Rule 5.8."""
    worth = quest_odds(view, tables, style, card) * quest_reward(view, tables, card)
    late = view.clans[view.seat].rage <= LATE_RAGE or view.appraisal.outlook.open <= 2.0
    add(view, index, TERM_QUEST, worth if late else EARLY * worth)
    view.appraisal.outlook.waiting += 0.0 if late else (1.0 - EARLY) * worth
    view.appraisal.cost[index] = 0.0


@kernel
def add_pillage(view, tables, style, index, province):
    """Book what a pillage may bring: the reward, axes, deaths on both sides, a card spent.  Rules 5.9, 6."""
    outlook = view.appraisal.outlook
    odds = outlook.win[province]
    share = battle_share(view, province)
    reward = outlook.reward[province]
    if view.board.pillaged[province]:
        reward = reward_worth(view, tables, province)
    won = odds - (1.0 - share)  # chance of a battle that is won
    lost = 1.0 - odds
    add(view, index, TERM_PILLAGE, odds * reward)
    add(view, index, TERM_BATTLE, max(0.0, won) * axes_of(view, tables))
    add(view, index, TERM_CARDS, -max(0.0, won) * CARD_SPENT)
    loss, pay = own_loss(view, tables, province)
    add(view, index, TERM_LOSS, -lost * loss)
    add(view, index, TERM_VALHALLA, lost * pay)
    stake = outlook.stake[province]
    add(view, index, TERM_QUEST, stake * (max(0.0, won) * (1.0 - outlook.hold[province]) - lost * outlook.hold[province]))
    add(view, index, TERM_DENY, max(0.0, won) * 4.0)
    if outlook.face[province] == 0.0:
        add(view, index, TERM_TEMPO, FLEETING * odds * reward)


@kernel
def appraise_pillage(view, tables, style, index, option):
    """A pillage, or a second one by Tyr's Challenge."""
    province = int(option.place)
    add_pillage(view, tables, style, index, province)
    cost = 0
    if view.board.pillaged[province]:
        cost = effect_amount(view.clans[view.seat], tables, EFFECT_ACTION_REPILLAGE)
    add_rage(view, index, cost)


@kernel
def appraise_victim(view, tables, index, option):
    """One figure of a sacrifice: what it is worth dead, less what it is worth alive.  Rule 5.10.2."""
    figure, place = int(option.figure), int(option.place)
    points = float(view.clans[view.seat].figure_str[figure])
    add(view, index, TERM_VALHALLA, view.appraisal.outlook.death_pay[figure])
    add(view, index, TERM_LOSS, -view.appraisal.outlook.bring_back[figure])
    add_stay(view, tables, index, figure, place, -1.0)
    if place < N_PROVINCES:
        add_strength(view, tables, index, place, -points)


@kernel
def appraise_turn_option(view, tables, style, index, option):
    """One option of QUESTION_TURN."""
    action = option.action
    if action == ACTION_INVADE:
        appraise_paid_invade(view, tables, style, index, option)
    elif action == ACTION_MARCH:
        appraise_march(view, tables, index, option)
    elif action == ACTION_UPGRADE:
        appraise_upgrade(view, tables, style, index, int(option.card))
    elif action == ACTION_QUEST:
        appraise_quest(view, tables, style, index, int(option.card))
    elif action == ACTION_PILLAGE:
        appraise_pillage(view, tables, style, index, option)
    elif action == ACTION_PASS:
        add_rage(view, index, int(view.clans[view.seat].rage))
    else:
        appraise_victim(view, tables, index, option)
        add(view, index, TERM_STATS, 0.5 * best_stat_worth(view))
        add(view, index, TERM_LOSS, -0.8)  # the second figure
