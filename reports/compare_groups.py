"""Which players of two runs are compared with each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..datasets.dataset import strategies_of
from ..errors import BadDataSet
from ..rows.tables_out import PLAYERS

if TYPE_CHECKING:
    from .source import PartRows


@dataclass(frozen=True)
class Groups:
    """Groups of players for one number of players.

    Attributes
    ----------
    names : of the groups: a strategy, or 'a -> b' for slots that have strategy a in the first run, b in the second
    first, second : int64 by slot, group of the slot in each run
    """

    names: tuple[str, ...]
    first: np.ndarray
    second: np.ndarray


def groups_of(first: Mapping[str, Any], second: Mapping[str, Any], players: int) -> Groups:
    """Groups of two runs: by strategy if they have the same ones, by what sits in a slot otherwise.

    Raises BadDataSet if no strategy is in both runs.
    """
    there, here = _line_up(first, players), _line_up(second, players)
    if not set(there) & set(here):
        raise BadDataSet(
            f"the runs have no strategy in common: {', '.join(dict.fromkeys(there))} in the first, "
            f"{', '.join(dict.fromkeys(here))} in the second; compare runs that share one"
        )
    if set(there) == set(here):
        names = tuple(dict.fromkeys(there))
        return Groups(names, _places(there, names), _places(here, names))
    labels = [one if one == other else f"{one} -> {other}" for one, other in zip(there, here, strict=True)]
    names = tuple(dict.fromkeys(labels))
    return Groups(names, _places(labels, names), _places(labels, names))


def regroup(part: PartRows, names: tuple[str, ...], group_of_slot: np.ndarray) -> PartRows:
    """The part with groups in place of strategies; `players` has the column slot."""
    rows = part.rows[PLAYERS.name].copy()
    rows["strategy"] = group_of_slot[rows["slot"]]
    return replace(part, strategies=names, rows={**part.rows, PLAYERS.name: rows})


def _line_up(run: Mapping[str, Any], players: int) -> tuple[str, ...]:
    given = strategies_of(run)
    return given * players if len(given) == 1 else given


def _places(labels: Sequence[str], names: Sequence[str]) -> np.ndarray:
    return np.array([names.index(label) for label in labels], np.int64)
