"""What traits look at: where an option moves figures, how late in the age it is, who leads, who profits from losing."""

from __future__ import annotations

from ..rules.cards import effect_amount, has_effect
from ..rules.flow import (
    ACTION_INVADE,
    ACTION_JOIN,
    ACTION_MARCH,
    ACTION_MARCH_FIGURE,
    ACTION_MOVE_LEADER,
    ACTION_PILLAGE,
    ACTION_YES,
    QUESTION_DOMAIN,
)
from ..rules.ids import (
    EFFECT_ACTION_INVADE_FROM_VALHALLA,
    EFFECT_END_GLORY_PER_FIGURE,
    EFFECT_MULTIPLY_QUEST_GLORY,
    EFFECT_RELEASE_GLORY,
    EFFECT_SHIP_DEATH_GLORY,
    EFFECT_WARRIOR_ON_BATTLE_LOSS,
    N_PROVINCES,
)
from ..rules.jit import kernel


@kernel
def brings(option):
    """Whether the option brings a figure to its place."""
    action = option.action
    return (
        action == ACTION_INVADE
        or action == ACTION_MARCH
        or action == ACTION_MARCH_FIGURE
        or action == ACTION_JOIN
        or action == ACTION_MOVE_LEADER
    )


@kernel
def left_place(option):
    """PLACE on the board that a figure leaves by the option, -1."""
    if option.action == ACTION_INVADE or not brings(option):
        return -1
    return int(option.origin)


@kernel
def pillages(view, option):
    """Whether the option starts a pillage of its place."""
    return option.action == ACTION_PILLAGE or view.flow.question == QUESTION_DOMAIN and option.action == ACTION_YES


@kernel
def is_fresh(view, place):
    """Whether a place is a province that may still be pillaged."""
    return place < N_PROVINCES and view.board.pillaged[place] == 0 and view.board.destroyed[place] == 0


@kernel
def is_late(view, few):
    """Whether the age is nearly over: at most `few` rage of its own left, or nearly none to others, or all is pillaged soon."""
    outlook = view.appraisal.outlook
    return view.clans[view.seat].rage <= few or outlook.open <= 2.0 or outlook.unrest <= 0.34


@kernel
def is_in(view, seat):
    """Whether a clan still takes turns in this age."""
    return view.clans[seat].rage > 0 and view.clans[seat].passed == 0


@kernel
def median_rage(view):
    """Median of the rage of the other clans that are still in; -1 if there are none."""
    rivals = 0
    for seat in range(view.clock.players):
        if seat != view.seat and is_in(view, seat):
            rivals += 1
    total = 0.0
    for seat in range(view.clock.players):
        if seat == view.seat or not is_in(view, seat):
            continue
        rank = 0
        for other in range(view.clock.players):
            if other != view.seat and other != seat and is_in(view, other):
                less = view.clans[other].rage < view.clans[seat].rage
                if less or view.clans[other].rage == view.clans[seat].rage and other < seat:
                    rank += 1
        if rank == (rivals - 1) // 2:
            total += 0.5 * view.clans[seat].rage
        if rank == rivals // 2:
            total += 0.5 * view.clans[seat].rage
    return total if rivals > 0 else -1.0


@kernel
def figures_around(view, tables, province, seat):
    """Figures of a clan in a province and its fjord."""
    fjord = int(tables.fjord_of[province])
    count = int(view.board.count[province, seat])
    return count + int(view.board.count[fjord, seat]) if fjord >= 0 else count


@kernel
def is_behind(view, province):
    """Whether the own clan stands in a province and another one is stronger there."""
    return 0 < view.survey.own[province] < view.survey.rival[province]


@kernel
def strongest_rival(view):
    """The other clan with the most STR on the board, -1."""
    best = 0
    found = -1
    for seat in range(view.clock.players):
        if seat == view.seat:
            continue
        total = 0
        for province in range(N_PROVINCES):
            total += view.survey.strength[province, seat]
        if total > best:
            best = total
            found = seat
    return found


@kernel
def end_cards_worth(view, tables, seat):
    """Glory that the sheet of a clan will pay at the end of age 3 for figures that live and quests: Conquest, Throne, Domain."""
    clan = view.clans[seat]
    worth = 0.0
    if has_effect(clan, EFFECT_END_GLORY_PER_FIGURE):
        worth += 0.6 * effect_amount(clan, tables, EFFECT_END_GLORY_PER_FIGURE) * clan.on_board
    if has_effect(clan, EFFECT_MULTIPLY_QUEST_GLORY):
        worth += 3.0 + 5.0 * clan.quests
    if has_effect(clan, EFFECT_ACTION_INVADE_FROM_VALHALLA):
        worth += 3.0
    return worth


@kernel
def leading_rival(view, tables, counted):
    """The other clan with the most glory, -1 if none has any; `counted`: end-of-game cards count with it."""
    best = 0.0
    found = -1
    for seat in range(view.clock.players):
        if seat == view.seat:
            continue
        threat = float(view.clans[seat].glory)
        if counted:
            threat += end_cards_worth(view, tables, seat)
        if threat > best:
            best = threat
            found = seat
    return found


@kernel
def profits_from_losing(view, seat):
    """Whether the sheet of a clan pays for its dead or its lost battles."""
    clan = view.clans[seat]
    return (
        has_effect(clan, EFFECT_RELEASE_GLORY)
        or has_effect(clan, EFFECT_SHIP_DEATH_GLORY)
        or has_effect(clan, EFFECT_WARRIOR_ON_BATTLE_LOSS)
    )


@kernel
def meets_profiteer(view, province):
    """Whether a rival that profits from losing stands in a province."""
    for seat in range(view.clock.players):
        if seat != view.seat and view.survey.strength[province, seat] > 0 and profits_from_losing(view, seat):
            return True
    return False
