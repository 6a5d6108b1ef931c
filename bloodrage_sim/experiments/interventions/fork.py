"""`fork`: at the first decision that fits, the game goes on with one kind of option in one arm, another in the other.

    [fork]
    at = { question = "join", age = 1, strength_lead = [2, 99] }
    join = { action = "join" }
    decline = { action = "decline" }
    [treatment]
    fork = "decline"
    [control]
    fork = "join"

`at` says which decision, see decision.py; `limit` is 1 if left out.  Every other key names a kind of option, see sieves.py.  It is such a
decision only if each named kind has an option that is legal then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import BadValue
from ...steering.orders import ONLY
from ..building import ArmBuilder
from ..reading import check_keys
from ..sieves import KEYS, Sieve
from .decision import KEYS as DECISION_KEYS
from .decision import Decision


@dataclass(frozen=True)
class Fork:
    """Two kinds of options at a decision; see above."""

    at: Decision
    branches: Mapping[str, Sieve]

    @classmethod
    def read(cls, table: Any, where: str) -> Fork:
        """Raises BadValue, UnknownName."""
        if not isinstance(table, Mapping) or "at" not in table or len(table) != 3:
            raise BadValue(f'{where} must have `at` and two kinds of options, e.g. join = {{ action = "join" }}')
        at = Decision.read(check_keys(table["at"], DECISION_KEYS, f"{where}.at"), f"{where}.at", limit=1)
        branches = {}
        for name in table:
            if name != "at":
                place = f"{where}.{name}"
                branches[name] = Sieve.read(check_keys(table[name], KEYS, place), place)
                if branches[name].is_empty:
                    raise BadValue(f'{place} fits every option; say which, e.g. action = "decline"')
        return cls(at, branches)

    def lay(self, branch: str, builder: ArmBuilder) -> None:
        """Make an arm take a branch."""
        (other,) = (sieve for name, sieve in self.branches.items() if name != branch)
        self.at.lay(ONLY, self.branches[branch], builder, other)
