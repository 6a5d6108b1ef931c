"""Measurements of whole runs for bench.py: threads, memory, writing, start.

A wall time of a busy machine says little, so times are CPU times, or ratios of runs that took turns or ran at the same
moment.  What must not see memory or caches of other measurements runs in a process of its own: `python bench_runs.py
games|memory|soak ...`.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch

import click

from bloodrage_sim.batch import Silent, prepare_for, run_to_folder
from bloodrage_sim.datasets.dataset import PlayedPart
from bloodrage_sim.running import recorder, workers
from bloodrage_sim.running.runs import PART_GAMES, Kit, RunConfig, load_kit
from bloodrage_sim.running.units import Segment
from bloodrage_sim.running.workers import play_segments

REPEATS = 5
MEMORY_GAMES = 1_000_000
SOAK_GAMES = 10_000_000
SETTLED_SECONDS = 60  # of a soak, after which its memory should stay as it is
UNIT_GAMES = 100
_MB = 1e6


def show(what: str, measured: str, asked: str, met: bool) -> None:
    """One line: what was measured, what was asked."""
    click.echo(f"  {what:58} {measured:>12}   asked {asked:14} {'ok' if met else 'MISSED'}")


# ---------------------------------------------------------------- runs


class NoSink:
    """Forgets the games."""

    def write(self, part: PlayedPart) -> None:
        """Forget the part."""


class TimeIsUp(Exception):
    """Ends a run that is counted by time."""


def config_of(games: int, threads: int, players: int = 4, unit_games: int = 0) -> RunConfig:
    """A run of `random`; games of a fixed unit where runs with different threads are compared."""
    return RunConfig((players,), games, 1, ("random",), threads=threads, unit_games=unit_games)


def ready_kit(config: RunConfig) -> Kit:
    """The run, with all compiled or loaded, so that none of it counts as playing."""
    prepare_for(config.strategies, Silent())
    kit = load_kit(config)
    kit.prepare()
    return kit


def play_and_forget(config: RunConfig) -> float:
    """CPU seconds of all threads to play a run with all that belongs to it but files."""
    kit = ready_kit(config)
    began = time.process_time()
    play_segments(kit, [Segment(config.players[0], 0, config.games)], NoSink(), lambda games: None)
    return time.process_time() - began


def timed(function: Callable[..., Any], spent: list[float]) -> Callable[..., Any]:
    """`function`, which adds its CPU seconds to spent[0]."""

    def call(*arguments: Any) -> Any:
        began = time.thread_time()
        try:
            return function(*arguments)
        finally:
            spent[0] += time.thread_time() - began

    return call


def play_and_write(config: RunConfig) -> tuple[float, float, int]:
    """CPU seconds to play a run into a data set, those of them in the core (setting up and playing), bytes of its tables.

    Both times are of the same run, because two runs on a busy machine differ by more than what is measured.
    """
    ready_kit(config)
    spent = [0.0]
    playing = patch.object(workers, "play_games", timed(workers.play_games, spent))
    setting_up = patch.object(recorder, "set_up_run", timed(recorder.set_up_run, spent))
    with tempfile.TemporaryDirectory() as folder, playing, setting_up:
        began = time.process_time()
        run_to_folder(config, Path(folder) / "out", "bench")
        seconds = time.process_time() - began
        return seconds, spent[0], sum(file.stat().st_size for file in Path(folder).rglob("*.parquet"))


def count_games(threads: int, seconds: float) -> int:
    """Games that `threads` threads finish in so many seconds.

    Says "ready" when all is loaded, and begins at the time.time() that it then reads.
    """
    config = config_of(10**7, threads)
    kit, done = ready_kit(config), 0
    segments = [Segment(4, first, first + PART_GAMES) for first in range(0, config.games, PART_GAMES)]
    click.echo("ready")
    start = float(sys.stdin.readline())
    time.sleep(max(0.0, start - time.time()))

    def tick(games: int) -> None:
        nonlocal done
        done = games
        if time.time() > start + seconds:
            raise TimeIsUp

    try:
        play_segments(kit, segments, NoSink(), tick)
    except TimeIsUp:
        pass
    return done


def resident() -> int:
    """Resident bytes of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


class MemoryWatcher(Silent):
    """Notes the largest resident size up to a number of games, and over all."""

    def __init__(self, early: int) -> None:
        self.early = early
        self.peak = [0, 0]

    def games(self, done: int, total: int) -> None:
        size = resident()
        self.peak[1] = max(self.peak[1], size)
        if done <= self.early:
            self.peak[0] = self.peak[1]


class SoakWatcher(Silent):
    """Notes the resident size when the second minute begins, and the largest from then on."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self.settled = self.largest = 0

    def games(self, done: int, total: int) -> None:
        if time.monotonic() - self._began >= SETTLED_SECONDS:
            self.settled = self.settled or resident()
            self.largest = max(self.largest, resident())


def itself(*arguments: object) -> list[str]:
    """The command line of a measurement in a process of its own."""
    return [sys.executable, __file__, *map(str, arguments)]


def usage_of(command: list[str], cache: str | None = None) -> tuple[float, float]:
    """CPU and wall seconds of a command; `cache`: folder for compiled kernels.  Raises CalledProcessError."""
    environment = dict(os.environ) if cache is None else os.environ | {"BLOODRAGE_CACHE": cache}
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, check=True, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, time.monotonic() - began


# ---------------------------------------------------------------- parts of the bench


def threads(games: int = 4_000, seconds: float = 10.0) -> None:
    """Two threads against one, and against two processes at the same moment."""
    click.echo(f"threads: random, 4 players, median of {REPEATS} repeats")
    ratios = []
    for _ in range(REPEATS):
        one = play_and_forget(config_of(games, 1, unit_games=UNIT_GAMES))
        ratios.append(play_and_forget(config_of(games, 2, unit_games=UNIT_GAMES)) / one)
    ratio = median(ratios)
    show(f"CPU time of 2 threads / 1 thread, the same {games:,} games", f"{ratio:.3f}", "at most 1.1", ratio <= 1.1)
    shares = []
    for _ in range(REPEATS):
        runs = [
            subprocess.Popen(itself("games", n, seconds), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for n in (2, 1, 1)
        ]
        for run in runs:
            assert run.stdout is not None and run.stdout.readline() == "ready\n"
        start = time.time() + 0.5
        for run in runs:
            assert run.stdin is not None
            run.stdin.write(f"{start}\n")
            run.stdin.flush()
        together, *apart = (int(run.communicate()[0]) for run in runs)
        shares.append(together / sum(apart))
    share = median(shares)
    show(
        f"games of 2 threads / of 2 processes at once, in {seconds:.0f} s",
        f"{share:.3f}",
        "at least 0.95",
        share >= 0.95,
    )


def memory(games: int = MEMORY_GAMES, players: int = 2) -> None:
    """Growth of the resident size in a long run."""
    early = games // 10
    click.echo(f"memory: random, {players} players, written to a data set by 2 threads, one run of {games:,} games")
    output = subprocess.run(itself("memory", games, players), check=True, capture_output=True, text=True).stdout
    first, last = map(int, output.split())
    grown = (last - first) / _MB
    show(f"largest resident size up to {early:,} games", f"{first / _MB:.1f} MB", "-", True)
    show(f"grown from there to {games:,} games", f"{grown:.1f} MB", "at most 20 MB", grown <= 20)


def soak(games: int = SOAK_GAMES, players: int = 4) -> None:
    """Growth of the resident size in a very long run after its first minute."""
    click.echo(f"soak: random, {players} players, written to a data set by 2 threads, one run of {games:,} games")
    output = subprocess.run(itself("soak", games, players), check=True, capture_output=True, text=True).stdout
    settled, largest, rows = map(int, output.split())
    grown = (largest - settled) / _MB
    show("games in the data set, each once", f"{rows:,}", f"{games:,}", rows == games)
    show("resident size when the second minute began", f"{settled / _MB:.1f} MB", "-", True)
    show("largest from there on, above that", f"{grown:.1f} MB", "at most 50 MB", settled > 0 and grown <= 50)


def writing(games: int = 20_000) -> None:
    """What rows, hashes, workers and files cost beside playing, and how large the files are."""
    click.echo(f"writing: random, 4 players, {games:,} games by one thread, median of {REPEATS} repeats")
    runs = [play_and_write(config_of(games, 1)) for _ in range(REPEATS + 1)][1:]  # the first loads pyarrow
    more = median(seconds / core - 1 for seconds, core, _ in runs)
    scaled = runs[0][2] * 1e6 / games / _MB
    show("CPU time of simulate beyond that of the core in it", f"{more:.1%}", "at most 25 %", more <= 0.25)
    show("tables games and players of 1,000,000 games", f"{scaled:.1f} MB", "at most 150 MB", scaled <= 150)


def start() -> None:
    """How long a command takes to begin."""
    click.echo("start: CPU time of a command and its wall time on this machine; best of 5 but for compiling")
    bloodrage = [str(Path(sys.executable).parent / "bloodrage")]
    with tempfile.TemporaryDirectory() as folder:
        simulate = [*bloodrage, "simulate", "--players", "4", "--seed", "1", "--games"]
        cold, wall = usage_of([*simulate, "4", "--out", f"{folder}/cold"], cache=f"{folder}/cache")
        show(f"first simulate, compiles all (wall {wall:.1f} s)", f"{cold:.1f} s", "at most 90 s", cold <= 90)
        warm = [
            usage_of([*simulate, "1000", "--out", f"{folder}/warm{number}"], f"{folder}/cache")
            for number in range(REPEATS)
        ]
        cpu, wall = min(warm)
        show(f"simulate of 1,000 games, compiled (wall {wall:.2f} s)", f"{cpu:.2f} s", "at most 3 s", cpu <= 3)
        cpu, wall = min(usage_of([*bloodrage, "--help"]) for _ in range(REPEATS))
        show(f"--help (wall {wall:.2f} s)", f"{cpu:.2f} s", "at most 0.5 s", cpu <= 0.5)


# ---------------------------------------------------------------- measurements in a process of their own


@click.group()
def main() -> None:
    """Measurements that bench.py starts."""


@main.command("games")
@click.argument("threads", type=int)
@click.argument("seconds", type=float)
def games_command(threads: int, seconds: float) -> None:
    """Print how many games are finished in so many seconds, see count_games."""
    click.echo(count_games(threads, seconds))


@main.command("soak")
@click.argument("games", type=int)
@click.argument("players", type=int)
def soak_command(games: int, players: int) -> None:
    """Print the resident size after the first minute, the largest later, and how many different games were written."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    watcher = SoakWatcher()
    with tempfile.TemporaryDirectory() as folder:
        run_to_folder(config_of(games, 2, players), Path(folder) / "out", "bench", watcher)
        numbers = pq.read_table(Path(folder) / "out" / "games", columns=["game"])["game"]
        click.echo(f"{watcher.settled} {watcher.largest} {pc.count_distinct(numbers).as_py()}")


@main.command("memory")
@click.argument("games", type=int)
@click.argument("players", type=int)
def memory_command(games: int, players: int) -> None:
    """Print the largest resident size up to a tenth of the games, and in all."""
    watcher = MemoryWatcher(games // 10)
    with tempfile.TemporaryDirectory() as folder:
        run_to_folder(config_of(games, 2, players), Path(folder) / "out", "bench", watcher)
    click.echo(f"{watcher.peak[0]} {watcher.peak[1]}")


if __name__ == "__main__":
    main()
