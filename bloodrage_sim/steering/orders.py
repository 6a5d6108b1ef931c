"""Orders: what an experiment forbids or forces on a seat, by cutting the options of a question before its strategy is asked.

An order says on whom it acts and when, and has a *sieve* that options fit or not.  ONLY leaves the options that fit,
WITHOUT those that do not, QUOTA those with which the cards of an age still come out within a least and a most number.  An
order that would leave nothing is void.  Without orders the loop does none of this, and games are the same to the byte.
"""

from __future__ import annotations

import numpy as np

from ..rules.chance import mix
from ..rules.flow import QUESTION_DRAFT
from ..rules.jit import kernel
from ..rules.state import MAX_ORDERS
from ..rules.tables import N_CARDS, N_SEATS
from .measures import fits, measure

# on whom an order or a change acts: a bit per slot of the line-up, then neighbours of slot 0 in the order of seats
WHO_LEFT = 1 << N_SEATS
WHO_RIGHT = 1 << N_SEATS + 1

ONLY = 0
WITHOUT = 1
QUOTA = 2

MAX_CONDITIONS = 4
MAX_CHANGES = 12
MAX_RESERVED = 16

SIEVE = np.dtype(  # which options fit; 0 and -1 are "any"
    [
        ("actions", "i4"),  # bit per ACTION
        ("kinds", "i2"),  # bit per CARD_KIND of the card
        ("by_card", "i1"),  # bool: only options with one of `cards`
        ("cards", "u1", (N_CARDS,)),  # bool by CARD id
        ("places", "i4"),  # bit per PLACE it goes to
        ("figures", "i2"),  # bit per FIGURE slot
        ("values", "i2"),  # bit per value, such as the stat to raise
        ("tokens", "i2"),  # bit per TOKEN of the place
        ("doomed", "i1"),  # 1: only the doomed province of the age, 2: only others
        ("rivals", "i2", (2,)),  # least and most figures of others in the area of the place
        ("lead", "i2", (2,)),  # least and most of own STR there less the most STR of another
    ],
    align=True,
)
CONDITION = np.dtype([("measure", "i2"), ("least", "i2"), ("most", "i2")], align=True)
ORDER = np.dtype(
    [
        ("what", "i1"),  # ONLY, WITHOUT, QUOTA
        ("age", "i1"),  # 0: any
        ("who", "i2"),  # bits, see above
        ("question", "i2"),  # QUESTION id, 0: any
        ("pick", "i1"),  # number of the pick of the draft, from 1; 0: any
        ("limit", "i2"),  # how often it acts in a game; 0: always
        ("least", "i1"),  # of QUOTA
        ("most", "i1"),
        ("distinct", "i1"),  # bool: equal cards count once
        ("with_other", "i1"),  # bool: acts only where an option fits `other` too
        ("n_conditions", "i1"),
        ("condition", CONDITION, (MAX_CONDITIONS,)),
        ("sieve", SIEVE),
        ("other", SIEVE),
    ],
    align=True,
)


CHANGE = np.dtype(
    [
        ("what", "i1"),  # DEAL, ... of changes.py
        ("age", "i1"),  # at the start of whose action phase; 0: before the game
        ("who", "i2"),
        ("dealt", "i2"),  # COPY id
        ("card", "i2"),  # CARD id that a copy becomes; NO_CARD: it stays what it is
        ("count", "i2"),  # cards, or steps, rage or glory; of REPLACE 0: all that fit
        ("exact", "i1"),  # bool: the number is set, not added
        ("stat", "i1"),
        ("sieve", SIEVE),  # which cards; only kinds and cards count
    ],
    align=True,
)
ORDERS = np.dtype(
    [
        ("active", "i1"),  # bool: 0 leaves the loop as it is without orders
        ("stop_age", "i1"),  # a game is left at the first question of `stop_phase` in this age; 0: never
        ("stop_phase", "i1"),  # PHASE id
        ("n_orders", "i2"),
        ("n_changes", "i2"),
        ("n_reserved", "i2"),
        ("reserved", "i2", (MAX_RESERVED,)),  # COPY ids that are taken out of the decks
        ("order", ORDER, (MAX_ORDERS,)),
        ("change", CHANGE, (MAX_CHANGES,)),
        ("masked", "u1", (N_SEATS,)),  # MASK bits by slot, of channels.py
    ],
    align=True,
)


@kernel
def is_meant(game, seat, who):
    """Whether `seat` is among those that the bits of `who` mean."""
    if who >> game.slot[seat] & 1:
        return True
    if who < WHO_LEFT:
        return False
    players = game.clock.players
    if who & WHO_LEFT and game.slot[(seat - 1 + players) % players] == 0:
        return True
    return who & WHO_RIGHT != 0 and game.slot[(seat + 1) % players] == 0


@kernel
def holds(game, tables, seat, mandate):
    """Whether a mandate, one order of an experiment, acts on the open question of `seat`, its options left aside."""
    if mandate.age > 0 and mandate.age != game.clock.age:
        return False
    if mandate.question > 0 and mandate.question != game.flow.question:
        return False
    if not is_meant(game, seat, mandate.who):
        return False
    if mandate.pick > 0:
        pick = game.clock.draft_round * tables.picks[game.clock.players] + game.secret.n_chosen[seat] + 1
        if mandate.pick != pick:
            return False
    for number in range(mandate.n_conditions):
        condition = mandate.condition[number]
        value = measure(game, tables, seat, condition.measure)
        if value < condition.least or value > condition.most:
            return False
    return True


@kernel
def drafted_copy(game, tables, seat, index):
    """Copy number `index` of the cards of this age that `seat` has kept so far, chosen ones last; -1 beyond the last."""
    found = 0
    for position in range(game.clans[seat].hand):
        copy = int(game.secret.hand[seat, position])
        if tables.age[game.secret.card_of[copy]] == game.clock.age:
            if found == index:
                return copy
            found += 1
    position = index - found
    return int(game.secret.chosen[seat, position]) if position < game.secret.n_chosen[seat] else -1


@kernel
def is_counted(tables, card, sieve):
    """Whether a card counts for a quota."""
    if sieve.by_card != 0:
        return sieve.cards[card] != 0
    return tables.kind[card] >= 0 and sieve.kinds >> tables.kind[card] & 1 == 1


@kernel
def has_drafted(game, tables, seat, card, before):
    """Whether one of the first `before` drafted cards of `seat` looks like `card`."""
    for index in range(before):
        if tables.face[game.secret.card_of[drafted_copy(game, tables, seat, index)]] == tables.face[card]:
            return True
    return False


@kernel
def quota_allows(game, tables, seat, option, mandate, taken, count):
    """Whether a card may be kept: `taken` cards are kept already, `count` of them count for the quota."""
    counts = is_counted(tables, option.card, mandate.sieve)
    if counts and mandate.distinct != 0:
        counts = not has_drafted(game, tables, seat, option.card, taken)
    if counts:
        return count < mandate.most
    return mandate.least - count < tables.keep - taken


@kernel
def count_drafted(game, tables, seat, mandate):
    """Cards that `seat` kept in this age, and how many of them count for the quota, as kept * 64 + counted."""
    taken = counted = 0
    while True:
        copy = drafted_copy(game, tables, seat, taken)
        if copy < 0:
            return taken * 64 + counted
        card = game.secret.card_of[copy]
        repeated = mandate.distinct != 0 and has_drafted(game, tables, seat, card, taken)
        if is_counted(tables, card, mandate.sieve) and not repeated:
            counted += 1
        taken += 1


@kernel
def follow(game, tables, options, n, seat, mandate, index):
    """Cut the options of the open question by one order; returns how many are left."""
    taken = counted = 0
    if mandate.what == QUOTA:
        if game.flow.question != QUESTION_DRAFT:
            return n
        counts = count_drafted(game, tables, seat, mandate)
        taken, counted = counts // 64, counts % 64
    kept = other = 0
    for position in range(n):  # first count, because an order that leaves nothing changes nothing
        if keeps(game, tables, options, position, seat, mandate, taken, counted):
            kept += 1
        if mandate.with_other != 0 and fits(game, tables, seat, options.option[position], mandate.other):
            other += 1
    if kept == n or (mandate.with_other != 0 and other == 0):
        return n
    if kept == 0:
        if mandate.what != ONLY:
            game.trial.voiding |= 1 << index
        return n
    kept = 0
    for position in range(n):
        if keeps(game, tables, options, position, seat, mandate, taken, counted):
            options.option[kept] = options.option[position]
            kept += 1
    game.trial.cutting |= 1 << index
    return kept


@kernel
def keeps(game, tables, options, position, seat, mandate, taken, counted):
    """Whether an order leaves option number `position`."""
    option = options.option[position]
    if mandate.what == QUOTA:
        return quota_allows(game, tables, seat, option, mandate, taken, counted)
    return fits(game, tables, seat, option, mandate.sieve) == (mandate.what == ONLY)


@kernel
def restrict(game, tables, options, n, seat, orders):
    """Cut the options of the open question of `seat` by all orders, in their sequence; returns how many are left."""
    game.trial.cutting = 0
    game.trial.voiding = 0
    for index in range(orders.n_orders):
        mandate = orders.order[index]
        spent = mandate.limit > 0 and game.trial.obeyed[index] >= mandate.limit
        if n > 1 and not spent and holds(game, tables, seat, mandate):
            n = follow(game, tables, options, n, seat, mandate, index)
    return n


@kernel
def note_orders(game, option):
    """A question was answered: count the orders that cut its options, and mix the answer into the trace of the age.

    Games with equal traces went the same way.
    """
    trial = game.trial
    trial.heeded += 1 if trial.cutting != 0 else 0
    trial.voided += 1 if trial.voiding != 0 else 0
    for index in range(MAX_ORDERS):
        trial.obeyed[index] += trial.cutting >> index & 1
    bits = game.trial.course[game.clock.age - 1]
    packed = ((int(option.action) * 512 + int(option.card) + 1) * 16 + int(option.figure) + 1) * 32 + int(option.place) + 1
    packed = (packed * 32 + int(option.origin) + 1) * 256 + int(option.value) + 1
    game.trial.course[game.clock.age - 1] = mix(bits ^ np.uint64(packed * 8 + int(game.flow.seat)))
