"""Steering games to the result of a battle that an arm asks for: what `interventions/battle_result.py` promises."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..rules.flow import QUESTION_CARD, QUESTION_TURN
from .interventions.battle_result import LOSS, TIE, WIN, BattleResult

# Answers the open question of a game, the last of an array: by number of the option, or with -1 as its strategy does, and goes on to the
# next question; None only goes on.  Returns the number of options there, 0 if the game is over.
Step = Callable[[np.recarray, int | None], int]


def steer(games: np.recarray, asked: BattleResult, step: Step, strengths: Callable[[int], np.ndarray]) -> None:
    """Play each game up to the choice of a card that an arm asks for, make it, and leave the game there; else play it to its end.

    strengths : STR of the first options of the open question, as many as are asked for
    """
    for index in range(len(games)):
        upto = games[: index + 1]  # of which step plays the last
        n = step(upto, None)
        while n > 0:
            game = games[index]
            answer = -1
            if game.flow.question == QUESTION_CARD and game.slot[game.flow.seat] == 0:
                worth = strengths(n)
                results = [_result(upto, option, step) for option in range(n)]
                if asked.fits(set(results)):
                    answer = min((option for option in range(n) if results[option] == asked.result), key=lambda at: worth[at])
                step(upto, None)  # trying out cards has left other options in the buffer
            n = step(upto, answer)
            if answer >= 0:
                games.trial.heeded[index] += 1
                break


def _result(games: np.recarray, option: int, step: Step) -> str:
    """What an option brings the seat that is asked in the last game, found on a copy that is played to the end of the battle."""
    trial = games[-1:].copy().view(np.recarray)
    seat, before = int(trial[0].flow.seat), trial.tally.battles_won[0].copy()
    n = step(trial, option)
    while n > 0 and trial[0].battle.province >= 0 and trial[0].flow.question != QUESTION_TURN:
        n = step(trial, -1)
    won = np.flatnonzero(trial.tally.battles_won[0] > before)
    return TIE if len(won) == 0 else WIN if seat in won else LOSS
