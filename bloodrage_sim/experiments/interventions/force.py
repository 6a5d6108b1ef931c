"""`force` and `forbid`: what a seat must choose, or may not choose, whenever a decision fits.

    forbid = [{ question = "join", action = "join", age = 1 }]
    force = [{ question = "raise", stat = "rage", to = "all" }]

Which decisions: the keys of decision.py; which options: those of sieves.py.  What cannot be obeyed, because no such option is legal or no
other is left, is left to the strategy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...errors import BadValue
from ...steering.orders import ONLY, WITHOUT
from ..building import ArmBuilder
from ..reading import check_keys
from ..sieves import KEYS, Sieve
from .decision import KEYS as DECISION_KEYS
from .decision import Decision


@dataclass(frozen=True)
class Force:
    """Options that must or may not be chosen; what : ONLY or WITHOUT."""

    what: int
    at: Decision
    sieve: Sieve

    def lay(self, builder: ArmBuilder) -> None:
        """Add the order to an arm."""
        self.at.lay(self.what, self.sieve, builder)


def read_force(table: Any, where: str) -> Force:
    """Raises BadValue, UnknownName."""
    return _read(ONLY, table, where)


def read_forbid(table: Any, where: str) -> Force:
    """Raises BadValue, UnknownName."""
    return _read(WITHOUT, table, where)


def _read(what: int, table: Any, where: str) -> Force:
    check_keys(table, (*DECISION_KEYS, *KEYS), where)
    sieve = Sieve.read(table, where)
    if sieve.is_empty:
        raise BadValue(f'{where} fits every option; say which, e.g. action = "join"')
    return Force(what, Decision.read(table, where, limit=0), sieve)
