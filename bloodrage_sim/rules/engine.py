"""The machine: run pending steps up to the next real decision, list its options, answer it.

This file only says which kernel belongs to which step and question; the rules stand in the files it imports.
"""

from . import (
    action,
    battle,
    discard,
    draft,
    ending,
    invade,
    pillage,
    quest,
    ragnarok,
    ruin,
    stats,
)
from .effects import battle as battle_effects
from .effects import invade as invade_effects
from .effects import pillage as pillage_effects
from .events import REASON_BATTLE
from .flow import (
    ACTION_DECLINE,
    ACTION_KEEP_FIGURE,
    QUESTION_BLESSING,
    QUESTION_CARD,
    QUESTION_DECLARE,
    QUESTION_DISCARD,
    QUESTION_DOMAIN,
    QUESTION_DRAFT,
    QUESTION_FREE_INVADE,
    QUESTION_HAMMERS,
    QUESTION_JOIN,
    QUESTION_LATE,
    QUESTION_MARCH,
    QUESTION_NONE,
    QUESTION_PROTECT,
    QUESTION_PROWESS,
    QUESTION_RAISE,
    QUESTION_REPLACE,
    QUESTION_SACRIFICE,
    QUESTION_SUCCOR,
    QUESTION_TIDE,
    QUESTION_TURN,
    QUESTION_WITCH,
    STEP_ACTION,
    STEP_AGE,
    STEP_AGE_OVER,
    STEP_BACKSTAB,
    STEP_BATTLE_GLORY,
    STEP_BEFORE,
    STEP_BLESSING,
    STEP_CALL,
    STEP_CARDS,
    STEP_CHECKPOINT,
    STEP_CLEAR_WINNER,
    STEP_DECLARE,
    STEP_DESTROY,
    STEP_DISCARD,
    STEP_DOMAIN,
    STEP_DRAFT,
    STEP_END,
    STEP_FREE_INVADE,
    STEP_GATHER,
    STEP_GRACE,
    STEP_HANDS,
    STEP_LATE,
    STEP_LEADER,
    STEP_PILLAGE,
    STEP_PILLAGE_OVER,
    STEP_POISON,
    STEP_PROTECT,
    STEP_PROWESS,
    STEP_QUESTS,
    STEP_RAGE_LOST,
    STEP_RAGNAROK,
    STEP_RAISE,
    STEP_RELEASE,
    STEP_REVEAL,
    STEP_SPOILS,
    STEP_SUCCESS,
    STEP_SUCCOR,
    STEP_TIDE,
    STEP_TOTALS,
    STEP_TRICKERY,
    STEP_TURN,
    STEP_TURN_OVER,
    STEP_WITCH,
    push,
)
from .jit import kernel

PAUSED = -1
PAUSE_AFTER_STEPS = 1
PAUSE_AT_QUESTIONS = 2
CHECK_INVARIANTS = 4  # for play.play_games


@kernel
def run_pillage_step(game, tables, log, kind, a, b, c):
    """Run one step of a pillage or a battle."""
    if kind == STEP_CALL:
        pillage.call_to_battle(game, tables, a, b)
    elif kind == STEP_PILLAGE:
        pillage.start_pillage(game, log, a, b)
    elif kind == STEP_GATHER:
        pillage.gather(game, tables)
    elif kind == STEP_CARDS:
        battle.ask_cards(game, a)
    elif kind == STEP_REVEAL:
        battle.reveal(game, tables, log)
    elif kind == STEP_BEFORE:
        battle.before_totals(game, tables, log, a)
    elif kind == STEP_TIDE:
        battle.ask_tide(game, a, b)
    elif kind == STEP_DECLARE:
        battle.ask_declare(game, tables, log, a)
    elif kind == STEP_LATE:
        battle.ask_late(game, a)
    elif kind == STEP_TOTALS:
        battle.compare_totals(game, tables, log)
    elif kind == STEP_SUCCESS:
        pillage.succeed(game, tables, log)
    elif kind == STEP_GRACE:
        pillage_effects.pillage_extra_stat(game)
    elif kind == STEP_LEADER:
        pillage.after_success(game, tables, log)
    elif kind == STEP_BATTLE_GLORY:
        battle.pay_battle_glory(game, tables, log)
    elif kind == STEP_SPOILS:
        battle.pay_spoils(game, tables, log)
    elif kind == STEP_HANDS:
        battle.return_cards(game, tables, log)
    elif kind == STEP_POISON:
        battle_effects.loser_take_winner_cards(game, tables, log)
    elif kind == STEP_PROWESS:
        battle_effects.winner_keep_cards(game, tables)
    elif kind == STEP_CLEAR_WINNER:
        battle.discard_revealed(game, log, game.battle.winner, REASON_BATTLE)
    elif kind == STEP_TRICKERY:
        battle_effects.loser_steal_rage(game, log)
    elif kind == STEP_BACKSTAB:
        battle_effects.loser_steal_glory(game, log)
    elif kind == STEP_BLESSING:
        battle.ask_blessing(game, a)
    else:
        pillage.finish_pillage(game, tables)


@kernel
def run_step(game, tables, log, kind, a, b, c):
    """Run one step; it may push others or open a question."""
    if kind == STEP_TURN:
        action.start_turn(game, tables, log, a)
    elif kind == STEP_TURN_OVER:
        action.finish_turn(game, tables, log, a)
    elif kind == STEP_DRAFT:
        draft.draft(game, tables, log, a)
    elif STEP_PILLAGE <= kind <= STEP_PILLAGE_OVER:
        run_pillage_step(game, tables, log, kind, a, b, c)
    elif kind == STEP_SUCCOR:
        invade_effects.extra_warrior_on_invade(game, tables, a, b, c)
    elif kind == STEP_DOMAIN:
        invade_effects.pillage_after_invade(game, a, b)
    elif kind == STEP_FREE_INVADE:
        action.ask_free_invade(game, a, b, c)
    elif kind == STEP_RAISE:
        stats.ask_raise(game, a, b, c)
    elif kind == STEP_DESTROY:
        ruin.destroy(game, tables, log, a)
    elif kind == STEP_WITCH:
        ruin.ask_witch(game, tables, a, b)
    elif kind == STEP_PROTECT:
        ruin.ask_protect(game, tables, a)
    elif kind == STEP_ACTION:
        action.start_action(game, tables, log)
    elif kind == STEP_RAGE_LOST:
        action.lose_all_rage(game, log)
    elif kind == STEP_DISCARD:
        discard.discard_phase(game, tables, log, a)
    elif kind == STEP_QUESTS:
        quest.quest_phase(game, tables, log, a, b)
    elif kind == STEP_RAGNAROK:
        ragnarok.ragnarok_phase(game, tables, log)
    elif kind == STEP_RELEASE:
        ending.release_phase(game, tables, log)
    elif kind == STEP_AGE_OVER:
        ending.finish_age(game, log)
    elif kind == STEP_AGE:
        draft.start_age(game, tables, log, a)
    elif kind == STEP_END:
        ending.final_scoring(game, tables, log)


@kernel
def list_options(game, tables, options):
    """Write all legal options of the open question into `options`; returns how many.  Rule 18."""
    question, seat, a, b = game.flow.question, game.flow.seat, game.flow.a, game.flow.b
    if question == QUESTION_TURN:
        return action.list_turn(game, tables, options, seat)
    if question == QUESTION_JOIN:
        return pillage.list_join(game, tables, options, seat)
    if question == QUESTION_DRAFT:
        return draft.list_draft(game, tables, options, seat)
    if question == QUESTION_CARD:
        return battle.list_cards(game, tables, options, seat)
    if question == QUESTION_LATE:
        return battle.list_late(game, tables, options, seat)
    if question == QUESTION_MARCH:
        return action.list_march(game, tables, options, seat)
    if question == QUESTION_REPLACE:
        return action.list_replace(game, tables, options, seat, a)
    if question == QUESTION_FREE_INVADE:
        return invade.list_free_invade(game, tables, options, seat, a, b)
    if question == QUESTION_SUCCOR:
        return invade_effects.list_succor(game, tables, options, seat, a)
    if question == QUESTION_DOMAIN:
        return invade_effects.list_domain(game, tables, options, seat, a)
    if question == QUESTION_TIDE:
        return ruin.list_doomed(game, tables, options, 0, ACTION_KEEP_FIGURE, seat)
    if question == QUESTION_DECLARE:
        return battle_effects.list_declare(game, tables, options, seat)
    if question == QUESTION_RAISE:
        return stats.list_raise(game, options, seat, a)
    if question == QUESTION_HAMMERS:
        return pillage_effects.list_hammers(game, tables, options)
    if question == QUESTION_PROWESS:
        return battle_effects.list_prowess(game, tables, options, seat)
    if question == QUESTION_BLESSING:
        return battle_effects.list_blessing(game, tables, options, seat)
    if question == QUESTION_WITCH:
        return ruin.list_witch(options)
    if question == QUESTION_PROTECT:
        return ruin.list_protect(game, tables, options, seat)
    if question == QUESTION_SACRIFICE:
        return action.list_victims(game, tables, options, 0, seat)
    return discard.list_discard(game, tables, options, seat)


@kernel
def answer(game, tables, log, option):
    """Close the open question with one of its options and carry it out."""
    question, seat, a, b = game.flow.question, game.flow.seat, game.flow.a, game.flow.b
    game.flow.question = QUESTION_NONE
    game.flow.seat = -1
    if question == QUESTION_TURN:
        action.answer_turn(game, tables, log, seat, option)
    elif question == QUESTION_JOIN:
        pillage.answer_join(game, log, seat, option)
    elif question == QUESTION_DRAFT:
        draft.answer_draft(game, tables, seat, option.card)
    elif question == QUESTION_CARD:
        battle.answer_card(game, tables, seat, option)
    elif question == QUESTION_LATE:
        battle.answer_late(game, tables, log, seat, option)
    elif question == QUESTION_REPLACE:
        action.answer_replace(game, tables, log, seat, a, option.card)
    elif question == QUESTION_TIDE:
        battle.answer_tide(game, seat, option, a)
    elif question == QUESTION_RAISE:
        stats.answer_raise(game, log, seat, option.value, b)
    elif question == QUESTION_SACRIFICE:
        action.sacrifice_figure(game, tables, seat, option.figure, option.place)
    elif question == QUESTION_DISCARD:
        discard.answer_discard(game, tables, seat, option.card)
    elif option.action != ACTION_DECLINE:
        answer_offer(game, tables, log, question, seat, a, b, option)


@kernel
def answer_offer(game, tables, log, question, seat, a, b, option):
    """Carry out an offer that was not declined."""
    if question == QUESTION_MARCH:
        action.answer_march(game, log, seat, option)
    elif question == QUESTION_FREE_INVADE:
        invade.invade(game, tables, log, seat, option.figure, option.origin, option.place)
    elif question == QUESTION_SUCCOR:
        invade.put_figure(game, log, seat, option.figure, option.origin, option.place)
        push(game, STEP_SUCCOR, seat, a, b + 1)
    elif question == QUESTION_DOMAIN:
        invade_effects.pay_domain(game, tables, log, seat)
        push(game, STEP_PILLAGE, seat, option.place)
    elif question == QUESTION_DECLARE:
        battle.answer_declare(game, log, seat, option)
    elif question == QUESTION_HAMMERS:
        pillage.answer_hammers(game, log, seat, option)
    elif question == QUESTION_PROWESS:
        battle.answer_prowess(game, tables, log, seat, option)
    elif question == QUESTION_BLESSING:
        battle.answer_blessing(game, tables, log, seat, option)
    elif question == QUESTION_WITCH:
        ruin.answer_witch(game, log, seat, a, b)
    elif question == QUESTION_PROTECT:
        ruin.answer_protect(game, tables, log, seat, option.figure, option.place)


@kernel
def advance(game, tables, log, options, pause):
    """Run up to the next question with two options or more and list them; a question with one is answered at once.

    pause : sum of PAUSE_AFTER_STEPS (return PAUSED after each turn and phase) and PAUSE_AT_QUESTIONS (return also with
    one option), or 0.  Returns the number of options, 0 when the game is over, or PAUSED.
    """
    while True:
        if game.flow.question != QUESTION_NONE:
            n = list_options(game, tables, options)
            if n >= 2 or pause & PAUSE_AT_QUESTIONS:
                return n
            answer(game, tables, log, options.option[0])
        elif game.flow.depth == 0:
            game.over = 1
            return 0
        else:
            game.flow.depth -= 1
            step = game.flow.pending[game.flow.depth]
            if step.kind != STEP_CHECKPOINT:
                run_step(game, tables, log, step.kind, step.a, step.b, step.c)
            elif pause & PAUSE_AFTER_STEPS:
                return PAUSED
