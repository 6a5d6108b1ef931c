"""Rows of the tables `deals` and `plays`: what became of each physical card, from the events of a game."""

from __future__ import annotations

import numba
import numpy as np
from numba import types

from ..rules.events import (
    EVENT_DEALT,
    EVENT_DISCARDED,
    EVENT_DRAFTED,
    EVENT_KEPT,
    EVENT_LATE,
    EVENT_LOST,
    EVENT_QUEST,
    EVENT_QUEST_DONE,
    EVENT_REPLACED,
    EVENT_RETURNED,
    EVENT_REVEAL,
    EVENT_STOLEN,
    EVENT_UPGRADE,
    EVENT_WON,
    REASON_HAND,
    REASON_WATCH,
)
from ..rules.jit import JIT, kernel, name_types
from ..rules.tables import N_COPIES
from .tables_out import (
    DEALS,
    FATE_BATTLE_KEPT,
    FATE_BATTLE_LOST,
    FATE_BATTLE_OPEN,
    FATE_BATTLE_STOLEN,
    FATE_BATTLE_WATCH,
    FATE_BATTLE_WON,
    FATE_DISCARDED,
    FATE_KEPT,
    FATE_QUEST_DONE,
    FATE_QUEST_FAILED,
    FATE_REPLACED,
    FATE_UPGRADE,
    PLAYS,
)

KINDS = (
    EVENT_DEALT, EVENT_DRAFTED, EVENT_UPGRADE, EVENT_REPLACED, EVENT_QUEST, EVENT_QUEST_DONE, EVENT_REVEAL, EVENT_LATE,
    EVENT_WON, EVENT_LOST, EVENT_DISCARDED, EVENT_RETURNED, EVENT_STOLEN, EVENT_KEPT,
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
def first_fate(happening):
    """FATE_* that an event begins, -1 if it begins none."""
    kind = happening.kind
    if kind == EVENT_UPGRADE:
        return FATE_UPGRADE
    if kind == EVENT_QUEST:
        return FATE_QUEST_FAILED
    if kind == EVENT_REVEAL or kind == EVENT_LATE:
        return FATE_BATTLE_OPEN
    if kind == EVENT_KEPT:
        return FATE_KEPT
    if kind == EVENT_DISCARDED and happening.source == REASON_HAND:
        return FATE_DISCARDED
    return -1


@kernel
def later_fate(happening, fate):
    """FATE_* of a card, so far `fate`, after an event that names it."""
    kind = happening.kind
    if kind == EVENT_REPLACED:
        return FATE_REPLACED
    if kind == EVENT_QUEST_DONE:
        return FATE_QUEST_DONE
    if kind == EVENT_RETURNED and fate == FATE_BATTLE_WON:
        return FATE_BATTLE_KEPT
    if kind == EVENT_STOLEN:
        return FATE_BATTLE_STOLEN
    if kind == EVENT_DISCARDED and happening.source == REASON_WATCH:
        return FATE_BATTLE_WATCH
    return fate


@kernel
def decide_battle(play_rows, start, at, battle, happening):
    """Note who won or lost `battle` for the cards that the seat has revealed in it since a Watch, if there was one."""
    fate = FATE_BATTLE_WON if happening.kind == EVENT_WON else FATE_BATTLE_LOST
    row = at - 1
    while row >= start and play_rows[row].battle == battle:
        if play_rows[row].seat == happening.seat and play_rows[row].fate == FATE_BATTLE_OPEN:
            play_rows[row].fate = fate
        row -= 1


@kernel
def fill_plays(log, begin, end, number, play_rows, at):
    """Write a row for each use of a card in the events [begin, end) of game `number`, in order; returns the row behind."""
    start = at
    last_row = np.full(N_COPIES, -1, np.int64)
    battle = 0
    for index in range(begin, end):
        event = log.event[index]
        kind = event.kind
        copy = event.copy
        if kind == EVENT_WON or kind == EVENT_LOST:
            decide_battle(play_rows, start, at, battle, event)
            # the battle is over with its last participant
            if index + 1 == end or log.event[index + 1].kind != EVENT_WON and log.event[index + 1].kind != EVENT_LOST:
                battle += 1
            continue
        fate = first_fate(event)
        if fate >= 0:
            row = play_rows[at]
            row.game = number
            row.seat = event.seat
            row.age = event.age
            row.copy = copy
            row.fate = fate
            row.battle = battle
            last_row[copy] = at
            at += 1
        elif copy >= 0 and last_row[copy] >= 0:
            row = play_rows[last_row[copy]]
            row.fate = later_fate(event, row.fate)
    return at
