"""What a seat may see.  A view is a copy in named channels, so that a strategy cannot reach the game through it and an
experiment can blot out one channel.  Rule 1.9.
"""

from __future__ import annotations

import numpy as np

from .rules import ids
from .rules.jit import kernel
from .rules.state import BATTLE, BOARD, CLAN, CLOCK, FLOW, HISTORY, MAX_HAND, RUIN
from .rules.tables import MAX_PACK, N_CARDS, N_SEATS
from .tactics.survey import SURVEY
from .tactics.terms import APPRAISAL

OWN = np.dtype(
    [
        ("hand", "i2", (MAX_HAND,)),  # CARD ids; hand_size of them, a chosen battle card still among them
        ("hand_size", "i2"),
        ("pack", "i2", (MAX_PACK,)),  # CARD ids of the draft pack
        ("pack_size", "i2"),
        ("chosen", "i2"),  # CARD id already chosen in a draft of two, -1
        ("quests", "i2", (MAX_HAND,)),  # CARD ids in the order committed; clans[seat].quests of them
        ("seen", "u1", (N_CARDS,)),  # copies of each CARD that this seat has seen in a pack in this game
    ],
    align=True,
)

VIEW = np.dtype(
    [
        ("seat", "i8"),  # whose view this is
        ("board", BOARD),
        ("doom", "i1", (ids.N_AGES,)),  # PLACE_* by age - 1
        ("clans", CLAN, (N_SEATS,)),  # by seat
        ("clock", CLOCK),
        ("flow", FLOW),  # the open question and what is still to come
        ("battle", BATTLE),
        ("ruin", RUIN),
        ("history", HISTORY),
        ("own", OWN),
        # thoughts about the above, filled by the loop for strategies that ask for it
        ("survey", SURVEY),
        ("appraisal", APPRAISAL),
    ],
    align=True,
)


def new_views(n: int) -> np.recarray:
    """Record array of `n` empty views."""
    return np.zeros(n, VIEW).view(np.recarray)


@kernel
def copy_doom(game, view):
    """Copy the doom schedule."""
    for age in range(ids.N_AGES):
        view.doom[age] = game.doom[age]


@kernel
def look_at_own(game, seat, view):
    """Copy what only `seat` may see."""
    secret = game.secret
    own = view.own
    own.hand_size = game.clans[seat].hand
    for position in range(own.hand_size):
        own.hand[position] = secret.card_of[secret.hand[seat, position]]
    own.pack_size = secret.pack_size[seat]
    for position in range(own.pack_size):
        own.pack[position] = secret.card_of[secret.pack[seat, position]]
    own.chosen = secret.card_of[secret.chosen[seat, 0]] if secret.n_chosen[seat] > 0 else -1
    for position in range(game.clans[seat].quests):
        own.quests[position] = secret.card_of[secret.quests[seat, position]]
    for card in range(N_CARDS):
        own.seen[card] = secret.seen_cards[seat, card]


@kernel
def look(game, tables, seat, view):
    """Fill `view` with what `seat` may know now.  Entries beyond a size are left over from earlier and mean nothing."""
    view.seat = seat
    view.board = game.board
    copy_doom(game, view)
    view.clans = game.clans
    view.clock = game.clock
    view.flow = game.flow
    view.battle = game.battle
    view.ruin = game.ruin
    view.history = game.history
    view.appraisal.n = 0
    look_at_own(game, seat, view)
