"""Traits about rewards: stats, quests, tokens, cards."""

from __future__ import annotations

from ..rules.flow import (
    ACTION_JOIN,
    ACTION_KEEP_CARD,
    ACTION_PASS,
    ACTION_PLAY,
    ACTION_QUEST,
    ACTION_RAISE,
    QUESTION_DRAFT,
    QUESTION_TURN,
)
from ..rules.ids import (
    CARD_KIND_QUEST,
    N_TRACK_STEPS,
    STAT_RAGE,
    TOKEN_GLORY,
    TOKEN_RAGE,
)
from ..rules.jit import kernel
from ..rules.stats import N_STATS
from ..rules.tables import N_SLOTS, NO_CARD
from .battle_habits import LONG_SHOT, add_bonus, joined_odds
from .card_worth import card_worth, is_lokis, taste
from .circumstances import brings, is_fresh, pillages
from .terms import TERM_CARDS, TERM_QUEST, TERM_TRAIT, add

NEAR_TOP = N_TRACK_STEPS - 2  # step from which a rival is within two steps of the top
PLAN = 0  # value of stat_order that leaves the order to the strategy


# ---------------------------------------------------------------- tokens and stats


@kernel
def add_for_token(view, index, option, worth):
    """Add `worth` to a pillage of the option's place, half of it to figures that come there while it is to be had."""
    place = int(option.place)
    if pillages(view, option):
        add(view, index, TERM_TRAIT, worth)
    elif brings(option) and is_fresh(view, place):
        add(view, index, TERM_TRAIT, 0.5 * worth)


@kernel
def prefer_tokens(view, index, option, glory, factor):
    """Take tokens of glory if `glory`, else those that raise stats."""
    place = int(option.place)
    if is_fresh(view, place) and (view.board.token[place] == TOKEN_GLORY) == (glory == 1):
        add_for_token(view, index, option, 3.0 * factor)


@kernel
def is_near_top(view, seat):
    """Whether the rage stat of a clan is within two steps of the top, and not there."""
    return NEAR_TOP <= view.clans[seat].stats[STAT_RAGE] < N_TRACK_STEPS


@kernel
def deny_rage(view, tables, index, option, factor):
    """Take the rage tokens, and fight for them, once they would bring a rival near the top."""
    near = False
    for seat in range(view.clock.players):
        near = near or seat != view.seat and is_near_top(view, seat)
    if not near:
        return
    place = int(option.place)
    if option.action == ACTION_JOIN:
        pillager = int(view.battle.pillager)
        if pillager != view.seat and is_near_top(view, pillager) and view.board.token[place] == TOKEN_RAGE:
            if is_fresh(view, place) and joined_odds(view, tables, option) >= LONG_SHOT:
                add(view, index, TERM_TRAIT, 4.0 * factor)
    elif option.action == ACTION_PLAY:
        if view.board.token[view.battle.province] == TOKEN_RAGE and is_near_top(view, int(view.battle.pillager)):
            add_bonus(view, tables, index, option, 0.8 * factor)
    elif place >= 0 and is_fresh(view, place) and view.board.token[place] == TOKEN_RAGE:
        add_for_token(view, index, option, 6.0 * factor)


@kernel
def rank_of_stat(order, stat):
    """Place of a stat in an order, 0 to 2; order: value of stat_order, not PLAN."""
    first = (order - 1) // 2
    if stat == first:
        return 0
    lower = 0 if first != 0 else 1  # of the two others
    return 1 if (stat == lower) == (order % 2 == 1) else 2


@kernel
def stat_order(view, index, option, order):
    """Raise stats in this order, and pillage for them a little in this order too."""
    if option.action == ACTION_RAISE:
        add(view, index, TERM_TRAIT, 12.0 - 6.0 * rank_of_stat(order, int(option.value)))
    elif option.place >= 0 and is_fresh(view, int(option.place)):
        token = int(view.board.token[option.place])
        if token < N_STATS:
            add_for_token(view, index, option, 2.0 - rank_of_stat(order, token))


# ---------------------------------------------------------------- quests and cards


@kernel
def quests_in_hand(view, tables):
    """Quests in the own hand."""
    count = 0
    for position in range(view.own.hand_size):
        if tables.kind[view.own.hand[position]] == CARD_KIND_QUEST:
            count += 1
    return count


@kernel
def declare_all_quests(view, tables, index, option, factor):
    """Commit quests while there is rage to take turns with; the last rage, and the last provinces, wait for that."""
    quests = quests_in_hand(view, tables)
    if quests == 0:
        return
    rage = int(view.clans[view.seat].rage)
    if option.action == ACTION_QUEST:
        if rage <= 2 or view.appraisal.outlook.open <= 2.0 + quests:
            add(view, index, TERM_TRAIT, 8.0 * factor)
    elif option.action == ACTION_PASS or view.appraisal.cost[index] >= rage:
        add(view, index, TERM_TRAIT, -8.0 * factor)


@kernel
def quest_weight(view, tables, index, option, factor):
    """Quests count `factor` times, in the draft and on the board."""
    terms = view.appraisal.terms
    worth = terms[index, TERM_QUEST]
    if option.action == ACTION_KEEP_CARD and tables.kind[option.card] == CARD_KIND_QUEST:
        worth += terms[index, TERM_CARDS]
    add(view, index, TERM_TRAIT, (factor - 1.0) * worth)


@kernel
def lokis_cards_of(view, tables, seat):
    """Loki's cards on the sheet of a clan."""
    count = 0
    for slot in range(N_SLOTS):
        card = int(view.clans[seat].sheet[slot])
        if card != NO_CARD and is_lokis(tables, card):
            count += 1
    return count


@kernel
def hate_draft(view, tables, style, index, option, factor):
    """Keep what the next seat could use: a share of the card's plain worth, for Loki's cards more if it has some already."""
    players = int(view.clock.players)
    if (view.clock.draft_round + 1) * tables.picks[players] >= tables.keep:
        return  # what is left goes out of the game
    card = int(option.card)
    worth = card_worth(view, tables, style, card, int(view.clock.age)) / max(0.2, taste(tables, style, card))
    if is_lokis(tables, card):
        following = (int(view.seat) + 1) % players
        worth = max(2.0, worth) * (1.0 + lokis_cards_of(view, tables, following))
    add(view, index, TERM_TRAIT, factor * max(0.0, worth))


@kernel
def on_turn(view, tables, traits, index, option):
    """The traits of this file about actions only."""
    if traits.declare_all_quests > 0.0:
        declare_all_quests(view, tables, index, option, traits.declare_all_quests)


@kernel
def on_any(view, tables, style, traits, index, option):
    """The traits of this file for one option of any question."""
    question = view.flow.question
    if question == QUESTION_TURN:
        on_turn(view, tables, traits, index, option)
    if traits.quest_weight > 0.0:
        quest_weight(view, tables, index, option, traits.quest_weight)
    if traits.hate_draft > 0.0 and question == QUESTION_DRAFT:
        hate_draft(view, tables, style, index, option, traits.hate_draft)
    if traits.deny_rage > 0.0:
        deny_rage(view, tables, index, option, traits.deny_rage)
    if traits.stat_order > PLAN:
        stat_order(view, index, option, int(traits.stat_order))
    if option.place < 0:
        return
    if traits.prefer_stat_tokens > 0.0:
        prefer_tokens(view, index, option, 0, traits.prefer_stat_tokens)
    if traits.prefer_glory_tokens > 0.0:
        prefer_tokens(view, index, option, 1, traits.prefer_glory_tokens)
