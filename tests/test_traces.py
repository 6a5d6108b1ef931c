"""Recorded games of an independent implementation: every question, legal list, digest and score."""

from __future__ import annotations

from pathlib import Path

import pytest
from replay_traces import replay_file

TRACES = Path(__file__).parent / "traces"


@pytest.mark.parametrize(("name", "games"), [("traces.jsonl.gz", 80), ("rare.jsonl.gz", 26)])
def test_recorded_games_agree(name: str, games: int, tmp_path: Path) -> None:
    played, agreed, _ = replay_file(TRACES / name, tmp_path)
    assert (played, agreed) == (games, games)
