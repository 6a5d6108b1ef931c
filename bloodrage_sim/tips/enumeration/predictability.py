"""How predictable the battle cards of an age are: entropy of their printed STR."""

from __future__ import annotations

from collections import Counter
from math import log2

from ...experiments.verdicts import REFUTED
from ...ruleset import PLAYER_COUNTS, Ruleset
from ..proofs import Proof, holds, verdict_over
from .decks import deck

MARGIN = 0.1  # bits by which age 1 must be lower


def age1_predictable(ruleset: Ruleset) -> Proof:
    """Whether the STR of age 1 battle cards has less entropy, by 0.1 bit, than that of ages 2 and 3 (Sight's X is a value of its own)."""
    cases, by_players = [], {}
    for players in PLAYER_COUNTS:
        bits = [entropy(ruleset, players, age) for age in (1, 2, 3)]
        by_players[players] = holds(bits[0] <= min(bits[1:]) - MARGIN)
        for age in (1, 2, 3):
            cases.append({
                "players": players, "age": age, "bits": round(bits[age - 1], 3),
                "share_with_text": round(share_with_text(ruleset, players, age), 3),
            })  # fmt: skip
    bits_of = {players: [f"{case['bits']:.2f}" for case in cases if case["players"] == players] for players in PLAYER_COUNTS}
    shown = "; ".join(f"{players} players {', '.join(bits)}" for players, bits in bits_of.items())
    text = min(case["share_with_text"] for case in cases if case["age"] > 1)
    return Proof(
        verdict=verdict_over(by_players),
        summary=f"Bits in the STR of battle cards in ages 1, 2, 3: {shown}. What is lower in age 1 is the share of cards with a text: "
        f"at most {max(case['share_with_text'] for case in cases if case['age'] == 1):.2f}, later at least {text:.2f}.",
        by_players=by_players,
        cases=cases,
        against=sum(verdict == REFUTED for verdict in by_players.values()),
    )


def entropy(ruleset: Ruleset, players: int, age: int) -> float:
    """Entropy in bits of the printed STR of a battle card drawn from the deck of an age."""
    counts: Counter[str] = Counter()
    for row, copies in deck(ruleset, players, age, "battle"):
        counts[row["battle_str"]] += copies
    total = counts.total()
    return -sum(count / total * log2(count / total) for count in counts.values())


def share_with_text(ruleset: Ruleset, players: int, age: int) -> float:
    """Share of the battle cards of an age that have a text."""
    cards = deck(ruleset, players, age, "battle")
    return sum(copies for row, copies in cards if row["effect"] != "none") / sum(copies for _, copies in cards)
