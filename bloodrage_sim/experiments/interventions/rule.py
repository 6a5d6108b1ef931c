"""Other rules, cards or board for an arm.

    rules = { action_end = "rage_only" }
    changed_cards = [{ card = "sea_serpent", age = 1, column = "cost_or_str", value = 2 }]
    board = { tracks = { end_bonus = [0, 0, 0, 0, 0, 0] } }

`rules` are options as `bloodrage rules` lists them, `changed_cards` rows of an override file (every age if `age` is left out), `board`
a board override.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...ruleset import Ruleset, make_ruleset
from ..reading import check_keys, read_int, read_text, tables_of

KEYS = ("rules", "changed_cards", "board")


@dataclass(frozen=True)
class Rules:
    """What an arm changes in the rules; see above."""

    options: Mapping[str, Any] = field(default_factory=dict)
    cards: tuple[tuple[str, str, str, str], ...] = ()
    board: Mapping[str, Any] = field(default_factory=dict)
    where: str = ""

    @classmethod
    def read(cls, arm: Mapping[str, Any], where: str) -> Rules:
        """Raises BadValue, UnknownName."""
        cards = []
        for table, place in tables_of(arm, "changed_cards", where):
            check_keys(table, ("card", "age", "column", "value"), place)
            age = str(read_int(table, "age", 1, 3, place)) if "age" in table else ""
            value = str(read_int(table, "value", 0, 99, place))
            cards.append((read_text(table, "card", place), age, read_text(table, "column", place), value))
        read = cls(dict(arm.get("rules", {})), tuple(cards), dict(arm.get("board", {})), where)
        read.over(make_ruleset())
        return read

    def over(self, base: Ruleset) -> Ruleset:
        """A ruleset with these changes over those of `base`, which is itself if there are none.  Raises BadValue, UnknownName."""
        if not (self.options or self.cards or self.board):
            return base
        return make_ruleset(
            {**base.options, **self.options},
            (*base.card_changes, *self.cards),
            {**base.board_changes, **self.board},
            f"{self.where}.rules",
            f"{self.where}.board",
        )
