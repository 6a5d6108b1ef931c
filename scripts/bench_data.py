"""Measurements for bench.py of full data sets, of reports on them and of playing on a cluster."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import click
from bench_runs import config_of, play_and_write, show, usage_of

from bloodrage_sim.batch import run_to_folder
from bloodrage_sim.rows.tables_out import DETAILS, SUMMARY
from bloodrage_sim.running.cluster import DaskEngine
from bloodrage_sim.running.runs import RunConfig

FULL = tuple(table.name for table in (*SUMMARY, *DETAILS))
LINE_UPS = {
    "random": ("random",),
    "greedy": ("greedy",),
    "four balanced": ("balanced",),
    "balanced, loki, battle, quests": ("balanced", "loki", "battle", "quests"),
}
REPORT_GAMES = 1_000_000
DASK_GAMES = 1_000_000
REPEATS = 3


def full(strategies: tuple[str, ...], games: int, **given: object) -> RunConfig:
    """A run with all tables but events, at 4 players."""
    return RunConfig(**{"players": (4,), "games": games, "seed": 1, "strategies": strategies, "tables": FULL, **given})


def data(games: int = 8_000) -> None:
    """What a full data set costs beside playing, how large it is, and how fast a scripted table is with it."""
    click.echo(f"data: full data set without events, 4 players, {games:,} games by one thread, median of {REPEATS} repeats")
    for name, strategies in LINE_UPS.items():
        runs = [play_and_write(full(strategies, games)) for _ in range(REPEATS + 1)][1:]
        more, size = median(seconds / core - 1 for seconds, core, _ in runs), runs[0][2] / games
        rate = games / min(seconds for seconds, _, _ in runs)
        scripted = name not in ("random", "greedy")
        show(f"{name}: size of a game", f"{size:.0f} bytes", "at most 500", size <= 500)
        show(f"{name}: CPU time beyond that of the core in it", f"{more:.1%}", "at most 25 %", more <= 0.25)
        show(f"{name}: games/s of CPU, all included", f"{rate:,.0f}", "2,400" if scripted else "-", not scripted or rate >= 2_400)


def report(games: int = REPORT_GAMES) -> None:
    """CPU time and largest resident size of a report; the games are random, which is fast, and their rows as many."""
    click.echo(f"report: {games:,} games of random at 4 players")
    bloodrage = str(Path(sys.executable).parent / "bloodrage")
    with tempfile.TemporaryDirectory() as folder:
        run_to_folder(full(("random",), games, threads=2), Path(folder) / "run", "bench")
        code = (
            "import resource, sys; from pathlib import Path; from bloodrage_sim.cli import main\n"
            "main(['report', sys.argv[1] + '/run', '--out', sys.argv[1] + '/report'], standalone_mode=False)\n"
            "Path(sys.argv[1], 'rss').write_text(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))"
        )
        usage_of([bloodrage, "report", f"{folder}/run", "--age", "1", "--out", f"{folder}/first"])  # compiles
        cpu, wall = usage_of([sys.executable, "-c", code, folder])
        largest = int(Path(f"{folder}/rss").read_text()) * 1024 / 1e9
        show(f"CPU time of a report (wall {wall:.0f} s)", f"{cpu:.0f} s", "at most 90 s", cpu <= 90)
        show("largest resident size", f"{largest:.2f} GB", "under 4 GB", largest < 4)


def dask(games: int = DASK_GAMES) -> None:
    """Games/s of two worker processes of a cluster against two threads, in turns."""
    click.echo(f"dask: {games:,} games of random at 4 players, two workers, games and players only")
    rates: dict[str, list[float]] = {"threads": [], "dask": []}
    with DaskEngine(workers=2) as engine, tempfile.TemporaryDirectory() as folder:
        for number in range(2):
            for name, crew in (("threads", None), ("dask", engine)):
                config = config_of(games, 2)
                began = time.monotonic()
                run_to_folder(RunConfig(**{**config.__dict__, "engine": crew}), Path(folder) / f"{name}{number}", "bench")
                rates[name].append(games / (time.monotonic() - began))
    less = 1 - max(rates["dask"]) / max(rates["threads"])
    show(f"games/s of threads {max(rates['threads']):,.0f}, of the cluster", f"{max(rates['dask']):,.0f}", "-", True)
    show("less than threads by", f"{less:.1%}", "at most 15 %", less <= 0.15)
