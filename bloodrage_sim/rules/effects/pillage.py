"""Effects on a successful pillage.  Rules 6.9.3 to 6.9.5."""

from ..cards import (
    SPOT_REVEALED,
    copy_with_effect,
    has_effect,
    monster_card,
    monster_effect,
    slot_with_effect,
)
from ..events import REASON_CARD
from ..figures import room
from ..flow import (
    ACTION_DECLINE,
    ACTION_MOVE_LEADER,
    QUESTION_HAMMERS,
    STEP_RAISE,
    add_option,
    ask,
    push,
)
from ..ids import (
    EFFECT_EXTRA_PILLAGE_REWARD,
    EFFECT_LEADER_PILLAGE_ALL_STATS,
    EFFECT_LEADER_PILLAGE_MOVE,
    EFFECT_LEADER_PILLAGE_STAT,
    EFFECT_PILLAGE_EXTRA_STAT,
    N_PROVINCES,
)
from ..jit import kernel
from ..stats import N_STATS, raise_stat
from ..tables import FIGURE_LEADER, NO_CARD


@kernel
def extra_pillage_reward(game, tables, seat, province, figure):
    """How many times more the token pays because of the monster in FIGURE slot `figure` (Frost Giant).  Rule 6.9.3."""
    if game.board.figures[province, seat, figure] > 0:
        if monster_effect(game.clans[seat], figure) == EFFECT_EXTRA_PILLAGE_REWARD:
            return tables.amount[monster_card(game.clans[seat], figure)]
    return 0


@kernel
def pillage_extra_stat(game):
    """STEP_GRACE: Frigga's Grace raises another stat than the token's.  Rule 6.9.4."""
    battle = game.battle
    if battle.text[battle.pillager] == EFFECT_PILLAGE_EXTRA_STAT:
        push(game, STEP_RAISE, battle.pillager, battle.token_stat, SPOT_REVEALED)


@kernel
def leader_in_province(board, seat, province):
    """Whether a Leader of `seat` stands in `province`."""
    return board.figures[province, seat, FIGURE_LEADER] > 0


@kernel
def leader_pillage_stat(game, tables, seat):
    """Lord of Axes: raise a stat of choice.  Rule 6.9.5."""
    slot = slot_with_effect(game.clans[seat], tables, EFFECT_LEADER_PILLAGE_STAT)
    if slot >= 0:
        push(game, STEP_RAISE, seat, -1, slot)


@kernel
def leader_pillage_all_stats(game, tables, log, seat):
    """Lord of Spears: raise all stats.  Rule 6.9.5."""
    if has_effect(game.clans[seat], EFFECT_LEADER_PILLAGE_ALL_STATS):
        copy = copy_with_effect(game, tables, seat, EFFECT_LEADER_PILLAGE_ALL_STATS)
        for stat in range(N_STATS):
            raise_stat(game, log, seat, stat, REASON_CARD, copy)


@kernel
def leader_pillage_move(game, seat):
    """Lord of Hammers: the Leader may step to an adjacent province.  Rule 6.9.5."""
    if has_effect(game.clans[seat], EFFECT_LEADER_PILLAGE_MOVE):
        ask(game, QUESTION_HAMMERS, seat)


@kernel
def list_hammers(game, tables, options):
    """Options of QUESTION_HAMMERS."""
    origin = game.battle.province
    n = add_option(options, 0, ACTION_DECLINE)
    for place in range(N_PROVINCES):
        if tables.adjacent[origin, place] and game.board.destroyed[place] == 0 and room(game.board, tables, place) > 0:
            n = add_option(options, n, ACTION_MOVE_LEADER, NO_CARD, FIGURE_LEADER, origin, place)
    return n
