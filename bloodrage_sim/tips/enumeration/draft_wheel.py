"""How often a card comes round again in a draft of blind choices."""

from __future__ import annotations

from ...experiments.verdicts import INCONCLUSIVE
from ...ruleset import PLAYER_COUNTS, Ruleset
from ..proofs import Proof


def wheel_unique_quest(ruleset: Ruleset) -> Proof:
    """The chance that blind choices leave a passed card, by number of players.  What players do with it needs games.  Rules 4.3, 4.4."""
    chances = {players: blind_chance(ruleset, players) for players in PLAYER_COUNTS}
    shown = ", ".join(f"{chance:.0%} with {players}" for players, chance in chances.items())
    return Proof(
        INCONCLUSIVE,
        f"A card passed from a full pack comes back by blind choices alone in {shown} players.",
        cases=[{"players": players, "chance": round(chance, 4)} for players, chance in chances.items()],
    )


def blind_chance(ruleset: Ruleset, players: int) -> float:
    """Chance that a card passed from a full pack is still in it when the pack returns, if the others choose blindly."""
    draft = ruleset.board["draft"]
    picks = draft["picks_per_pass"][str(players)]
    passed = draft["deal"] - picks
    return max(0.0, 1 - (players - 1) * picks / passed)
