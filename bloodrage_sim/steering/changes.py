"""Changes: what an experiment does to a game between two decisions.  Cards come from decks that all its arms have in common.

Reserved copies leave their decks before the game; every other change is made at the start of the action phase of an age,
when hands are drafted and rage is set.  A copy keeps its place when it becomes another card, so counts of cards that
others see stay the same.
"""

from __future__ import annotations

import numpy as np

from ..rules.action import find_slot, put_on_sheet
from ..rules.cards import add_to_hand, remove_from_hand
from ..rules.chance import PURPOSE_CHANGE, sort_by_draws
from ..rules.effects.sheet import refresh_sheet
from ..rules.events import REASON_START, SOURCE_CARD, add_glory, change_rage
from ..rules.figures import stat_value
from ..rules.ids import CARD_KIND_CLAN, N_TRACK_STEPS, PHASE_ACTION, STAT_RAGE
from ..rules.jit import kernel
from ..rules.state import MAX_HAND, ZONE_BOX, ZONE_DECK, ZONE_DUMPED, ZONE_HAND
from ..rules.tables import N_COPIES, N_SLOTS, NO_CARD, NO_COPY
from .orders import is_counted, is_meant

DEAL = 0  # a copy into a hand
PLAY = 1  # a copy onto a sheet, as if it had been played
REPLACE_HAND = 2  # cards of a hand that fit the sieve become another card
REPLACE_SHEET = 3
REPLACE_DECK = 4  # all copies in all decks
RAISE = 5  # steps of a stat
GIVE_RAGE = 6
GIVE_GLORY = 7
GIVE_CARDS = 8  # from what the draft left over; below 0: cards of the hand are lost, by chance


@kernel
def arrange(game, tables, orders):
    """Change the decks before the first age."""
    trial = game.trial
    trial.arranged = 1
    secret = game.secret
    for number in range(orders.n_reserved):
        if secret.zone[orders.reserved[number]] == ZONE_DECK:
            secret.zone[orders.reserved[number]] = ZONE_BOX
    for number in range(orders.n_changes):
        change = orders.change[number]
        if change.what == REPLACE_DECK:
            for copy in range(N_COPIES):
                if secret.zone[copy] == ZONE_DECK and is_counted(tables, secret.card_of[copy], change.sieve):
                    secret.card_of[copy] = change.card
                    trial.changes += 1


@kernel
def is_due(game):
    """Whether the open question is the first of an action phase for which changes have not been made."""
    return game.clock.phase == PHASE_ACTION and game.trial.changed_age < game.clock.age


@kernel
def make_changes(game, tables, log, orders):
    """Make the changes of this age."""
    game.trial.changed_age = game.clock.age
    for number in range(orders.n_changes):
        change = orders.change[number]
        if change.age == game.clock.age and change.what != REPLACE_DECK:
            for seat in range(game.clock.players):
                if is_meant(game, seat, change.who):
                    make_change(game, tables, log, seat, change)


@kernel
def make_change(game, tables, log, seat, change):
    """Make one change to one seat."""
    if change.what == DEAL or change.what == PLAY:
        hand_over(game, tables, seat, change)
    elif change.what == REPLACE_HAND:
        replace_in_hand(game, tables, seat, change)
    elif change.what == REPLACE_SHEET:
        replace_on_sheet(game, tables, seat, change)
    elif change.what == GIVE_CARDS:
        give_cards(game, tables, seat, change)
    else:
        give_number(game, tables, log, seat, change)


@kernel
def hand_over(game, tables, seat, change):
    """Put a reserved copy into the hand, or on the sheet.  Only the first of several seats can have it."""
    secret = game.secret
    if secret.zone[change.dealt] != ZONE_BOX:
        return
    game.trial.changes += 1
    secret.card_of[change.dealt] = change.card
    kind = tables.kind[change.card]
    if change.what == PLAY and 0 <= kind <= CARD_KIND_CLAN:
        put_on_sheet(game, tables, seat, find_slot(game, tables, seat, kind, NO_CARD), change.dealt)
    else:
        add_to_hand(game, tables, seat, change.dealt)


@kernel
def swap_in_hand(game, tables, seat, copy, card):
    """A copy in a hand becomes `card`; the hand stays sorted."""
    remove_from_hand(game, seat, copy, ZONE_HAND)
    game.secret.card_of[copy] = card
    add_to_hand(game, tables, seat, copy)
    game.trial.changes += 1


@kernel
def replace_in_hand(game, tables, seat, change):
    """Cards of the hand that fit become another card: `count` of them by chance, or all."""
    fitting = np.empty(MAX_HAND, np.int16)
    n = 0
    for position in range(game.clans[seat].hand):
        copy = game.secret.hand[seat, position]
        if is_counted(tables, game.secret.card_of[copy], change.sieve):
            fitting[n] = copy
            n += 1
    sort_by_draws(fitting, n, game.secret.key, PURPOSE_CHANGE + game.clock.age)
    wanted = n if change.count == 0 else min(n, int(change.count))
    for index in range(wanted):
        swap_in_hand(game, tables, seat, fitting[index], change.card)


@kernel
def replace_on_sheet(game, tables, seat, change):
    """Upgrades in play that fit become another card of their kind."""
    for slot in range(N_SLOTS):
        card = game.clans[seat].sheet[slot]
        if card != NO_CARD and is_counted(tables, card, change.sieve):
            game.secret.card_of[game.secret.sheet[seat, slot]] = change.card
            game.clans[seat].sheet[slot] = change.card
            game.trial.changes += 1
    refresh_sheet(game, tables, seat)


@kernel
def give_cards(game, tables, seat, change):
    """More cards from the rest of the age's deck, or fewer, by chance."""
    secret = game.secret
    copies = np.empty(N_COPIES, np.int16)
    n = 0
    wanted = abs(int(change.count))
    for copy in range(N_COPIES):
        here = secret.zone[copy] == ZONE_DUMPED or secret.zone[copy] == ZONE_DECK
        if change.count > 0 and here and tables.age[secret.card_of[copy]] == game.clock.age:
            copies[n] = copy
            n += 1
    if change.count < 0:
        for position in range(game.clans[seat].hand):
            copies[n] = secret.hand[seat, position]
            n += 1
    sort_by_draws(copies, n, secret.key, PURPOSE_CHANGE + game.clock.age)
    for index in range(min(n, wanted)):
        if change.count > 0:
            add_to_hand(game, tables, seat, copies[index])
        else:
            remove_from_hand(game, seat, copies[index], ZONE_DUMPED)
        game.trial.changes += 1


@kernel
def give_number(game, tables, log, seat, change):
    """Change a stat, rage or glory.  A step of the rage stat changes the rage of this age too."""
    clan = game.clans[seat]
    game.trial.changes += 1
    if change.what == RAISE:
        before = stat_value(game.clans[seat], tables, change.stat)
        step = int(change.count) if change.exact != 0 else int(clan.stats[change.stat]) + int(change.count)
        clan.stats[change.stat] = max(1, min(N_TRACK_STEPS, step))
        if change.stat == STAT_RAGE:
            give_rage(game, log, seat, stat_value(game.clans[seat], tables, STAT_RAGE) - before)
    elif change.what == GIVE_RAGE:
        give_rage(game, log, seat, int(change.count) - (int(clan.rage) if change.exact != 0 else 0))
    else:
        glory = int(change.count) - (int(clan.glory) if change.exact != 0 else 0)
        add_glory(game, log, seat, glory, SOURCE_CARD, NO_CARD, NO_COPY)


@kernel
def give_rage(game, log, seat, amount):
    """Change the rage left, but not below 0."""
    change_rage(game, log, seat, max(amount, -int(game.clans[seat].rage)), REASON_START, NO_COPY)
