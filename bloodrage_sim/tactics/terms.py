"""The terms of an appraisal: what an option is worth, by where the worth comes from, in glory."""

from __future__ import annotations

import numpy as np

from ..rules import ids
from ..rules.state import MAX_OPTIONS

# name -> what it holds; the TERM id is the position
TERM_MEANINGS = {
    "pillage": "rewards of pillages, now or made possible",
    "battle": "glory for battles won: axes and battle cards",
    "quest": "quest rewards made likelier",
    "ragnarok": "figures in the doomed province",
    "valhalla": "own deaths that pay: release cards, dragons, Glorious Death",
    "loss": "figures that may be lost, below 0",
    "stats": "stat steps",
    "presence": "figures on the board for later",
    "cards": "cards owned, spent, taken",
    "rage": "rage spent, below 0",
    "deny": "what rivals lose",
    "tempo": "doing now what others could prevent",
    "trait": "what traits add",
}
(
    TERM_PILLAGE, TERM_BATTLE, TERM_QUEST, TERM_RAGNAROK, TERM_VALHALLA, TERM_LOSS, TERM_STATS, TERM_PRESENCE,
    TERM_CARDS, TERM_RAGE, TERM_DENY, TERM_TEMPO, TERM_TRAIT,
) = range(len(TERM_MEANINGS))  # fmt: skip
TERM_NAMES = tuple(TERM_MEANINGS)
N_TERMS = len(TERM_NAMES)

OUTLOOK = np.dtype(  # what the appraisal of a decision works out once for all options, by province
    [
        ("reward", "f8", (ids.N_PROVINCES,)),  # worth of pillaging it now, battle glory left out; 0 if that is not possible
        ("threat", "f8", (ids.N_PROVINCES,)),  # STR points that rivals may bring or have brought against a stay there
        ("stake", "f8", (ids.N_PROVINCES,)),  # quest rewards for holding it that no other province gives yet
        ("death", "f8"),  # worth of one own Warrior dying now, its loss left out
        ("rage_price", "f8"),  # worth of one rage
        ("free", "f8"),  # worth of the free actions still to be made, lost with the last rage
    ],
    align=True,
)

APPRAISAL = np.dtype(
    [
        ("n", "i8"),  # options appraised; 0 if none were
        ("terms", "f8", (MAX_OPTIONS, N_TERMS)),  # worth by option and TERM, in glory, not yet weighed
        ("score", "f8", (MAX_OPTIONS,)),  # their weighed sum by option
        ("outlook", OUTLOOK),
    ],
    align=True,
)
