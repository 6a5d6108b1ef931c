"""Games of the strategy `random` for tests: whole batches, and single games walked decision by decision."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from bloodrage_sim.cast import cast_of
from bloodrage_sim.game import Game
from bloodrage_sim.play import DONE, NEEDS_ANSWER, STOPPED, play_games, set_up_games
from bloodrage_sim.plugins.loading import load_strategy
from bloodrage_sim.rules.engine import PAUSE_AFTER_STEPS
from bloodrage_sim.rules.invariants import INVARIANTS
from bloodrage_sim.rules.state import new_games, new_log, new_options
from bloodrage_sim.rules.tables import N_SEATS
from bloodrage_sim.ruleset import NOT_BUILT, Ruleset, make_ruleset, rule_values
from bloodrage_sim.view import new_views

WAYS = ("option", "kind")


@cache
def line_up(*ways: str) -> tuple[Any, ...]:
    """Arguments of play_games from functions_ to params_: `random` in all slots, one way for all, or one for each slot."""
    return cast_of([load_strategy(f"random:by={ways[slot % len(ways)]}") for slot in range(N_SEATS)]).arguments


def random_ruleset(seed: int, **fixed: str) -> Ruleset:
    """Rule options drawn at random; the variants that are not built stay off, `fixed` ones as given."""
    rng = random.Random(seed)
    options = {name: rng.choice(values) for name, values in rule_values().items() if name not in NOT_BUILT}
    return make_ruleset(options | fixed)


@cache
def plain_tables() -> np.recarray:
    """Tables of the game as it is; building them takes longer than a game."""
    return make_ruleset().tables()


def new_game(players: int, seed: int, deal: int, ruleset: Ruleset | None = None, log_size: int = 0) -> Game:
    """As Game.new, but quicker, and with `rules`: the rule options that were given."""
    tables, games = ruleset.tables() if ruleset else plain_tables(), new_games(1)
    set_up_games(games, tables, players, np.uint64(seed), deal, 1, 0)
    game = Game(games, tables, log_size)
    game.rules = dict(ruleset.options) if ruleset else {}
    game.run()
    return game


def copy_of(game: Game) -> Game:
    """A copy that keeps `rules`."""
    twin = game.copy()
    twin.rules = game.rules
    return twin


def play_batch(n: int, players: int, seed: int, ways: tuple[str, ...], ruleset: Ruleset | None, pause: int, log_size: int = 0):
    """Play `n` games, by the rules as they are if `ruleset` is None, and assert that all end.  Returns games and log."""
    tables, games, log = ruleset.tables() if ruleset else plain_tables(), new_games(n), new_log(log_size)
    set_up_games(games, tables, players, np.uint64(seed), 0, 1, 0)
    found = np.zeros(3, np.int64)
    index = play_games(games, 0, tables, log, new_options(), new_views(1), *line_up(*ways), -1, -1, pause, found)
    where = f"{players} players, seed {seed}, by {ways}, game {index}: status {found[0]}, {INVARIANTS[found[2] % len(INVARIANTS)]}"
    assert found[0] == DONE and index == n, where
    assert games.over.all(), where
    return games, log.event[0, :log_size].view(np.recarray)


def walk(game: Game, way: str, decisions: int, pause: int = 0) -> None:
    """Let `random` take so many decisions (-1: all) in `game`, and stop at the next question or where `pause` says."""
    found = np.zeros(3, np.int64)
    play_games(
        game.games, 0, game.tables, game.log_buffer, game.buffer, new_views(1), *line_up(way), -1, decisions, pause, found
    )  # fmt: skip
    assert found[0] in (DONE, NEEDS_ANSWER, STOPPED), found
    game.stopped = found[0] == STOPPED
    game.n = int(found[1]) if found[0] == NEEDS_ANSWER else 0


def walk_to_checkpoint(game: Game, way: str, phase: int, number: int = 0) -> bool:
    """Let `random` play up to the checkpoint (phase, number); False if the game ends before."""
    while True:
        walk(game, way, -1, PAUSE_AFTER_STEPS)
        if not game.stopped:
            return False
        if checkpoint(game) == (phase, number):
            return True


def checkpoint(game: Game) -> tuple[int, int]:
    """Where a stopped game stands."""
    step = game.record.flow.pending[game.record.flow.depth]
    return int(step.a), int(step.b)


def positions(players: int, way: str, seed: int, stride: int, wanted: tuple[str, ...] = ()) -> Iterator[Game]:
    """Games at real decisions without end: steps of 1 to `stride` decisions; only questions in `wanted` if given.

    Every fourth game has random rule options.  The caller must not change the games, but may change copies.
    """
    rng = random.Random(seed)
    deal = 0
    while True:
        ruleset = random_ruleset(rng.randrange(2**32)) if deal % 4 == 3 else None
        game = new_game(players, seed, deal, ruleset)
        deal += 1
        while not game.over:
            if not wanted or game.question in wanted:
                yield game
                walk(game, way, rng.randint(1, stride))
            else:
                walk(game, way, 1)


def clear_leftovers(view: Any) -> Any:
    """Blank the entries beyond a size, which mean nothing, and return the bytes of the view."""
    view.own.hand[int(view.own.hand_size) :] = 0
    view.own.pack[int(view.own.pack_size) :] = 0
    view.own.quests[int(view.clans[view.seat].quests) :] = 0
    return view.tobytes()
