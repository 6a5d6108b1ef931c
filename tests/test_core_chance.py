"""Chance: what a seed, a deal and a rotation decide, and what they leave alone.  Rules 2, 4.2."""

from __future__ import annotations

from bloodrage_sim.game import Game


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


def test_a_copy_of_a_game_is_independent() -> None:
    game = Game.new(3, 1)
    before = game.games.tobytes()
    twin = game.copy()
    while not twin.over:
        twin.apply(twin.n - 1)
    assert game.games.tobytes() == before
