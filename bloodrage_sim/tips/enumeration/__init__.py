"""Claims that can be counted out from the cards and the board, without games.

DECIDING gives the verdict of a claim; BACKGROUND says what the numbers alone tell of a claim that games decide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...ruleset import Ruleset
from ..proofs import Proof
from .blessing_answers import troll_only_answer_blessing
from .draft_wheel import wheel_unique_quest
from .kinds_by_age import age3_most_loss_cards, age3_most_neutralisers
from .predictability import age1_predictable
from .quest_glory import quest_7_8_glory, quest_copies_good
from .ragnarok_bounds import inspiration_56, ragnarok_21_age2, ragnarok_28_age3
from .release_bound import lokis_domain_30
from .sight_and_smite import sight_smite_guarantee
from .tie_tools import tie_tools

Enumeration = Callable[[Ruleset], Proof]


def _by_id(*enumerations: Enumeration) -> Mapping[str, Enumeration]:
    return {enumeration.__name__: enumeration for enumeration in enumerations}


DECIDING = _by_id(
    age1_predictable, age3_most_loss_cards, age3_most_neutralisers, inspiration_56, quest_7_8_glory, ragnarok_21_age2, ragnarok_28_age3,
    sight_smite_guarantee, tie_tools, troll_only_answer_blessing,
)  # fmt: skip
BACKGROUND = _by_id(lokis_domain_30, quest_copies_good, wheel_unique_quest)
