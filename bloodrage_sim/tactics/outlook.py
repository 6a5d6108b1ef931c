"""The outlook: what is worked out once per decision for all options: rewards, rivals, stakes, prices."""

from __future__ import annotations

from ..rules.cards import effect_amount, has_effect
from ..rules.figures import room, stat_value
from ..rules.ids import (
    EFFECT_END_GLORY_PER_FIGURE,
    EFFECT_EXTRA_PILLAGE_REWARD,
    EFFECT_FIGURES_IN_VALHALLA,
    EFFECT_LEADER_PILLAGE_ALL_STATS,
    EFFECT_LEADER_PILLAGE_STAT,
    EFFECT_MULTIPLY_QUEST_GLORY,
    EFFECT_MULTIPLY_RAGNAROK_GLORY,
    EFFECT_RELEASE_GLORY,
    EFFECT_SHIP_DEATH_GLORY,
    N_AGES,
    N_PROVINCES,
    N_TRACK_STEPS,
    PLACE_VALHALLA,
    PLACE_YGGDRASIL,
    STAT_AXES,
    STAT_HORNS,
    STAT_RAGE,
    TOKEN_GLORY,
    TOKEN_YGGDRASIL,
    YGGDRASIL_REWARD_ALL_STATS,
)
from ..rules.jit import kernel
from ..rules.stats import N_STATS
from ..rules.tables import FIGURE_LEADER, N_FIGURES
from .odds import JOINER_STR, expected_card, hold_odds, pillage_odds

RAGE_WORTH = 1.6  # glory that one rage makes in an age
PRICE = 1.0  # glory that one rage should bring at least
STAY = 0.3  # worth of a point of STR that stands on the board when the next age begins, in glory
QUEST_STAT = 3.2  # worth of the stat step of a quest, in glory


@kernel
def bonus_progress(tables, step, age):
    """Share of the bonuses at the end of the game that one step from `step` earns, in glory.  Rule 12.1."""
    patience = 0.75 if age == 1 else 0.6 if age == 2 else 0.35
    here = tables.end_bonus[step - 1]
    later = 1.0
    for distance in range(1, N_TRACK_STEPS - step + 1):
        gain = tables.end_bonus[step - 1 + distance] - here
        if gain > 0:
            return 0.8 * gain / distance * later
        later *= patience
    return 0.0


@kernel
def stat_worth(view, tables, style, stat):
    """Worth of one more step of a stat to the seat that looks, in glory."""
    clan = view.clans[view.seat]
    step = int(clan.stats[stat])
    if step >= N_TRACK_STEPS:
        return 0.0
    ages_left = float(N_AGES - view.clock.age)
    gained = float(tables.track[stat, step] - tables.track[stat, step - 1])
    if stat == STAT_RAGE:
        use = RAGE_WORTH * gained * ages_left * style.rage_stat
    elif stat == STAT_AXES:
        use = gained * style.wins * (ages_left + 0.4) * style.axes_stat
    else:
        tight = 1.0 if clan.on_board + 1 >= tables.track[STAT_HORNS, step - 1] else 0.0
        use = gained * (0.5 * ages_left + 0.8 * tight) * style.horns_stat
    return use + bonus_progress(tables, step, int(view.clock.age))


@kernel
def best_stat_worth(view):
    """Worth of a stat step of choice, in glory."""
    step = view.appraisal.outlook.step
    return max(step[STAT_RAGE], max(step[STAT_AXES], step[STAT_HORNS]))


@kernel
def all_stats_worth(view):
    """Worth of a step of every stat, in glory."""
    step = view.appraisal.outlook.step
    return step[STAT_RAGE] + step[STAT_AXES] + step[STAT_HORNS]


@kernel
def token_worth(view, tables, province):
    """Worth of the pillage token of a province, in glory.  Rule 6.9.2."""
    token = int(view.board.token[province])
    if token == TOKEN_GLORY:
        return float(tables.token_glory)
    if token == TOKEN_YGGDRASIL:
        if tables.rule.yggdrasil_reward == YGGDRASIL_REWARD_ALL_STATS:
            return all_stats_worth(view)
        return float(tables.token_glory)
    return view.appraisal.outlook.step[token]


@kernel
def reward_worth(view, tables, province):
    """Worth of a successful pillage with the figures that stand there, battle glory left out.  Rules 6.9.2 to 6.9.5."""
    clan = view.clans[view.seat]
    worth = token_worth(view, tables, province)
    if has_effect(clan, EFFECT_EXTRA_PILLAGE_REWARD):
        worth *= 1.5
    if view.board.figures[province, view.seat, FIGURE_LEADER] > 0:
        if has_effect(clan, EFFECT_LEADER_PILLAGE_STAT):
            worth += best_stat_worth(view)
        elif has_effect(clan, EFFECT_LEADER_PILLAGE_ALL_STATS):
            worth += all_stats_worth(view)
    return worth


@kernel
def count_joiners(view, tables):
    """Fill joiners: figures in the provinces next to a province.  Rule 6.1.1."""
    joiners = view.appraisal.outlook.joiners
    for seat in range(view.clock.players):
        for province in range(N_PROVINCES):
            joiners[seat, province] = 0
        if view.clans[seat].on_board == 0:
            continue
        for origin in range(N_PROVINCES):
            figures = int(view.board.count[origin, seat])
            if figures > 0:
                for province in range(N_PROVINCES):  # without a branch, which the processor would guess wrong
                    joiners[seat, province] += figures * tables.adjacent[origin, province]


@kernel
def look_at_rival(view, tables, style, provinces, rival):
    """Raise face and come of the provinces (bits) to what a rival has there or could bring."""
    outlook = view.appraisal.outlook
    card = expected_card(int(view.clans[rival].hand), style.caution)
    belief = 0.35 * style.caution  # share of the joiners that is reckoned with beside who stands there
    for province in range(N_PROVINCES):
        if provinces >> province & 1 == 0:
            continue
        here = int(view.survey.strength[province, rival])
        coming = JOINER_STR * min(int(outlook.joiners[rival, province]), int(room(view.board, tables, province)))
        if here > 0:
            outlook.face[province] = max(outlook.face[province], here + belief * coming + card)
        elif coming > 0.0:
            outlook.come[province] = max(outlook.come[province], coming + card)


@kernel
def look_at_rivals(view, tables, style, provinces):
    """Fill face, come and win of the provinces (bits)."""
    outlook = view.appraisal.outlook
    count_joiners(view, tables)
    for province in range(N_PROVINCES):
        outlook.face[province] = 0.0
        outlook.come[province] = 0.0
    for seat in range(view.clock.players):
        if seat != view.seat and view.clans[seat].on_board > 0:
            look_at_rival(view, tables, style, provinces, seat)
    for province in range(N_PROVINCES):
        if provinces >> province & 1:
            outlook.win[province] = pillage_odds(view, tables, province, 0.0)


@kernel
def around_battle(view, tables):
    """The province of the battle going on and those from which own figures could join it, as bits."""
    province = int(view.battle.province)
    provinces = 1 << province
    for origin in range(N_PROVINCES):
        if tables.adjacent[origin, province] and view.board.count[origin, view.seat] > 0:
            provinces |= 1 << origin
    return provinces


@kernel
def look_around(view, tables, style, provinces):
    """Fill what is known of the provinces (bits) about rewards and rivals."""
    outlook = view.appraisal.outlook
    left = 0  # provinces that are not destroyed
    for province in range(N_PROVINCES):
        if provinces >> province & 1 == 0:
            continue
        outlook.reward[province] = 0.0
        if view.board.destroyed[province] == 0:
            left |= 1 << province
            if view.board.pillaged[province] == 0:
                outlook.reward[province] = reward_worth(view, tables, province)
    look_at_rivals(view, tables, style, left)


@kernel
def look_at_quests(view, tables):
    """Fill hold and stake."""
    outlook = view.appraisal.outlook
    for province in range(N_PROVINCES):
        outlook.hold[province] = hold_odds(view, province, 0.0)
    throne = has_effect(view.clans[view.seat], EFFECT_MULTIPLY_QUEST_GLORY)
    for province in range(N_PROVINCES):
        stake = view.survey.quest_stake[province]
        if stake == 0.0:
            outlook.stake[province] = 0.0
            continue
        elsewhere = 0.0
        if province != PLACE_YGGDRASIL:
            for other in range(N_PROVINCES):
                if other != province and tables.region[other] == tables.region[province]:
                    elsewhere = max(elsewhere, outlook.hold[other])
        outlook.stake[province] = stake * (2.4 if throne else 1.4) * (1.0 - elsewhere)


@kernel
def glorious_death_worth(view, tables):
    """Worth that Glorious Death gives to one more own figure in Valhalla, in glory."""
    dead = int(view.board.count[PLACE_VALHALLA, view.seat])
    worth = 0.0
    for position in range(view.own.hand_size + view.clans[view.seat].quests):
        if position < view.own.hand_size:
            card = int(view.own.hand[position])
        else:
            card = int(view.own.quests[position - view.own.hand_size])
        if tables.effect[card] == EFFECT_FIGURES_IN_VALHALLA:
            needed = int(tables.amount[card]) - dead
            if needed > 0:
                worth += 0.8 * (tables.glory[card] + QUEST_STAT) / needed
    return worth


@kernel
def look_at_figures(view, tables):
    """Fill what each own figure's life and death are worth.  Rules 6.11.6, 10.3, 11.2."""
    outlook = view.appraisal.outlook
    clan = view.clans[view.seat]
    age = int(view.clock.age)
    outlook.release = float(effect_amount(clan, tables, EFFECT_RELEASE_GLORY))
    outlook.death = outlook.release + glorious_death_worth(view, tables)
    doom = float(tables.ragnarok_glory[age - 1])
    if has_effect(clan, EFFECT_MULTIPLY_RAGNAROK_GLORY):
        doom *= effect_amount(clan, tables, EFFECT_MULTIPLY_RAGNAROK_GLORY)
    dragons = float(effect_amount(clan, tables, EFFECT_SHIP_DEATH_GLORY))
    conquest = float(effect_amount(clan, tables, EFFECT_END_GLORY_PER_FIGURE)) if age == N_AGES else 0.0
    for figure in range(N_FIGURES):
        ship = dragons if clan.ship_like[figure] else 0.0
        points = float(clan.figure_str[figure])
        effort = 1.0 if figure == FIGURE_LEADER else points
        outlook.bring_back[figure] = (0.7 if age < N_AGES else 0.3) * effort + conquest
        outlook.death_pay[figure] = outlook.death + ship
        outlook.doom_pay[figure] = doom + outlook.release
        outlook.ship_pay[figure] = ship
        outlook.stay[figure] = STAY * points if age < N_AGES else 0.9 * conquest


@kernel
def look_at_parties(view):
    """Fill the own figures by province that can march.  Rule 5.6.1."""
    outlook = view.appraisal.outlook
    clan = view.clans[view.seat]
    for province in range(N_PROVINCES):
        outlook.party[province] = 0.0
        outlook.party_size[province] = float(view.board.count[province, view.seat])
        if view.board.count[province, view.seat] > 0:
            for figure in range(N_FIGURES):
                outlook.party[province] += view.board.figures[province, view.seat, figure] * clan.figure_str[figure]


@kernel
def look_at_pace(view, tables):
    """Fill how much may still happen in the age: unrest, open, and the price of a rage."""
    outlook = view.appraisal.outlook
    rage = 0
    for seat in range(view.clock.players):
        if seat != view.seat:
            rage += view.clans[seat].rage
    outlook.unrest = min(1.0, rage / (3.0 * (view.clock.players - 1)))
    outlook.open = 0.0
    for province in range(N_PROVINCES):
        if view.board.destroyed[province] == 0 and view.board.pillaged[province] == 0:
            outlook.open += 1.0
    ending = 1.0 if outlook.open > 2.0 or tables.rule.action_end != 0 else 0.5 * outlook.open
    outlook.price = PRICE * min(1.0, 0.2 + 0.8 * ending)


@kernel
def take_outlook(view, tables, style):
    """Fill what most questions need of view.appraisal.outlook; the survey must be there."""
    outlook = view.appraisal.outlook
    outlook.waiting = 0.0
    outlook.free = 0.0
    for stat in range(N_STATS):
        outlook.step[stat] = stat_worth(view, tables, style, stat)
    look_at_pace(view, tables)
    look_at_quests(view, tables)


@kernel
def axes_of(view, tables):
    """Glory that the seat that looks gains for a battle won.  Rule 6.10.2."""
    return float(stat_value(view.clans[view.seat], tables, STAT_AXES))
