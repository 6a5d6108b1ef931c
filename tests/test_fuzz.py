"""Inputs spoilt by chance: each is refused in our own words or works, in time and with a status that README has.

2,000 of them here, always the same; 100,000 others with `pytest -m slow`, or as many as BLOODRAGE_FUZZ says, from a seed that is told.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from fuzzing.running import KINDS, Tally, fuzz

INPUTS, MANY = 2_000, 100_000
FIRST_OF_MANY = 1_000_000


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder in memory where there is one: writing to a disk would take most of the time."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as name:
        yield Path(name)


def check(tally: Tally, say) -> None:
    say("\n" + "\n".join(tally.lines()))
    if tally.faults:
        pytest.fail("\n".join([f"{len(tally.faults)} faults", *tally.faults[:10]]), pytrace=False)
    for kind in KINDS:  # neither is all refused, nor all taken
        assert 0 < tally.refused[kind] < tally.tried[kind], kind


def test_spoilt_inputs(folder, say):
    check(fuzz(INPUTS, 0, folder), say)


@pytest.mark.slow
def test_many_spoilt_inputs(folder, say):
    check(fuzz(int(os.environ.get("BLOODRAGE_FUZZ", MANY)), FIRST_OF_MANY, folder), say)
