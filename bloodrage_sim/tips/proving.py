"""Claims that are proved: which function proves which, and the table of proofs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..ruleset import Ruleset
from .catalogue import ENUMERATION, SCENARIO, Tip
from .enumeration import BACKGROUND, DECIDING
from .facts import show_fact
from .proofs import Proof


def prove(tip: Tip, ruleset: Ruleset) -> Proof | None:
    """The proof of a claim; of one that games decide, what the tables alone tell of it; None if there is neither.

    Rule facts are shown under the rules as they are, whatever the ruleset.
    """
    if tip.design == SCENARIO:
        return show_fact(tip)
    if tip.design == ENUMERATION:
        return DECIDING[tip.id](ruleset)
    return BACKGROUND[tip.id](ruleset) if tip.id in BACKGROUND else None


def proof_rows(proofs: Sequence[tuple[Tip, Proof]]) -> list[dict[str, Any]]:
    """One row a claim, as plain data."""
    return [
        {
            "id": tip.id,
            "decides": tip.id not in BACKGROUND,
            "verdict": proof.verdict,
            "by_players": " ".join(f"{players}:{verdict}" for players, verdict in proof.by_players.items()),
            "summary": proof.summary,
            "cases": len(proof.cases),
            "against": proof.against,
            "flips": " ".join(proof.flips),
        }
        for tip, proof in proofs
    ]


def proofs_of(tips: Sequence[Tip], ruleset: Ruleset) -> Iterator[tuple[Tip, Proof]]:
    """Claims with their proofs, one after the other."""
    for tip in tips:
        proof = prove(tip, ruleset)
        if proof is not None:
            yield tip, proof
