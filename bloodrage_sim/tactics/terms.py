"""The terms of an appraisal: what an option is worth, by where the worth comes from, in glory."""

from __future__ import annotations

import numpy as np

from ..rules import ids
from ..rules.jit import kernel
from ..rules.state import MAX_OPTIONS
from ..rules.tables import N_FIGURES, N_SEATS

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

OUTLOOK = np.dtype(  # what the appraisal of a decision works out once for all options
    [
        # by province
        ("reward", "f8", (ids.N_PROVINCES,)),  # worth of pillaging it, battle glory left out; 0 if that is not possible
        ("face", "f8", (ids.N_PROVINCES,)),  # STR points, cards included, of the strongest rival who stands there; 0
        ("come", "f8", (ids.N_PROVINCES,)),  # the same of the strongest rival who could join a battle there; 0
        ("joiners", "i2", (N_SEATS, ids.N_PROVINCES)),  # figures of a clan that could join a battle there, villages left out
        ("win", "f8", (ids.N_PROVINCES,)),  # chance that an own pillage there succeeds
        ("hold", "f8", (ids.N_PROVINCES,)),  # chance to have the most STR there when quests are judged
        ("stake", "f8", (ids.N_PROVINCES,)),  # quest rewards for holding it that no other province is likely to give
        ("party", "f8", (ids.N_PROVINCES,)),  # STR points of the own figures there that can march
        ("party_size", "f8", (ids.N_PROVINCES,)),  # how many they are
        # by own figure
        ("bring_back", "f8", (N_FIGURES,)),  # what losing it costs: the rage to bring it back
        ("death_pay", "f8", (N_FIGURES,)),  # glory for its death in battle: release, Glorious Death, dragons
        ("doom_pay", "f8", (N_FIGURES,)),  # glory for its death in Ragnarok, its dragon left out
        ("ship_pay", "f8", (N_FIGURES,)),  # glory of dragons for it
        ("stay", "f8", (N_FIGURES,)),  # worth of its being on the board at the end of the age, where it is not doomed
        # of the seat
        ("step", "f8", (3,)),  # worth of one more step by STAT
        ("unrest", "f8"),  # 0..1, how much the rivals can still change with their rage
        ("price", "f8"),  # worth of one rage
        ("release", "f8"),  # glory for one own figure that is released from Valhalla
        ("death", "f8"),  # worth of one own figure dying in battle: release, Glorious Death; its loss left out
        ("loss", "f8"),  # what losing the battle going on costs in figures
        ("pay", "f8"),  # what the deaths of these figures pay
        ("open", "f8"),  # provinces that may still be pillaged
        ("waiting", "f8"),  # worth of quests in hand that can still wait
        ("free", "f8"),  # worth of the actions without cost still to be made, which are lost with the last rage
        ("cards", "f8", (9,)),  # share of the unseen cards of this age by battle bonus, 8 and more in the last
    ],
    align=True,
)

APPRAISAL = np.dtype(
    [
        ("n", "i8"),  # options appraised; 0 if none were
        ("terms", "f8", (MAX_OPTIONS, N_TERMS)),  # worth by option and TERM, in glory, not yet weighed
        ("score", "f8", (MAX_OPTIONS,)),  # their weighed sum by option
        ("cost", "f8", (MAX_OPTIONS,)),  # rage that an option costs
        ("outlook", OUTLOOK),
    ],
    align=True,
)


@kernel
def add(view, index, term, worth):
    """Add to a TERM of option number `index`; worth in glory."""
    view.appraisal.terms[index, term] += worth
