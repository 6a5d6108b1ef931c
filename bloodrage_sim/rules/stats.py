"""The three stats of a clan.  Rule 1.6."""

from .cards import SPOT_QUEST, copy_at
from .events import EVENT_RAISE, REASON_CARD, REASON_QUEST, record_reason
from .flow import ACTION_RAISE, QUESTION_RAISE, add_option, ask
from .ids import N_TRACK_STEPS
from .jit import kernel
from .tables import NO_CARD

N_STATS = 3


@kernel
def raise_stat(game, log, seat, stat, reason, copy):
    """Raise one stat by one step, for a REASON and by a card (NO_COPY: none); at the last step nothing happens.  Rule 1.6."""
    stats = game.clans[seat].stats
    if stats[stat] < N_TRACK_STEPS:
        stats[stat] += 1
        record_reason(game, log, EVENT_RAISE, seat, stat, reason, copy)


@kernel
def can_raise(clan, but):
    """Whether `seat` has a stat other than `but` below the last step."""
    for stat in range(N_STATS):
        if stat != but and clan.stats[stat] < N_TRACK_STEPS:
            return True
    return False


@kernel
def ask_raise(game, seat, but, spot):
    """STEP_RAISE: ask which stat to raise, all but `but` (-1: any), by the card at SPOT `spot`.  Rule 1.6."""
    if can_raise(game.clans[seat], but):
        ask(game, QUESTION_RAISE, seat, but, spot)


@kernel
def answer_raise(game, log, seat, stat, spot):
    """Raise the stat that was chosen, by the card at SPOT `spot`."""
    reason = REASON_QUEST if spot >= SPOT_QUEST else REASON_CARD
    raise_stat(game, log, seat, stat, reason, copy_at(game, seat, spot))


@kernel
def list_raise(game, options, seat, but):
    """Options of QUESTION_RAISE."""
    n = 0
    for stat in range(N_STATS):
        if stat != but and game.clans[seat].stats[stat] < N_TRACK_STEPS:
            n = add_option(options, n, ACTION_RAISE, NO_CARD, -1, -1, -1, stat)
    return n
