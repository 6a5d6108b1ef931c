"""Cells of an experiment: a number of players, a base of the focal seat and a pool; each has all arms, on the same blocks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from itertools import permutations
from typing import Any

import numpy as np

from ..errors import BadValue
from ..plugins.loading import read_strategy
from ..provenance import canonical
from ..ruleset import Ruleset, check_decks, tables_hash
from .arms import BuiltArm, build_arms
from .files import Experiment
from .metrics import check_seats


@dataclass(frozen=True)
class Cell:
    """One cell.

    Attributes
    ----------
    number : in the order of the experiment
    players : seats of a table
    strength : base of the focal seat
    pool : name of the pool
    seed : of the games
    arms : by name, those that have a weight in the effect
    """

    number: int
    players: int
    strength: str
    pool: str
    seed: int
    arms: Mapping[str, BuiltArm]

    @cached_property
    def seatings(self) -> np.ndarray:
        """int8 (seatings, players - 1): who sits clockwise from the focal seat, by slot; all are equally likely."""
        arm = next(iter(self.arms.values()))
        fixed, slots = range(1, 1 + arm.fixed), range(1, len(arm.slots))
        orders = [order for order in permutations(slots, self.players - 1) if set(fixed) <= set(order)]
        return np.array(orders, np.int8)

    def seating_of(self, first: int, count: int) -> np.ndarray:
        """int64 (count,): number of the seating of each block; it depends on nothing but seed, players and block."""
        key = canonical(["seating", self.seed, self.players])
        bits = np.frombuffer(hashlib.shake_256(key).digest(8 * (first + count)), "<u8")[first:]
        return (bits % np.uint64(len(self.seatings))).astype(np.int64)

    def describe(self) -> dict[str, Any]:
        """The cell as plain data: all that decides its games."""
        return {
            "players": self.players,
            "strength": self.strength,
            "pool": self.pool,
            "seed": self.seed,
            "arms": {
                name: {
                    "strategies": [_described(text) for text in arm.slots],
                    "fixed": arm.fixed,
                    "tables": tables_hash(arm.tables),
                    "orders": hashlib.sha256(arm.orders.tobytes()).hexdigest()[:16],
                    **({} if arm.result is None else {"battle_result": asdict(arm.result)}),
                    "position": "" if arm.start is None else hashlib.sha256(arm.start.tobytes()).hexdigest()[:16],
                }
                for name, arm in self.arms.items()
            },
        }


def _described(text: str) -> dict[str, str]:
    reading = read_strategy(text)
    return {"text": reading.settings.text, "source_hash": reading.source_hash}


def cells_of(experiment: Experiment, ruleset: Ruleset) -> Iterator[Cell]:
    """All cells of an experiment.  Raises BadValue, UnknownName for arms that cannot be at some table."""
    number = 0
    name_of = cache(lambda text: read_strategy(text).source.name)
    arms = {name: experiment.arms[name] for name in experiment.weights}
    rulesets = {name: arm.rules.over(ruleset) for name, arm in arms.items()}
    pools = experiment.pools
    if all(arm.line_up.others for arm in arms.values()):
        pools = {"own": next(iter(arms.values())).line_up.others}
    bases = experiment.strengths
    if all(arm.line_up.focal for arm in arms.values()):
        bases = bases[:1]  # no arm has the base, so others would change nothing
    for players in experiment.players:
        for strength in bases:
            for pool, members in pools.items():
                where = f"{experiment.id}, {players} players, pool {pool}"
                try:
                    built = build_arms(arms, strength, members, players, rulesets, name_of)
                except BadValue as error:
                    raise BadValue(f"{where}: {error}") from None
                for arm in built.values():
                    check_decks(arm.ruleset, players)
                    for metric in experiment.recorded:
                        check_seats(metric, [name_of(text) for text in arm.slots[1:]], players, where)
                yield Cell(number, players, strength, pool, experiment.seed, built)
                number += 1
