"""One game played by strategies and watched move by move: exactly the game that `play_games` plays in one go.

The core takes every decision itself, with the same views, keys and counts as in a run without watching; this driver
only stops it after each one.  So a game that is told is the game that was simulated.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..cast import cast_of
from ..errors import BadPlugin, BadValue, is_ctrl_c, one_line, shown
from ..game import Game
from ..notation import Begun, begin_or_continue, option_text
from ..play import (
    BAD_ANSWER,
    DONE,
    STOPPED,
    play_games,
    prepare,
    set_up_games,
)
from ..plugins.loading import Strategy
from ..rules.engine import PAUSE_AFTER_STEPS
from ..rules.options import FIRST_CODE, action_code
from ..rules.state import new_games
from ..ruleset import PLAYER_COUNTS, Ruleset, check_decks, make_ruleset
from ..view import new_views

LOG_SIZE = 1 << 15
MAX_NUMBER = 2**63 - 1  # of a seed or a deal
_SHOWN_OPTIONS = 40


@dataclass(frozen=True)
class Decision:
    """One answer of a strategy.

    Attributes
    ----------
    number : int, decisions taken before it in this game
    seat : int
    question : name of the question
    n : number of options
    choice : index of the chosen option
    text : words of the chosen option alone; those of a whole move stand in its Move
    intent : what the strategy left in `memory.intent`
    action : ACTION_* id
    """

    number: int
    seat: int
    question: str
    n: int
    choice: int
    text: str
    intent: int
    action: int


@dataclass(frozen=True)
class Moment:
    """Something that happened: events[begin:end] of the log."""

    begin: int
    end: int


@dataclass(frozen=True)
class Happening(Moment):
    """Events that follow by themselves, without a decision."""


@dataclass(frozen=True)
class Move(Moment):
    """One move of the table, which is one decision or several: `text` is its notation, events include its decisions."""

    seat: int
    question: str
    text: str
    decisions: tuple[Decision, ...]


@dataclass(frozen=True)
class Pause(Moment):
    """A turn or a phase is over: checkpoint `number` of PHASE_* `phase`, as the core names it."""

    phase: int
    number: int


def line_up_for(players: int, strategies: Sequence[Strategy]) -> tuple[Strategy, ...]:
    """Strategies by slot: one for all, or one for each of `players`.  Raises BadValue for other numbers."""
    if len(strategies) == 1:
        return tuple(strategies) * players
    if len(strategies) != players:
        raise BadValue(f"{len(strategies)} strategies for {players} players; give --strategy once, or {players} times")
    return tuple(strategies)


class WatchedGame:
    """A game of strategies that is watched move by move.

    Attributes
    ----------
    game : Game, as it stands; do not apply moves to it
    line_up : tuple of Strategy by slot
    decisions : int, decisions taken so far
    """

    def __init__(
        self,
        players: int,
        line_up: Sequence[Strategy],
        seed: int = 0,
        deal: int = 0,
        rotation: int = 0,
        ruleset: Ruleset | None = None,
        log_size: int = LOG_SIZE,
    ) -> None:
        if players not in PLAYER_COUNTS:
            raise BadValue(f"{players} players; allowed: {min(PLAYER_COUNTS)} to {max(PLAYER_COUNTS)}")
        if not 0 <= rotation < players:
            raise BadValue(f"rotation {rotation}; allowed: 0 to {players - 1} with {players} players")
        if not 0 <= deal <= MAX_NUMBER:
            raise BadValue(f"deal {deal}; allowed: 0 to 2**63 - 1")
        if not 0 <= seed <= MAX_NUMBER:
            raise BadValue(f"seed {seed}; allowed: 0 to 2**63 - 1")
        self.ruleset = ruleset or make_ruleset()
        check_decks(self.ruleset, players)
        prepare()
        self.line_up = line_up_for(players, line_up)
        tables, games = self.ruleset.tables(), new_games(1)
        set_up_games(games, tables, players, np.uint64(seed), deal, players, rotation)
        self.game = Game(games, tables, log_size)
        self._views = new_views(1)
        self._shown_tables = tables.copy().view(np.recarray)
        self._shown_tables.flags.writeable = False
        self._found = np.zeros(3, np.int64)
        self._cast = cast_of(self.line_up)

    @property
    def players(self) -> int:
        return int(self.game.record.clock.players)

    @property
    def decisions(self) -> int:
        return int(self.game.record.decisions)

    def strategy_of(self, seat: int) -> Strategy:
        """The strategy that sits at `seat`."""
        return self.line_up[int(self.game.record.slot[seat])]

    # ------------------------------------------------------------ running

    def _run(self, given: int, limit: int) -> int:
        """Let the core run; returns its status.  Sets the options of the open question."""
        game = self.game
        play_games(
            game.games, 0, game.tables, game.log_buffer, game.buffer, self._views, *self._cast.arguments, given, limit,
            PAUSE_AFTER_STEPS, self._found,
        )  # fmt: skip
        status = int(self._found[0])
        game.n = 0 if status in (DONE, STOPPED) else int(self._found[1])
        game.stopped = status == STOPPED
        return status

    def _where(self, game: Game) -> str:
        """Which strategy is asked what at the open question of `game`, for an error."""
        seat = game.seat
        texts = [option_text(game, choice) or "(no more)" for choice in range(min(game.n, _SHOWN_OPTIONS))]
        more = f", ... ({game.n} in all)" if game.n > _SHOWN_OPTIONS else ""
        name = self.strategy_of(seat).text
        asked = f"decision {int(game.record.decisions)} ({game.question})"
        return f"strategy {name} at seat {seat}, {asked}; options: {', '.join(texts)}{more}"

    def _decide(self, before: Game) -> int:
        """Take one decision, and run up to whatever is next; returns the status.  Raises BadPlugin.

        before : a copy of the game
        """
        strategy = self.strategy_of(before.seat)
        try:
            if strategy.compiled:
                status, answer = self._run(-1, 1), None
            else:
                status, answer = self._ask_python(strategy)
        except BaseException as error:  # whatever a plugin may raise
            if is_ctrl_c(error):
                raise
            name, _, words = one_line(error).partition(": ")
            raise BadPlugin(f"{name} ({words or 'no message'}) in {self._where(before)}") from None
        if status == BAD_ANSWER:
            given = int(self._found[2]) if strategy.compiled else answer
            raise BadPlugin(f"answer {shown(given)}, but 0 to {before.n - 1} are allowed, of {self._where(before)}")
        return status

    def _ask_python(self, strategy: Strategy) -> tuple[int, Any]:
        """Ask a strategy that is not compiled."""
        game = self.game
        record, tables = game.record, game.tables
        slot = int(record.slot[game.seat])
        key = self._cast.show(game.games, 0, tables, game.buffer, game.n, self._views, slot)
        options = game.options.copy()
        params = self._cast.params.of[0, slot].view()
        params.flags.writeable = False
        answer = strategy.decide(self._views[0], options, game.n, self._shown_tables[0], params, record.memory[slot], key)
        try:
            choice = operator.index(answer)
        except Exception:  # noqa: BLE001  whatever the answer's own code does
            return BAD_ANSWER, answer
        if not 0 <= choice < game.n:
            return BAD_ANSWER, choice
        return self._run(choice, 0), choice

    # ------------------------------------------------------------ watching

    def watch(self, last_decision: int = -1) -> Iterator[Moment]:
        """Play on, move by move, to the end, or until `last_decision` decisions are taken; a move is always finished.

        Raises BadPlugin if a strategy raises or answers with no index of its options.
        """
        told = 0
        status = self._run(-1, 0)
        while True:
            if self.n_events > told:
                yield Happening(told, self.n_events)
                told = self.n_events
            if status == STOPPED:
                step = self.game.record.flow.pending[self.game.record.flow.depth]
                yield Pause(told, told, int(step.a), int(step.b))
                status = self._run(-1, 0)
            elif status == DONE or 0 <= last_decision <= self.decisions:
                return
            else:
                status, move = self._take_move(told)
                yield move
                told = move.end

    @property
    def n_events(self) -> int:
        """Events so far.  Raises BadValue if they outgrew the log."""
        count = int(self.game.record.n_events)
        if count > len(self.game.log):
            raise BadValue(f"the game has more than {len(self.game.log)} events; the log is too small to tell it")
        return count

    def _take_move(self, begin: int) -> tuple[int, Move]:
        """Take the decisions of one move."""
        seat, question = self.game.seat, self.game.question
        decisions: list[Decision] = []
        begun: Begun | None = None
        goes_on = True
        while goes_on:
            before = self.game.copy()
            number, event = self.decisions, self.n_events
            status = self._decide(before)
            choice = self._choice(before, event)
            begun, goes_on = begin_or_continue(before, choice, begun)
            decisions.append(self._decision(before, number, choice, event))
        assert begun is not None
        return status, Move(begin, self.n_events, seat, question, begun.text, tuple(decisions))

    def _choice(self, before: Game, event: int) -> int:
        """Number of the option that was chosen: the one with the fields and code of the decision's event."""
        chosen = self.game.log[event]
        names = ("card", "figure", "origin", "place")
        like = [
            choice
            for choice in range(before.n)
            if all(before.options[choice][name] == chosen[name] for name in names)
            and _is_action(before.options[choice], chosen.value)
        ]
        return (
            like[0]
            if len(like) == 1
            else next(number for number in like if _code(before.options[number]) == chosen.value)
        )

    def _decision(self, before: Game, number: int, choice: int, event: int) -> Decision:
        option = before.options[choice]
        intent = int(self.game.log[event]["copy"])  # .copy is a method
        text = option_text(before, choice)
        return Decision(number, before.seat, before.question, before.n, choice, text, intent, int(option.action))


# without compiling it: the two options that only the code tells apart (which stat, which value) need no other kernel
_code = getattr(action_code, "py_func", action_code)


def _is_action(option: Any, code: int) -> bool:
    """Whether `code` is one of the codes of the option's action."""
    action = int(option.action)
    return FIRST_CODE[action] <= code and (action + 1 == len(FIRST_CODE) or code < FIRST_CODE[action + 1])
