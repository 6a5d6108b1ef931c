"""A full state that a seat could as well be in: `state_from_view`, so that a search does not see what its player may not.

A search plays a state on.  The true state holds other hands and the decks to come; a copy of it with another key
(`Game.reseed`) still holds the hands.  `state_from_view` starts from the VIEW of a seat alone and draws anew all that the
view does not show, so nothing of the truth can reach the search.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.np.numpy_support import from_dtype

from .errors import BadValue
from .hidden_cards import draw_hidden, put_in_hand
from .play import prepare
from .rules.events import SOURCE_PILLAGE
from .rules.flow import QUESTION_REPLACE
from .rules.ids import N_AGES
from .rules.jit import CACHE_FOLDER, JIT, argument_types, entry, kernel, load_entries, name_types
from .rules.setup import begin_age, prepare_decks
from .rules.state import (
    MEMORY,
    N_BOARD_PLACES,
    N_CAUSES,
    N_SOURCES,
    ZONE_BOX,
    ZONE_DECK,
    ZONE_DISCARD,
    ZONE_HAND,
    ZONE_PACK,
    ZONE_QUEST,
    ZONE_REVEALED,
    ZONE_SHEET,
    new_games,
)
from .rules.stats import N_STATS
from .rules.tables import N_CARDS, N_COPIES, N_SEATS, N_SLOTS, NO_CARD, NO_COPY

IMAGINED = 0
TOO_FEW_COPIES = 1  # the view shows more cards than there are; only a position from elsewhere can

if JIT:
    name_types("pool held hidden kept", types.Array(types.int16, 1, "C"))
    name_types("bits", types.uint64)
    name_types("memories", types.Array(from_dtype(MEMORY), 1, "C"))

# ---------------------------------------------------------------- what lies open


@kernel
def copy_open_state(view, game):
    """Copy all open information; the lists of cards are left to the others."""
    game.started = 1
    game.over = 0
    game.board = view.board
    for age in range(N_AGES):
        game.doom[age] = view.doom[age]
    game.clans = view.clans
    game.clock = view.clock
    game.flow = view.flow
    game.battle = view.battle
    game.ruin = view.ruin
    game.history = view.history
    for seat in range(N_SEATS):
        game.slot[seat] = seat


@kernel
def clear_tally(game, seat):
    """Count anew for the results of `seat`."""
    tally = game.tally[seat]
    tally.battles = 0
    tally.battles_won = 0
    tally.pillages = 0
    tally.pillages_unopposed = 0
    tally.quests_committed = 0
    tally.quests_done = 0
    for cause in range(N_CAUSES):
        tally.deaths[cause] = 0
    tally.drafted = 0
    tally.played = 0
    tally.passes = 0
    tally.rage_passed = 0
    tally.monsters = 0
    tally.ships_lost = 0
    tally.locked = 0
    for source in range(N_SOURCES):
        tally.glory_by[source] = 0
    for age in range(N_AGES):
        tally.turns_age[age] = 0
        tally.glory_age[age] = 0
        for place in range(N_BOARD_PLACES):
            tally.stood[age, place] = 0
        for stat in range(N_STATS):
            tally.steps[age, stat] = 0


@kernel
def begin_counts(game, tables):
    """Start all counts anew; the glory so far is booked as one sum, so that the ledger still adds up."""
    game.deal = 0
    game.rotation = 0
    game.decisions = 0
    game.battles = 0
    game.n_events = 0
    begin_age(game, game.clock.age)
    for age in range(N_AGES):
        game.age_end[age] = 0
    for seat in range(N_SEATS):
        clear_tally(game, seat)
        booked = game.clans[seat].glory - tables.start_glory
        game.tally[seat].glory_by[SOURCE_PILLAGE] = booked
        game.tally[seat].glory_age[game.clock.age - 1] = booked


@kernel
def clear_memory(memory):
    """As at the start of a game."""
    memory.intent = 0
    for index in range(memory.ints.shape[0]):
        memory.ints[index] = 0
    for index in range(memory.reals.shape[0]):
        memory.reals[index] = 0.0


@kernel
def take_known(game, card, zone):
    """A copy of `card` that is still free, for a known place: of the deck, else of the box, else a spare one; NO_COPY."""
    secret = game.secret
    found = NO_COPY
    for copy in range(N_COPIES):
        if secret.card_of[copy] == card:
            if secret.zone[copy] == ZONE_DECK:
                found = copy
                break
            if secret.zone[copy] == ZONE_BOX and found == NO_COPY:
                found = copy
    for copy in range(N_COPIES):
        if found == NO_COPY and secret.card_of[copy] == NO_CARD:
            secret.card_of[copy] = card
            found = copy
    if found != NO_COPY:
        secret.zone[found] = zone
    return found


@kernel
def place_open_cards(game, view):
    """Put the cards of sheets, of the battle going on and of the discard pile; returns how many are missing."""
    secret = game.secret
    missing = 0
    for seat in range(N_SEATS):
        for slot in range(N_SLOTS):
            secret.sheet[seat, slot] = NO_COPY
            if view.clans[seat].sheet[slot] != NO_CARD:
                secret.sheet[seat, slot] = take_known(game, view.clans[seat].sheet[slot], ZONE_SHEET)
                missing += secret.sheet[seat, slot] == NO_COPY
        if view.battle.province >= 0:
            for position in range(view.battle.n_cards[seat]):
                secret.revealed[seat, position] = take_known(game, view.battle.card[seat, position], ZONE_REVEALED)
                missing += secret.revealed[seat, position] == NO_COPY
    for card in range(N_CARDS):
        for _ in range(view.history.discards[card]):
            missing += take_known(game, card, ZONE_DISCARD) == NO_COPY
    return missing


@kernel
def place_own_cards(game, view, held):
    """Put the hand, the pack and the quests of the viewer, in the order of the view; returns how many are missing."""
    secret, own, seat = game.secret, view.own, view.seat
    missing = 0
    for position in range(own.hand_size):
        secret.hand[seat, position] = take_known(game, own.hand[position], ZONE_HAND)
        missing += secret.hand[seat, position] == NO_COPY
    held[seat] = own.hand_size
    for position in range(own.pack_size):
        secret.pack[seat, position] = take_known(game, own.pack[position], ZONE_PACK)
        missing += secret.pack[seat, position] == NO_COPY
    secret.pack_size[seat] = own.pack_size
    for position in range(view.clans[seat].quests):
        secret.quests[seat, position] = take_known(game, own.quests[position], ZONE_QUEST)
        missing += secret.quests[seat, position] == NO_COPY
    return missing


@kernel
def place_known_cards(game, tables, view, held):
    """Put the cards that are known to be in other hands, and the upgrade that is being played; returns how many miss."""
    missing = 0
    for seat in range(view.clock.players):
        if seat == view.seat:
            continue
        for card in range(N_CARDS):
            known = int(view.history.known[seat, card])
            if view.flow.question == QUESTION_REPLACE and view.flow.seat == seat and view.flow.a == card:
                known = max(known, 1)
            for _ in range(known):
                copy = take_known(game, card, ZONE_HAND)
                if copy == NO_COPY:
                    missing += 1
                elif held[seat] < view.clans[seat].hand:
                    put_in_hand(game, tables, seat, held, copy)
    return missing


# ---------------------------------------------------------------- the whole


@kernel
def state_from_view(view, tables, memory, key, game):
    """Write into `game` a state in which the seat of `view` sees exactly this view; all that it does not see follows
    from `key`.  Rule 1.9.

    Parameters
    ----------
    view : VIEW record, read only
    tables : TABLES record, read only
    memory : MEMORY record of the seat, copied into the state; the others begin with an empty one
    key : uint64; other keys give other hidden cards, later decks and draws of strategies
    game : GAME record, written in place; a record may be used again and again

    Returns
    -------
    IMAGINED, or TOO_FEW_COPIES: then `game` is unusable

    Notes
    -----
    Used: sizes of hands, numbers of quests, cards publicly known to be in a hand, an upgrade that is being played; how
    many cards of each age must be hidden, by what lies open; that a seat keeps few cards from one age to the next; in
    the draft, which packs the seat has had before; the cards it saw in packs, which must have been dealt.
    Not used: what others are likely to keep, commit or play; what a question to another seat tells about its hand (late
    cards); who sat between the seat and a pack when a card was taken from it; which quest left a hand.  Of own answers
    to an open simultaneous decision the view shows the first alone; while others answer, further ones are drawn too.
    Answers, hands and quests of others are drawn with equal chances.

    The seat of a strategy is the slot of the same number, whatever the slots of the true game.  Counts for results and
    keys begin anew.  Positions from elsewhere that the rules could not lead to are filled with other ages' cards.
    """
    held = np.zeros(N_SEATS, np.int16)
    copy_open_state(view, game)
    begin_counts(game, tables)
    game.secret.key = key
    prepare_decks(game, tables)
    for copy in range(N_COPIES):
        game.secret.seen[copy] = 0
    for seat in range(N_SEATS):
        game.secret.pack_size[seat] = 0
        game.secret.n_chosen[seat] = 0
        clear_memory(game.memory[seat])
    game.memory[view.seat] = memory
    missing = place_open_cards(game, view) + place_own_cards(game, view, held)
    if missing == 0:
        missing = place_known_cards(game, tables, view, held)
    if missing == 0:
        missing = draw_hidden(game, tables, view, held, key)
    return IMAGINED if missing == 0 else TOO_FEW_COPIES


@entry
def imagine_into(views, tables_, memories, key, games):
    """`state_from_view` of views[0] and memories[0] into games[0]."""
    return state_from_view(views[0], tables_[0], memories[0], key, games[0])


ENTRIES = (imagine_into,)


def prepare_imagine() -> None:
    """Compile these kernels, which takes seconds, or load them from the cache."""
    prepare()
    if not JIT or imagine_into.signatures:
        return
    load_entries(ENTRIES, [argument_types(function.py_func) for function in ENTRIES], CACHE_FOLDER, "imagine")


def imagine(views: np.recarray, tables: np.recarray, memories: np.recarray, key: int) -> np.recarray:
    """GAME array of one record: `state_from_view` of views[0] and memories[0].

    Raises BadValue if there are too few copies for the cards of the view.
    """
    prepare_imagine()
    games = new_games(1)
    if imagine_into(views, tables, memories, np.uint64(key), games) != IMAGINED:
        raise BadValue("the cards of this view are more than there are copies")
    return games
