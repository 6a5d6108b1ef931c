"""What STR and figures in an area are worth: quests to hold, tokens to take, Ragnarok, Valhalla, and what may be lost."""

from __future__ import annotations

from ..rules.cards import effect_amount, has_effect, monster_card, monster_effect
from ..rules.figures import stat_value
from ..rules.ids import (
    EFFECT_END_GLORY_PER_FIGURE,
    EFFECT_INVADE_YGGDRASIL,
    EFFECT_MULTIPLY_RAGNAROK_GLORY,
    EFFECT_SHIP_DEATH_GLORY,
    N_AGES,
    N_PROVINCES,
    PLACE_YGGDRASIL,
    STAT_HORNS,
)
from ..rules.jit import kernel
from ..rules.tables import FIGURE_LEADER, FIGURE_WARRIOR, N_FIGURES
from .odds import battle_share, hold_odds, pillage_odds
from .terms import (
    TERM_LOSS,
    TERM_PILLAGE,
    TERM_PRESENCE,
    TERM_QUEST,
    TERM_RAGNAROK,
    TERM_VALHALLA,
    add,
)

SOON = 0.7  # share of a pillage's worth that a better position for it has now


@kernel
def is_doomed(view, tables, place):
    """Whether figures in a place are destroyed by this age's Ragnarok.  Rules 10.1, 10.2."""
    doomed = view.doom[view.clock.age - 1]
    if doomed < 0 or view.board.destroyed[doomed]:
        return False
    return place == doomed or place >= N_PROVINCES and tables.fjord_of[doomed] == place


@kernel
def ship_death_glory(view, tables, figure):
    """Glory for a figure's death by dragons.  Rule 6.11.6."""
    clan = view.clans[view.seat]
    return float(effect_amount(clan, tables, EFFECT_SHIP_DEATH_GLORY)) if clan.ship_like[figure] else 0.0


@kernel
def ragnarok_pay(view, tables, figure):
    """Glory for a figure in the doomed province, its dragon left out.  Rules 10.3, 11.2."""
    glory = float(tables.ragnarok_glory[view.clock.age - 1])
    clan = view.clans[view.seat]
    if has_effect(clan, EFFECT_MULTIPLY_RAGNAROK_GLORY):
        glory *= effect_amount(clan, tables, EFFECT_MULTIPLY_RAGNAROK_GLORY)
    return glory + view.appraisal.outlook.release


@kernel
def figure_points(view, tables, figure, place):
    """STR points that one more figure gives in a place.  Rule 1.5."""
    clan = view.clans[view.seat]
    if figure == FIGURE_WARRIOR and clan.pair_str > 0 and place < N_PROVINCES:
        odd = int(view.board.figures[place, view.seat, FIGURE_WARRIOR]) % 2
        return float(clan.pair_str - clan.figure_str[figure]) if odd else float(clan.figure_str[figure])
    if place == PLACE_YGGDRASIL and monster_effect(clan, figure) == EFFECT_INVADE_YGGDRASIL:
        return float(tables.amount[monster_card(clan, figure)])
    return float(clan.figure_str[figure])


@kernel
def loss_of(view, tables, figure):
    """What losing a figure costs: the rage to bring it back, in this age or the next."""
    clan = view.clans[view.seat]
    points = 1.0 if figure == FIGURE_LEADER else float(clan.figure_str[figure])
    worth = (0.7 if view.clock.age < N_AGES else 0.3) * points
    if view.clock.age == N_AGES and has_effect(clan, EFFECT_END_GLORY_PER_FIGURE):
        worth += effect_amount(clan, tables, EFFECT_END_GLORY_PER_FIGURE)
    return worth


@kernel
def death_pay(view, tables, figure):
    """What one own figure's death in battle pays, in glory."""
    return view.appraisal.outlook.death + ship_death_glory(view, tables, figure)


@kernel
def add_strength(view, tables, index, province, points):
    """Book what `points` more STR (less if negative) in a province do for quests and pillages to come.

    Returns the chance that a pillage of it would succeed then.
    """
    outlook = view.appraisal.outlook
    if view.board.destroyed[province]:
        return 1.0
    if outlook.stake[province] > 0.0:
        gain = hold_odds(view, province, points) - outlook.hold[province]
        add(view, index, TERM_QUEST, gain * outlook.stake[province])
    if outlook.reward[province] <= 0.0:
        return 1.0
    odds = pillage_odds(view, tables, province, points)
    add(view, index, TERM_PILLAGE, SOON * (odds - outlook.win[province]) * outlook.reward[province])
    return odds


@kernel
def add_exposure(view, tables, index, figure, province, odds):
    """Book the risk that a figure that comes to a province dies there in a battle of somebody else.

    odds : chance that the own clan would win a pillage there
    """
    if odds >= 1.0:
        return
    risk = 0.6 * view.appraisal.outlook.unrest * battle_share(view, province) * (1.0 - odds)
    add(view, index, TERM_LOSS, -risk * loss_of(view, tables, figure))
    add(view, index, TERM_VALHALLA, risk * death_pay(view, tables, figure))


@kernel
def add_stay(view, tables, index, figure, place, factor):
    """Book what a figure is worth at the end of the age where it stands: Ragnarok there, or being there in the next age.

    factor : 1 for a figure that comes, -1 for one that leaves
    """
    clan = view.clans[view.seat]
    if is_doomed(view, tables, place):
        pay = ragnarok_pay(view, tables, figure)
        add(view, index, TERM_RAGNAROK, factor * 0.85 * pay)
        add(view, index, TERM_VALHALLA, factor * 0.85 * ship_death_glory(view, tables, figure))
        return
    if view.clock.age < N_AGES:
        worth = 0.3 * clan.figure_str[figure]
        if place == view.doom[view.clock.age]:
            worth += 0.3 * tables.ragnarok_glory[view.clock.age]
    else:
        worth = 0.9 * effect_amount(clan, tables, EFFECT_END_GLORY_PER_FIGURE)
    add(view, index, TERM_PRESENCE, factor * worth)


@kernel
def add_crowding(view, tables, index, figure):
    """Book the place under the horns limit that a figure takes: dearer for weak figures when few places are left."""
    clan = view.clans[view.seat]
    left = int(stat_value(clan, tables, STAT_HORNS)) - int(clan.on_board)
    if left <= 2 and clan.rage > left:
        add(view, index, TERM_PRESENCE, -0.5 * max(0.0, 3.0 - clan.figure_str[figure]) / max(1, left))


@kernel
def add_arrival(view, tables, index, figure, place):
    """Book all that one more own figure in a place is worth."""
    points = figure_points(view, tables, figure, place)
    if place < N_PROVINCES:
        odds = add_strength(view, tables, index, place, points)
        add_exposure(view, tables, index, figure, place, odds)
    else:
        for side in range(2):
            province = int(tables.supports[place - N_PROVINCES, side])
            odds = add_strength(view, tables, index, province, points)
            add_exposure(view, tables, index, figure, province, odds)
    add_stay(view, tables, index, figure, place, 1.0)


@kernel
def own_loss(view, tables, province):
    """What losing all own figures in an area costs, and what their deaths pay: (loss, pay) in glory."""
    loss = pay = 0.0
    fjord = int(tables.fjord_of[province])
    for figure in range(N_FIGURES):
        count = int(view.board.figures[province, view.seat, figure])
        if fjord >= 0:
            count += int(view.board.figures[fjord, view.seat, figure])
        if count > 0:
            loss += count * loss_of(view, tables, figure)
            pay += count * death_pay(view, tables, figure)
            if is_doomed(view, tables, province):
                loss += count * ragnarok_pay(view, tables, figure)
    return loss, pay
