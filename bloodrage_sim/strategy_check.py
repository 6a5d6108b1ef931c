"""Trying a strategy: does it load, play legally, play the same game twice, how fast and how well.

One of it sits at tables of `greedy`, for each number of players and in every seat alike.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .datasets.dataset import PlayedPart
from .errors import BadPlugin
from .plugins.listing import first_line
from .plugins.loading import Strategy, load_strategy, read_strategy
from .provenance import command_line
from .rows.results import prepare_batch
from .rows.tables_out import GAMES, PLAYERS, SUMMARY
from .ruleset import PLAYER_COUNTS
from .running.collecting import MemorySink
from .running.runs import Kit, RunConfig, load_kit
from .running.units import Segment
from .running.workers import play_segments
from .summary import Share, Summary

OPPONENT = "greedy"
GAMES_EACH = 1000
SEED = 1
SPEED_PLAYERS = 4
SPEED_GAMES = 400
PLAIN_SECONDS = 20.0  # what a check of a strategy in plain Python may take
_PLAIN_RUNS = 12  # in the time of as many runs of 4 players it plays two runs for each number of players, and the speed
_LABEL = 15
_LEAST_SPEED_GAMES = 40  # fewer tell nothing
_ROUNDS = 3


class Watcher(Protocol):
    """Who is told how far it is: progress.Progress, or batch.Silent."""

    def compiling(self, done: int, all_: int) -> None: ...

    def games(self, done: int, total: int) -> None: ...


@dataclass(frozen=True)
class Speed:
    """How fast a table of one strategy alone plays, in processor time of one thread."""

    games_per_second: float
    ns_per_decision: float


def _say_nothing(done: int) -> None:
    """Stands where nobody is told how far it is."""


class Interrupted(Exception):
    """Ctrl-C."""


class Check:
    """The check of one strategy; `run` carries it out.

    Parameters
    ----------
    text : the strategy
    games : for each number of players, rounded to whole rotations; None for GAMES_EACH, or fewer for plain Python
    seed : of the games
    watcher : is told of compiling and of games

    Attributes
    ----------
    failed : whether it does not compile, breaks the contract of strategies or is not deterministic
    shares : its Share at tables of greedy, by number of players
    """

    def __init__(self, text: str, games: int | None, seed: int, watcher: Watcher) -> None:
        self.text = text
        self.seed = seed
        self.watcher = watcher
        self.failed = False
        self.shares: dict[int, Share] = {}
        self._asked = games
        self._done = 0
        self._total = 0

    def run(self) -> Iterator[str]:
        """Check, and tell of every step when it is done.

        Raises
        ------
        BloodRageError : the strategy cannot be found or loaded, or is written wrongly; nothing is checked then
        Interrupted : Ctrl-C
        """
        reading = read_strategy(self.text)
        prepare_batch(self.watcher.compiling)
        yield f"{reading.settings.text}: {first_line(reading.source.doc)}"
        began = time.monotonic()
        try:
            strategy = load_strategy(self.text)
        except BadPlugin as error:
            yield from self._fail("loads", str(error))
            return
        yield _line(
            "loads", f"yes, compiled in {time.monotonic() - began:.1f} s" if strategy.compiled else _plain_words()
        )
        try:
            yield from self._play_all(strategy)
        except BadPlugin as error:
            yield from self._fail("legal", str(error))

    def _fail(self, step: str, what: str) -> Iterator[str]:
        self.failed = True
        yield _line(step, f"NO: {what}")
        yield "The check failed; mend this first."

    def _play_all(self, strategy: Strategy) -> Iterator[str]:
        """The steps that play games.  Raises BadPlugin if it misbehaves."""
        games = self._games(strategy)
        if not strategy.compiled and self._asked is None:
            yield _line("games", f"{games:,} for each number of players, as many as end in about {PLAIN_SECONDS:.0f} s")
        counts = {players: math.ceil(games / players) * players for players in PLAYER_COUNTS}
        self._total = 2 * sum(counts.values())
        first = {players: self._play(self._kit(players, n, 1), self._tick) for players, n in counts.items()}
        yield _line("legal", f"yes: {sum(counts.values()):,} games at 2 to 5 players without a wrong answer or a fault")
        difference = self._compare(counts, first, 2 if strategy.compiled else 1)
        if difference:
            yield from self._fail("deterministic", difference)
            return
        again = "the same games again with 2 threads" if strategy.compiled else "the same games again"
        yield _line("deterministic", f"yes: {again} came out equal")
        yield from self._speed_lines(strategy, games)
        yield from self._share_lines(first)

    # ------------------------------------------------------------ games

    def _kit(self, players: int, games: int, threads: int) -> Kit:
        """One of it among greedy ones."""
        line_up = (self.text, *[OPPONENT] * (players - 1))
        return load_kit(RunConfig((players,), games, self.seed, line_up, threads=threads))

    def _tick(self, done: int) -> None:
        """`done` games of the open run are played."""
        self.watcher.games(self._done + done, self._total)

    def _play(self, kit: Kit, tick: Callable[[int], None] = _say_nothing) -> PlayedPart:
        """All games of a run, as one part.  Raises BadPlugin, Interrupted."""
        (players,), games = kit.config.players, kit.config.games
        sink, tables, params = MemorySink(), kit.tables.tobytes(), kit.cast.params.tobytes()
        if play_segments(kit, [Segment(players, 0, games)], sink, tick):
            raise Interrupted
        if tick == self._tick:
            self._done += games
        if tables != kit.tables.tobytes() or params != kit.cast.params.tobytes():
            raise BadPlugin(f"strategy {self.text} writes into its tables or params, which belong to all games")
        return sink.parts[0]

    def _games(self, strategy: Strategy) -> int:
        """Games for each number of players."""
        if self._asked is not None:
            return self._asked
        return GAMES_EACH if strategy.compiled else self._plain_games()

    def _plain_games(self) -> int:
        """As many games for each number of players as a strategy in plain Python plays in PLAIN_SECONDS."""
        self._play(self._kit(SPEED_PLAYERS, 1, 1))  # the first game waits for imports
        began = time.monotonic()
        self._play(self._kit(SPEED_PLAYERS, SPEED_PLAYERS, 1))
        seconds = (time.monotonic() - began) / SPEED_PLAYERS
        return max(max(PLAYER_COUNTS), min(GAMES_EACH, int(PLAIN_SECONDS / _PLAIN_RUNS / max(seconds, 1e-9))))

    def _compare(self, counts: dict[int, int], first: dict[int, PlayedPart], threads: int) -> str:
        """Play the same games again; what differs, '' if nothing does."""
        for players, games in counts.items():
            again = self._play(self._kit(players, games, threads), self._tick)
            if again.sums != first[players].sums:
                return self._difference(self._kit(players, games, 1), first[players], again, threads)
        return ""

    def _difference(self, kit: Kit, first: PlayedPart, again: PlayedPart, threads: int) -> str:
        """Words for games that came out differently; a third run tells whether threads are the reason."""
        game = _first_difference(first, again)
        steady = threads > 1 and self._play(kit).sums == first.sums
        reason = "with another number of threads" if steady else "when it is played again"
        return (
            f"at {first.players} players game {game} (deal {game // first.players}, rotation {game % first.players}) differs "
            f"{reason}; draw chance from `key` alone (chance, pick) and keep nothing outside `memory`"
        )

    # ------------------------------------------------------------ speed

    def _speed(self, text: str, games: int) -> Speed:
        """Speed of a table of one strategy alone."""
        kit = load_kit(RunConfig((SPEED_PLAYERS,), games, self.seed, (text,)))
        began = time.process_time()
        part = self._play(kit)
        seconds = max(time.process_time() - began, 1e-9)
        return Speed(games / seconds, 1e9 * seconds / int(part.rows[GAMES.name]["decisions"].sum()))

    def _speed_lines(self, strategy: Strategy, games: int) -> Iterator[str]:
        n = usual_n = max(_LEAST_SPEED_GAMES, min(SPEED_GAMES, games))
        rounds = _ROUNDS
        if not strategy.compiled:  # at a table of it alone four seats are slow instead of one, so few games must do
            rounds, n, usual_n = 1, max(1, games // (2 * SPEED_PLAYERS)), SPEED_GAMES
        speeds = [(self._speed(self.text, n), self._speed(OPPONENT, usual_n)) for _ in range(rounds)]
        # the fastest round is the one least disturbed by what else the machine does
        own, usual = (min(found, key=lambda speed: speed.ns_per_decision) for found in zip(*speeds, strict=True))
        ratio = own.ns_per_decision / usual.ns_per_decision
        yield _line("speed", f"a table of it alone: {_speed_words(own)}, rules and view included")
        yield _line("", f"a table of {OPPONENT}:   {_speed_words(usual)}")
        yield _line("", f"its decisions take {ratio:,.{2 if ratio < 10 else 0}f} times as long")

    # ------------------------------------------------------------ win share

    def _share_lines(self, parts: dict[int, PlayedPart]) -> Iterator[str]:
        yield f"One of it, {OPPONENT} in all other seats, seed {self.seed}:"
        yield "  players  games  its win share  95 % interval     fair"
        for players, part in parts.items():
            share = self.shares[players] = _share(part)
            fair = 1 / players
            interval = f"{_percent(share, -1)} to {_percent(share, 1)}" if share.deals > 1 else "-"
            numbers = (
                f"  {players:7}  {part.count:5,}  {100 * share.share:11.2f} %  {interval:>15}  {100 * fair:5.1f} %"
            )
            yield f"{numbers}  {_verdict(share, fair)}"
        watch = command_line(["play", "--players", "2", "--strategy", self.text, "--strategy", OPPONENT])
        yield f"It works.  Watch a game: {watch}"


def _speed_words(speed: Speed) -> str:
    return f"{speed.games_per_second:,.0f} games/s, {speed.ns_per_decision:,.0f} ns a decision"


def _line(step: str, words: str) -> str:
    return f"  {step:{_LABEL}}{words}"


def _plain_words() -> str:
    return "yes, as plain Python: slower by far than a compiled strategy"


def _first_difference(first: PlayedPart, again: PlayedPart) -> int:
    """Number of the first game whose rows differ."""
    for table in SUMMARY:
        rows = [part.rows[table.name] for part in (first, again)]
        one, other = (row.view(np.uint8).reshape(len(row), -1) for row in rows)
        differing = np.flatnonzero((one != other).any(axis=1))
        if len(differing):
            return int(rows[0]["game"][differing[0]])
    return 0


def _share(part: PlayedPart) -> Share:
    """Win share of slot 0."""
    rows = part.rows[PLAYERS.name].copy()
    rows["strategy"] = rows["slot"] > 0  # also when it is greedy itself
    summary = Summary(part.players, ("it", OPPONENT))
    summary.add(rows)
    return summary.shares()[0]


def _percent(share: Share, sign: int) -> str:
    return f"{100 * min(1.0, max(0.0, share.share + sign * share.half_width)):.2f}"


def _verdict(share: Share, fair: float) -> str:
    if math.isnan(share.half_width):
        return "too few games to tell"
    if share.share - share.half_width > fair:
        return f"better than {OPPONENT}"
    if share.share + share.half_width < fair:
        return f"worse than {OPPONENT}"
    return f"no clear difference from {OPPONENT}"
