"""Two runs side by side: sums over deals of each, in pairs where both played the same deal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ..statistics.comparing import names_of_both
from ..statistics.moments import Moments
from .compare_counts import COLUMNS, FAMILIES, RunCounter

if TYPE_CHECKING:
    from .compare_groups import Groups
    from .source import Source

_GAMES = FAMILIES["games"].index("games")


@dataclass
class TwoRuns:
    """What was counted of two runs with one number of players.

    Attributes
    ----------
    paired : whether deals of both runs are compared with each other
    games : games of each run that are compared
    left_out : games of each run without a partner; 0 unless paired
    both : by family, Moments with names_of_both, if paired
    each : by family, Moments of the first and of the second run
    """

    paired: bool
    games: list[int] = field(default_factory=lambda: [0, 0])
    left_out: list[int] = field(default_factory=lambda: [0, 0])
    deals: list[int] = field(default_factory=lambda: [0, 0])
    both: dict[str, Moments] = field(default_factory=dict)
    each: dict[str, tuple[Moments, Moments]] = field(default_factory=dict)


@dataclass(frozen=True)
class _Chunk:
    """Whole deals of a run, rising: their numbers, and sums by family."""

    deals: np.ndarray
    sums: Mapping[str, np.ndarray]

    def take(self, kept: np.ndarray) -> _Chunk:
        return _Chunk(self.deals[kept], {name: sums[kept] for name, sums in self.sums.items()})


def can_be_paired(first: Source, second: Source) -> bool:
    """Whether deals with the same number are the same deal: equal seed and seating."""
    return all(first.data_set.run[key] == second.data_set.run[key] for key in ("seed", "seats"))


def count_runs(first: Source, second: Source, players: int, groups: Groups) -> TwoRuns:
    """Count both runs."""
    chunks = [
        _chunks(source, players, groups.names, slots) for source, slots in ((first, groups.first), (second, groups.second))
    ]
    found = TwoRuns(can_be_paired(first, second))
    if found.paired:
        for one, other in _in_pairs(*chunks, found):
            _add_pairs(found, one, other)
    else:
        for run, of_run in enumerate(chunks):
            for chunk in of_run:
                _add(found, run, chunk)
    return found


def _chunks(source: Source, players: int, names: tuple[str, ...], group_of_slot: np.ndarray) -> Iterator[_Chunk]:
    """Deals of a run in order; one that two parts share comes whole."""
    counter = RunCounter(source, players, names, group_of_slot)
    held: _Chunk | None = None
    for part in source.parts(COLUMNS):
        if part.players != players:
            continue
        numbers = part.rows["games"]["deal"]
        chunk = _Chunk(numbers[np.flatnonzero(np.diff(part.cluster, prepend=-1))], counter.count(part))
        if held is not None:
            chunk = _joined(held, chunk)
        last = np.arange(len(chunk.deals)) == len(chunk.deals) - 1
        held = chunk.take(last)
        yield chunk.take(~last)
    if held is not None:
        yield held


def _joined(one: _Chunk, other: _Chunk) -> _Chunk:
    """Both chunks, with the sums of equal deals added up."""
    deals = np.concatenate([one.deals, other.deals])
    starts = np.flatnonzero(np.concatenate([[True], deals[1:] != deals[:-1]]))
    sums = {name: np.add.reduceat(np.concatenate([one.sums[name], other.sums[name]]), starts) for name in one.sums}
    return _Chunk(deals[starts], sums)


def _in_pairs(first: Iterator[_Chunk], second: Iterator[_Chunk], found: TwoRuns) -> Iterator[tuple[_Chunk, _Chunk]]:
    """Chunks of the same deals with as many games; what has no partner is counted in `found.left_out`."""
    runs = (first, second)
    waiting: list[_Chunk | None] = [next(first, None), next(second, None)]
    while waiting[0] is not None and waiting[1] is not None:
        one, other = waiting[0], waiting[1]
        end = min(chunk.deals[-1] if len(chunk.deals) else -1 for chunk in (one, other))
        ready = [chunk.take(chunk.deals <= end) for chunk in (one, other)]
        _, *places = np.intersect1d(ready[0].deals, ready[1].deals, assume_unique=True, return_indices=True)
        games = [chunk.sums["games"][at, 0, _GAMES] for chunk, at in zip(ready, places, strict=True)]
        alike = games[0] == games[1]
        pair = [chunk.take(at[alike]) for chunk, at in zip(ready, places, strict=True)]
        for run in range(2):
            found.left_out[run] += _games(ready[run]) - _games(pair[run])
        yield pair[0], pair[1]
        for run, chunk in enumerate((one, other)):
            rest = chunk.take(chunk.deals > end)
            waiting[run] = rest if len(rest.deals) else next(runs[run], None)
    for run, chunk in enumerate(waiting):
        while chunk is not None:
            found.left_out[run] += _games(chunk)
            chunk = next(runs[run], None)


def _games(chunk: _Chunk) -> int:
    return int(chunk.sums["games"][:, 0, _GAMES].sum())


def _add_pairs(found: TwoRuns, one: _Chunk, other: _Chunk) -> None:
    for name, sums in one.sums.items():
        if name not in found.both:
            found.both[name] = Moments.empty(names_of_both(FAMILIES[name]), sums.shape[1:-1])
        found.both[name].add(np.concatenate([sums, other.sums[name]], -1))
    for run, chunk in enumerate((one, other)):
        _add(found, run, chunk)


def _add(found: TwoRuns, run: int, chunk: _Chunk) -> None:
    for name, sums in chunk.sums.items():
        if name not in found.each:
            shape = sums.shape[1:-1]
            found.each[name] = (Moments.empty(FAMILIES[name], shape), Moments.empty(FAMILIES[name], shape))
        found.each[name][run].add(sums)
    found.games[run] += _games(chunk)
    found.deals[run] += len(chunk.deals)
