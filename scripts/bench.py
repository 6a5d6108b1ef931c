"""Measure the core: games/s, decisions/s and ns per decision of CPU time of one core, by player count.

    python scripts/bench.py [--strategy NAME] [--games N]

Times are CPU times of the thread; a busy machine makes them worse, so the best of several rounds is shown.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from bloodrage_sim.cast import cast_of
from bloodrage_sim.play import play_games, prepare, set_up_games
from bloodrage_sim.plugins import load_strategy
from bloodrage_sim.rules.state import new_games, new_log, new_options
from bloodrage_sim.rules.tables import N_SEATS
from bloodrage_sim.ruleset import make_ruleset
from bloodrage_sim.view import new_views

ROUNDS = 8


class Bench:
    """One strategy in all seats."""

    def __init__(self, strategy: str) -> None:
        loaded = load_strategy(strategy)
        if not loaded.compiled:
            raise SystemExit(f"strategy {strategy} is not compiled; the bench measures compiled ones")
        self.tables = make_ruleset().tables()
        self.cast = cast_of([loaded] * N_SEATS)
        self.scratch = new_log(0), new_options(), new_views(1)
        self.found = np.zeros(3, np.int64)

    def set_up(self, players: int, games: int, first: int) -> np.recarray:
        array = new_games(games)
        set_up_games(array, self.tables, players, np.uint64(1), first, players, 0)
        return array

    def play(self, games: np.recarray) -> float:
        """CPU seconds to play the games to the end."""
        log, options, views = self.scratch
        began = time.thread_time()
        play_games(
            games, 0, self.tables, log, options, views, *self.cast.arguments, -1, -1, 0, self.found,
        )  # fmt: skip
        return time.thread_time() - began

    def whole_games(self, players: int, games: int) -> tuple[float, float]:
        """Best games/s and decisions/s over the rounds."""
        best = (0.0, 0.0)
        for number in range(ROUNDS):
            array = self.set_up(players, games, number * games)
            seconds = self.play(array)
            best = max(best, (games / seconds, float(array.decisions.sum()) / seconds))
        return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strategy", action="append", help="strategy to measure; may be repeated")
    parser.add_argument("--games", type=int, default=1000, help="games in a round")
    arguments = parser.parse_args()
    prepare()
    for strategy in arguments.strategy or ["random", "greedy"]:
        bench = Bench(strategy)
        print(f"{strategy}, best of {ROUNDS} rounds of {arguments.games} games, CPU time of one core")
        for players in (2, 3, 4, 5):
            games, decisions = bench.whole_games(players, arguments.games)
            print(f"  {players} players {games:10,.0f} games/s {decisions:12,.0f} decisions/s {1e9 / decisions:8,.0f} ns/decision")


if __name__ == "__main__":
    main()
