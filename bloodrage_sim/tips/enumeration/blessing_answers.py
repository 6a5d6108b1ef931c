"""Which age 1 cards clear a province of the Warrior that Loki's Blessing put there: every card and line of a turn or two, played out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...game import Game
from ...notation import legal_moves, play_path
from ...position import build_game, figures_at
from ...rules.ids import PLACE_NAMES
from ...ruleset import Ruleset
from ..proofs import Proof, holds, verdict_over
from .decks import deck

PLAYERS = (4, 5)  # the decks that have Loki's Blessing
PROVINCE = "muspelheim"
CLAIMED = {"troll"}
OWN, HOLDER = 0, 1
TURNS = 2
TURN = "turn"  # the question of an action


def troll_only_answer_blessing(ruleset: Ruleset) -> Proof:
    """Whether the Troll alone leaves the province free of the holder's figures, although the holder uses the Blessing whenever it may.

    The own clan holds the province with its Leader and one card in hand, full rage and two turns; the holder has a Warrior there, the
    Blessing, no cards and no rage.
    """
    lines = {row["id"]: clearing_line(ruleset, row["id"]) for row, _ in deck(ruleset, max(PLAYERS), 1)}
    by_players = {}
    for players in PLAYERS:
        clearing = {row["id"] for row, _ in deck(ruleset, players, 1) if lines[row["id"]]}
        by_players[players] = holds(clearing == CLAIMED)
    found = {card for card, line in lines.items() if line}
    return Proof(
        verdict=verdict_over(by_players),
        summary=f"Of {len(lines)} cards of age 1, these clear the province: {', '.join(sorted(found)) or 'none'}.",
        by_players=by_players,
        cases=[{"card": card, "clears": bool(line), "line": "; ".join(line)} for card, line in lines.items()],
        against=len(found ^ CLAIMED),
    )


def clearing_line(ruleset: Ruleset, card: str) -> list[str]:
    """Moves with this card after which no figure of the holder is left in the province, [] if there are none."""
    game = build_game(_position(card), ruleset)
    game.run()
    return _search(game, card, TURNS) or []


def _position(card: str) -> dict[str, Any]:
    own = {"hand": [card], "rage": 6, "figures": {PROVINCE: ["leader"]}}
    holder = {"rage": 0, "upgrades": ["lokis_blessing"], "figures": {PROVINCE: ["warrior"]}}
    idle = [{"rage": 0}] * (min(PLAYERS) - 2)
    board = {"doom": "myrkulor", "destroyed": ["elvagar"], "tokens": {PROVINCE: "horns"}}
    return {"players": min(PLAYERS), "age": 1, "phase": "action", "current": OWN, "seed": 1, "board": board, "player": [own, holder, *idle]}


def _search(game: Game, card: str, turns: int) -> list[str] | None:
    """The moves from here to a turn without the holder in the province, None if there are none."""
    at_turn = game.question == TURN
    if at_turn and not _holder_stands(game):
        return []
    if not game.n or (at_turn and turns == 0):
        return None
    for text, path in _moves(game, card):
        twin = game.copy()
        play_path(twin, path)
        line = _search(twin, card, turns - at_turn)
        if line is not None:
            return [text, *line]
    return None


def _moves(game: Game, card: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The moves that matter: on a turn the card and the pillage; else all, but that the holder never refuses the Blessing."""
    if game.question == TURN:
        for like in (f"upgrade {card}", f"quest {card}", f"pillage {PROVINCE}"):
            yield from legal_moves(game, like).items()
        return
    for text, path in legal_moves(game).items():
        if not (game.seat == HOLDER and text in ("no", "decline")):
            yield text, path


def _holder_stands(game: Game) -> bool:
    return bool(figures_at(game.record, HOLDER, PLACE_NAMES.index(PROVINCE)))
