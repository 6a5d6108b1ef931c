"""The kernels at both ends of a batch: set up its games, and turn finished games into rows of the tables."""

from __future__ import annotations

from collections.abc import Callable

import numba
from numba import types

from ..play import prepare
from ..rules.chance import PURPOSE_SEATS, below, draw, game_key
from ..rules.ids import N_AGES, N_PROVINCES
from ..rules.jit import (
    CACHE_FOLDER,
    JIT,
    argument_types,
    entry,
    kernel,
    load_entries,
    name_types,
)
from ..rules.setup import set_up_game
from ..rules.state import N_CAUSES, N_SOURCES
from ..rules.stats import N_STATS
from .board_rows import KINDS as BOARD_KINDS
from .board_rows import fill_battles, fill_board
from .card_rows import KINDS as CARD_KINDS
from .card_rows import fill_deals, fill_plays
from .event_rows import fill_events, is_sampled
from .glory_rows import KINDS as GLORY_KINDS
from .glory_rows import fill_ledger
from .tables_out import GAMES, PLAYERS

SEATS_NAMES = ("rotate", "fixed", "random")
SEATS_ROTATE, SEATS_FIXED, SEATS_RANDOM = range(len(SEATS_NAMES))
EVENTS_NAMES = ("none", "sample", "all")  # of which games all events are written
EVENTS_NONE, EVENTS_SAMPLE, EVENTS_ALL = range(len(EVENTS_NAMES))
DETAIL_KINDS = sum(1 << kind for kind in {*CARD_KINDS, *GLORY_KINDS, *BOARD_KINDS})  # bits: what DETAILS are made of

if JIT:
    name_types("game_row", numba.from_dtype(GAMES.kernel_row))
    name_types("player_row", numba.from_dtype(PLAYERS.kernel_row))
    name_types("game_rows", types.Array(numba.from_dtype(GAMES.kernel_row), 1, "C"))
    name_types("player_rows", types.Array(numba.from_dtype(PLAYERS.kernel_row), 1, "C"))
    name_types("strategy_of event_ends", types.Array(types.int64, 1, "C"))
    name_types("ends", types.Array(types.int64, 2, "C"))


@kernel
def deal_of(number, players, seats):
    """Deal of game `number` of a run; seats: SEATS_* id."""
    return number // players if seats == SEATS_ROTATE else number


@kernel
def rotation_of(seed, number, players, seats):
    """Rotation of game `number` of a run; seats: SEATS_* id."""
    if seats == SEATS_ROTATE:
        return number % players
    if seats == SEATS_RANDOM:
        return below(draw(game_key(seed, number), PURPOSE_SEATS, 0), players)
    return 0


@entry
def set_up_run(games, tables_, players, seed, seats, first):
    """Set up games number first, first + 1, ... of a run.

    games : GAME array of zeros; seats : int, SEATS_* id; first : int
    """
    for index in range(games.shape[0]):
        number = first + index
        rotation = rotation_of(seed, number, players, seats)
        set_up_game(games[index], tables_[0], players, seed, deal_of(number, players, seats), rotation)


@kernel
def first_seat(game):
    """Seat that was first player in age 1: the token has gone to the left once per age since.  Rule 11.3."""
    return (game.clock.first_player - (game.clock.age - 1)) % game.clock.players


@kernel
def best_other(game, seat):
    """Most glory of any player but `seat`."""
    best = -32768
    for other in range(game.clock.players):
        if other != seat and game.clans[other].glory > best:
            best = int(game.clans[other].glory)
    return best


@kernel
def count_richer(game, seat):
    """Players with more glory than `seat`."""
    count = 0
    for other in range(game.clock.players):
        if game.clans[other].glory > game.clans[seat].glory:
            count += 1
    return count


@kernel
def win_share(game, seat):
    """1/k for each of k players tied for most glory, 0.0 for the others."""
    if count_richer(game, seat) > 0:
        return 0.0
    tied = 0
    for other in range(game.clock.players):
        if game.clans[other].glory == game.clans[seat].glory:
            tied += 1
    return 1.0 / tied


@kernel
def turns_of(game, seat):
    """Turns that `seat` took."""
    turns = 0
    for age in range(N_AGES):
        turns += game.tally[seat].turns_age[age]
    return turns


@kernel
def provinces_gone(game):
    """Bit per province that was destroyed before the game began.  Rule 2.4."""
    gone = 0
    for province in range(N_PROVINCES):
        doomed = 0
        for age in range(N_AGES):
            if game.doom[age] == province:
                doomed = 1
        if game.board.destroyed[province] != 0 and doomed == 0:
            gone |= 1 << province
    return gone


@kernel
def fill_game_row(game, game_row, number):
    """Write the row of a finished game."""
    game_row.game = number
    game_row.deal = game.deal
    game_row.rotation = game.rotation
    game_row.first_player = first_seat(game)
    game_row.decisions = game.decisions
    game_row.battles = game.battles
    game_row.gone = provinces_gone(game)
    turns = 0
    pillages = 0
    for seat in range(game.clock.players):
        turns += turns_of(game, seat)
        pillages += game.tally[seat].pillages
    game_row.turns = turns
    game_row.pillages = pillages
    for age in range(N_AGES):
        game_row.doomed[age] = game.doom[age]
        game_row.age_end[age] = game.age_end[age]


@kernel
def fill_standing(game, player_row, seat, strategy_of):
    """Write who a player is and how the game ended for it."""
    slot = game.slot[seat]
    player_row.seat = seat
    player_row.slot = slot
    player_row.strategy = strategy_of[slot]
    player_row.turn_order = (seat - first_seat(game)) % game.clock.players
    player_row.glory = game.clans[seat].glory
    player_row.margin = game.clans[seat].glory - best_other(game, seat)
    player_row.rank = 1 + count_richer(game, seat)
    player_row.win_share = win_share(game, seat)
    for stat in range(N_STATS):
        player_row.stats[stat] = game.clans[seat].stats[stat]
        player_row.steps_1[stat] = game.tally[seat].steps[0, stat]
        player_row.steps_2[stat] = game.tally[seat].steps[1, stat]


@kernel
def fill_counts(game, player_row, seat):
    """Write what a player did."""
    tally = game.tally[seat]
    for source in range(N_SOURCES):
        player_row.glory_by[source] = tally.glory_by[source]
    for age in range(N_AGES):
        player_row.glory_age[age] = tally.glory_age[age]
    player_row.turns = turns_of(game, seat)
    for age in range(N_AGES - 1):
        player_row.turns_age[age] = tally.turns_age[age]
    player_row.passes = tally.passes
    player_row.rage_passed = tally.rage_passed
    player_row.monsters = tally.monsters
    player_row.ships_lost = tally.ships_lost
    player_row.provinces_locked = tally.locked
    player_row.battles = tally.battles
    player_row.battles_won = tally.battles_won
    player_row.pillages = tally.pillages
    player_row.pillages_unopposed = tally.pillages_unopposed
    player_row.quests_committed = tally.quests_committed
    player_row.quests_done = tally.quests_done
    for cause in range(N_CAUSES):
        player_row.deaths[cause] = tally.deaths[cause]
    player_row.cards_drafted = tally.drafted
    player_row.cards_played = tally.played


@entry
def fill_rows(games, count, first, strategy_of, game_rows, player_rows):
    """Write the rows of games[:count], which are over and number first, first + 1, ... of a run.

    strategy_of : int64 array, number of the strategy by slot
    game_rows : array of GAMES rows, one row per game; player_rows : array of PLAYERS rows, one row per player of each game
    """
    filled = 0
    for index in range(count):
        game = games[index]
        fill_game_row(game, game_rows[index], first + index)
        for seat in range(game.clock.players):
            player_row = player_rows[filled]
            player_row.game = first + index
            player_row.deal = game.deal
            fill_standing(game, player_row, seat, strategy_of)
            fill_counts(game, player_row, seat)
            filled += 1
    return filled


@entry
def fill_details(
    games, begin, end, first, logs, drafting, deal_rows, play_rows, ledger_rows, battle_rows, board_rows, ends
):  # fmt: skip
    """Write the detail rows of games[begin:end], which are over, number first + index of a run, and fill the log.

    drafting : int, 0 if the rules leave out the draft
    ..._rows : arrays of rows; each must have room for as many rows as the log holds events, board_rows for all its cells
    ends : int64 array (len(DETAILS), games), written: row behind each game, by table in the order of DETAILS
    """
    log = logs[0]
    start = 0
    at_deal, at_play, at_ledger, at_battle, at_board = 0, 0, 0, 0, 0
    for index in range(begin, end):
        game = games[index]
        number = first + index
        stop = start + game.n_events
        at_deal = fill_deals(log, start, stop, number, drafting, deal_rows, at_deal)
        at_play = fill_plays(log, start, stop, number, play_rows, at_play)
        at_ledger = fill_ledger(log, start, stop, number, ledger_rows, at_ledger)
        at_battle = fill_battles(log, start, stop, number, battle_rows, at_battle)
        at_board = fill_board(game, log, start, stop, number, board_rows, at_board)
        ends[0, index - begin] = at_deal
        ends[1, index - begin] = at_play
        ends[2, index - begin] = at_ledger
        ends[3, index - begin] = at_battle
        ends[4, index - begin] = at_board
        start = stop
    return start


@entry
def fill_chosen(games, begin, end, first, seed, chosen, logs, event_rows, event_ends):
    """Write the events of those of games[begin:end] that `chosen`, an EVENTS_* id, takes.

    event_rows : rows, with room for all events of the log; event_ends : int64 array, written: row behind each game
    """
    log = logs[0]
    start = 0
    at = 0
    for index in range(begin, end):
        stop = start + games[index].n_events
        if chosen == EVENTS_ALL or chosen == EVENTS_SAMPLE and is_sampled(seed, first + index):
            at = fill_events(log, start, stop, first + index, event_rows, at)
        event_ends[index - begin] = at
        start = stop
    return start


ENTRIES = (set_up_run, fill_rows, fill_details, fill_chosen)


def prepare_batch(progress: Callable[[int, int], None] | None = None) -> None:
    """Compile the core and these kernels, or load them from the cache.  progress(done, all) tells of compiling."""
    prepare(progress)
    if not JIT or fill_rows.signatures:
        return
    load_entries(ENTRIES, [argument_types(function.py_func) for function in ENTRIES], CACHE_FOLDER, "batch")
