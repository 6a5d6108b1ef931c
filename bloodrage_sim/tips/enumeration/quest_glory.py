"""What a quest pays, and how often one is in a deck."""

from __future__ import annotations

from ...experiments.verdicts import INCONCLUSIVE, REFUTED
from ...ruleset import PLAYER_COUNTS, Ruleset
from ..proofs import Proof, holds, verdict_over
from .decks import deck, drawn

BAND = (6.5, 8.5)  # glory that counts as 'about 7 to 8'


def quest_7_8_glory(ruleset: Ruleset) -> Proof:
    """Whether the mean glory of the quests of all decks lies in the band; by age beside it.  Rule 9.2 adds the stat step."""
    cases, by_players = [], {}
    for players in PLAYER_COUNTS:
        glory = {age: [int(row["glory"]) for row in drawn(deck(ruleset, players, age, "quest"))] for age in (1, 2, 3)}
        everything = [value for age in glory.values() for value in age]
        mean = sum(everything) / len(everything)
        by_players[players] = holds(BAND[0] <= mean <= BAND[1])
        ages = {f"age_{age}": round(sum(values) / len(values), 2) for age, values in glory.items()}
        cases.append({"players": players, "all_ages": round(mean, 2), **ages})
    shown = "; ".join(
        f"{case['players']} players {case['all_ages']:.2f} ({case['age_1']:.2f}, {case['age_2']:.2f}, {case['age_3']:.2f})"
        for case in cases
    )
    return Proof(
        verdict=verdict_over(by_players),
        summary=f"Mean glory of a quest over all ages (and in ages 1, 2, 3): {shown}, and a stat step each.",
        by_players=by_players,
        cases=cases,
        against=sum(verdict == REFUTED for verdict in by_players.values()),
    )


def quest_copies_good(ruleset: Ruleset) -> Proof:
    """Which quests a deck has more than once.  What that is worth needs games."""
    cases = [
        {"players": players, "age": age, "quest": row["id"], "copies": copies}
        for players in PLAYER_COUNTS
        for age in (1, 2, 3)
        for row, copies in deck(ruleset, players, age, "quest")
        if copies > 1
    ]
    most = {players: max((case["copies"] for case in cases if case["players"] == players), default=1) for players in PLAYER_COUNTS}
    shown = ", ".join(f"{copies} with {players} players" for players, copies in most.items())
    summary = f"Most copies of one quest in the deck of an age: {shown}. One more may be kept from an earlier age."
    return Proof(INCONCLUSIVE, summary, cases=cases)
