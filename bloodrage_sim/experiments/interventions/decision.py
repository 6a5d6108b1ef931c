"""Which decisions an order is about: keys of a TOML table.

`question` (draft, turn, join, card, raise, ...), `age`, `pick` (of a draft), `to` (whose: focal, left, right, others, all or the name of a
strategy; focal if left out), `limit` (how many such decisions; 0: all) and bounds [least, most] of what the seat has then: turn (of this
age, from 1), rage, hand, battle_cards (in hand), rage_lead and glory_lead (over the best other), strength_lead (own STR less the most of
another in the battle), pillager (1 if it called this battle), free_villages (on the map), open_provinces (that can be pillaged), on_board and
in_valhalla (own figures).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...rules.flow import QUESTION_NAMES
from ...steering.measures import FAR, MEASURES
from ..building import ArmBuilder
from ..reading import read_int, read_range, read_word, read_words
from ..sieves import Sieve

KEYS = ("question", "age", "pick", "to", "limit", *MEASURES)


@dataclass(frozen=True)
class Decision:
    """Decisions of some seats; see above."""

    question: str
    age: int
    pick: int
    limit: int
    to: tuple[str, ...]
    conditions: tuple[tuple[str, tuple[int, int]], ...]
    where: str

    @classmethod
    def read(cls, table: Mapping[str, Any], where: str, limit: int) -> Decision:
        """The decisions of a table, whose other keys are left to others; limit : if it has none.  Raises BadValue, UnknownName."""
        return cls(
            question=read_word(table, "question", QUESTION_NAMES[1:], where),
            age=read_int(table, "age", 0, 3, where, 0),
            pick=read_int(table, "pick", 0, 24, where, 0),
            limit=read_int(table, "limit", 0, 999, where, limit),
            to=read_words(table, "to", where),
            conditions=tuple((name, read_range(table, name, FAR, where)) for name in MEASURES if name in table),
            where=where,
        )

    def lay(self, what: int, sieve: Sieve, builder: ArmBuilder, other: Sieve | None = None) -> None:
        """Add an order about these decisions to an arm."""
        builder.add_order(
            what, sieve, self.to, self.where, other, dict(self.conditions),
            question=QUESTION_NAMES.index(self.question), age=self.age, pick=self.pick, limit=self.limit,
        )  # fmt: skip
