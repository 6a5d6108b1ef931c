"""The quest phase.  Rule 9."""

from .cards import SPOT_QUEST, discard
from .effects.quest import is_quest_done, multiply_quest_glory
from .events import (
    EVENT_QUEST_DONE,
    EVENT_QUEST_FAILED,
    REASON_QUEST,
    SOURCE_QUEST,
    add_glory,
    enter_phase,
    record_card,
)
from .flow import STEP_CHECKPOINT, STEP_QUESTS, STEP_RAGNAROK, STEP_RAISE, push
from .ids import PHASE_QUEST
from .jit import kernel


@kernel
def quest_phase(game, tables, log, turn, position):
    """STEP_QUESTS: resolve quest number `position` of clan number `turn`, clockwise from the first player.  Rule 9.2."""
    if turn == 0 and position == 0:
        enter_phase(game, log, PHASE_QUEST)
    players = game.clock.players
    while turn < players:
        seat = (game.clock.first_player + turn) % players
        if position < game.clans[seat].quests:
            push(game, STEP_QUESTS, turn, position + 1)
            resolve_quest(game, tables, log, seat, position)
            return
        turn += 1
        position = 0
    for seat in range(players):
        discard_quests(game, log, seat)
    push(game, STEP_RAGNAROK)
    push(game, STEP_CHECKPOINT, PHASE_QUEST, 0)


@kernel
def resolve_quest(game, tables, log, seat, position):
    """Quest number `position` of `seat`: a fulfilled one pays its glory, then a stat of choice.  Rule 9.2."""
    copy = game.secret.quests[seat, position]
    card = game.secret.card_of[copy]
    if is_quest_done(game, tables, seat, card):
        game.tally[seat].quests_done += 1
        record_card(game, log, EVENT_QUEST_DONE, seat, card, copy, tables.glory[card])
        add_glory(game, log, seat, tables.glory[card], SOURCE_QUEST, card, copy)
        multiply_quest_glory(game, tables, log, seat, tables.glory[card])
        push(game, STEP_RAISE, seat, -1, SPOT_QUEST + position)
    else:
        record_card(game, log, EVENT_QUEST_FAILED, seat, card, copy, tables.glory[card])


@kernel
def discard_quests(game, log, seat):
    """All quests are discarded, fulfilled or not.  Rule 9.2."""
    for position in range(game.clans[seat].quests):
        discard(game, log, seat, game.secret.quests[seat, position], REASON_QUEST)
    game.clans[seat].quests = 0
