"""Playing the blocks of cells: what one worker does with a task, and the tasks of a cell."""

from __future__ import annotations

import queue
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..cast import Cast, cast_of
from ..errors import BadPlugin, BadValue
from ..play import BAD_ANSWER, NEEDS_ANSWER, play_games
from ..plugins.loading import Strategy, load_strategy
from ..rows.row_bytes import copied
from ..rows.tables_out import DETAILS, EVENTS, GAMES, PLAYERS, flat
from ..rules.flow import QUESTION_NAMES
from ..rules.tables import N_SEATS
from ..running.runs import Kit, RunConfig
from ..running.units import Planner, Unit
from ..running.workers import Worker
from .arms import BuiltArm
from .cells import Cell
from .metrics import Metric
from .played import PlayedGames
from .steering import Steering
from .trials import TrialRows

TASK_GAMES = 120


@dataclass(frozen=True)
class ArmKit(Kit):
    """An arm ready to be played: its own tables, and orders beside the parameters of its strategies."""

    arm: BuiltArm

    @classmethod
    def load(
        cls, arm: BuiltArm, players: int, seed: int, details: bool, load: Callable[[str], Strategy] = load_strategy, events: bool = False
    ) -> ArmKit:
        """Load the strategies of an arm, with `load`.  Raises what load_strategy raises, and BadValue for plain Python with battle_result.

        details, events : whether the rows of DETAILS and of EVENTS are wanted too
        """
        config = RunConfig(
            players=(players,), games=1, seed=seed, strategies=arm.slots[:1], ruleset=arm.ruleset,
            tables=tuple(table.name for table in DETAILS) if details else (), events="all" if events else "none",
        )  # fmt: skip
        loaded = [load(text) for text in arm.slots]
        plain = [strategy.text for strategy in loaded if not strategy.compiled]
        if plain and arm.result is not None:
            raise BadValue(f"strategy {plain[0]} is plain Python; battle_result needs compiled strategies in all seats")
        return cls(config, tuple(loaded[min(slot, len(loaded) - 1)] for slot in range(N_SEATS)), arm)

    @cached_property
    def tables(self) -> np.recarray:
        return self.arm.tables

    @cached_property
    def strategy_of(self) -> np.ndarray:
        """Slots take the place of strategies."""
        return np.arange(N_SEATS, dtype=np.int64)

    @cached_property
    def cast(self) -> Cast:
        cast = cast_of(self.line_up)
        cast.params.orders[0] = self.arm.orders
        return cast


class ArmPlayer(Worker):
    """Plays blocks of one arm of a cell; scratch memory of one thread."""

    def __init__(self, kit: ArmKit, cell: Cell, planner: Planner) -> None:
        super().__init__(kit, planner, queue.SimpleQueue())
        self._cell = cell
        self._arm = kit.arm
        self._steering = None if kit.arm.result is None else Steering(kit.arm.result, self)
        self._tables, self._arguments = kit.tables, kit.cast.arguments

    def games(self, first: int, count: int) -> np.recarray | None:
        """Finished games of blocks first, first + 1, ..., rotation by rotation; None if it was stopped.  Raises BadPlugin."""
        cell = self._cell
        players = cell.players
        games = self._empty_games(count * players)
        self._recorder.set_up(games, players, first * players)
        seatings = cell.seatings[cell.seating_of(first, count)]
        around = np.concatenate([np.zeros((count, 1), np.int8), seatings], axis=1)  # slot by seats after the focal one
        start = self._arm.start
        if start is not None:
            stand_at(games, start)
        for rotation in range(players):
            games.slot[rotation::players, :players] = around if start is not None else np.roll(around, rotation, axis=1)
        if self._steering is not None:
            for at in range(len(games)):
                self._steering.steer(games[at : at + 1])
        self._play(games, Unit(0, players, first * players, len(games)))
        return None if self.planner.stopped.is_set() and not games.over.all() else games

    def step(self, game: np.recarray, answer: int, decisions: int, log: np.recarray) -> int:
        """See steering.Stepper.  Raises BadPlugin."""
        found = self._found
        try:
            play_games(game, 0, self._tables, log, self._options, self._views, *self._arguments, answer, decisions, 0, found)
        except Exception as error:  # noqa: BLE001  whatever a plugin raises
            raise self._fault(game, f"raised {type(error).__name__}: {error}") from None
        if found[0] == BAD_ANSWER:
            raise self._fault(game, f"answered {found[2]} to a question with {found[1]} options")
        return int(found[1]) if found[0] == NEEDS_ANSWER else 0

    def strengths(self, n: int) -> np.ndarray:
        """See steering.Stepper."""
        cards = self._options.view(np.ndarray)["option"][0, :n]["card"]
        return self._tables.view(np.ndarray)["battle_str"][0, cards].astype(np.int64)

    def played(self, games: np.recarray) -> PlayedGames:
        """Rows of finished games, for metrics."""
        players, first = self._cell.players, int(games.deal[0]) * self._cell.players
        rows = self._recorder.part(games, players, first).rows
        names = [strategy.name for strategy in self.kit.line_up[: len(self._arm.slots)]]
        details = {}
        for table in (*DETAILS, EVENTS):
            if table.name in rows:
                details[table.name] = flat(table, copied(rows[table.name]))
                details[table.name]["game"] -= first
        return PlayedGames(players, rows[GAMES.name], rows[PLAYERS.name], names, details, games.secret.card_of)

    def _fault(self, games: np.recarray, what: str) -> BadPlugin:
        """The error for a strategy that misbehaves in the first game that is not over."""
        game = games[int(np.flatnonzero(games.over == 0)[0])]
        seat = int(game.flow.seat)
        strategy, question = self.kit.line_up[int(game.slot[seat])].text, QUESTION_NAMES[game.flow.question]
        return BadPlugin(
            f"strategy {strategy} {what} at decision {game.decisions} (the first is 0, {question}) of block {game.deal}, "
            f"rotation {game.rotation}, seat {seat}, {self._cell.players} players, pool {self._cell.pool}; "
            "bloodrage strategies --check tries a strategy alone"
        )


def stand_at(games: np.recarray, start: np.recarray) -> None:
    """Put games that were set up into a position; each rotation of a deal gets a chance of its own."""
    kept = {name: games[name].copy() for name in ("deal", "rotation")}
    key = games.secret.key ^ (kept["rotation"].astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15))
    games[:] = start[0]
    for name, values in kept.items():
        games[name] = values
    games.secret.key = key


@dataclass(frozen=True)
class Task:
    """Blocks first, first + 1, ... of one arm of a cell."""

    arm: str
    first: int
    count: int


def tasks_of(cell: Cell, missing: Sequence[np.ndarray]) -> list[Task]:
    """Tasks for the missing blocks of each arm, ascending; arms in turn, so that blocks become whole soon."""
    size = max(1, TASK_GAMES // cell.players)
    tasks = []
    for arm, blocks in zip(cell.arms, missing, strict=True):
        for run in np.split(blocks, np.flatnonzero(np.diff(blocks) > 1) + 1):
            tasks += [Task(arm, int(run[at]), min(size, len(run) - at)) for at in range(0, len(run), size)]
    return sorted(tasks, key=lambda task: task.first)


@dataclass(frozen=True)
class CellWork:
    """What the tasks of a cell have in common.

    Attributes
    ----------
    cell : the cell
    metrics : what is measured of each game
    form : of the rows
    """

    cell: Cell
    metrics: tuple[Metric, ...]
    form: TrialRows

    @property
    def strategies(self) -> list[str]:
        """Texts of all strategies that take part."""
        return list(dict.fromkeys(text for arm in self.cell.arms.values() for text in arm.slots))

    def prepare(self, load: Callable[[str], Strategy]) -> Callable[[Planner], CellPlayer]:
        """Load all arms; returns the function that makes a player for a thread.  Raises what load_strategy raises."""
        cell, details = self.cell, any(metric.needs_details for metric in self.metrics)
        events = any(metric.needs_events for metric in self.metrics)
        kits = {name: ArmKit.load(arm, cell.players, cell.seed, details, load, events) for name, arm in cell.arms.items()}
        for kit in kits.values():
            kit.prepare()
        return lambda planner: CellPlayer(self, kits, planner)


class CellPlayer:
    """Plays tasks of a cell in one thread."""

    def __init__(self, work: CellWork, kits: Mapping[str, ArmKit], planner: Planner) -> None:
        self._work = work
        self._players = {name: ArmPlayer(kit, work.cell, planner) for name, kit in kits.items()}

    def play(self, task: Task) -> np.ndarray | None:
        """Rows of a task, None if it was stopped.  Raises BadPlugin."""
        work, own = self._work, self._players[task.arm]
        games = own.games(task.first, task.count)
        if games is None:
            return None
        return work.form.rows_of(games, own.played(games), work.metrics, work.cell.number, list(self._players).index(task.arm))

    def overdue(self, seconds: float) -> BadPlugin | None:
        """See tasks.TaskPlayer."""
        return next((fault for player in self._players.values() if (fault := player.overdue(seconds)) is not None), None)
