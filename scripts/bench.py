"""Measure what is asked of speed and size, and print both.

    python scripts/bench.py [PART]...     all parts but soak without arguments

Parts: speed, phases, threads, memory, soak, writing, start, data, report, dask, paired.

Speed is CPU time of the thread that plays; a busy machine makes that worse, so the best of several rounds is shown.
Everything that concerns whole runs is in bench_runs.py, full data sets, reports and clusters in bench_data.py, what the
same deals in both arms of an experiment gain in bench_pairs.py.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import bench_data
import bench_pairs
import bench_runs
import click
import numpy as np

from bloodrage_sim.cast import cast_of
from bloodrage_sim.play import STOPPED, play_games, prepare, set_up_games
from bloodrage_sim.plugins.loading import load_strategy
from bloodrage_sim.rules.engine import PAUSE_AFTER_STEPS
from bloodrage_sim.rules.ids import PHASE_ACTION, PHASE_DRAFT, PHASE_END, PHASE_NAMES
from bloodrage_sim.rules.state import GAME, new_games, new_log, new_options
from bloodrage_sim.rules.tables import N_SEATS
from bloodrage_sim.ruleset import make_ruleset
from bloodrage_sim.view import new_views

ROUNDS = 8
PHASE_ROUNDS = 8
PHASE_GAMES = 100  # different ones, each played several times; stopping at all phases in Python is slow
PLAYERS = (2, 3, 4, 5)
_TURN_OVER = 1  # number of the checkpoint after a turn; 0 is the one before the first turn


class Bench:
    """One strategy in all seats."""

    def __init__(self, strategy: str) -> None:
        loaded = load_strategy(strategy)
        if not loaded.compiled:
            raise click.ClickException(f"strategy {strategy} is not compiled; the bench measures compiled ones")
        self.tables = make_ruleset().tables()
        self.cast = cast_of([loaded] * N_SEATS)
        self.scratch = new_log(0), new_options(), new_views(1)
        self.found = np.zeros(3, np.int64)

    def set_up(self, players: int, games: int, first: int) -> np.recarray:
        """Games number first, first + 1, ... before their first step."""
        array = new_games(games)
        set_up_games(array, self.tables, players, np.uint64(1), first, players, 0)
        return array

    def run(self, games: np.recarray, pause: int = 0) -> None:
        """Play the games to the end, or the first of them to its next checkpoint."""
        log, options, views = self.scratch
        play_games(
            games, 0, self.tables, log, options, views, *self.cast.arguments, -1, -1,
            pause, self.found,
        )  # fmt: skip

    def play(self, games: np.recarray) -> float:
        """CPU seconds to play the games to the end."""
        began = time.thread_time()
        self.run(games)
        return time.thread_time() - began

    def whole_games(self, players: int, games: int) -> tuple[float, float]:
        """Best games/s and decisions/s over the rounds."""
        best = (0.0, 0.0)
        for number in range(ROUNDS):
            array = self.set_up(players, games, number * games)
            seconds = self.play(array)
            best = max(best, (games / seconds, float(array.decisions.sum()) / seconds))
        return best

    def phase_ends(self, game: np.recarray) -> Iterator[int]:
        """Play the array of one game from the end of one phase to the end of the next; gives the PHASE_* that ended."""
        self.run(game, PAUSE_AFTER_STEPS)
        while self.found[0] == STOPPED:
            step = game[0].flow.pending[game[0].flow.depth]
            if step.a != PHASE_ACTION:
                yield int(step.a)
            elif step.b != _TURN_OVER:
                yield PHASE_ACTION if step.b else PHASE_DRAFT
            self.run(game, PAUSE_AFTER_STEPS)

    def snapshots(self, players: int, games: int) -> list[tuple[int, np.recarray]]:
        """All games at the end of every phase of every age: the PHASE_* that ended, and the games."""
        ends: list[tuple[int, np.recarray]] = []
        start = self.set_up(players, games, 0)
        for index in range(games):
            for nth, phase in enumerate(self.phase_ends(start[index : index + 1])):
                if nth == len(ends):
                    ends.append((phase, new_games(games)))
                ends[nth][1][index] = start[index]
        return ends

    def phases(self, players: int, games: int) -> list[tuple[str, float, float]]:
        """Name, CPU seconds and decisions of each phase, the three ages together, in PHASE_GAMES games or fewer.

        The time of a phase is a difference: of playing the games to the end from where it begins, and of playing them to
        the end from where it ends, both without a pause.  Each is the best of the rounds; what is left of noise makes a
        short phase look cheaper or dearer than it is, even negative.
        """
        ends = self.snapshots(players, min(games, PHASE_GAMES))
        starts = [self.set_up(players, min(games, PHASE_GAMES), 0), *(array for _, array in ends)]
        times = max(1, games // PHASE_GAMES)
        rounds = [[self.play(repeated(array, times)) / times for array in starts] for _ in range(PHASE_ROUNDS)]
        to_end = [min(round_[nth] for round_ in rounds) for nth in range(len(starts))]
        seconds, decisions = np.zeros(len(PHASE_NAMES)), np.zeros(len(PHASE_NAMES))
        for nth, (phase, array) in enumerate(ends):
            seconds[phase] += to_end[nth] - to_end[nth + 1]
            decisions[phase] += float(array.decisions.sum()) - float(starts[nth].decisions.sum())
        seconds[PHASE_END] = to_end[-1]
        return list(zip(PHASE_NAMES, seconds.tolist(), decisions.tolist(), strict=True))


def repeated(games: np.recarray, times: int) -> np.recarray:
    """The games so many times over, copied to the byte."""
    return np.frombuffer(bytearray(games.tobytes() * times), GAME).view(np.recarray)


def speed(strategies: tuple[str, ...], games: int) -> None:
    """Games/s, decisions/s and ns per decision of one core, by number of players."""
    for strategy in strategies:
        bench = Bench(strategy)
        click.echo(f"speed of {strategy}: best of {ROUNDS} rounds of {games} games, CPU time of one core")
        for players in PLAYERS:
            rate, decisions = bench.whole_games(players, games)
            click.echo(
                f"  {players} players {rate:10,.0f} games/s {decisions:12,.0f} decisions/s {1e9 / decisions:8,.0f} ns/decision"
            )


def phases(strategies: tuple[str, ...], games: int) -> None:
    """Where the time of a game goes."""
    for strategy in strategies:
        bench = Bench(strategy)
        for players in PLAYERS:
            rows = bench.phases(players, games)
            total, played = sum(seconds for _, seconds, _ in rows), min(games, PHASE_GAMES)
            click.echo(f"phases of {strategy}, {players} players: best of {PHASE_ROUNDS} rounds of {games} games")
            for name, seconds, decisions in rows:
                each = f"{1e9 * seconds / decisions:8,.0f} ns/decision" if decisions >= played else ""
                share, count = seconds / total, decisions / played
                click.echo(
                    f"  {name:9}{1e6 * seconds / played:9.1f} us/game{share:8.1%}{count:8.1f} decisions/game {each}"
                )


PARTS: dict[str, Callable[[tuple[str, ...], int], None]] = {
    "speed": speed,
    "phases": phases,
    "threads": lambda strategies, games: bench_runs.threads(),
    "memory": lambda strategies, games: bench_runs.memory(),
    "soak": lambda strategies, games: bench_runs.soak(),
    "writing": lambda strategies, games: bench_runs.writing(),
    "start": lambda strategies, games: bench_runs.start(),
    "data": lambda strategies, games: bench_data.data(),
    "report": lambda strategies, games: bench_data.report(),
    "dask": lambda strategies, games: bench_data.dask(),
    "paired": lambda strategies, games: bench_pairs.paired(),
}


@click.command(help=__doc__.replace("\n    python", "\n\n\b\n    python", 1))
@click.argument("parts", nargs=-1, type=click.Choice(list(PARTS)), metavar="[PART]...")
@click.option("--strategy", "strategies", multiple=True, default=("random", "greedy"), help="For speed and phases.")
@click.option("--games", default=1000, show_default=True, help="Games of a round, for speed and phases.")
def main(parts: tuple[str, ...], strategies: tuple[str, ...], games: int) -> None:
    prepare()
    for part in parts or [name for name in PARTS if name != "soak"]:
        PARTS[part](strategies, games)


if __name__ == "__main__":
    main()
