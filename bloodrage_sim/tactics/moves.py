"""The appraisal of the smaller decisions: which figures go along, free invades, who is saved, what is kept.  Rules 5.6 to 8."""

from __future__ import annotations

from ..rules.effects.battle import prowess_cost
from ..rules.effects.invade import domain_cost
from ..rules.ids import N_AGES, N_PROVINCES, PLACE_YGGDRASIL
from ..rules.jit import kernel
from ..rules.tables import NO_CARD
from .area import add_stay, add_strength, figure_points, own_loss
from .card_worth import card_worth, upgrade_worth
from .odds import battle_odds
from .outlook import axes_of
from .terms import (
    TERM_BATTLE,
    TERM_CARDS,
    TERM_DENY,
    TERM_LOSS,
    TERM_PILLAGE,
    TERM_PRESENCE,
    TERM_QUEST,
    TERM_STATS,
    TERM_VALHALLA,
    add,
)
from .turn import CARD_SPENT, add_pillage, add_rage


@kernel
def appraise_move(view, tables, index, figure, origin, place):
    """One figure that changes its province: the rest of a march, or the Leader's step."""
    points = float(view.clans[view.seat].figure_str[figure])
    if origin < N_PROVINCES:
        add_strength(view, tables, index, origin, -points)
    if place < N_PROVINCES:
        add_strength(view, tables, index, place, figure_points(view, tables, figure, place))
    add_stay(view, tables, index, figure, place, 1.0)
    add_stay(view, tables, index, figure, origin, -1.0)


@kernel
def appraise_replaced(view, tables, style, index, card):
    """The card that an upgrade replaces; none is best.  Rule 5.7.2."""
    if card != NO_CARD:
        add(view, index, TERM_CARDS, -1.0 - upgrade_worth(view, tables, style, card, int(view.clock.age)))


@kernel
def appraise_join(view, tables, style, index, option):
    """One figure more in a battle, or a first one.  Rule 6.1."""
    outlook = view.appraisal.outlook
    battle = view.battle
    province, figure = int(battle.province), int(option.figure)
    points = figure_points(view, tables, figure, province)
    after = battle_odds(view, province, points)
    before = battle_odds(view, province, 0.0) if view.survey.own[province] > 0 else 0.0
    pillager = int(battle.pillager)
    if outlook.face[province] == 0.0 and pillager == view.seat:
        add(view, index, TERM_LOSS, -0.1)  # nobody is there yet; the figure is not needed
        return
    gain = after - before
    if pillager == view.seat:
        add(view, index, TERM_PILLAGE, gain * outlook.reward[province])
    else:
        add(view, index, TERM_DENY, gain * 6.0)
    add(view, index, TERM_BATTLE, gain * axes_of(view, tables))
    add(view, index, TERM_QUEST, gain * outlook.stake[province])
    loss, pay = own_loss(view, tables, province)
    add(view, index, TERM_LOSS, gain * loss - (1.0 - after) * view.appraisal.outlook.bring_back[figure])
    add(view, index, TERM_VALHALLA, -gain * pay + (1.0 - after) * view.appraisal.outlook.death_pay[figure])
    if view.survey.own[province] == 0:
        add(view, index, TERM_CARDS, -after * CARD_SPENT)
    add_strength(view, tables, index, int(option.origin), -points)
    add_stay(view, tables, index, figure, int(option.origin), -1.0)


@kernel
def appraise_domain(view, tables, style, index, province):
    """Thor's Domain: a pillage at once.  Rule 7.3."""
    add_pillage(view, tables, style, index, province)
    add_rage(view, index, domain_cost(view.clans[view.seat], tables))


@kernel
def appraise_kept_figure(view, tables, index, figure, factor):
    """A figure that lives instead of dying.  Rules 6.5.3, 6.11.3."""
    add(view, index, TERM_LOSS, factor * view.appraisal.outlook.bring_back[figure])
    add(view, index, TERM_VALHALLA, -view.appraisal.outlook.death_pay[figure])


@kernel
def appraise_protect(view, tables, index, figure):
    """Frigga's Protection: a figure stays for rage.  Rule 6.11.3c."""
    appraise_kept_figure(view, tables, index, figure, 1.6)
    add_rage(view, index, 1)


@kernel
def appraise_witch(view, tables, index, figure):
    """The Volur Witch flees to Yggdrasil.  Rule 6.11.3a."""
    appraise_kept_figure(view, tables, index, figure, 1.2)
    add_strength(view, tables, index, PLACE_YGGDRASIL, float(view.clans[view.seat].figure_str[figure]))


@kernel
def appraise_take_back(view, tables, style, index, card):
    """Tyr's Prowess: a card for rage.  Rule 6.10.7c."""
    add(view, index, TERM_CARDS, 0.8 * card_worth(view, tables, style, card, int(view.clock.age)))
    add_rage(view, index, prowess_cost(view.clans[view.seat], tables))


@kernel
def appraise_raise(view, index, stat):
    """A stat step of choice.  Rule 1.6."""
    add(view, index, TERM_STATS, view.appraisal.outlook.step[stat])


@kernel
def appraise_kept_card(view, tables, style, index, card):
    """The card that is kept for the next age.  Rule 8.1."""
    add(view, index, TERM_CARDS, card_worth(view, tables, style, card, min(N_AGES, int(view.clock.age) + 1)))


@kernel
def appraise_declared(view, tables, index, value):
    """A quest that counts as a battle card.  Rule 6.5.4."""
    province = int(view.battle.province)
    gain = battle_odds(view, province, float(value)) - battle_odds(view, province, 0.0)
    loss, pay = own_loss(view, tables, province)
    add(view, index, TERM_BATTLE, gain * axes_of(view, tables))
    add(view, index, TERM_LOSS, gain * loss)
    add(view, index, TERM_VALHALLA, -gain * pay)
    add(view, index, TERM_PRESENCE, 0.01)
