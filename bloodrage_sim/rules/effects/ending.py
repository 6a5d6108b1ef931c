"""Effects at the end of the game.  Rule 12.2."""

from ..ids import EFFECT_END_GLORY_PER_FIGURE
from ..jit import kernel
from .sheet import pay_by_effect


@kernel
def end_glory_per_figure(game, tables, log, seat):
    """Thor's Conquest: glory per own figure on the board.  Rule 12.2."""
    pay_by_effect(game, tables, log, seat, EFFECT_END_GLORY_PER_FIGURE, game.clans[seat].on_board)
