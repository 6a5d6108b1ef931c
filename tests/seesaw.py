"""A run whose numbers can be worked out in the head: two strategies that win every other deal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tiny_runs import write_run

from bloodrage_sim.rows.tables_out import PLAYERS

DEALS = 60
STEPS = [column.name for column in PLAYERS.columns if "_step" in column.name]
# one card, taken in each game by seat 0 and never used
CARD = {"card": "rune", "name": "Rune", "name_pl": "Runa", "age": 1, "kind": "quest", "god": "odin", "least_players": 2}
STRATEGIES = ("axe", "quill")


def write_seesaw(path: Path, strategies: tuple[str, str] = STRATEGIES, ledger_lacks: int = 0) -> None:
    """2 players, 60 deals of 2 games.  `axe` gets 10 glory of battles in age 1 in even deals and 20 in odd ones; `quill` gets
    4 and 30 of quests in age 2.  So `axe` wins the even deals by 6, `quill` the odd ones by 10.

    ledger_lacks : number of players whose ledger is empty
    """
    tables: dict[str, list[dict[str, Any]]] = {"games": [], "players": [], "ledger": [], "deals": []}
    for game in range(2 * DEALS):
        deal, rotation = divmod(game, 2)
        tables["games"].append({"game": game, "deal": deal, "rotation": rotation})
        tables["deals"].append({"game": game, "age": 1, "round": 1})
        gained = (10, 4) if deal % 2 == 0 else (20, 30)
        for seat in range(2):
            slot = (seat - rotation) % 2
            tables["players"].append(_player(game, deal, seat, strategies[slot], gained[slot], gained[1 - slot], slot))
            source = {"age": 1, "phase": "action", "source": "battle"} if slot == 0 else {"age": 2, "phase": "quest", "source": "quest"}
            if len(tables["players"]) > ledger_lacks:
                tables["ledger"].append({"game": game, "seat": seat, "copy": -1, "glory": gained[slot], **source})
    write_run(path, strategies, tables, [CARD])


def _player(game: int, deal: int, seat: int, strategy: str, mine: int, other: int, slot: int) -> dict[str, Any]:
    return {
        "game": game,
        "deal": deal,
        "seat": seat,
        "slot": slot,
        "strategy": strategy,
        "turn_order": seat,
        "glory": mine,
        "margin": mine - other,
        "rank": 1 if mine > other else 2,
        "win_share": float(mine > other),
        **dict.fromkeys(STEPS, 1),
        "glory_battle" if slot == 0 else "glory_quest": mine,
        "glory_age_1" if slot == 0 else "glory_age_2": mine,
    }
