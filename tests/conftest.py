"""Paths, and the compiled core for every test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent
sys.path[:0] = [str(TESTS), str(ROOT / "scripts")]

from bloodrage_sim.play import prepare  # noqa: E402


def pytest_configure(config: pytest.Config) -> None:
    """pytest takes down the warning filters of the package (rules/jit.py) for each test; put the one needed back."""
    config.addinivalue_line("filterwarnings", "ignore::numba.NumbaExperimentalFeatureWarning")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile before the workers start, so that they find all in the cache and do not compile the same side by side."""
    if not hasattr(session.config, "workerinput"):
        subprocess.run([sys.executable, "-c", "from bloodrage_sim.cli import main; main()", "warmup"], check=True)


@pytest.fixture(scope="session", autouse=True)
def core() -> None:
    """The core, compiled once for all tests."""
    prepare()


@pytest.fixture
def say(capsys):
    """Print past pytest's capture: tables of counts are worth reading; with `-n 0`, since workers have no terminal."""

    def printed(text: str) -> None:
        with capsys.disabled():
            print(text)

    return printed
