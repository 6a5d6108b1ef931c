"""Steering games to the result of a battle that an arm asks for: what `interventions/battle_result.py` promises."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from ..rows.row_bytes import lay
from ..rules.events import EVENT_DECISION, EVENT_FAILED, EVENT_PILLAGED, EVENT_WON
from ..rules.flow import QUESTION_CARD
from ..rules.state import GAME_EVENTS, new_games, new_log
from .interventions.battle_result import LOSS, TIE, WIN, BattleResult

_TO_THE_END = -1
_SOME = 8  # decisions; a battle has about as many after a card is chosen
_ENDS = (EVENT_FAILED, EVENT_PILLAGED)  # of a pillage


class Stepper(Protocol):
    """Plays one game, and knows the options of its open question."""

    def step(self, game: np.recarray, answer: int, decisions: int, log: np.recarray) -> int:
        """Play an array of one game on for some decisions, or to its end; the open question gets the answer first, if not -1.

        Returns the number of options of the question it stops at, 0 if the game is over.
        """

    def strengths(self, n: int) -> np.ndarray:
        """int64 (n,): STR of the cards of the n options of the open question."""


class Steering:
    """Plays games up to the choice of a card that an arm asks for; scratch memory of one thread."""

    def __init__(self, asked: BattleResult, stepper: Stepper) -> None:
        self._asked = asked
        self._stepper = stepper
        self._silent = new_log(0)
        self._log = new_log(GAME_EVENTS)
        self._trial = new_games(1)
        # fields of a recarray take long to read, so those needed often are taken out once
        self._counted = self._trial.view(np.ndarray)["n_events"]
        self._kinds, self._logged = self._log.view(np.ndarray)["kinds"], self._log.view(np.ndarray)["event"][0]

    def steer(self, game: np.recarray) -> None:
        """Make the choice in an array of one game, if it comes, and leave the game there or before; it is counted as heeded."""
        plain = game.view(np.ndarray)  # the same memory: fields of a recarray take long to read
        for number in self._choices(game):
            decisions = int(plain["decisions"][0])
            if number < decisions:
                continue  # an order left one option, so the game went on beyond it
            n = self._stepper.step(game, -1, number - decisions, self._silent)
            if n == 0 or not _is_choice(plain):
                continue
            strengths = self._stepper.strengths(n)
            results = self._results(game, strengths)
            if self._asked.fits(set(results.values())):
                fitting = [option for option in range(n) if results[option] == self._asked.result]
                self._stepper.step(game, min(fitting, key=lambda option: strengths[option]), 0, self._silent)
                plain["trial"]["heeded"][0] += 1
                return

    def _choices(self, game: np.recarray) -> list[int]:
        """Numbers of the decisions at which the focal seat chooses a battle card, if nobody steers."""
        trial = self._copy(game, EVENT_DECISION)
        self._stepper.step(trial, -1, _TO_THE_END, self._log)
        events = self._events()
        seat = int(np.flatnonzero(trial["slot"][0, : int(trial["clock"]["players"][0])] == 0)[0])
        return [int(number) for number in events["decision"][(events["source"] == QUESTION_CARD) & (events["seat"] == seat)]]

    def _results(self, game: np.recarray, strengths: np.ndarray) -> dict[int, str]:
        """What each option brings the seat that is asked; only up to one that may not be, so cards likely to bring that come first."""
        ascending = np.argsort(strengths, kind="stable").tolist()
        results: dict[int, str] = {}
        for option in reversed(ascending) if self._asked.never == WIN else ascending:
            results[option] = self._result(game, option)
            if results[option] == self._asked.never:
                break
        return results

    def _result(self, game: np.recarray, option: int) -> str:
        trial, seat = self._copy(game, EVENT_WON, *_ENDS), int(game.view(np.ndarray)["flow"]["seat"][0])
        answer, n = option, 1
        while n > 0:
            n = self._stepper.step(trial, answer, _SOME, self._log)
            answer, winner = -1, None
            events = self._events()
            for kind, who in zip(events["kind"].tolist(), events["seat"].tolist(), strict=True):
                if kind != EVENT_WON:  # first it is told who won, then how the pillage ended
                    return TIE if winner is None else WIN if winner == seat else LOSS
                winner = who
        raise AssertionError("a battle that never ended")

    def _copy(self, game: np.recarray, *kinds: int) -> np.recarray:
        """A copy of a game whose events of some kinds will be in the log."""
        lay(self._trial, game)
        self._counted[:] = 0
        self._kinds[:] = sum(1 << kind for kind in kinds)
        return self._trial

    def _events(self) -> np.ndarray:
        return self._logged[: int(self._counted[0])]


def _is_choice(game: np.ndarray) -> bool:
    seat = int(game["flow"]["seat"][0])
    return int(game["flow"]["question"][0]) == QUESTION_CARD and int(game["slot"][0, seat]) == 0
