"""What decides a game: the seed, the deal, the rules, and nothing else.  What a deal shares: test_core_chance.py."""

from __future__ import annotations

import numpy as np
import pytest
from random_games import line_up, new_game, plain_tables, play_batch, walk

from bloodrage_sim.game import Game
from bloodrage_sim.play import DONE, play_games, set_up_games
from bloodrage_sim.rules import events, ids
from bloodrage_sim.rules.options import N_ACTION_CODES, action_code
from bloodrage_sim.rules.state import ZONE_BOX, new_games, new_log, new_options
from bloodrage_sim.ruleset import make_ruleset
from bloodrage_sim.view import new_views

PLAYERS = (2, 3, 4, 5)
LOG_SIZE = 6_000


def play_logged(players: int, seed: int, deal: int, rotation: int, *ways: str, out: tuple[int, ...] = ()):
    """One whole game, its slots played by `random` in these ways, without the copies `out`: record and dealt copies."""
    games, log, found = new_games(1), new_log(LOG_SIZE), np.zeros(3, np.int64)
    set_up_games(games, plain_tables(), players, np.uint64(seed), deal, players, rotation)
    for copy in out:
        games[0].secret.zone[copy] = ZONE_BOX
    play_games(games, 0, plain_tables(), log, new_options(), new_views(1), *line_up(*ways), -1, -1, 0, found)
    assert found[0] == DONE and games[0].n_events <= LOG_SIZE
    event = log.event[0, : games[0].n_events]
    dealt = event[event["kind"] == events.EVENT_DEALT]
    packs = {
        (age, seat): frozenset(dealt["copy"][(dealt["age"] == age) & (dealt["seat"] == seat)].tolist())
        for age in range(1, ids.N_AGES + 1)
        for seat in range(players)
    }
    assert {len(pack) for pack in packs.values()} == {8}
    return games[0], packs


def chance_of(record) -> tuple[bytes, ...]:
    """Everything that chance laid out before the first question."""
    return record.board.token.tobytes(), record.doom.tobytes(), record.clock.first_player.tobytes()


@pytest.mark.parametrize("players", PLAYERS)
def test_another_strategy_in_one_seat_leaves_all_chance_alone(players):
    for deal in range(5):
        first, packs = play_logged(players, 3, deal, 0, "option")
        mixed, same = play_logged(players, 3, deal, 0, "kind", *["option"] * (players - 1))
        assert packs == same
        assert (first.board.token == mixed.board.token).all() and (first.doom == mixed.doom).all()
        assert (first.board.destroyed == mixed.board.destroyed).all()  # each age destroys what was doomed
        assert first.decisions != mixed.decisions or (first.clans.glory != mixed.clans.glory).any()


@pytest.mark.parametrize("players", PLAYERS)
def test_rotations_share_the_packs_of_all_ages(players):
    """Slot j sits at seat (j + rotation) mod players; board, doom, first player and packs by seat stay."""
    games = [play_logged(players, 9, 2, rotation, "option", "kind") for rotation in range(players)]
    for rotation, (record, packs) in enumerate(games):
        assert packs == games[0][1]
        assert (record.board.token == games[0][0].board.token).all() and (record.doom == games[0][0].doom).all()
        assert [int(record.slot[(slot + rotation) % players]) for slot in range(players)] == list(range(players))
    starts = [new_games(1) for _ in range(players)]
    for rotation, start in enumerate(starts):
        set_up_games(start, plain_tables(), players, np.uint64(9), 2, players, rotation)
    assert len({chance_of(start[0]) for start in starts}) == 1


@pytest.mark.parametrize("players", PLAYERS)
def test_seeds_and_deals_differ_in_all_ages(players):
    packs = [play_logged(players, seed, deal, 0, "option")[1] for seed in (1, 2) for deal in (0, 1)]
    for age in (1, 2, 3):
        assert len({tuple(dealt[age, seat] for seat in range(players)) for dealt in packs}) == 4


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("age", (1, 2, 3))
def test_a_copy_taken_out_changes_one_place_of_one_pack_at_most(players, age):
    _, whole = play_logged(players, 4, 0, 0, "option")
    deck = [int(copy) for copy in plain_tables()[0].deck[players, age - 1] if copy >= 0]
    for copy in deck[::3]:
        _, packs = play_logged(players, 4, 0, 0, "option", out=(copy,))
        changed = [key for key in whole if whole[key] != packs[key]]
        dealt = [key for key in whole if copy in whole[key]]
        assert changed == dealt  # so nothing at all if it was left over
        for key in changed:
            assert key[0] == age and whole[key] - packs[key] == {copy} and len(packs[key] - whole[key]) == 1


def test_the_same_seed_gives_the_same_bytes():
    """Alone, in a batch, and step by step."""
    batch, _ = play_batch(12, 3, 5, ("kind",), make_ruleset(), 0)
    again, _ = play_batch(12, 3, 5, ("kind",), make_ruleset(), 0)
    assert batch.tobytes() == again.tobytes()
    for deal in (0, 7, 11):
        game = new_game(3, 5, deal)
        walk(game, "kind", -1)
        assert game.games.tobytes() == batch[deal : deal + 1].tobytes()
        game = new_game(3, 5, deal)
        while not game.over:
            walk(game, "kind", 1)
        assert game.games.tobytes() == batch[deal : deal + 1].tobytes()


def test_a_copy_goes_on_as_the_game_does():
    game = new_game(4, 6, 0)
    for _ in range(100):
        twin, start = game.copy(), game.games.tobytes()
        walk(twin, "option", 5)
        assert game.games.tobytes() == start and twin.games.tobytes() != start
        assert twin.n == 0 or twin.legal().tolist() != [] or twin.over
        walk(game, "option", 5)
        assert game.games.tobytes() == twin.games.tobytes() and game.n == twin.n
        if game.over:
            game = new_game(4, 6, 1)


def test_reseeding_changes_the_packs_of_later_ages_only():
    game, same = Game.new(4, 1), Game.new(4, 1)
    start = game.record.secret.pack.tobytes()
    game.reseed(99)
    assert game.record.secret.pack.tobytes() == start
    packs = []
    for one in (game, same):
        packs.append([])
        for age in (2, 3):
            while one.record.clock.age < age:
                one.apply(0)
            packs[-1].append(one.record.secret.pack.tobytes())
    assert packs[0][0] != packs[1][0] and packs[0][1] != packs[1][1]
    assert (game.record.board.token == same.record.board.token).all() and (game.record.doom == same.record.doom).all()


@pytest.mark.parametrize("players", PLAYERS)
def test_action_codes_differ_within_a_question(players):
    """500 random decisions for each number of players, 2,000 in all."""
    asked = 0
    for deal in range(20):
        game = new_game(players, 15, deal)
        while not game.over and asked < 500:
            codes = [int(action_code(option)) for option in game.legal()]
            assert len(set(codes)) == len(codes) == game.n
            assert min(codes) >= 0 and max(codes) < N_ACTION_CODES
            asked += 1
            walk(game, "kind" if deal % 2 else "option", 1)
    assert asked == 500
