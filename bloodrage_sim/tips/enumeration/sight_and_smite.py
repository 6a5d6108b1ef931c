"""Whether Heimdall's Sight and Tyr's Smite in hand win every age 1 battle at equal or better STR."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from math import comb, prod
from typing import NamedTuple

from ...ruleset import PLAYER_COUNTS, Ruleset
from ..proofs import Proof, holds, verdict_over
from .decks import Row, deck, value, without

SIGHT, STRONGEST, PAIRS = "heimdalls_sight", "tyrs_smite", "brothers_in_arms"
KILLS_A_WARRIOR = "smite"
LEADS = (0, 1, 2)
NEEDED = 0.95
MAX_WARRIORS = 3


class Force(NamedTuple):
    """Figures of a clan in a battle; `pair` is the STR of two Warriors together."""

    warriors: int
    others: int  # STR of Leader and Ship
    pair: int

    @property
    def str_(self) -> int:
        """Rule 1.5."""
        return self.warriors // 2 * self.pair + self.warriors % 2 + self.others

    def after(self, kills: int) -> Force:
        """What is left when so many Warriors are destroyed.  Rule 6.5.2."""
        return self._replace(warriors=max(0, self.warriors - kills))


def sight_smite_guarantee(ruleset: Ruleset) -> Proof:
    """Chance to win with the better of the two cards, over all reveals of the enemies, for every force, lead and number of enemies.

    The enemies reveal battle cards of the age 1 deck less the two.  The claim holds if no situation has less than 0.95.
    """
    cases = [case for players in PLAYER_COUNTS for case in _situations(ruleset, players)]
    least = {players: min(case["win"] for case in cases if case["players"] == players) for players in PLAYER_COUNTS}
    by_players = {players: holds(chance >= NEEDED) for players, chance in least.items()}
    holes = [case for case in cases if case["win"] < NEEDED]
    unsure = {case["players"] for case in cases if case["enemies"] == 1 and case["win"] < 1}
    alone = [players for players in PLAYER_COUNTS if players not in unsure]
    return Proof(
        verdict=verdict_over(by_players),
        summary=f"Against one enemy it always wins with {', '.join(map(str, alone)) or 'no number of'} players. Over all situations the chance "
        f"is at least {', '.join(f'{chance:.2f} with {players}' for players, chance in least.items())} players. {_where_it_fails(holes)}",
        by_players=by_players,
        cases=holes,
        against=len(holes),
    )


def _where_it_fails(holes: Sequence[dict]) -> str:
    if not holes:
        return "It never falls below."
    causes = Counter(case["lost_to"] for case in holes)
    enemies = sorted({case["enemies"] for case in holes})
    return f"It falls below {NEEDED} against {' and '.join(map(str, enemies))} enemies, most of all against {causes.most_common(1)[0][0]}."


def _situations(ruleset: Ruleset, players: int) -> Iterator[dict]:
    cards = without(deck(ruleset, players, 1, "battle"), SIGHT, STRONGEST)
    for enemies in range(1, players):
        reveals = list(_reveals(cards, enemies))
        for own, lead in product(_own_forces(ruleset), LEADS):
            if own.str_ - lead < 1:
                continue
            enemy = _enemy_force(ruleset, own.str_ - lead)
            best = max((_chance(ruleset, own, enemy, card, reveals) for card in (STRONGEST, SIGHT)), key=lambda found: found[0])
            yield {
                "players": players, "enemies": enemies, "lead": lead, "warriors": own.warriors, "other_str": own.others,
                "pairs": own.pair > 2, "win": round(best[0], 4), "lost_to": best[1],
            }  # fmt: skip


def _own_forces(ruleset: Ruleset) -> Iterator[Force]:
    clan = ruleset.board["clan"]
    pairs = {2} | {int(row["amount"]) for row in ruleset.cards if row["id"] == PAIRS}
    for warriors, leader, ship, pair in product(range(MAX_WARRIORS + 1), (0, 1), (0, 1), sorted(pairs)):
        if warriors + leader + ship and not (pair > 2 and warriors < 2):
            yield Force(warriors, leader * clan["str_leader"] + ship * clan["str_ship"], pair)


def _enemy_force(ruleset: Ruleset, strength: int) -> Force:
    """A force of this STR with as few Warriors as can be, so that a Smite of another enemy does not weaken it."""
    clan = ruleset.board["clan"]
    bodies = sorted({0, clan["str_leader"], clan["str_ship"], clan["str_leader"] + clan["str_ship"]})
    others = max(body for body in bodies if body <= strength)
    return Force(strength - others, others, 2)


def _reveals(cards: Sequence[tuple[Row, int]], enemies: int) -> Iterator[tuple[tuple[Row, ...], float]]:
    """Every set of cards that so many enemies can reveal, with its chance when they are drawn from the deck."""
    total = comb(sum(copies for _, copies in cards), enemies)
    for taken in product(*(range(min(copies, enemies) + 1) for _, copies in cards)):
        if sum(taken) == enemies:
            rows = tuple(row for (row, _), count in zip(cards, taken, strict=True) for _ in range(count))
            yield rows, prod(comb(copies, count) for (_, copies), count in zip(cards, taken, strict=True)) / total


def _chance(ruleset: Ruleset, own: Force, enemy: Force, card: str, reveals: Sequence[tuple[tuple[Row, ...], float]]) -> tuple[float, str]:
    """Chance to win with a card, and the enemy card that most of the rest is lost to."""
    lost: Counter[str] = Counter()
    for rows, chance in reveals:
        if not wins(ruleset, own, enemy, card, rows):
            lost[max(rows, key=lambda row: (row["effect"] == KILLS_A_WARRIOR, value(row)))["id"]] += chance  # type: ignore[assignment]
    return 1 - lost.total(), (lost.most_common(1)[0][0] if lost else "")


def wins(ruleset: Ruleset, own: Force, enemy: Force, card: str, revealed: Sequence[Row]) -> bool:
    """Whether `own` with a card has strictly most against enemies of one force each and the cards they reveal.  Rules 6.5.2, 6.7."""
    smites = [row["effect"] == KILLS_A_WARRIOR for row in revealed]
    values = [value(row) for row in revealed]
    bonus = max(values) if card == SIGHT else next(value(row) for row in ruleset.cards if row["id"] == card and row["age"] == "1")
    total = own.after(sum(smites)).str_ + bonus
    return all(total > enemy.after(sum(smites) - smite).str_ + its for smite, its in zip(smites, values, strict=True))
