"""Rows of the tables `deals` and `plays`: what became of each physical card, from the events of a game."""

from __future__ import annotations

import numba
import numpy as np
from numba import types

from .rules.events import (
    EVENT_DEALT,
    EVENT_DISCARDED,
    EVENT_DRAFTED,
    EVENT_KEPT,
    EVENT_LATE,
    EVENT_LOST,
    EVENT_QUEST,
    EVENT_QUEST_DONE,
    EVENT_QUEST_FAILED,
    EVENT_REPLACED,
    EVENT_RETURNED,
    EVENT_REVEAL,
    EVENT_STOLEN,
    EVENT_TOTAL,
    EVENT_UPGRADE,
    EVENT_WON,
    REASON_HAND,
    REASON_WATCH,
)
from .rules.jit import JIT, kernel, name_types
from .rules.tables import N_COPIES
from .tables_out import (
    DEALS,
    PLAYS,
    RESULT_DONE,
    RESULT_FAILED,
    RESULT_LOST,
    RESULT_NONE,
    RESULT_REPLACED,
    RESULT_STAYS,
    RESULT_WATCH,
    RESULT_WON,
    USE_BATTLE,
    USE_DISCARDED,
    USE_KEPT,
    USE_LATE,
    USE_QUEST,
    USE_UPGRADE,
    WENT_DISCARDS,
    WENT_HAND,
    WENT_RIVAL,
    WENT_SHEET,
)

KINDS = (
    EVENT_DEALT, EVENT_DRAFTED, EVENT_UPGRADE, EVENT_REPLACED, EVENT_QUEST, EVENT_QUEST_DONE, EVENT_QUEST_FAILED,
    EVENT_REVEAL, EVENT_LATE, EVENT_TOTAL, EVENT_WON, EVENT_LOST, EVENT_DISCARDED, EVENT_RETURNED, EVENT_STOLEN, EVENT_KEPT,
)  # fmt: skip

if JIT:
    name_types("deal_rows", types.Array(numba.from_dtype(DEALS.kernel_row), 1, "C"))
    name_types("play_rows", types.Array(numba.from_dtype(PLAYS.kernel_row), 1, "C"))


@kernel
def fill_deals(log, begin, end, number, drafting, deal_rows, at):
    """Write a row for each copy that the events [begin, end) of game `number` deal, by copy; returns the row behind.

    drafting : 0 if a dealt card belongs to its seat at once (rule 4.5)
    """
    first_seat = np.full(N_COPIES, -1, np.int8)
    age = np.empty(N_COPIES, np.int8)
    taken_in = np.zeros(N_COPIES, np.int8)
    taken_by = np.empty(N_COPIES, np.int8)
    for index in range(begin, end):
        event = log.event[index]
        if event.kind == EVENT_DEALT:
            first_seat[event.copy] = event.seat
            age[event.copy] = event.age
            taken_by[event.copy] = -1 if drafting != 0 else event.seat
        elif event.kind == EVENT_DRAFTED:
            taken_in[event.copy] = event.value + 1
            taken_by[event.copy] = event.seat
    for copy in range(N_COPIES):
        if first_seat[copy] >= 0:
            row = deal_rows[at]
            row.game = number
            row.copy = copy
            row.age = age[copy]
            row.first_seat = first_seat[copy]
            row.round = taken_in[copy]
            row.taken_by = taken_by[copy]
            at += 1
    return at


@kernel
def begin_play(play_rows, at, number, happening, use, result, went, battle):
    """Write the row of a use of a card; what it comes to may still change."""
    row = play_rows[at]
    row.game = number
    row.seat = happening.seat
    row.age = happening.age
    row.copy = happening.copy
    row.use = use
    row.result = result
    row.went = went
    row.battle = battle


@kernel
def decide_battle(play_rows, start, at, battle, seat, result):
    """Note how `battle` ended for the cards that `seat` has revealed in it since a Watch, if there was one."""
    row = at - 1
    while row >= start and play_rows[row].battle == battle:
        if play_rows[row].seat == seat and play_rows[row].result == RESULT_NONE:
            play_rows[row].result = result
        row -= 1


@kernel
def fill_plays(log, begin, end, number, play_rows, at):
    """Write a row for each use of a card in the events [begin, end) of game `number`, in order; returns the row behind."""
    start = at
    last_row = np.full(N_COPIES, -1, np.int64)
    battle = 0
    decided = 0
    for index in range(begin, end):
        event = log.event[index]
        kind = event.kind
        copy = event.copy
        if decided != 0 and (kind == EVENT_REVEAL or kind == EVENT_LATE or kind == EVENT_TOTAL):
            battle += 1
            decided = 0
        use = -1
        result = RESULT_NONE
        went = WENT_DISCARDS
        if kind == EVENT_UPGRADE:
            use = USE_UPGRADE
            result = RESULT_STAYS
            went = WENT_SHEET
        elif kind == EVENT_QUEST:
            use = USE_QUEST
        elif kind == EVENT_REVEAL:
            use = USE_BATTLE
        elif kind == EVENT_LATE:
            use = USE_LATE
        elif kind == EVENT_KEPT:
            use = USE_KEPT
            went = WENT_HAND
        elif kind == EVENT_DISCARDED and event.source == REASON_HAND:
            use = USE_DISCARDED
        elif kind == EVENT_WON or kind == EVENT_LOST:
            decided = 1
            decide_battle(play_rows, start, at, battle, event.seat, RESULT_WON if kind == EVENT_WON else RESULT_LOST)
        elif copy >= 0 and last_row[copy] >= 0:
            row = play_rows[last_row[copy]]
            if kind == EVENT_REPLACED:
                row.result = RESULT_REPLACED
                row.went = WENT_DISCARDS
            elif kind == EVENT_QUEST_DONE:
                row.result = RESULT_DONE
            elif kind == EVENT_QUEST_FAILED:
                row.result = RESULT_FAILED
            elif kind == EVENT_RETURNED:
                row.went = WENT_HAND
            elif kind == EVENT_STOLEN:
                row.went = WENT_RIVAL
            elif kind == EVENT_DISCARDED and event.source == REASON_WATCH:
                row.result = RESULT_WATCH
        if use >= 0:
            of_battle = use == USE_BATTLE or use == USE_LATE
            begin_play(play_rows, at, number, event, use, result, went, battle if of_battle else -1)
            last_row[copy] = at
            at += 1
    return at
