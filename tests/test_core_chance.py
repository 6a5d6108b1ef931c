"""Chance: what a seed, a deal and a rotation decide, and what they leave alone.  Rules 2, 4.2."""

from __future__ import annotations

import numpy as np
import pytest

from bloodrage_sim.game import Game
from bloodrage_sim.rules.options import N_ACTION_CODES, action_code
from bloodrage_sim.rules.state import ZONE_BOX
from bloodrage_sim.play import set_up_games
from bloodrage_sim.rules.state import new_games
from bloodrage_sim.ruleset import make_ruleset


def packs_of(game: Game) -> list[list[int]]:
    """Copies in the packs, by seat."""
    secret = game.record.secret
    return [list(map(int, secret.pack[seat, : secret.pack_size[seat]])) for seat in range(game.record.clock.players)]


def all_packs(players: int, seed: int, deal: int, rotation: int = 0, choice: int = 0) -> list[list[list[int]]]:
    """The packs of all three ages, as dealt; every question is answered by option `choice` (modulo their number)."""
    game = Game.new(players, seed, deal, rotation)
    packs: list[list[list[int]]] = []
    while not game.over:
        if game.question == "draft" and game.record.clock.age > len(packs):
            packs.append(packs_of(game))
        game.apply(choice % game.n)
    return packs


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_packs_differ_between_seeds_deals_and_ages(players: int) -> None:
    seen = [all_packs(players, seed, deal) for seed, deal in ((1, 0), (2, 0), (1, 1), (2, 1))]
    for age in range(3):
        assert len({str(packs[age]) for packs in seen}) == len(seen)
        for packs in seen:
            assert [len(pack) for pack in packs[age]] == [8] * players
            assert len({copy for pack in packs[age] for copy in pack}) == 8 * players


def test_what_players_do_leaves_all_packs_as_they_were() -> None:
    assert all_packs(4, 7, 3, choice=0) == all_packs(4, 7, 3, choice=5)


def test_rotations_of_a_deal_share_everything_but_the_line_up() -> None:
    first = Game.new(4, 5, 9, 0).record
    for rotation in (1, 2, 3):
        other = Game.new(4, 5, 9, rotation).record
        for part in ("board", "doom"):
            assert getattr(first, part).tobytes() == getattr(other, part).tobytes()
        assert first.secret.pack.tobytes() == other.secret.pack.tobytes()
        assert [int(other.slot[(slot + rotation) % 4]) for slot in range(4)] == [0, 1, 2, 3]


def test_a_copy_taken_out_of_the_deck_changes_at_most_one_place_of_one_pack() -> None:
    tables = make_ruleset().tables()
    changes = 0
    for copy in map(int, tables[0].deck[4, 0, : tables[0].deck_size[4, 0]]):
        games = new_games(1)
        set_up_games(games, tables, 4, np.uint64(3), 0, 4, 0)
        games[0].secret.zone[copy] = ZONE_BOX
        game = Game(games, tables)
        game.run()
        before, after = packs_of(Game.new(4, 3, 0)), packs_of(game)
        differing = [(set(old), set(new)) for old, new in zip(before, after, strict=True) if old != new]
        assert len(differing) <= 1
        for old, new in differing:
            assert old - new == {copy} and len(new - old) == 1
        changes += len(differing)
    assert changes == 32  # every dealt copy of 34, and none of the two left over


def test_a_copy_of_a_game_is_independent() -> None:
    game = Game.new(3, 1)
    before = game.games.tobytes()
    twin = game.copy()
    while not twin.over:
        twin.apply(twin.n - 1)
    assert game.games.tobytes() == before


def test_reseed_changes_only_what_is_still_to_come() -> None:
    game, same = Game.new(4, 1), Game.new(4, 1)
    game.reseed(99)
    assert packs_of(game) == packs_of(same)
    for one in (game, same):
        while one.record.clock.age == 1:
            one.apply(0)
    assert packs_of(game) != packs_of(same)


def test_action_codes_are_bounded_and_differ_within_a_question() -> None:
    questions = 0
    for deal in range(40):
        game = Game.new(2 + deal % 4, 11, deal)
        while not game.over:
            codes = [int(action_code(option)) for option in game.legal()]
            assert len(set(codes)) == len(codes) and 0 <= min(codes) and max(codes) < N_ACTION_CODES
            questions += 1
            game.apply((deal + questions) % game.n)
    assert questions > 2_000
