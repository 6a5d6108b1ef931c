"""What to play: the options of a run, checked, and its strategies, loaded."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from .. import provenance
from ..cast import Cast, cast_of
from ..datasets.dataset import distinct_strategies, read_manifest, strategies_of
from ..errors import BadValue, nearest, unknown
from ..plugins.loading import Strategy, load_strategy
from ..plugins.text import is_path, split_strategy
from ..rows.results import EVENTS_NAMES, EVENTS_NONE, SEATS_NAMES
from ..rows.tables_out import EVENTS, SUMMARY, TABLES, tables_named
from ..rules.tables import N_SEATS
from ..ruleset import (
    PLAYER_COUNTS,
    Ruleset,
    check_decks,
    make_ruleset,
    rule_defaults,
    ruleset_of_run,
    tables_hash,
)

MAX_GAMES = 1_000_000_000
MAX_SEED = 2**63 - 1
MAX_THREADS = 256
PART_GAMES = 24_000  # a multiple of 2 to 5, so that games of one deal stay together
MAX_UNIT_GAMES = 512
DECISION_SECONDS = 60.0


class Engine(Protocol):
    """Brings crews that play units elsewhere than in threads of this process.

    Attributes
    ----------
    unit_size : `seconds` and `most` games of a unit, for the planner
    """

    unit_size: Mapping[str, Any]

    def crew(self, kit: Kit) -> Any:
        """A crew, like workers.ThreadCrew, for one call of play_segments.  Raises BadPlugin."""

    def task_crew(self, work: Any) -> Any:
        """A crew, like tasks.TaskThreads, for the tasks of a tasks.Work.  Raises BadPlugin."""


@dataclass(frozen=True)
class RunConfig:
    """What to play.

    Attributes
    ----------
    players : numbers of players, each 2 to 5
    games : games for each of them
    seed : 0 to 2**63 - 1
    strategies : one for all seats, or one per slot of the line-up
    seats : 'rotate' (slot j sits at seat (j + game) mod players, so that `players` games share a deal), 'fixed' (slot j
        sits at seat j, every game its own deal) or 'random' (one turn of the line-up drawn for every deal)
    ruleset : rules, cards and board
    threads : workers
    part_games : games of a file
    unit_games : games that a worker plays at a time; 0 for about 0.1 s
    tables : names of the tables to keep: games and players, and the others of tables_out.TABLES if wanted
    events : 'none', 'sample' (one game in event_rows.SAMPLED) or 'all': of which games all events are kept
    decision_seconds : longest that a strategy in plain Python may think about one decision
    engine : who plays, None for threads of this process
    rule_arguments : arguments of a command with the same ruleset, for messages

    Raises
    ------
    BadValue : a value out of its range, or a mix that cannot be
    """

    players: tuple[int, ...]
    games: int
    seed: int
    strategies: tuple[str, ...]
    seats: str = "rotate"
    ruleset: Ruleset = field(default_factory=make_ruleset)
    threads: int = 1
    part_games: int = PART_GAMES
    unit_games: int = 0
    tables: tuple[str, ...] = tuple(table.name for table in SUMMARY)
    events: str = "none"
    decision_seconds: float = DECISION_SECONDS
    engine: Engine | None = None
    rule_arguments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self._check_players()
        _check_range("games", self.games, 1, MAX_GAMES)
        _check_range("seed", self.seed, 0, MAX_SEED)
        check_threads(self.threads)
        _check_range("part_games", self.part_games, 1, MAX_GAMES)
        _check_range("unit_games", self.unit_games, 0, MAX_UNIT_GAMES)
        if self.seats not in SEATS_NAMES:
            raise BadValue(f"seats {self.seats!r}{nearest(self.seats, SEATS_NAMES)}")
        self._check_tables()
        self._check_line_up()
        for players in self.players:
            check_decks(self.ruleset, players)

    def _check_players(self) -> None:
        allowed = f"{PLAYER_COUNTS[0]} to {PLAYER_COUNTS[-1]}"
        if not self.players:
            raise BadValue(f"no number of players; allowed: {allowed}")
        for players in self.players:
            if players not in PLAYER_COUNTS:
                raise BadValue(f"{players} players; allowed: {allowed}")
        if len(set(self.players)) < len(self.players):
            raise BadValue(f"players {','.join(map(str, self.players))}: give each number once")

    def _check_tables(self) -> None:
        """Put the tables in order; the events belong to them if they are kept."""
        known = [table.name for table in TABLES if table is not EVENTS]
        for name in self.tables:
            if name not in known and name != EVENTS.name:
                raise unknown("table", name, known)
        if self.events not in EVENTS_NAMES:
            raise BadValue(f"events {self.events!r}{nearest(self.events, EVENTS_NAMES)}")
        wanted = {*(table.name for table in SUMMARY), *self.tables} - {EVENTS.name}
        if self.events != EVENTS_NAMES[EVENTS_NONE]:
            wanted.add(EVENTS.name)
        object.__setattr__(self, "tables", tuple(table.name for table in tables_named(tuple(wanted))))

    def _check_line_up(self) -> None:
        n = len(self.strategies)
        if n == 1:
            return
        if len(self.players) > 1:
            raise BadValue(
                f"a line-up of {n} strategies with several numbers of players; give one strategy for all seats"
            )
        if n != self.players[0]:
            raise BadValue(f"a line-up of {n} strategies for {self.players[0]} players; give 1 or {self.players[0]}")

    def warnings(self) -> list[str]:
        """What is accepted but may not be meant."""
        return [
            f"{self.games:,} games are no multiple of {players}: the last deal is not played in all rotations"
            for players in self.players
            if self.seats == "rotate" and self.games % players
        ]


def _check_range(name: str, value: int, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadValue(f"{name} is {value!r}; allowed: whole numbers {least} to {most}")


def check_threads(threads: int) -> None:
    """Raise BadValue for a number of workers that cannot be."""
    _check_range("threads", threads, 1, MAX_THREADS)


@dataclass(frozen=True)
class Kit:
    """A run ready to be played: the configuration and its strategies, loaded."""

    config: RunConfig
    line_up: tuple[Strategy, ...]

    @cached_property
    def run(self) -> dict[str, Any]:
        """The run as plain data: all that decides its content."""
        config, given = self.config, self.line_up[: len(self.config.strategies)]
        run = {
            "players": list(config.players),
            "games": config.games,
            "seed": config.seed,
            "seats": config.seats,
            "tables": list(config.tables),
            "events": config.events,
            "strategies": [{"text": strategy.text, "source_hash": strategy.source_hash} for strategy in given],
            **config.ruleset.describe(),
            "tables_hash": tables_hash(self.tables),
            "engine": provenance.engine_digest(),
        }
        return json.loads(json.dumps(run))  # as it comes back from a manifest: no tuples

    @cached_property
    def tables(self) -> np.recarray:
        return self.config.ruleset.tables()

    @cached_property
    def strategies(self) -> tuple[str, ...]:
        """Distinct strategies in the order of the line-up."""
        return distinct_strategies(self.run)

    @cached_property
    def strategy_of(self) -> np.ndarray:
        """int64 array, number of the strategy by slot."""
        return np.array([self.strategies.index(strategy.text) for strategy in self.line_up], np.int64)

    @cached_property
    def cast(self) -> Cast:
        return cast_of(self.line_up)

    def prepare(self) -> None:
        """Compile what the line-up needs beyond the core, so that it is not counted as playing."""
        _ = self.cast

    @property
    def threads(self) -> int:
        """Workers to start: strategies in plain Python hold Python's lock, so more than one would gain nothing."""
        return self.config.threads if all(strategy.compiled for strategy in self.line_up) else 1


def load_kit(config: RunConfig, load: Callable[[str], Strategy] = load_strategy) -> Kit:
    """Load the strategies of a run, with `load`.  Raises what load_strategy raises."""
    loaded = [load(text) for text in config.strategies]
    slots = [loaded[min(slot, len(loaded) - 1)] for slot in range(N_SEATS)]
    return Kit(config, tuple(slots))


def replay_command(config: RunConfig, players: int, deal: int, rotation: int) -> str:
    """The command that shows one game of a run."""
    arguments = ["play", "--players", str(players), "--seed", str(config.seed), "--deal", str(deal)]
    arguments += ["--rotation", str(rotation)]
    for strategy in config.strategies:
        arguments += ["--strategy", strategy]
    return provenance.command_line([*arguments, *config.rule_arguments])


def config_like(path: Path, threads: int, trusted: bool = False) -> RunConfig:
    """The configuration that repeats the run of the data set in `path`.  Raises BadDataSet, BadValue, UnknownName.

    trusted : whether files of strategies that it names may be run
    """
    run = read_manifest(path)["run"]
    files = [name for name in (split_strategy(text).name for text in strategies_of(run)) if is_path(name)]
    if files and not trusted:
        raise BadValue(f"{path} was played with the strategy file {files[0]}, which is code; give --trust-files if you trust it")
    ruleset = ruleset_of_run(run, f"{path}")
    return RunConfig(
        players=tuple(run["players"]),
        games=run["games"],
        seed=run["seed"],
        strategies=strategies_of(run),
        seats=run["seats"],
        tables=tuple(run["tables"]),
        events=run["events"],
        ruleset=ruleset,
        threads=threads,
        rule_arguments=_rule_arguments(ruleset),
    )


def _rule_arguments(ruleset: Ruleset) -> tuple[str, ...]:
    defaults = rule_defaults()
    changed = [f"{name}={value}" for name, value in ruleset.options.items() if value != defaults[name]]
    return tuple(argument for text in changed for argument in ("--rule", text))
