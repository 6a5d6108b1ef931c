"""How often a card makes a tie possible that a plain card of the same STR does not."""

from __future__ import annotations

from ...ruleset import PLAYER_COUNTS, Ruleset
from ..proofs import Proof, holds, verdict_over
from .decks import Row, deck, drawn, value, without

LEADS = range(-3, 4)  # own STR in figures less the enemy's
GAIN = 0.10
LATE, COPIES_ENEMY = "late_play", "copy_highest_enemy_card"
PLAIN_FOR_SIGHT = 3


def tie_tools(ruleset: Ruleset) -> Proof:
    """Gain of Heimdall's Sight, Eye and Gaze in the chance to force a tie of two clans, against a plain card of the same STR.

    All leads from -3 to 3, all second cards, all enemy cards of the deck less the own two; texts that kill or cancel are left out.
    """
    cases = []
    for players in PLAYER_COUNTS:
        for age in (1, 2, 3):
            for row, _ in deck(ruleset, players, age, "battle"):
                if row["effect"] in (LATE, COPIES_ENEMY):
                    tool, plain = chances(ruleset, players, age, row)
                    gain = {"tie_with": round(tool, 3), "tie_with_plain": round(plain, 3), "gain": round(tool - plain, 3)}
                    cases.append({"players": players, "card": row["id"], **gain})
    by_players = {players: holds(all(case["gain"] >= GAIN for case in cases if case["players"] == players)) for players in PLAYER_COUNTS}
    gains = {card: [case["gain"] for case in cases if case["card"] == card] for card in dict.fromkeys(case["card"] for case in cases)}
    shown = ", ".join(f"{card} {min(values):+.0%} to {max(values):+.0%}" for card, values in gains.items())
    return Proof(
        verdict=verdict_over(by_players),
        summary=f"Chance to force a tie, more than with a plain card: {shown}, over 2 to 5 players.",
        by_players=by_players,
        cases=cases,
        against=sum(case["gain"] < GAIN for case in cases),
    )


def chances(ruleset: Ruleset, players: int, age: int, tool: Row) -> tuple[float, float]:
    """Mean chance to force a tie with `tool` and another card of the deck in hand, and with a plain card in its place."""
    cards = deck(ruleset, players, age, "battle")
    with_tool, with_plain, hands = 0.0, 0.0, 0
    for second in drawn(without(cards, tool["id"])):
        enemy = [value(row) for row in drawn(without(cards, tool["id"], second["id"]))]
        for lead in LEADS:
            hands += 1
            blind = [_share(enemy, lead + value(second))]
            with_plain += max(*blind, _share(enemy, lead + (value(tool) or PLAIN_FOR_SIGHT)))
            if tool["effect"] == LATE:  # after the reveal it may still be added: two totals are in reach
                late = sum(card in (lead + value(second), lead + value(second) + value(tool)) for card in enemy) / len(enemy)
                with_tool += max(late, _share(enemy, lead + value(tool)))
            else:
                with_tool += max(*blind, float(lead == 0))
    return with_tool / hands, with_plain / hands


def _share(enemy: list[int], total: int) -> float:
    return sum(card == total for card in enemy) / len(enemy)
