"""One game that Python can stop, look at, copy and go on with: `legal`, `apply`, `copy`, `reseed`, `imagine`."""

from __future__ import annotations

from typing import Any

import numpy as np

from .cast import cast_of
from .errors import BadValue
from .imagine import imagine
from .play import (
    BAD_ANSWER,
    DONE,
    STOPPED,
    look_into,
    play_games,
    prepare,
    reseed,
    set_up_games,
)
from .rules.engine import PAUSE_AT_QUESTIONS
from .rules.flow import QUESTION_NAMES
from .rules.state import GAME, new_games, new_log, new_options
from .ruleset import PLAYER_COUNTS, Ruleset, check_decks, make_ruleset
from .view import new_views


class Game:
    """A game at one of its questions.

    Attributes
    ----------
    record : GAME record, the whole state
    options : OPTION array; the first `n` are the legal options of the open question
    buffer : the OPTIONS array of one record that holds them, as play_games wants it
    n : number of options, 0 when no question is open
    stopped : whether the game stands after a turn or phase (only with `pause`)
    """

    def __init__(self, games: np.recarray, tables: np.recarray, log_size: int = 0) -> None:
        prepare()
        self.games = games
        self.tables = tables
        self.log_buffer = new_log(log_size)
        self.log = self.log_buffer.event[0, : int(self.log_buffer.capacity[0])].view(np.recarray)
        self.buffer = new_options()
        self.options = self.buffer.option[0].view(np.recarray)
        self.n = 0
        self.stopped = False
        self._views = new_views(1)
        self._found = np.zeros(3, np.int64)
        self._cast = cast_of(())

    @classmethod
    def new(
        cls, players: int, seed: int = 0, deal: int = 0, rotation: int = 0, ruleset: Ruleset | None = None, log_size: int = 0
    ) -> Game:
        """A game set up and dealt, at its first question.  Raises BadValue for impossible player counts and decks."""
        if players not in PLAYER_COUNTS:
            raise BadValue(f"{players} players; allowed: 2 to 5")
        ruleset = ruleset or make_ruleset()
        check_decks(ruleset, players)
        prepare()
        tables, games = ruleset.tables(), new_games(1)
        set_up_games(games, tables, players, np.uint64(seed), deal, players, rotation)
        game = cls(games, tables, log_size)
        game.run()
        return game

    @property
    def record(self) -> Any:
        return self.games[0]

    @property
    def over(self) -> bool:
        return bool(self.record.over)

    @property
    def question(self) -> str:
        """Name of the open question, 'none' if there is none."""
        return QUESTION_NAMES[self.record.flow.question]

    @property
    def seat(self) -> int:
        """Seat that is asked, -1 if none is."""
        return int(self.record.flow.seat) if self.n else -1

    @property
    def events(self) -> np.recarray:
        """Events so far, if the game was made with a log."""
        return self.log[: min(int(self.record.n_events), len(self.log))]

    def run(self, choice: int = -1, pause: int = 0) -> None:
        """Give answer number `choice` to the open question, if any, and go on to the next.

        pause : sum of PAUSE_AFTER_STEPS, to stop also after each turn and phase, and PAUSE_AT_QUESTIONS, to stop also at
        questions with a single answer
        """
        play_games(
            self.games, 0, self.tables, self.log_buffer, self.buffer, self._views, *self._cast.arguments, choice, -1, pause,
            self._found,
        )  # fmt: skip
        status = self._found[0]
        if status == BAD_ANSWER:
            raise BadValue(f"answer {choice} to a question with {self._found[1]} options")
        self.stopped = status == STOPPED
        self.n = 0 if status in (DONE, STOPPED) else int(self._found[1])

    def legal(self) -> np.recarray:
        """The legal options of the open question: OPTION records, in a stable order.  Valid until the next `apply`."""
        return self.options[: self.n]

    def apply(self, choice: int, pause: int = 0) -> None:
        """Answer the open question with option number `choice` and go on to the next decision."""
        if not 0 <= choice < self.n:
            raise BadValue(f"answer {choice} to a question with {self.n} options")
        self.run(choice, pause)

    def copy(self) -> Game:
        """An independent copy, at the same question, without a log."""
        # byte by byte: numpy's own copy of records leaves the padding between fields as it finds it
        games = np.frombuffer(bytearray(self.games.tobytes()), GAME).view(np.recarray)
        twin = Game(games, self.tables)
        twin.options[: self.n] = self.options[: self.n]
        twin.n = self.n
        twin.stopped = self.stopped
        return twin

    def reseed(self, key: int) -> None:
        """Replace all chance to come, so that a search does not see the future; hidden cards stay, see `imagine`."""
        reseed(self.games, 0, np.uint64(key))

    def imagine(self, seat: int, key: int) -> Game:
        """A game at the same question that looks the same to `seat`, with all that it does not see drawn by `key`.

        imagine.state_from_view says what is used.  If another seat is asked, its question may have a single option.
        Raises BadValue for a seat that does not play.
        """
        if not 0 <= seat < self.record.clock.players:
            raise BadValue(f"seat {seat}; allowed: 0 to {self.record.clock.players - 1}")
        views = new_views(1)
        look_into(self.games, 0, self.tables, seat, views)
        slot = int(self.record.slot[seat])
        twin = Game(imagine(views, self.tables, self.record.memory[slot : slot + 1], key), self.tables)
        twin.record.over = self.record.over
        twin.stopped = self.stopped
        if self.n:
            twin.run(pause=PAUSE_AT_QUESTIONS)
        return twin

    def view(self, seat: int) -> Any:
        """VIEW record of what `seat` may know now."""
        views = new_views(1)
        look_into(self.games, 0, self.tables, seat, views)
        return views[0]
