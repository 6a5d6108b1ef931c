"""What STR and figures in an area are worth: quests to hold, tokens to take, Ragnarok, Valhalla, and what may be lost."""

from __future__ import annotations

from ..rules.cards import monster_card, monster_effect
from ..rules.figures import stat_value
from ..rules.ids import (
    EFFECT_INVADE_YGGDRASIL,
    N_AGES,
    N_PROVINCES,
    PLACE_YGGDRASIL,
    STAT_HORNS,
)
from ..rules.jit import kernel
from ..rules.tables import FIGURE_WARRIOR, N_FIGURES
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
def add_exposure(view, index, figure, province, odds):
    """Book the risk that a figure that comes to a province dies there in a battle of somebody else.

    odds : chance that the own clan would win a pillage there
    """
    if odds >= 1.0:
        return
    risk = 0.6 * view.appraisal.outlook.unrest * battle_share(view, province) * (1.0 - odds)
    add(view, index, TERM_LOSS, -risk * view.appraisal.outlook.bring_back[figure])
    add(view, index, TERM_VALHALLA, risk * view.appraisal.outlook.death_pay[figure])


@kernel
def add_stay(view, tables, index, figure, place, factor):
    """Book what a figure is worth at the end of the age where it stands: Ragnarok there, or being there in the next age.

    factor : 1 for a figure that comes, -1 for one that leaves
    """
    outlook = view.appraisal.outlook
    if is_doomed(view, tables, place):
        add(view, index, TERM_RAGNAROK, factor * 0.85 * outlook.doom_pay[figure])
        add(view, index, TERM_VALHALLA, factor * 0.85 * outlook.ship_pay[figure])
        return
    worth = outlook.stay[figure]
    if view.clock.age < N_AGES and place == view.doom[view.clock.age]:
        worth += 0.3 * tables.ragnarok_glory[view.clock.age]
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
        add_exposure(view, index, figure, place, odds)
    else:
        for side in range(2):
            province = int(tables.supports[place - N_PROVINCES, side])
            odds = add_strength(view, tables, index, province, points)
            add_exposure(view, index, figure, province, odds)
    add_stay(view, tables, index, figure, place, 1.0)


@kernel
def own_loss(view, tables, province):
    """What losing all own figures in an area costs, and what their deaths pay: (loss, pay) in glory."""
    loss = pay = 0.0
    outlook = view.appraisal.outlook
    doomed = is_doomed(view, tables, province)
    fjord = int(tables.fjord_of[province])
    for figure in range(N_FIGURES):
        count = int(view.board.figures[province, view.seat, figure])
        if fjord >= 0:
            count += int(view.board.figures[fjord, view.seat, figure])
        if count > 0:
            loss += count * outlook.bring_back[figure]
            pay += count * outlook.death_pay[figure]
            if doomed:
                loss += count * outlook.doom_pay[figure]
    return loss, pay
