"""What happens in a game: the stream of events and the one place where glory changes.

`play`, data sets, replays and forks read this stream.  With an empty log nothing is recorded.
"""

from .ids import CARD_KIND_MONSTER
from .jit import kernel
from .tables import FIGURE_MONSTER, NO_CARD, NO_COPY, SLOT_FIRST

_FIRST_MONSTER_SLOT = SLOT_FIRST[CARD_KIND_MONSTER]

# name -> rule number; the EVENT id is the position
EVENT_RULES = {
    "decision": "18",
    "phase": "3.1",
    "dealt": "4.2",
    "drafted": "4.3",
    "dumped": "4.3",
    "pass": "5.2.1",
    "rage": "1.6.1",
    "invade": "5.4",
    "march": "5.6",
    "upgrade": "5.7",
    "replaced": "5.7.3",
    "quest": "5.8",
    "pillage": "5.9",
    "join": "6.1",
    "reveal": "6.3",
    "cancelled": "6.4.1",
    "watch": "6.4.2",
    "text": "6.5.1",
    "declare": "6.5.4",
    "late": "6.6",
    "total": "6.7",
    "won": "6.7.3",
    "lost": "6.7.3",
    "pillaged": "6.9.1",
    "failed": "6.10.1",
    "raise": "1.6",
    "glory": "1.7",
    "destroyed": "6.11.5",
    "fled": "6.11.3",
    "saved": "6.11.3",
    "returned": "6.10.7",
    "stolen": "6.10.7",
    "discarded": "6.10.7",
    "kept": "8.1",
    "quest_done": "9.2",
    "quest_failed": "9.2",
    "ragnarok": "10.1",
    "released": "11.1",
    "leader_moved": "6.9.5",
    "turned_up": "11.3",
}
(
    EVENT_DECISION, EVENT_PHASE, EVENT_DEALT, EVENT_DRAFTED, EVENT_DUMPED, EVENT_PASS, EVENT_RAGE, EVENT_INVADE,
    EVENT_MARCH, EVENT_UPGRADE, EVENT_REPLACED, EVENT_QUEST, EVENT_PILLAGE, EVENT_JOIN, EVENT_REVEAL, EVENT_CANCELLED,
    EVENT_WATCH, EVENT_TEXT, EVENT_DECLARE, EVENT_LATE, EVENT_TOTAL, EVENT_WON, EVENT_LOST, EVENT_PILLAGED,
    EVENT_FAILED, EVENT_RAISE, EVENT_GLORY, EVENT_DESTROYED, EVENT_FLED, EVENT_SAVED, EVENT_RETURNED, EVENT_STOLEN,
    EVENT_DISCARDED, EVENT_KEPT, EVENT_QUEST_DONE, EVENT_QUEST_FAILED, EVENT_RAGNAROK, EVENT_RELEASED,
    EVENT_LEADER_MOVED, EVENT_TURNED_UP,
) = range(len(EVENT_RULES))  # fmt: skip
EVENT_NAMES = tuple(EVENT_RULES)

# where glory comes from: the columns of the ledger
SOURCE_RULES = {
    "battle": "6.10.2",
    "pillage": "6.9.2",
    "quest": "9.2",
    "ragnarok": "10.3",
    "release": "11.2",
    "card": "16",
    "stat_bonus": "12.1",
    "stolen": "6.10.7f",
    "lost": "6.10.7f",
}
(
    SOURCE_BATTLE, SOURCE_PILLAGE, SOURCE_QUEST, SOURCE_RAGNAROK, SOURCE_RELEASE, SOURCE_CARD, SOURCE_STAT_BONUS,
    SOURCE_STOLEN, SOURCE_LOST,
) = range(len(SOURCE_RULES))  # fmt: skip
SOURCE_NAMES = tuple(SOURCE_RULES)

# why a stat is raised, rage changes or a card is discarded: the `source` of these events
REASON_RULES = {
    "token": "6.9.2",  # raise: of the pillaged province
    "quest": "9.2",  # raise: the reward of the quest that is named; discarded: with all quests
    "card": "16",  # raise, rage: by the card that is named
    "start": "5.1",  # rage: at the start of the action phase
    "action": "5.2",  # rage: the cost of an action
    "pass": "5.2.1",  # rage: given up
    "unspent": "5.2.5",  # rage: lost at the end of the action phase
    "stolen": "6.10.7e",  # rage: taken by the card that is named
    "battle": "6.10.7d",  # discarded: a card of the winner
    "watch": "6.4.2",  # discarded: revealed, but a Watch ended the reveal
    "replaced": "5.7.3",  # discarded: an upgrade
    "hand": "8.1",  # discarded: not kept at the end of the age
}
(
    REASON_TOKEN, REASON_QUEST, REASON_CARD, REASON_START, REASON_ACTION, REASON_PASS, REASON_UNSPENT, REASON_STOLEN,
    REASON_BATTLE, REASON_WATCH, REASON_REPLACED, REASON_HAND,
) = range(len(REASON_RULES))  # fmt: skip
REASON_NAMES = tuple(REASON_RULES)


@kernel
def begin_event(game, log, kind, seat):
    """Append an event to `log` and fill what all events have; returns its index, -1 if there is no log or no room.

    A log that is too small keeps the first events and counts all.
    """
    if log.capacity == 0 or (log.kinds >> kind) & 1 == 0:
        return -1
    index = log.begin + game.n_events
    game.n_events += 1
    if index >= log.capacity:
        return -1
    event = log.event[index]
    event.decision = game.decisions
    event.kind = kind
    event.seat = seat
    event.age = game.clock.age
    event.phase = game.clock.phase
    event.card = NO_CARD
    event.copy = NO_COPY
    event.value = 0
    event.other = -1
    event.place = -1
    event.origin = -1
    event.figure = -1
    event.source = -1
    return index


@kernel
def record_event(game, log, kind, seat, value):
    """Report something that has no card and no place."""
    index = begin_event(game, log, kind, seat)
    if index >= 0:
        log.event[index].value = value


@kernel
def record_place(game, log, kind, seat, place, value):
    """Report something that happens at PLACE `place`."""
    index = begin_event(game, log, kind, seat)
    if index >= 0:
        log.event[index].place = place
        log.event[index].value = value


@kernel
def record_card(game, log, kind, seat, card, copy, value):
    """Report what becomes of a card."""
    index = begin_event(game, log, kind, seat)
    if index >= 0:
        log.event[index].card = card
        log.event[index].copy = copy
        log.event[index].value = value


@kernel
def record_reason(game, log, kind, seat, value, reason, copy):
    """Report something that has a REASON; copy: the card that did it or that it happens to, NO_COPY if there is none."""
    index = begin_event(game, log, kind, seat)
    if index >= 0:
        log.event[index].value = value
        log.event[index].source = reason
        if copy != NO_COPY:
            log.event[index].card = game.secret.card_of[copy]
            log.event[index].copy = copy


@kernel
def record_figure(game, log, kind, seat, card, figure, origin, place, value):
    """Report what becomes of a figure, or of `value` equal ones; card: its monster's card."""
    index = begin_event(game, log, kind, seat)
    if index >= 0:
        log.event[index].card = card
        if figure >= FIGURE_MONSTER:
            log.event[index].copy = game.secret.sheet[seat, _FIRST_MONSTER_SLOT + figure - FIGURE_MONSTER]
        log.event[index].figure = figure
        log.event[index].origin = origin
        log.event[index].place = place
        log.event[index].value = value


@kernel
def add_glory(game, log, seat, amount, source, card, copy):
    """Change the glory of `seat` by `amount` and book its SOURCE and age: the only place where glory changes.

    card, copy: the physical card that gave it, NO_CARD and NO_COPY if none did.
    """
    if amount == 0:
        return
    game.clans[seat].glory += amount
    tally = game.tally[seat]
    tally.glory_by[source] += amount
    tally.glory_age[game.clock.age - 1] += amount
    index = begin_event(game, log, EVENT_GLORY, seat)
    if index >= 0:
        log.event[index].value = amount
        log.event[index].source = source
        log.event[index].card = card
        log.event[index].copy = copy


@kernel
def change_rage(game, log, seat, amount, reason, copy):
    """Change the rage left of `seat` by `amount`, which the caller has checked: the only place where rage changes.

    reason, copy: REASON id, and the card that gave, took or cost it, NO_COPY if none did.
    """
    if amount != 0:
        game.clans[seat].rage += amount
        record_reason(game, log, EVENT_RAGE, seat, amount, reason, copy)


@kernel
def enter_phase(game, log, phase):
    """Set the phase of the age.  Rule 3.1."""
    game.clock.phase = phase
    record_event(game, log, EVENT_PHASE, -1, phase)


@kernel
def booked_sum(game, seat):
    """Sum of all booked sources of `seat`, which must equal its glory less the glory at the start."""
    total = 0
    for source in range(game.tally[seat].glory_by.shape[0]):
        total += game.tally[seat].glory_by[source]
    return total

