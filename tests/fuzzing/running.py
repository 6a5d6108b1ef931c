"""Trying inputs: each is refused in our own words or works; nothing else, and in time."""

from __future__ import annotations

import faulthandler
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from bloodrage_sim.errors import BloodRageError
from bloodrage_sim.rows.results import prepare_batch

from .files import Board, Cards, Experiments, Fields, ParamSets, Rules, Scenarios
from .folders import Folders
from .words import Answers, CommandLines, StrategyTexts

# kinds of inputs, and their shares in a hundred
KINDS: dict[str, tuple[Any, int]] = {
    "scenario": (Scenarios(), 36), "rules": (Rules(), 8), "cards": (Cards(), 8), "board": (Board(), 8), "experiment": (Experiments(), 8),
    "params": (ParamSets(), 4), "field": (Fields(), 4), "strategy": (StrategyTexts(), 14), "command": (CommandLines(), 4),
    "answer": (Answers(), 4), "folder": (Folders(), 2),
}  # fmt: skip
SECONDS = 30  # for one input; more is a hang
_SHOWN = 400


class Hang(Exception):
    """An input took too long."""


@dataclass
class Tally:
    """What came out.

    Attributes
    ----------
    tried, refused : inputs by kind
    seconds : time by kind
    faults : kind, seed, and what happened
    """

    tried: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """A line for each kind."""
        return [
            f"{kind:10} {self.tried[kind]:7,} inputs, {self.refused[kind]:7,} refused, {self.seconds[kind]:7.1f} s" for kind in sorted(self.tried)
        ]


@contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Raise Hang after so many seconds; where Python is not asked any more, end the process with a traceback."""

    def ring(_signal: int, _frame: Any) -> None:
        raise Hang(f"not done after {seconds} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    faulthandler.dump_traceback_later(3 * seconds, exit=True, file=sys.__stderr__)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def try_input(kind: str, seed: int, folder: Path, tally: Tally) -> None:
    """Make and try one input."""
    maker = KINDS[kind][0]
    place = folder / kind
    place.mkdir(exist_ok=True)
    made = maker.make(Random(f"{kind} {seed}"))
    (folder / "last.txt").write_text(f"{kind} {seed}")  # to be found when the process dies of it
    tally.tried[kind] += 1
    began = time.perf_counter()
    try:
        with limited(SECONDS):
            maker.check(made, place)
    except BloodRageError as error:
        tally.refused[kind] += 1
        assert str(error).strip(), f"{kind} {seed}: an error without words"
    except BaseException as error:  # noqa: BLE001  whatever it is, it is a fault
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        where = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace is not None else ""
        tally.faults.append(f"{kind} {seed}: {type(error).__name__}: {str(error)[:_SHOWN]!r} at {where}; input {made!r:.{_SHOWN}}")
    finally:
        tally.seconds[kind] += time.perf_counter() - began
        for new in ("new", "merged"):
            shutil.rmtree(place / new, ignore_errors=True)


def fuzz(inputs: int, first: int, folder: Path) -> Tally:
    """Try so many inputs, with seeds from `first` on."""
    prepare_batch()
    tally, kinds = Tally(), list(KINDS)
    weights = [KINDS[kind][1] for kind in kinds]
    for seed in range(first, first + inputs):
        kind = Random(f"kind {seed}").choices(kinds, weights)[0]
        try_input(kind, seed, folder, tally)
    return tally
