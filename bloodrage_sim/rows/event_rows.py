"""Rows of the table `events`: all that happened in chosen games."""

from __future__ import annotations

import numba
from numba import types

from ..rules.chance import PURPOSE_SAMPLE, below, draw, game_key
from ..rules.events import EVENT_DECISION, EVENT_DISCARDED, EVENT_GLORY, EVENT_RAGE, EVENT_RAISE
from ..rules.jit import JIT, kernel, name_types
from .tables_out import EVENTS, FIRST_QUESTION, FIRST_REASON

SAMPLED = 50  # one game in so many has its events in a sample

if JIT:
    name_types("event_rows", types.Array(numba.from_dtype(EVENTS.kernel_row), 1, "C"))


@kernel
def is_sampled(seed, number):
    """Whether game `number` of a run is one of the sample: the same games whoever plays them."""
    return below(draw(game_key(seed, number), PURPOSE_SAMPLE, 0), SAMPLED) == 0


@kernel
def reason_code(happening):
    """Number in tables_out.REASONS of what an event gives as its source."""
    if happening.kind == EVENT_GLORY:
        return 1 + int(happening.source)
    if happening.kind == EVENT_RAISE or happening.kind == EVENT_RAGE or happening.kind == EVENT_DISCARDED:
        return FIRST_REASON + int(happening.source)
    if happening.kind == EVENT_DECISION:
        return FIRST_QUESTION + int(happening.source)
    return 0


@kernel
def fill_events(log, begin, end, number, event_rows, at):
    """Write the events [begin, end) of game `number`; returns the row behind."""
    for index in range(begin, end):
        event = log.event[index]
        row = event_rows[at]
        row.game = number
        row.decision = event.decision
        row.kind = event.kind
        row.seat = event.seat
        row.age = event.age
        row.phase = event.phase
        row.card = event.card
        row.copy = event.copy
        row.value = event.value
        row.place = event.place + 1
        row.origin = event.origin + 1
        row.figure = event.figure
        row.reason = reason_code(event)
        at += 1
    return at
