"""Which age has most cards of a sort: those that pay for losing or dying, those that undo cards."""

from __future__ import annotations

from collections.abc import Collection

from ...experiments.verdicts import INCONCLUSIVE, REFUTED
from ...ruleset import PLAYER_COUNTS, Ruleset
from ..proofs import Proof, holds, verdict_over
from .decks import copies_with

# effects that pay their owner for a lost battle or a dead figure of its own
PAYS_FOR_LOSING = (
    "loser_steal_rage", "loser_steal_glory", "loser_take_winner_cards", "glory_per_destroyed", "release_glory", "warrior_on_battle_loss",
    "ship_death_glory", "multiply_ragnarok_glory", "figures_in_valhalla",
)  # fmt: skip
# and those that make losing or dying less bad, or pay whoever wins
SOFTENS_LOSING = ("glory_per_enemy_kill", "action_invade_from_valhalla", "escape_to_yggdrasil")
UNDOES_CARDS = ("watch", "cancel_enemy_text")


def age3_most_loss_cards(ruleset: Ruleset) -> Proof:
    """Whether age 3 has strictly most copies of cards that pay for losing, by a narrow and a wide reading."""
    return _most_in_age_3(ruleset, {"narrow": PAYS_FOR_LOSING, "wide": (*PAYS_FOR_LOSING, *SOFTENS_LOSING)}, rising=False)


def age3_most_neutralisers(ruleset: Ruleset) -> Proof:
    """Whether the copies of cards that cancel or discard others' cards rise from age to age."""
    return _most_in_age_3(ruleset, {"all": UNDOES_CARDS}, rising=True)


def _most_in_age_3(ruleset: Ruleset, readings: dict[str, Collection[str]], rising: bool) -> Proof:
    cases, by_players = [], {}
    for players in PLAYER_COUNTS:
        verdicts = set()
        for reading, effects in readings.items():
            counts = [copies_with(ruleset, players, age, effects) for age in (1, 2, 3)]
            verdicts.add(holds(counts[2] > counts[1] > counts[0] if rising else counts[2] > max(counts[:2])))
            cases.append({"players": players, "reading": reading, **{f"age_{age}": counts[age - 1] for age in (1, 2, 3)}})
        by_players[players] = verdicts.pop() if len(verdicts) == 1 else INCONCLUSIVE
    shown = "; ".join(
        f"{case['players']} players {case['age_1']}, {case['age_2']}, {case['age_3']}" + (f" ({case['reading']})" if len(readings) > 1 else "")
        for case in cases
    )
    return Proof(
        verdict=verdict_over(by_players),
        summary=f"Copies in the decks of ages 1, 2, 3: {shown}.",
        by_players=by_players,
        cases=cases,
        against=sum(verdict == REFUTED for verdict in by_players.values()),
    )
