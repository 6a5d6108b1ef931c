"""`set_state`: other stats, rage, glory or cards of a seat at the start of the action phase of an age.

    set_state = [{ age = 2, rage = -2, cards = -2 }, { age = 1, axes_step = { is = 3 } }]

Keys: `age`, `to` (focal, left, right, others, all or the name of a strategy; focal if left out), and `rage_step`, `axes_step`,
`horns_step` (steps of a stat; a step of rage changes the rage of this age too), `rage`, `glory`, `cards` (from the rest of the age's
deck, or out of the hand, by chance).  A number is added; `{ is = n }` sets it (not for cards).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...errors import BadValue
from ...rules.ids import STAT_NAMES
from ...steering.changes import GIVE_CARDS, GIVE_GLORY, GIVE_RAGE, RAISE
from ..building import ArmBuilder
from ..reading import check_keys, read_int, read_words

STEPS = tuple(f"{stat}_step" for stat in STAT_NAMES)
NUMBERS = (*STEPS, "rage", "glory", "cards")
_WHAT = {"rage": GIVE_RAGE, "glory": GIVE_GLORY, "cards": GIVE_CARDS}


@dataclass(frozen=True)
class SetState:
    """Numbers of a seat at the start of an age; values: (name, number, whether it is set rather than added)."""

    age: int
    to: tuple[str, ...]
    values: tuple[tuple[str, int, bool], ...]
    where: str

    @classmethod
    def read(cls, table: Any, where: str) -> SetState:
        """Raises BadValue, UnknownName."""
        check_keys(table, ("age", "to", *NUMBERS), where)
        values = []
        for name in (name for name in NUMBERS if name in table):
            exact = isinstance(table[name], dict)
            if exact and name == "cards":
                raise BadValue(f"{where}: cards can be added or taken, not set; write a number, below 0 to take")
            holder = check_keys(table[name], ("is",), f"{where}.{name}") if exact else table
            least, most = (1, 6) if exact and name in STEPS else (-5, 5) if name in STEPS else (-99, 999)
            values.append((name, read_int(holder, "is" if exact else name, least, most, where), exact))
        if not values:
            raise BadValue(f"{where} changes nothing; give one of {', '.join(NUMBERS)}")
        return cls(read_int(table, "age", 1, 3, where), read_words(table, "to", where), tuple(values), where)

    def lay(self, builder: ArmBuilder) -> None:
        """Add the changes to an arm."""
        for name, count, exact in self.values:
            what = RAISE if name in STEPS else _WHAT[name]
            stat = STEPS.index(name) if name in STEPS else 0
            builder.add_change(what, self.to, self.where, age=self.age, count=count, exact=int(exact), stat=stat)
