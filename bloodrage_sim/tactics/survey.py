"""The survey: what a player reads off the open board before thinking about any option.

The loop fills it once per decision, so strategies need not work it out for every option.
"""

from __future__ import annotations

import numpy as np

from ..rules import ids
from ..rules.figures import strength_in_fjord, strength_in_province
from ..rules.ids import (
    CARD_KIND_BATTLE,
    CARD_KIND_QUEST,
    EFFECT_MOST_STR_PROVINCES,
    EFFECT_MOST_STR_REGION,
    EFFECT_MOST_STR_YGGDRASIL,
    N_FJORDS,
    N_PROVINCES,
    PLACE_YGGDRASIL,
)
from ..rules.jit import kernel
from ..rules.tables import N_SEATS

SURVEY = np.dtype(
    [
        ("strength", "i2", (ids.N_PROVINCES, N_SEATS)),  # STR points in the area of a province, cards not (1.5.2)
        ("own", "i2", (ids.N_PROVINCES,)),  # of the seat that looks
        ("rival", "i2", (ids.N_PROVINCES,)),  # highest of another clan
        ("rival_seat", "i1", (ids.N_PROVINCES,)),  # whose that is, -1 if no other clan has STR there
        ("quest_stake", "f8", (ids.N_PROVINCES,)),  # glory of own quests, in hand and committed, that ask for STR there
        ("best_card", "i2"),  # highest battle bonus in the own hand
    ],
    align=True,
)


@kernel
def clear_strengths(view):
    """Nobody anywhere."""
    found = view.survey
    for province in range(N_PROVINCES):
        found.own[province] = 0
        found.rival[province] = 0
        found.rival_seat[province] = -1
        for seat in range(N_SEATS):
            found.strength[province, seat] = 0


@kernel
def survey_clan(view, tables, seat):
    """Fill the strengths of one clan, place by place until all its figures on the board are found."""
    board = view.board
    clan = view.clans[seat]
    points = view.survey.strength
    left = int(clan.on_board)
    for fjord in range(N_FJORDS):
        ships = board.count[N_PROVINCES + fjord, seat]
        if ships > 0:
            left -= ships
            support = strength_in_fjord(board, clan, N_PROVINCES + fjord, seat)
            points[tables.supports[fjord, 0], seat] += support
            points[tables.supports[fjord, 1], seat] += support
    for province in range(N_PROVINCES):
        if left <= 0:
            return
        figures = board.count[province, seat]
        if figures > 0:
            left -= figures
            points[province, seat] += strength_in_province(board, clan, tables, province, seat)


@kernel
def survey_strengths(view, tables):
    """Fill the strengths.  Rule 1.5.2."""
    found = view.survey
    clear_strengths(view)
    for seat in range(view.clock.players):
        if view.clans[seat].on_board == 0:
            continue
        survey_clan(view, tables, seat)
        for province in range(N_PROVINCES):
            points = found.strength[province, seat]
            if seat == view.seat:
                found.own[province] = points
            elif points > found.rival[province]:
                found.rival[province] = points
                found.rival_seat[province] = seat


@kernel
def add_quest_stake(view, tables, card):
    """Add the glory of a quest to the provinces that it asks for; half of it where two provinces are needed."""
    stake = view.survey.quest_stake
    effect = tables.effect[card]
    glory = float(tables.glory[card])
    if effect == EFFECT_MOST_STR_YGGDRASIL:
        stake[PLACE_YGGDRASIL] += glory
    elif effect == EFFECT_MOST_STR_REGION:
        for province in range(N_PROVINCES):
            if tables.region[province] == tables.card_region[card]:
                stake[province] += glory
    elif effect == EFFECT_MOST_STR_PROVINCES:
        for province in range(N_PROVINCES):
            stake[province] += 0.5 * glory


@kernel
def survey_cards(view, tables):
    """Fill what the own cards say."""
    found = view.survey
    best = 0
    for province in range(N_PROVINCES):
        found.quest_stake[province] = 0.0
    for position in range(view.own.hand_size):
        card = int(view.own.hand[position])
        if tables.kind[card] == CARD_KIND_BATTLE:
            best = max(best, int(tables.battle_str[card]))
        elif tables.kind[card] == CARD_KIND_QUEST:
            add_quest_stake(view, tables, card)
    for position in range(view.clans[view.seat].quests):
        add_quest_stake(view, tables, int(view.own.quests[position]))
    found.best_card = best


@kernel
def survey_board(view, tables):
    """Fill view.survey from what the view shows."""
    survey_strengths(view, tables)
    survey_cards(view, tables)
