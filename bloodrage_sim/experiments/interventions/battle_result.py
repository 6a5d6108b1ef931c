"""`battle_result`: the focal seat plays its card in a battle as if it knew the others' cards, for the result that is named.

    [treatment]
    battle_result = { result = "tie", other = "loss", never = "win" }
    [control]
    battle_result = { result = "loss", other = "tie", never = "win" }

It acts once in a game: at the first choice of a battle card at which some card brings `result`, some card `other`, and none `never` (left
out: any may).  Results are those of the focal seat: win, loss (another wins), tie (nobody does).  What a card brings is found by playing the
battle to its end with it; of several the weakest is played.  All else is left to the strategies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import BadValue
from ..reading import check_keys, read_word

KEY = "battle_result"
WIN, LOSS, TIE = RESULTS = ("win", "loss", "tie")


@dataclass(frozen=True)
class BattleResult:
    """A result to bring about; never : '' for none."""

    result: str
    other: str
    never: str

    @classmethod
    def read(cls, table: Mapping[str, Any], where: str) -> BattleResult | None:
        """Of the table of an arm, None if it has none.  Raises BadValue, UnknownName."""
        if KEY not in table:
            return None
        place = f"{where}.{KEY}"
        keys = check_keys(table[KEY], ("result", "other", "never"), place)
        words = read_word(keys, "result", RESULTS, place), read_word(keys, "other", RESULTS, place)
        never = read_word(keys, "never", RESULTS, place) if "never" in keys else ""
        if len({*words, never}) < 3:
            raise BadValue(f"{place}: result, other and never are {', '.join(filter(None, (*words, never)))}; give different ones")
        return cls(*words, never)

    def fits(self, results: set[str]) -> bool:
        """Whether it acts where cards can bring these results."""
        return {self.result, self.other} <= results and self.never not in results
