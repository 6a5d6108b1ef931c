"""Rows of the tables `battles` and `board`: who fought, stood, pillaged and died where, from the events of a game."""

from __future__ import annotations

import numba
import numpy as np
from numba import types

from ..rules.events import EVENT_DESTROYED, EVENT_FAILED, EVENT_PILLAGED, EVENT_TOTAL, EVENT_WON
from ..rules.ids import N_AGES, PHASE_RAGNAROK
from ..rules.jit import JIT, kernel, name_types
from ..rules.state import N_BOARD_PLACES
from ..rules.tables import N_SEATS
from .tables_out import BATTLES, BOARD

KINDS = (EVENT_TOTAL, EVENT_WON, EVENT_FAILED, EVENT_PILLAGED, EVENT_DESTROYED)

if JIT:
    name_types("battle_rows", types.Array(numba.from_dtype(BATTLES.kernel_row), 1, "C"))
    name_types("board_rows", types.Array(numba.from_dtype(BOARD.kernel_row), 1, "C"))


@kernel
def row_of_seat(battle_rows, first, at, seat):
    """The row in battle_rows[first:at] of `seat`; it is there."""
    row = first
    while row < at - 1 and battle_rows[row].seat != seat:
        row += 1
    return row


@kernel
def fill_battles(log, begin, end, number, battle_rows, at):
    """Write a row for each participant of the battles in the events [begin, end) of game `number`; returns the row behind."""
    battle = -1
    first = at  # row of the first participant
    totals = 0  # whether totals are being told
    open_ = 0  # whether it is still to be told how the pillage ended
    for index in range(begin, end):
        event = log.event[index]
        kind = event.kind
        if kind == EVENT_TOTAL:
            if totals == 0:
                totals = 1
                open_ = 1
                battle += 1
                first = at
            row = battle_rows[at]
            row.game = number
            row.battle = battle
            row.age = event.age
            row.province = event.place
            row.seat = event.seat
            row.pillager = 0
            row.total = event.value
            row.won = 0
            at += 1
        else:
            totals = 0
            if kind == EVENT_WON:
                battle_rows[row_of_seat(battle_rows, first, at, event.seat)].won = 1
            elif open_ != 0 and (kind == EVENT_FAILED or kind == EVENT_PILLAGED):
                battle_rows[row_of_seat(battle_rows, first, at, event.seat)].pillager = 1
                open_ = 0
    return at


@kernel
def fill_board(game, log, begin, end, number, board_rows, at):
    """Write what the events [begin, end) and the counts of game `number` say of each place; returns the row behind."""
    pillages = np.zeros((N_AGES, N_BOARD_PLACES, N_SEATS), np.int8)
    deaths = np.zeros((2, N_AGES, N_BOARD_PLACES, N_SEATS), np.int8)
    for index in range(begin, end):
        event = log.event[index]
        if event.kind == EVENT_PILLAGED:
            pillages[event.age - 1, event.place, event.seat] += 1
        elif event.kind == EVENT_DESTROYED:
            by_ragnarok = 1 if event.phase == PHASE_RAGNAROK else 0
            deaths[by_ragnarok, event.age - 1, event.origin, event.seat] += event.value
    for age in range(N_AGES):
        for place in range(N_BOARD_PLACES):
            for seat in range(game.clock.players):
                figures = game.tally[seat].stood[age, place]
                told = figures != 0 or pillages[age, place, seat] != 0
                if told or deaths[0, age, place, seat] != 0 or deaths[1, age, place, seat] != 0:
                    row = board_rows[at]
                    row.game = number
                    row.age = age + 1
                    row.place = place
                    row.seat = seat
                    row.figures = figures
                    row.pillages = pillages[age, place, seat]
                    row.deaths = deaths[0, age, place, seat]
                    row.ragnarok_deaths = deaths[1, age, place, seat]
                    at += 1
    return at
