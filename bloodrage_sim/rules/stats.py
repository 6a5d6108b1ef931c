"""The three stats of a clan.  Rule 1.6."""

from .events import EVENT_RAISE, record_event
from .flow import ACTION_RAISE, QUESTION_RAISE, add_option, ask
from .ids import N_TRACK_STEPS
from .jit import kernel
from .tables import NO_CARD

N_STATS = 3


@kernel
def raise_stat(game, log, seat, stat):
    """Raise one stat by one step; at the last step nothing happens.  Rule 1.6."""
    stats = game.clans[seat].stats
    if stats[stat] < N_TRACK_STEPS:
        stats[stat] += 1
        record_event(game, log, EVENT_RAISE, seat, stat)


@kernel
def can_raise(clan, but):
    """Whether `seat` has a stat other than `but` below the last step."""
    for stat in range(N_STATS):
        if stat != but and clan.stats[stat] < N_TRACK_STEPS:
            return True
    return False


@kernel
def ask_raise(game, seat, but):
    """STEP_RAISE: ask which stat to raise, all but `but` (-1: any).  Rule 1.6."""
    if can_raise(game.clans[seat], but):
        ask(game, QUESTION_RAISE, seat, but)


@kernel
def list_raise(game, options, seat, but):
    """Options of QUESTION_RAISE."""
    n = 0
    for stat in range(N_STATS):
        if stat != but and game.clans[seat].stats[stat] < N_TRACK_STEPS:
            n = add_option(options, n, ACTION_RAISE, NO_CARD, -1, -1, -1, stat)
    return n
