"""Effects at the end of the game.  Rule 12.2."""

from ..cards import card_with_effect, effect_amount
from ..events import SOURCE_CARD, add_glory
from ..ids import EFFECT_END_GLORY_PER_FIGURE
from ..jit import kernel
from ..tables import NO_COPY


@kernel
def end_glory_per_figure(game, tables, log, seat):
    """Thor's Conquest: glory per own figure on the board.  Rule 12.2."""
    amount = effect_amount(game.clans[seat], tables, EFFECT_END_GLORY_PER_FIGURE)
    if amount > 0:
        card = card_with_effect(game.clans[seat], tables, EFFECT_END_GLORY_PER_FIGURE)
        add_glory(game, log, seat, amount * game.clans[seat].on_board, SOURCE_CARD, card, NO_COPY)
