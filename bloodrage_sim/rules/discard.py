"""The discard phase.  Rule 8."""

from .cards import discard, forget_known, remove_from_hand
from .draft import choose_card, is_chosen, list_unchosen
from .events import EVENT_KEPT, REASON_HAND, enter_phase, record_card
from .flow import (
    ACTION_KEEP_CARD,
    QUESTION_DISCARD,
    STEP_CHECKPOINT,
    STEP_DISCARD,
    STEP_QUESTS,
    ask,
    push,
)
from .ids import PHASE_DISCARD
from .jit import kernel
from .state import ZONE_DISCARD


@kernel
def discard_phase(game, tables, log, seat):
    """STEP_DISCARD: ask every clan that has more cards than it may keep; then all discard at once.  Rule 8.1."""
    keep = tables.keep_cards[game.clock.age - 1]
    if seat == 0 and game.clock.phase != PHASE_DISCARD:
        enter_phase(game, log, PHASE_DISCARD)
        for other in range(game.clock.players):
            game.secret.n_chosen[other] = 0
    if seat < game.clock.players:
        if game.secret.n_chosen[seat] < keep < game.clans[seat].hand:
            push(game, STEP_DISCARD, seat)
            ask(game, QUESTION_DISCARD, seat)
        else:
            push(game, STEP_DISCARD, seat + 1)
        return
    for other in range(game.clock.players):
        if game.clans[other].hand > keep:
            discard_unchosen(game, tables, log, other)
        else:
            keep_hand(game, log, other)
    push(game, STEP_QUESTS, 0, 0)
    push(game, STEP_CHECKPOINT, PHASE_DISCARD, 0)


@kernel
def list_discard(game, tables, options, seat):
    """Options of QUESTION_DISCARD: the cards that may be kept."""
    return list_unchosen(game, tables, options, ACTION_KEEP_CARD, seat, game.secret.hand[seat], game.clans[seat].hand)


@kernel
def answer_discard(game, tables, seat, card):
    """Keep `card`."""
    choose_card(game, tables, seat, game.secret.hand[seat], game.clans[seat].hand, card)


@kernel
def keep_hand(game, log, seat):
    """Report the cards of a hand that is kept whole, unasked.  Rule 8.1."""
    for position in range(game.clans[seat].hand):
        copy = game.secret.hand[seat, position]
        record_card(game, log, EVENT_KEPT, seat, game.secret.card_of[copy], copy, 0)


@kernel
def discard_unchosen(game, tables, log, seat):
    """Discard all hand cards of `seat` but the chosen ones.  Rules 8.1, 8.2."""
    for position in range(game.clans[seat].hand - 1, -1, -1):
        copy = game.secret.hand[seat, position]
        if is_chosen(game, seat, copy):
            record_card(game, log, EVENT_KEPT, seat, game.secret.card_of[copy], copy, 0)
        else:
            forget_known(game, seat, game.secret.card_of[copy])
            remove_from_hand(game, seat, copy, ZONE_DISCARD)
            discard(game, log, seat, copy, REASON_HAND)
    game.secret.n_chosen[seat] = 0
