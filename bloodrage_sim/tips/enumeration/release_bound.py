"""The most that Loki's Domain can pay."""

from __future__ import annotations

from ...experiments.verdicts import INCONCLUSIVE, REFUTED
from ...ruleset import Ruleset
from ..proofs import Proof

CARD = "lokis_domain"
CLAIMED = 30


def lokis_domain_30(ruleset: Ruleset) -> Proof:
    """Bounds on the glory of Loki's Domain: by figures, and by the rage of three ages without any other card.  Rules 11.1, 11.2.

    Refutes the claim if even the first is too low; else what is usual needs games.
    """
    board = ruleset.board
    [row] = [row for row in ruleset.cards if row["id"] == CARD]
    ages = range(int(row["age"]), 4)
    clan = board["clan"]
    figures = clan["warriors"] + clan["leaders"] + clan["ships"] + clan["slots"]["monster"]
    most = figures * len(ages) * int(row["amount"])
    rage, price = board["tracks"]["rage"][0], int(row["cost_or_str"])
    plain = sum(_bought(board, rage - (price if age == ages[0] else 0)) for age in ages)
    needed = CLAIMED / (len(ages) * int(row["amount"]))
    return Proof(
        REFUTED if most < CLAIMED else INCONCLUSIVE,
        f"{CLAIMED} glory take {needed:.0f} releases in each of {len(ages)} ages. A clan has {figures} figures, so {most} glory is the most; "
        f"with the rage of the first step and no other card it can place and lose {plain} in a game.",
        cases=[
            {"bound": "all figures released in every age", "glory": most},
            {"bound": "figures bought with rage of the first step", "glory": plain * int(row["amount"])},
        ],
    )


def _bought(board: dict, rage: int) -> int:
    """Figures that can be invaded with so much rage: the Leader is free, then Warriors, then the Ship.  Rule 5.5.2."""
    clan = board["clan"]
    warriors = min(clan["warriors"], rage // clan["str_warrior"])
    rest = rage - warriors * clan["str_warrior"]
    return clan["leaders"] + warriors + min(clan["ships"], rest // clan["str_ship"])
