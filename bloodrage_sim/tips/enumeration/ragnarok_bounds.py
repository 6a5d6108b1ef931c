"""The most glory that the Ragnarok of an age can pay one clan: every filling of every province, within villages, figures and horns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...ruleset import PLAYER_COUNTS, Ruleset, copies_of
from ..proofs import Proof, holds, verdict_over
from .decks import Row

SHIP_LIKE = "counts_as_ship"
DOUBLES = "multiply_ragnarok_glory"


def ragnarok_21_age2(ruleset: Ruleset) -> Proof:
    """Whether 21 is the most in age 2, without Odin's Inspiration."""
    return _most(ruleset, 2, 21, doubled=False)


def ragnarok_28_age3(ruleset: Ruleset) -> Proof:
    """Whether 28 is the most in age 3, without Odin's Inspiration."""
    return _most(ruleset, 3, 28, doubled=False)


def inspiration_56(ruleset: Ruleset) -> Proof:
    """Whether 56 is the most in age 3 with Odin's Inspiration."""
    return _most(ruleset, 3, 56, doubled=True)


def _most(ruleset: Ruleset, age: int, claimed: int, doubled: bool) -> Proof:
    best = {players: max(fillings(ruleset, players, age, doubled), key=lambda case: case["glory"]) for players in PLAYER_COUNTS}
    by_players = {players: holds(case["glory"] == claimed) for players, case in best.items()}
    shown = "; ".join(
        f"{players} players {case['glory']} with {case['figures']} figures in {case['province']}" for players, case in best.items()
    )
    needed = max(case["horns_step"] for case in best.values())
    return Proof(
        verdict=verdict_over(by_players),
        summary=f"Most glory of one Ragnarok in age {age}: {shown}; it takes horns on step {needed}.",
        by_players=by_players,
        cases=[{"players": players, **case} for players, case in best.items()],
        against=sum(case["glory"] != claimed for case in best.values()),
    )


def fillings(ruleset: Ruleset, players: int, age: int, doubled: bool) -> Iterator[dict[str, Any]]:
    """Every number of figures in the villages of a province and of ships in its fjord that one clan can have, with what it pays.

    Rules 1.2, 1.3, 5.3, 10.2, 10.3.  Figures may have come in earlier ages, so rage is no limit.
    """
    board = ruleset.board
    cards = [row for row in ruleset.cards if int(row["age"]) <= age and copies_of(row, players)]
    monsters = {row["id"] for row in cards if row["kind"] == "monster"}
    serpents = {row["id"] for row in cards if row["effect"] == SHIP_LIKE}
    slots = board["clan"]["slots"]["monster"]
    factor = _factor(cards) if doubled else 1
    fjords = {province for fjord in board["fjord"] for province in fjord["provinces"]}
    for province in board["province"]:
        if not province["villages"]:
            continue
        for ship_monsters in range(min(slots, len(serpents)) + 1):
            ships = (board["clan"]["ships"] + ship_monsters) if province["id"] in fjords else 0
            walkers = board["clan"]["warriors"] + board["clan"]["leaders"] + min(slots - ship_monsters, len(monsters - serpents))
            for villages in range(min(province["villages"], walkers) + 1):
                figures = villages + ships
                step = next((step for step, horns in enumerate(board["tracks"]["horns"], 1) if horns >= figures), None)
                if step is not None:
                    glory = figures * board["ragnarok"]["glory_per_figure"][age - 1] * factor
                    yield {
                        "province": province["id"], "in_villages": villages, "ships": ships, "figures": figures, "horns_step": step,
                        "glory": glory,
                    }  # fmt: skip


def _factor(cards: list[Row]) -> int:
    return max((int(row["amount"]) for row in cards if row["effect"] == DOUBLES), default=1)
