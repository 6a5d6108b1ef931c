"""Gods' gifts: dealing and drafting.  Rule 4."""

import numpy as np

from .cards import add_to_hand, insert_sorted, remove_copy
from .chance import PURPOSE_DECK, sort_by_draws
from .events import EVENT_DEALT, EVENT_DRAFTED, EVENT_DUMPED, enter_phase, record_card
from .flow import (
    ACTION_KEEP_CARD,
    QUESTION_DRAFT,
    STEP_ACTION,
    STEP_DRAFT,
    add_option,
    ask,
    push,
)
from .ids import DRAFT_OFF, PHASE_DRAFT
from .jit import kernel
from .setup import begin_age
from .state import ZONE_DECK, ZONE_DUMPED, ZONE_PACK
from .tables import MAX_DECK, MAX_PACK


@kernel
def deal_order(game, tables, copies):
    """Write the deck of the age in dealing order into copies; returns how many there are.  Rule 4.2.

    A copy that was taken out of the deck keeps its place in the shuffle, and the place is filled from the end, that is
    from the cards that would have been left over: so at most one place of one pack changes.
    """
    age = game.clock.age - 1
    size = tables.deck_size[game.clock.players, age]
    for position in range(size):
        copies[position] = tables.deck[game.clock.players, age, position]
    sort_by_draws(copies, size, game.secret.key, PURPOSE_DECK + game.clock.age)
    present = 0
    for position in range(size):
        if game.secret.zone[copies[position]] == ZONE_DECK:
            present += 1
    last = size - 1
    for position in range(present):
        if game.secret.zone[copies[position]] != ZONE_DECK:
            while game.secret.zone[copies[last]] != ZONE_DECK:
                last -= 1
            copies[position] = copies[last]
            last -= 1
    return present


@kernel
def give_pack(game, tables, log, seat, copies, first, size):
    """Put copies[first : first + size] into the pack of `seat`."""
    secret = game.secret
    secret.pack_size[seat] = 0
    for position in range(first, first + size):
        copy = copies[position]
        insert_sorted(game, tables, secret.pack[seat], secret.pack_size[seat], copy)
        secret.pack_size[seat] += 1
        secret.zone[copy] = ZONE_PACK
        record_card(game, log, EVENT_DEALT, seat, secret.card_of[copy], copy, 0)


@kernel
def start_age(game, tables, log, age):
    """STEP_AGE: deal the packs of the age, or hands if there is no draft.  Rules 4.2, 4.5."""
    begin_age(game, age)
    enter_phase(game, log, PHASE_DRAFT)
    copies = np.empty(MAX_DECK, np.int16)
    present = deal_order(game, tables, copies)
    drafting = tables.rule.draft != DRAFT_OFF
    size = tables.deal if drafting else tables.no_draft_deal
    for seat in range(game.clock.players):
        first = min(seat * size, present)
        give_pack(game, tables, log, seat, copies, first, min(size, present - first))
    game.clock.draft_round = 0
    if drafting:
        begin_round(game)
        push(game, STEP_DRAFT, 0)
    else:
        for seat in range(game.clock.players):
            for position in range(game.secret.pack_size[seat]):
                add_to_hand(game, tables, seat, game.secret.pack[seat, position])
            game.secret.pack_size[seat] = 0
        push(game, STEP_ACTION)


@kernel
def begin_round(game):
    """Every seat looks at its pack."""
    secret = game.secret
    for seat in range(game.clock.players):
        secret.n_chosen[seat] = 0
        for position in range(secret.pack_size[seat]):
            copy = secret.pack[seat, position]
            if secret.seen[copy] >> seat & 1 == 0:
                secret.seen[copy] |= 1 << seat
                secret.seen_cards[seat, secret.card_of[copy]] += 1


@kernel
def is_chosen(game, seat, copy):
    """Whether `copy` is already among the answers of `seat` to the simultaneous decision that is open."""
    for position in range(game.secret.n_chosen[seat]):
        if game.secret.chosen[seat, position] == copy:
            return True
    return False


@kernel
def choose(game, seat, copy):
    """Note the answer of `seat`; nobody sees it before all are in.  Rule 18."""
    game.secret.chosen[seat, game.secret.n_chosen[seat]] = copy
    game.secret.n_chosen[seat] += 1


@kernel
def list_unchosen(game, tables, options, action, seat, copies, n_copies):
    """One option for each kind of card in copies[:n_copies], sorted by face, that `seat` has not chosen yet."""
    n = 0
    last_face = -1
    for position in range(n_copies):
        copy = copies[position]
        card = game.secret.card_of[copy]
        if tables.face[card] != last_face and not is_chosen(game, seat, copy):
            last_face = tables.face[card]
            n = add_option(options, n, action, card)
    return n


@kernel
def choose_card(game, tables, seat, copies, n_copies, card):
    """Choose the lowest copy in copies[:n_copies] that looks like `card` and is not chosen yet."""
    for position in range(n_copies):
        copy = copies[position]
        if tables.face[game.secret.card_of[copy]] == tables.face[card] and not is_chosen(game, seat, copy):
            choose(game, seat, copy)
            return


@kernel
def draft(game, tables, log, seat):
    """STEP_DRAFT: ask `seat`, or after the last seat pass the packs.  Rules 4.3, 4.4."""
    if seat < game.clock.players:
        wanted = min(tables.picks[game.clock.players], game.secret.pack_size[seat])
        if game.secret.n_chosen[seat] < wanted:
            push(game, STEP_DRAFT, seat)
            ask(game, QUESTION_DRAFT, seat)
        else:
            push(game, STEP_DRAFT, seat + 1)
        return
    keep_choices(game, tables, log)
    game.clock.draft_round += 1
    if game.clock.draft_round * tables.picks[game.clock.players] < tables.keep:
        pass_packs(game)
        begin_round(game)
        push(game, STEP_DRAFT, 0)
    else:
        dump_packs(game, log)
        push(game, STEP_ACTION)


@kernel
def list_draft(game, tables, options, seat):
    """Options of QUESTION_DRAFT: the cards of the pack."""
    secret = game.secret
    return list_unchosen(game, tables, options, ACTION_KEEP_CARD, seat, secret.pack[seat], secret.pack_size[seat])


@kernel
def answer_draft(game, tables, seat, card):
    """Keep `card` of the pack."""
    choose_card(game, tables, seat, game.secret.pack[seat], game.secret.pack_size[seat], card)


@kernel
def keep_choices(game, tables, log):
    """All seats take the cards they chose from their packs into their hands."""
    secret = game.secret
    for seat in range(game.clock.players):
        for position in range(secret.n_chosen[seat]):
            copy = secret.chosen[seat, position]
            remove_copy(secret.pack[seat], secret.pack_size[seat], copy)
            secret.pack_size[seat] -= 1
            add_to_hand(game, tables, seat, copy)
            game.tally[seat].drafted += 1
            record_card(game, log, EVENT_DRAFTED, seat, secret.card_of[copy], copy, game.clock.draft_round)
        secret.n_chosen[seat] = 0


@kernel
def pass_packs(game):
    """Every pack goes to the left.  Rule 4.3."""
    secret = game.secret
    last = game.clock.players - 1
    for position in range(MAX_PACK):
        carried = secret.pack[last, position]
        for seat in range(last, 0, -1):
            secret.pack[seat, position] = secret.pack[seat - 1, position]
        secret.pack[0, position] = carried
    size = secret.pack_size[last]
    for seat in range(last, 0, -1):
        secret.pack_size[seat] = secret.pack_size[seat - 1]
    secret.pack_size[0] = size


@kernel
def dump_packs(game, log):
    """What is left of the packs is discarded unseen.  Rule 4.3."""
    secret = game.secret
    for seat in range(game.clock.players):
        for position in range(secret.pack_size[seat]):
            copy = secret.pack[seat, position]
            secret.zone[copy] = ZONE_DUMPED
            record_card(game, log, EVENT_DUMPED, seat, secret.card_of[copy], copy, 0)
        secret.pack_size[seat] = 0
