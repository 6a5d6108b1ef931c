"""Channels of a view that an experiment can hide from a seat."""

from __future__ import annotations

import numpy as np

from ..rules import ids
from ..rules.chance import PURPOSE_CHANGE, sort_by_draws
from ..rules.jit import kernel
from ..rules.tables import N_CARDS, N_FIGURES, N_SEATS

CHANNELS = ("doom", "draft_board", "history")
MASK_DOOM, MASK_DRAFT_BOARD, MASK_HISTORY = (1 << number for number in range(len(CHANNELS)))


@kernel
def hide_doom(game, view):
    """Show a doom schedule drawn by chance in place of the true one."""
    provinces = np.empty(ids.N_PROVINCES - 1, np.int16)
    for province in range(ids.N_PROVINCES - 1):
        provinces[province] = province
    sort_by_draws(provinces, ids.N_PROVINCES - 1, game.secret.key, PURPOSE_CHANGE)
    for age in range(ids.N_AGES):
        view.doom[age] = provinces[age]


@kernel
def hide_board(view):
    """Show a map without figures."""
    for place in range(ids.N_PROVINCES + ids.N_FJORDS):
        if place < ids.N_PROVINCES:
            view.board.crowd[place] = 0
        for seat in range(N_SEATS):
            view.board.count[place, seat] = 0
            for figure in range(N_FIGURES):
                view.board.figures[place, seat, figure] = 0


@kernel
def hide_history(view):
    """Show nothing of cards that went by."""
    for card in range(N_CARDS):
        view.own.seen[card] = 0
        view.history.discards[card] = 0
        for seat in range(N_SEATS):
            view.history.known[seat, card] = 0


@kernel
def blot(game, view, mask):
    """Hide the channels with a bit in `mask` from a view."""
    if mask & MASK_DOOM:
        hide_doom(game, view)
    if mask & MASK_DRAFT_BOARD and game.clock.phase == ids.PHASE_DRAFT:
        hide_board(view)
    if mask & MASK_HISTORY:
        hide_history(view)
