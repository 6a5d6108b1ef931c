"""Release from Valhalla, the end of an age and of the game.  Rules 11, 12."""

from .effects.ending import end_glory_per_figure
from .effects.invade import release_glory
from .events import (
    EVENT_RELEASED,
    EVENT_TURNED_UP,
    SOURCE_STAT_BONUS,
    add_glory,
    enter_phase,
    record_event,
    record_place,
)
from .figures import move_figure
from .flow import STEP_AGE, STEP_AGE_OVER, STEP_CHECKPOINT, STEP_END, push, seat_after
from .ids import (
    N_AGES,
    N_PROVINCES,
    PHASE_END,
    PHASE_RELEASE,
    PLACE_RESERVE,
    PLACE_VALHALLA,
)
from .jit import kernel
from .stats import N_STATS
from .tables import N_FIGURES, NO_CARD, NO_COPY


@kernel
def release_phase(game, tables, log):
    """STEP_RELEASE: all figures in Valhalla return to the reserves.  Rules 11.1, 11.2."""
    enter_phase(game, log, PHASE_RELEASE)
    note_steps(game)
    for turn in range(game.clock.players):
        seat = (game.clock.first_player + turn) % game.clock.players
        released = release_valhalla(game, seat)
        if released > 0:
            record_place(game, log, EVENT_RELEASED, seat, PLACE_RESERVE, released)
            release_glory(game, tables, log, seat, released)
    if game.clock.age < N_AGES:
        push(game, STEP_AGE_OVER)
    else:
        push(game, STEP_END)
        push(game, STEP_CHECKPOINT, PHASE_RELEASE, 0)


@kernel
def note_steps(game):
    """Note for the results how far the stats of every clan are raised; nothing raises them after that in this age."""
    for seat in range(game.clock.players):
        for stat in range(N_STATS):
            game.tally[seat].steps[game.clock.age - 1, stat] = game.clans[seat].stats[stat]


@kernel
def release_valhalla(game, seat):
    """Move all figures of `seat` from Valhalla to the reserve; returns how many."""
    released = 0
    for figure in range(N_FIGURES):
        for _ in range(game.board.figures[PLACE_VALHALLA, seat, figure]):
            move_figure(game, seat, figure, PLACE_VALHALLA, PLACE_RESERVE)
            released += 1
    return released


@kernel
def finish_age(game, log):
    """STEP_AGE_OVER: tokens turn up, the first player token goes to the left, next age.  Rule 11.3."""
    for province in range(N_PROVINCES):
        game.board.pillaged[province] = 0
    record_event(game, log, EVENT_TURNED_UP, -1, 0)
    game.clock.first_player = seat_after(game, game.clock.first_player)
    push(game, STEP_AGE, game.clock.age + 1)
    push(game, STEP_CHECKPOINT, PHASE_RELEASE, 0)


@kernel
def final_scoring(game, tables, log):
    """STEP_END: stat bonuses, then Thor's Conquest.  Rules 12.1, 12.2."""
    enter_phase(game, log, PHASE_END)
    for seat in range(game.clock.players):
        for stat in range(N_STATS):
            bonus = tables.end_bonus[game.clans[seat].stats[stat] - 1]
            add_glory(game, log, seat, bonus, SOURCE_STAT_BONUS, NO_CARD, NO_COPY)
        end_glory_per_figure(game, tables, log, seat)
