"""Paths, and the compiled core for every test."""

from __future__ import annotations

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


@pytest.fixture(scope="session", autouse=True)
def core() -> None:
    """The core, compiled once for all tests."""
    prepare()


@pytest.fixture
def say(capsys):
    """Print past pytest's capture: tables of counts are worth reading in every run."""

    def printed(text: str) -> None:
        with capsys.disabled():
            print(text)

    return printed
