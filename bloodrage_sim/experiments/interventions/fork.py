"""`fork`: at the first decision that fits, the game goes on with one kind of option in one arm, another in the other.

    [fork]
    at = { question = "join", age = 1, strength_lead = [2, 99] }
    join = { action = "join" }
    decline = { action = "decline" }
    [treatment]
    fork = "decline"
    [control]
    fork = "join"

`at` says which decision: `question` (draft, turn, join, card, raise, ...), `age`, `pick` (of a draft), `to` (whose; focal if left out),
`limit` (how many such decisions, 1 if left out; 0: all) and bounds [least, most] of what the seat has then: rage, hand,
battle_cards (in hand), glory_lead (over the best other), strength_lead (own STR less the most of another in the battle), pillager
(1 if it called this battle), free_villages (on the map), turn (of this age, from 1).  Every other key names a kind of option, see
sieves.py.  It is such a decision only if each named kind has an option that is legal then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import BadValue
from ...measures import FAR, MEASURES
from ...orders import ONLY
from ...rules.flow import QUESTION_NAMES
from ..building import ArmBuilder
from ..reading import check_keys, read_int, read_range, read_word, read_words
from ..sieves import KEYS, Sieve


@dataclass(frozen=True)
class Fork:
    """Two kinds of options at a decision; see above."""

    question: str
    age: int
    pick: int
    limit: int
    to: tuple[str, ...]
    conditions: tuple[tuple[str, tuple[int, int]], ...]
    branches: Mapping[str, Sieve]
    where: str

    @classmethod
    def read(cls, table: Any, where: str) -> Fork:
        """Raises BadValue, UnknownName."""
        if not isinstance(table, Mapping) or "at" not in table or len(table) != 3:
            raise BadValue(f"{where} must have `at` and two kinds of options, e.g. join = {{ action = \"join\" }}")
        at = check_keys(table["at"], ("question", "age", "pick", "to", "limit", *MEASURES), f"{where}.at")
        branches = {}
        for name in table:
            if name != "at":
                place = f"{where}.{name}"
                branches[name] = Sieve.read(check_keys(table[name], KEYS, place), place)
                if branches[name].is_empty:
                    raise BadValue(f"{place} fits every option; say which, e.g. action = \"decline\"")
        return cls(
            question=read_word(at, "question", QUESTION_NAMES[1:], f"{where}.at"),
            age=read_int(at, "age", 0, 3, f"{where}.at", 0),
            pick=read_int(at, "pick", 0, 24, f"{where}.at", 0),
            limit=read_int(at, "limit", 0, 999, f"{where}.at", 1),
            to=read_words(at, "to", f"{where}.at"),
            conditions=tuple((name, read_range(at, name, FAR, f"{where}.at")) for name in MEASURES if name in at),
            branches=branches,
            where=where,
        )

    def lay(self, branch: str, builder: ArmBuilder) -> None:
        """Make an arm take a branch."""
        (other,) = (sieve for name, sieve in self.branches.items() if name != branch)
        builder.add_order(
            ONLY, self.branches[branch], self.to, self.where, other, dict(self.conditions),
            question=QUESTION_NAMES.index(self.question), age=self.age, pick=self.pick, limit=self.limit,
        )  # fmt: skip
