"""Setting up a game from (seed, deal, rotation).  Rule 2."""

import numpy as np

from .chance import (
    PURPOSE_FIRST_PLAYER,
    PURPOSE_RAGNAROK,
    PURPOSE_TOKENS,
    below,
    draw,
    game_key,
    sort_by_draws,
)
from .effects.sheet import refresh_sheet
from .flow import STEP_AGE, push
from .ids import N_AGES, N_PROVINCES, PLACE_RESERVE, PLACE_YGGDRASIL, TOKEN_YGGDRASIL
from .jit import kernel
from .state import N_QUESTIONS, ZONE_BOX, ZONE_DECK
from .tables import N_COPIES, N_SEATS, N_SLOTS, NO_CARD, NO_COPY

N_OUTER = N_PROVINCES - 1


@kernel
def clear_clans(game, tables):
    """Every clan as at the start: rule 2.2."""
    for seat in range(N_SEATS):
        clan = game.clans[seat]
        clan.glory = tables.start_glory
        for stat in range(3):
            clan.stats[stat] = tables.start_step
        for slot in range(N_SLOTS):
            clan.sheet[slot] = NO_CARD
            game.secret.sheet[seat, slot] = NO_COPY
        if seat < game.clock.players:
            for figure in range(tables.clan_figures.shape[0]):
                game.board.figures[PLACE_RESERVE, seat, figure] = tables.clan_figures[figure]
        refresh_sheet(game, tables, seat)


@kernel
def prepare_decks(game, tables):
    """Every copy of the decks for this number of players into its deck, all others into the box.  Rule 2.6."""
    secret = game.secret
    for copy in range(N_COPIES):
        secret.card_of[copy] = tables.card_of[copy]
        secret.zone[copy] = ZONE_BOX
    for age in range(N_AGES):
        for position in range(tables.deck_size[game.clock.players, age]):
            secret.zone[tables.deck[game.clock.players, age, position]] = ZONE_DECK


@kernel
def lay_out_board(game, tables):
    """Pillage tokens, doomed and pre-destroyed provinces.  Rules 2.3 to 2.5."""
    board = game.board
    provinces = np.empty(N_OUTER, np.int16)
    for province in range(N_OUTER):
        provinces[province] = province
    sort_by_draws(provinces, N_OUTER, game.secret.key, PURPOSE_TOKENS)
    for token in range(N_OUTER):
        board.token[provinces[token]] = tables.token_pool[token]
    board.token[PLACE_YGGDRASIL] = TOKEN_YGGDRASIL
    tokens = np.empty(N_OUTER, np.int16)
    for province in range(N_OUTER):
        tokens[province] = province
    sort_by_draws(tokens, N_OUTER, game.secret.key, PURPOSE_RAGNAROK)
    for age in range(N_AGES):
        game.doom[age] = tokens[age]
    for spare in range(tables.pre_destroyed[game.clock.players]):
        board.destroyed[tokens[N_AGES + spare]] = 1


@kernel
def begin_age(game, age):
    """Start counting the decisions of an age anew, for their keys."""
    game.clock.age = age
    for seat in range(N_SEATS):
        for question in range(N_QUESTIONS):
            game.asked[seat, question] = 0


@kernel
def set_up_empty(game, tables, players):
    """A game of `players` clans with nothing dealt or laid out.  The record must be all zero."""
    game.clock.players = players
    game.clock.turn = -1
    game.battle.province = -1
    game.flow.seat = -1
    game.started = 1
    clear_clans(game, tables)
    prepare_decks(game, tables)
    begin_age(game, 1)


@kernel
def set_up_game(game, tables, players, seed, deal, rotation):
    """Set up one deal with the line-up turned by `rotation`: slot j sits at seat (j + rotation) mod players.  Rule 2."""
    set_up_empty(game, tables, players)
    game.deal = deal
    game.rotation = rotation
    for slot in range(players):
        game.slot[(slot + rotation) % players] = slot
    game.secret.key = game_key(seed, deal)
    lay_out_board(game, tables)
    game.clock.first_player = below(draw(game.secret.key, PURPOSE_FIRST_PLAYER, 0), players)
    push(game, STEP_AGE, 1)
