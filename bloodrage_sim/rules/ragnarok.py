"""The Ragnarok phase.  Rule 10."""

from .events import EVENT_RAGNAROK, enter_phase, record_place
from .flow import STEP_CHECKPOINT, STEP_DESTROY, STEP_RELEASE, push
from .ids import PHASE_RAGNAROK
from .jit import kernel
from .ruin import CAUSE_RAGNAROK, begin_ruin, doom_clan


@kernel
def ragnarok_phase(game, tables, log):
    """STEP_RAGNAROK: the doomed province is destroyed, then all figures in its area.  Rules 10.1, 10.2."""
    enter_phase(game, log, PHASE_RAGNAROK)
    province = game.doom[game.clock.age - 1]
    push(game, STEP_RELEASE)
    push(game, STEP_CHECKPOINT, PHASE_RAGNAROK, 0)
    if province < 0:
        return
    game.board.destroyed[province] = 1
    game.board.pillaged[province] = 0
    record_place(game, log, EVENT_RAGNAROK, -1, province, 0)
    begin_ruin(game, tables, CAUSE_RAGNAROK, game.clock.first_player, province)
    for seat in range(game.clock.players):
        doom_clan(game, seat)
    push(game, STEP_DESTROY, 0)
