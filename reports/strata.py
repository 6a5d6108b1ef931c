"""By what players are told apart in a table: all together, then each strategy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .source import PartRows, Source
from .tallies import ALL


@dataclass(frozen=True)
class Strata:
    """Groups of players.

    Attributes
    ----------
    names : ALL, then the strategies; ALL alone if there is just one strategy
    codes : of the strategies in the data set, in the same order; () for ALL alone
    """

    names: tuple[str, ...]
    codes: tuple[int, ...]

    @property
    def strategies(self) -> tuple[str, ...]:
        """The names without ALL, unless it stands for the one strategy there is."""
        return self.names[1:] or self.names

    @classmethod
    def of(cls, source: Source) -> Strata:
        """Those of a report."""
        return cls.from_strategies(source.strategies, source.filters.strategies)

    @classmethod
    def from_strategies(cls, strategies: Sequence[str], chosen: Sequence[str] = ()) -> Strata:
        """All `strategies` of a data set, or the `chosen` ones."""
        told = [name for name in strategies if not chosen or name in chosen]
        if len(told) == 1:
            return cls((ALL,), ())
        return cls((ALL, *told), tuple(strategies.index(name) for name in told))

    def of_players(self, part: PartRows) -> np.ndarray:
        """int64 by row of `players`: place of the strategy in `names`, 0 if there is ALL alone, -1 for filtered out."""
        place = np.full(len(part.strategies), -1 if self.codes else 0)
        for at, code in enumerate(self.codes, 1):
            place[code] = at
        return np.where(part.chosen, place[part.rows["players"]["strategy"]], -1)


def add_up_all(sums: np.ndarray) -> None:
    """Fill stratum 0, ALL, with what is in the others.

    sums : (clusters, strata, ...), changed in place unless ALL is alone
    """
    if sums.shape[1] > 1:
        sums[:, 1:].sum(1, out=sums[:, 0])
