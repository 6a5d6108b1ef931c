"""Traits about battles: which to start, which to join, which to win."""

from __future__ import annotations

from ..rules.chance import PURPOSE_PLUGIN, draw, unit
from ..rules.flow import (
    ACTION_ADD,
    ACTION_INVADE,
    ACTION_JOIN,
    ACTION_MARCH,
    ACTION_PLAY,
)
from ..rules.ids import (
    EFFECT_LOSER_STEAL_GLORY,
    EFFECT_LOSER_STEAL_RAGE,
    EFFECT_LOSER_TAKE_WINNER_CARDS,
    N_AGES,
)
from ..rules.jit import kernel
from ..rules.tables import FIGURE_WARRIOR
from .area import figure_points, is_doomed
from .circumstances import (
    end_cards_worth,
    figures_around,
    is_behind,
    is_fresh,
    leading_rival,
    meets_profiteer,
    pillages,
    strongest_rival,
)
from .odds import battle_odds
from .terms import TERM_TRAIT, add
from .turn import march_party

SURPRISE_DRAW = 4096  # number of the draw of surprise_win, which no strategy uses
BONUS = 3.0  # glory for each point of a card's bonus that makes a strategy play its strongest or weakest card
LONG_SHOT = 0.25  # least chance with which it is worth while to hinder somebody


@kernel
def add_bonus(view, tables, index, option, worth):
    """Add `worth` for each STR point of a battle card, of one added later too."""
    if option.action == ACTION_PLAY or option.action == ACTION_ADD:
        add(view, index, TERM_TRAIT, worth * tables.battle_str[option.card])


@kernel
def joined_odds(view, tables, option):
    """Chance to win the battle going on with the figure that joins."""
    province = int(view.battle.province)
    return battle_odds(view, province, figure_points(view, tables, int(option.figure), province))


@kernel
def plays_to_lose(view, tables, index, option, factor):
    """The weakest card, best of all one that pays the loser."""
    add_bonus(view, tables, index, option, -BONUS * factor)
    if option.action == ACTION_PLAY:
        effect = tables.effect[option.card]
        if (
            effect == EFFECT_LOSER_STEAL_RAGE
            or effect == EFFECT_LOSER_STEAL_GLORY
            or effect == EFFECT_LOSER_TAKE_WINNER_CARDS
        ):
            add(view, index, TERM_TRAIT, BONUS * factor)


# ---------------------------------------------------------------- which battles


@kernel
def join_threshold(view, tables, index, option, odds):
    """Join only with a chance of `odds` or more; below 0 join whenever that is possible."""
    if option.action != ACTION_JOIN:
        return
    province = int(view.battle.province)
    if view.battle.pillager == view.seat and view.survey.rival[province] == 0:
        return  # no battle yet
    if odds < 0.0:
        if view.survey.own[province] == 0:
            add(view, index, TERM_TRAIT, -12.0 * odds)
    elif joined_odds(view, tables, option) < odds:
        add(view, index, TERM_TRAIT, -12.0)


@kernel
def pillage_to_lose(view, tables, index, option, factor):
    """Pillage where a rival is stronger, bring nobody else, and play the weakest card."""
    if pillages(view, option):
        if is_behind(view, int(option.place)):
            add(view, index, TERM_TRAIT, 6.0 * factor)
    elif view.battle.province >= 0 and view.battle.pillager == view.seat and is_behind(view, int(view.battle.province)):
        plays_to_lose(view, tables, index, option, factor)
        if option.action == ACTION_JOIN:
            add(view, index, TERM_TRAIT, -6.0 * factor)


@kernel
def is_lone_pinprick(view, tables, province, rival):
    """Whether a single own figure of STR 1 stands in a province with stronger figures of `rival`."""
    lone = view.survey.own[province] == 1 and figures_around(view, tables, province, int(view.seat)) == 1
    return lone and view.survey.strength[province, rival] > 1


@kernel
def harass(view, tables, index, option, factor):
    """Send a warrior to where the clan with the most STR stands, pillage with it alone, and play the weakest card."""
    rival = strongest_rival(view)
    if rival < 0:
        return
    place = int(option.place)
    if pillages(view, option):
        if is_lone_pinprick(view, tables, place, rival):
            add(view, index, TERM_TRAIT, 8.0 * factor)
    elif option.action == ACTION_INVADE and option.figure == FIGURE_WARRIOR and is_fresh(view, place):
        if view.survey.own[place] == 0 and view.survey.strength[place, rival] > 1:
            add(view, index, TERM_TRAIT, 2.5 * factor)
    elif view.battle.province >= 0 and view.battle.pillager == view.seat:
        if is_lone_pinprick(view, tables, int(view.battle.province), rival):
            plays_to_lose(view, tables, index, option, factor)


@kernel
def deny_losing(view, tables, index, option, factor):
    """No pillage and no joining where a clan profits from losing; in a battle against one the weakest card."""
    if pillages(view, option):
        if meets_profiteer(view, int(option.place)):
            add(view, index, TERM_TRAIT, -8.0 * factor)
    elif view.battle.province >= 0 and meets_profiteer(view, int(view.battle.province)):
        add_bonus(view, tables, index, option, -BONUS * factor)
        if option.action == ACTION_JOIN and view.battle.pillager != view.seat:
            add(view, index, TERM_TRAIT, -8.0 * factor)


@kernel
def surprise_win(view, tables, style, index, option, key, odds):
    """With chance `odds` play the strongest card in a battle that pays the loser more than it costs."""
    if option.action == ACTION_PLAY and unit(draw(key, PURPOSE_PLUGIN, SURPRISE_DRAW)) < odds:
        outlook = view.appraisal.outlook
        if style.valhalla * outlook.pay > style.loss * outlook.loss:
            add_bonus(view, tables, index, option, BONUS)


# ---------------------------------------------------------------- whom to hinder


@kernel
def hinder(view, tables, index, option, rival, worth):
    """Favour by `worth` what costs `rival`: going where it stands, pillaging and joining there, high cards against it."""
    place = int(option.place)
    if pillages(view, option):
        if view.survey.strength[place, rival] > 0 and view.appraisal.outlook.win[place] >= LONG_SHOT:
            add(view, index, TERM_TRAIT, worth)
    elif option.action == ACTION_JOIN:
        there = view.battle.pillager == rival or view.survey.strength[place, rival] > 0
        if there and view.survey.own[place] == 0 and joined_odds(view, tables, option) >= LONG_SHOT:
            add(view, index, TERM_TRAIT, worth)
    elif option.action == ACTION_PLAY:
        if view.battle.fights[rival]:
            add_bonus(view, tables, index, option, 0.2 * worth)
    elif (option.action == ACTION_INVADE or option.action == ACTION_MARCH) and is_fresh(view, place):
        if option.action == ACTION_MARCH:
            points, _ = march_party(view, tables, int(option.origin), place)
        else:
            points = figure_points(view, tables, int(option.figure), place)
        rivals = view.survey.strength[place, rival]
        own = view.survey.own[place]
        if own <= rivals <= own + points + view.survey.best_card and rivals > 0:
            add(view, index, TERM_TRAIT, 0.5 * worth)


@kernel
def sabotage_leader(view, tables, traits, index, option, factor):
    """Hinder the leading rival even for less own glory."""
    rival = leading_rival(view, tables, int(traits.target_holder > 0.0 and view.clock.age == N_AGES))
    if rival >= 0:
        hinder(view, tables, index, option, rival, 4.0 * factor)


@kernel
def target_holder(view, tables, index, option, factor):
    """In age 3 hinder clans by what Conquest, Throne and Domain will pay them."""
    if view.clock.age == N_AGES:
        for seat in range(view.clock.players):
            if seat != view.seat:
                worth = end_cards_worth(view, tables, seat)
                if worth > 0.0:
                    hinder(view, tables, index, option, seat, min(8.0, 3.0 + 0.5 * worth) * factor)


@kernel
def is_worth_disrupting(view, tables, province):
    """Whether a rival holds a province with quests committed, or has two figures or more where Ragnarok comes."""
    for seat in range(view.clock.players):
        if seat == view.seat:
            continue
        here = view.survey.strength[province, seat]
        if here > 0 and here == view.survey.rival[province] and view.clans[seat].quests > 0:
            return True
        if is_doomed(view, tables, province) and figures_around(view, tables, province, seat) >= 2:
            return True
    return False


@kernel
def challenge_disrupt(view, tables, index, option, factor):
    """Pillage a pillaged province again where that breaks a rival's plan."""
    place = int(option.place)
    if pillages(view, option) and view.board.pillaged[place] and view.appraisal.outlook.win[place] >= LONG_SHOT:
        if is_worth_disrupting(view, tables, place):
            add(view, index, TERM_TRAIT, 10.0 * factor)


@kernel
def on_any(view, tables, style, traits, index, option, key):
    """The traits of this file for one option of any question."""
    if traits.join_threshold != 0.0:
        join_threshold(view, tables, index, option, traits.join_threshold)
    if traits.pillage_to_lose > 0.0:
        pillage_to_lose(view, tables, index, option, traits.pillage_to_lose)
    if traits.harass > 0.0:
        harass(view, tables, index, option, traits.harass)
    if traits.deny_losing > 0.0:
        deny_losing(view, tables, index, option, traits.deny_losing)
    if traits.surprise_win > 0.0:
        surprise_win(view, tables, style, index, option, key, traits.surprise_win)
    if traits.sabotage_leader > 0.0:
        sabotage_leader(view, tables, traits, index, option, traits.sabotage_leader)
    if traits.target_holder > 0.0:
        target_holder(view, tables, index, option, traits.target_holder)
    if traits.challenge_disrupt > 0.0:
        challenge_disrupt(view, tables, index, option, traits.challenge_disrupt)
