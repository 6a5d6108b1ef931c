"""The core without the compiler, and with bounds checks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent

GAMES = """
import random
from bloodrage_sim.game import Game
for players in (2, 3, 4, 5):
    for deal in range(2):
        game, choice = Game.new(players, 21, deal), random.Random(deal)
        while not game.over:
            game.apply(choice.randrange(game.n))
        print(players, deal, int(game.record.decisions), [int(clan.glory) for clan in game.record.clans[:players]])
"""
SCENARIOS = """
from pathlib import Path
from bloodrage_sim.scenario import run_scenario
for path in sorted(Path({folder!r}).glob("*.toml"))[::25]:
    print(path.name, run_scenario(path).differences)
"""
CHECKED = """
import sys
sys.path.insert(0, {tests!r})
from random_games import play_batch
from bloodrage_sim.rules.engine import CHECK_INVARIANTS
from bloodrage_sim.ruleset import make_ruleset
for players in (2, 3, 4, 5):
    for way in ("option", "kind"):
        games, _ = play_batch(50, players, 5, (way,), make_ruleset(), CHECK_INVARIANTS)
        print(players, way, int(games.decisions.sum()))
"""


def run(code: str, **environment: str) -> str:
    """Output of a Python process with more environment variables."""
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_games_and_scenarios_are_the_same_without_the_compiler() -> None:
    code = GAMES + SCENARIOS.format(folder=str(TESTS / "scenarios"))
    plain = run(code, NUMBA_DISABLE_JIT="1")
    assert plain == run(code)
    assert plain.count("\n") > 20 and plain.count(".toml []") == plain.count(".toml")


def test_games_run_within_bounds(tmp_path: Path) -> None:
    code = CHECKED.format(tests=str(TESTS))
    checked = run(code, NUMBA_BOUNDSCHECK="1", BLOODRAGE_CACHE=str(tmp_path))
    assert checked == run(code) and checked.count("\n") == 8
