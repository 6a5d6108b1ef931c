"""The kernels at both ends of a batch: set up its games, and turn finished games into rows of the tables."""

from __future__ import annotations

from collections.abc import Callable

import numba
from numba import types

from .play import prepare
from .rules.chance import PURPOSE_SEATS, below, draw, game_key
from .rules.ids import N_AGES
from .rules.jit import (
    CACHE_FOLDER,
    JIT,
    argument_types,
    entry,
    kernel,
    load_entries,
    name_types,
)
from .rules.setup import set_up_game
from .rules.state import N_CAUSES, N_SOURCES
from .rules.stats import N_STATS
from .tables_out import GAME_ROW, PLAYER_ROW

SEATS_NAMES = ("rotate", "fixed", "random")
SEATS_ROTATE, SEATS_FIXED, SEATS_RANDOM = range(len(SEATS_NAMES))

if JIT:
    name_types("game_row", numba.from_dtype(GAME_ROW))
    name_types("player_row", numba.from_dtype(PLAYER_ROW))
    name_types("game_rows", types.Array(numba.from_dtype(GAME_ROW), 1, "C"))
    name_types("player_rows", types.Array(numba.from_dtype(PLAYER_ROW), 1, "C"))
    name_types("strategy_of", types.Array(types.int64, 1, "C"))


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
def fill_game_row(game, game_row, number):
    """Write the row of a finished game."""
    game_row.game = number
    game_row.deal = game.deal
    game_row.rotation = game.rotation
    game_row.first_player = first_seat(game)
    game_row.decisions = game.decisions
    game_row.battles = game.battles
    turns = 0
    pillages = 0
    for seat in range(game.clock.players):
        turns += game.tally[seat].turns
        pillages += game.tally[seat].pillages
    game_row.turns = turns
    game_row.pillages = pillages
    for age in range(N_AGES):
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


@kernel
def fill_counts(game, player_row, seat):
    """Write what a player did."""
    tally = game.tally[seat]
    for source in range(N_SOURCES):
        player_row.glory_by[source] = tally.glory_by[source]
    for age in range(N_AGES):
        player_row.glory_age[age] = tally.glory_age[age]
    player_row.turns = tally.turns
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
    game_rows : GAME_ROW array, one row per game; player_rows : PLAYER_ROW array, one row per player of each game
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


ENTRIES = (set_up_run, fill_rows)


def prepare_batch(progress: Callable[[int, int], None] | None = None) -> None:
    """Compile the core and these kernels, or load them from the cache.  progress(done, all) tells of compiling."""
    prepare(progress)
    if not JIT or fill_rows.signatures:
        return
    load_entries(ENTRIES, [argument_types(function.py_func) for function in ENTRIES], CACHE_FOLDER, "batch")
