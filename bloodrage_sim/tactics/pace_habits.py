"""Traits about pace: how fast rage goes, and when pillages come."""

from __future__ import annotations

from ..rules.flow import (
    ACTION_INVADE,
    ACTION_JOIN,
    ACTION_PASS,
    ACTION_PILLAGE,
    ACTION_QUEST,
    ACTION_UPGRADE,
    QUESTION_JOIN,
    QUESTION_TURN,
)
from ..rules.ids import EFFECT_LOSER_STEAL_RAGE, N_PROVINCES
from ..rules.jit import kernel
from .circumstances import is_fresh, median_rage, pillages
from .odds import battle_share
from .terms import TERM_TRAIT, add

PACE = 2.0  # rage that pacing lets itself fall behind the median
SAFE = 0.85  # chance of success of a safe pillage


@kernel
def rush_pillage(view, index, option, factor):
    """Pillage at once what is likely to succeed, go where nobody is; upgrades and quests wait."""
    place = int(option.place)
    if pillages(view, option):
        if is_fresh(view, place):
            add(view, index, TERM_TRAIT, 6.0 * factor * max(0.0, 2.0 * view.appraisal.outlook.win[place] - 1.0))
    elif option.action == ACTION_UPGRADE or option.action == ACTION_QUEST:
        if view.appraisal.outlook.open > 0.0:
            add(view, index, TERM_TRAIT, -3.0 * factor)
    elif option.action == ACTION_INVADE and is_fresh(view, place):
        if view.survey.own[place] == 0 and view.survey.rival[place] == 0:
            add(view, index, TERM_TRAIT, 2.0 * factor)


@kernel
def rage_pacing(view, index, option, factor):
    """Spend no more than leaves the rage within 2 of the median of the others; meanwhile do what costs nothing."""
    median = median_rage(view)
    if median < 0.0:
        return
    rage = float(view.clans[view.seat].rage)
    cost = view.appraisal.cost[index]
    add(view, index, TERM_TRAIT, -3.0 * factor * max(0.0, median - PACE - (rage - cost)))
    if cost == 0.0 and rage <= median:
        add(view, index, TERM_TRAIT, 2.5 * factor)


@kernel
def front_load(view, index, option, factor):
    """The dearest action first, what costs nothing last."""
    cost = view.appraisal.cost[index]
    if option.action != ACTION_PASS:
        add(view, index, TERM_TRAIT, (1.5 * cost if cost > 0.0 else -2.0) * factor)


@kernel
def safest_pillage(view):
    """The province that the own clan can pillage most surely, -1 if none is safe."""
    best = SAFE
    found = -1
    for province in range(N_PROVINCES):
        if is_fresh(view, province) and view.survey.own[province] > 0 and view.appraisal.outlook.win[province] > best:
            best = view.appraisal.outlook.win[province]
            found = province
    return found


@kernel
def tempo_control(view, index, option, factor):
    """Ahead in rage the safest pillage waits, so that the age goes on; behind it comes at once."""
    if option.action != ACTION_PILLAGE or option.place != safest_pillage(view):
        return
    rage = float(view.clans[view.seat].rage)
    median = median_rage(view)
    if rage > median and rage > 1.0:
        add(view, index, TERM_TRAIT, -8.0 * factor)
    elif rage < median:
        add(view, index, TERM_TRAIT, 6.0 * factor)


@kernel
def trickery_is_about(view, tables):
    """Whether a Loki's Trickery of this age may be in another hand: one is neither in the own hand nor discarded.  Rule 1.9."""
    age = int(view.clock.age)
    players = int(view.clock.players)
    left = 0
    for position in range(tables.deck_size[players, age - 1]):
        if tables.effect[tables.card_of[tables.deck[players, age - 1, position]]] == EFFECT_LOSER_STEAL_RAGE:
            left += 1
    for card in range(view.history.discards.shape[0]):
        if view.history.discards[card] > 0 and tables.effect[card] == EFFECT_LOSER_STEAL_RAGE:
            left -= int(view.history.discards[card])
    for position in range(view.own.hand_size):
        if tables.effect[view.own.hand[position]] == EFFECT_LOSER_STEAL_RAGE:
            left -= 1
    return left > 0


@kernel
def wants_battle(view):
    """Whether some pillage is open to the own clan that it would likely win in battle."""
    for province in range(N_PROVINCES):
        if is_fresh(view, province) and view.survey.own[province] > 0 and battle_share(view, province) > 0.0:
            if view.appraisal.outlook.win[province] >= 0.5:
                return True
    return False


@kernel
def rage_buffer(view, tables, index, option, factor):
    """Fight while a rage can be spared: no winning battle with the last one, no spending down to it while one waits."""
    rage = float(view.clans[view.seat].rage)
    left = rage - view.appraisal.cost[index]
    place = int(option.place)
    if view.flow.question == QUESTION_JOIN:
        if option.action == ACTION_JOIN and rage == 1.0 and trickery_is_about(view, tables):
            add(view, index, TERM_TRAIT, -4.0 * factor)
    elif pillages(view, option):
        if battle_share(view, place) > 0.0 and view.appraisal.outlook.win[place] >= 0.5:
            if trickery_is_about(view, tables):
                add(view, index, TERM_TRAIT, -12.0 * factor if left <= 1.0 else 3.0 * factor)
    elif view.flow.question == QUESTION_TURN and rage > 1.0 and left <= 1.0 and option.action != ACTION_PASS:
        if trickery_is_about(view, tables) and wants_battle(view):
            add(view, index, TERM_TRAIT, -4.0 * factor)


@kernel
def on_any(view, tables, traits, index, option):
    """The traits of this file for one option of any question."""
    if traits.rush_pillage > 0.0:
        rush_pillage(view, index, option, traits.rush_pillage)
    if traits.rage_buffer > 0.0:
        rage_buffer(view, tables, index, option, traits.rage_buffer)
    if view.flow.question != QUESTION_TURN:
        return
    if traits.rage_pacing > 0.0:
        rage_pacing(view, index, option, traits.rage_pacing)
    if traits.front_load > 0.0:
        front_load(view, index, option, traits.front_load)
    if traits.tempo_control > 0.0:
        tempo_control(view, index, option, traits.tempo_control)
