"""Play a tournament, or what is missing of it: options, checked; blocks of each composition, by circular order."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import provenance
from ..batch import Silent, Watcher, available_threads, draw_seed, prepare_for
from ..datasets.dataset import PlayedPart, locked
from ..errors import BadValue
from ..plugins.loading import load_strategy
from ..rows.tables_out import PLAYERS
from ..ruleset import Ruleset, make_ruleset, tables_hash
from ..running.runs import Engine, RunConfig, load_kit
from ..running.units import Segment
from ..running.workers import interrupts_noted, play_segments
from .design import ALL, LISTED, Design, make_design, orders_of_blocks
from .keeping import SEAT_ROW, Keeper, read_manifest

if TYPE_CHECKING:
    from .frames import TournamentResults

MAX_GAMES = 2_000_000  # whose rows take half a gigabyte while they are worked on
MAX_BLOCKS = 1_000_000


@dataclass(frozen=True)
class TournamentConfig:
    """What to play.

    Attributes
    ----------
    players : seats of a table, 2 to 5
    strategies : the field; with `tables` those of the tables are added
    blocks : blocks of each composition; None if `games` decides
    games : games of the whole tournament at most; None if `blocks` decides
    seed : 0 to 2**63 - 1
    compositions : 'all' or 'invasion' (one of each strategy among others of each), of no meaning with `tables`
    tables : compositions to play instead, each of `players` strategies
    ruleset : rules, cards and board
    threads : workers
    engine : who plays, None for threads of this process
    rule_arguments : arguments of a command with the same ruleset, for messages

    Raises
    ------
    BadValue : a value out of its range, or a mix that cannot be
    """

    players: int
    strategies: tuple[str, ...]
    blocks: int | None
    seed: int
    games: int | None = None
    compositions: str = ALL
    tables: tuple[tuple[str, ...], ...] = ()
    ruleset: Ruleset = field(default_factory=make_ruleset)
    threads: int = 1
    engine: Engine | None = None
    rule_arguments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.line_up(self.given[:1] or ("random",))  # checks players, seed, threads and decks
        if (self.blocks is None) == (self.games is None):
            raise BadValue("give the number of blocks or of games, one of them")
        for name, value, most in (("blocks", self.blocks, MAX_BLOCKS), ("games", self.games, MAX_GAMES)):
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most):
                raise BadValue(f"{name} is {value!r}; allowed: whole numbers 1 to {most}")
        self.design(self.given_names)  # a field that cannot be is told before anything is compiled

    @property
    def given(self) -> tuple[str, ...]:
        """Every strategy as given, each once."""
        return tuple(dict.fromkeys([*self.strategies, *(text for table in self.tables for text in table)]))

    @property
    def given_names(self) -> Mapping[str, str]:
        """Strategies under the names that were given, for `design`."""
        return {text: text for text in self.given}

    def design(self, names: Mapping[str, str]) -> Design:
        """The design, with strategies named by names[text].  Raises BadValue."""
        tables = [[names[text] for text in table] for table in self.tables]
        return make_design(self.players, [names[text] for text in self.strategies], self.compositions, tables)

    def blocks_of(self, design: Design) -> int:
        """Blocks of each composition.  Raises BadValue if the games cannot cover all, or are too many."""
        one = len(design.compositions) * self.players
        counted = f"{len(design.compositions):,} compositions of {self.players} rotations"
        if self.games is not None and self.games < one:
            raise BadValue(
                f"{self.games:,} games cannot cover {counted}: a block of each needs {one:,} games, "
                f"and intervals need {2 * one:,} or more"
            )
        blocks = self.games // one if self.games is not None else self.blocks
        assert blocks is not None
        if blocks * one > MAX_GAMES:
            raise BadValue(
                f"{blocks:,} blocks of {counted} are {blocks * one:,} games; allowed: {MAX_GAMES:,}, "
                f"which are {MAX_GAMES // one:,} blocks"
            )
        return blocks

    def line_up(self, strategies: Sequence[str], blocks: int = 1) -> RunConfig:
        """The run of a line-up: game number block * players + rotation is that rotation of the deal `block`."""
        return RunConfig(
            players=(self.players,),
            games=blocks * self.players,
            seed=self.seed,
            strategies=tuple(strategies),
            ruleset=self.ruleset,
            threads=self.threads,
            engine=self.engine,
            rule_arguments=self.rule_arguments,
        )


@dataclass(frozen=True)
class Outcome:
    """How playing ended.

    Attributes
    ----------
    keeper : what is there now
    design : who plays whom
    run : the tournament as plain data
    played : games played by this call
    seconds : time that took
    interrupted : whether Ctrl-C ended it
    """

    keeper: Keeper
    design: Design
    run: Mapping[str, Any]
    played: int
    seconds: float
    interrupted: bool


def play_field(
    config: TournamentConfig, out: Path | None, command: str = "", watcher: Watcher | None = None
) -> Outcome:
    """Play a tournament, or what is missing of it in folder `out`; None keeps it in memory.

    Raises
    ------
    UnknownName, BadValue, BadPlugin : strategies that cannot be loaded or misbehave; blocks before that are kept
    OutputRefused : the folder holds something else, or cannot be written
    """
    watcher = watcher or Silent()
    blocks = config.blocks_of(config.design(config.given_names))
    prepare_for(config.given, watcher)
    loaded = {text: load_strategy(text) for text in config.given}
    design = config.design({text: strategy.text for text, strategy in loaded.items()})
    hashes = {strategy.text: strategy.source_hash for strategy in loaded.values()}
    run = describe(config, design, blocks, hashes)
    with locked(out) if out is not None else nullcontext():
        return _play(config, design, blocks, run, out, command, watcher)


def _play(
    config: TournamentConfig, design: Design, blocks: int, run: Mapping[str, Any], out: Path | None, command: str, watcher: Watcher
) -> Outcome:
    """Play what is missing, with nobody else writing into the folder."""
    keeper = Keeper(design, blocks) if out is None else Keeper.open(out, design, blocks, run, command)
    before = watcher.already = keeper.games_done
    total = len(design.compositions) * blocks * config.players

    def tick(done: int) -> None:
        watcher.games(done, total)

    began = time.monotonic()
    try:
        with interrupts_noted() as interrupt:
            for composition in range(len(design.compositions)):
                _play_composition(config, design, keeper, composition, tick, interrupt)
    except KeyboardInterrupt:  # the second Ctrl-C
        pass
    finally:
        keeper.flush()
    seconds = time.monotonic() - began
    return Outcome(keeper, design, run, keeper.games_done - before, seconds, not keeper.complete)


def describe(config: TournamentConfig, design: Design, blocks: int, hashes: Mapping[str, str]) -> dict[str, Any]:
    """A tournament as plain data: all that decides its content."""
    listed = [{"table": list(design.texts_of(at))} for at in range(len(design.compositions))]
    return {
        "players": config.players,
        "blocks": blocks,
        "seed": config.seed,
        "strategies": [{"text": text, "source_hash": hashes[text]} for text in design.strategies],
        "compositions": design.field,
        "tables": listed if design.field == LISTED else [],
        "rules": dict(config.ruleset.options),
        "cards": [list(change) for change in config.ruleset.card_changes],
        "board": dict(config.ruleset.board_changes),
        "tables_hash": tables_hash(config.ruleset.tables()),
        "engine": provenance.engine_digest(),
    }


def _play_composition(
    config: TournamentConfig,
    design: Design,
    keeper: Keeper,
    composition: int,
    tick: Callable[[int], None],
    interrupt: threading.Event,
) -> None:
    """Play the missing blocks of a composition until `interrupt` is set.  tick(games done) is called often."""
    missing = keeper.missing(composition)
    if len(missing) == 0 or interrupt.is_set():
        return
    players = config.players
    orders, order_of = orders_of_blocks(config.seed, design.texts_of(composition), keeper.blocks)
    for number, order in enumerate(orders):
        wanted = missing[order_of[missing] == number]
        if len(wanted) == 0:
            continue
        kit = load_kit(config.line_up(order, keeper.blocks))
        sink = BlockSink(keeper, composition, [design.strategies.index(name) for name in kit.strategies])
        segments = [Segment(players, first * players, stop * players) for first, stop in _ranges(wanted)]
        before = keeper.games_done
        play_segments(kit, segments, sink, lambda games, before=before: tick(before + games), interrupt)
        if interrupt.is_set():
            return


def _ranges(blocks: np.ndarray) -> Iterator[tuple[int, int]]:
    """Ascending numbers as ranges [first, stop)."""
    for run in np.split(blocks, np.flatnonzero(np.diff(blocks) > 1) + 1):
        yield int(run[0]), int(run[-1]) + 1


class BlockSink:
    """Takes parts of a line-up's games and gives the whole blocks in them to a keeper.

    strategy_of : number of the strategy in the design by its number in the line-up
    """

    def __init__(self, keeper: Keeper, composition: int, strategy_of: Sequence[int]) -> None:
        self._keeper = keeper
        self._composition = composition
        self._strategy_of = np.array(strategy_of, np.int16)

    def write(self, part: PlayedPart) -> None:
        """Keep the whole blocks of a part.  Raises OutputRefused."""
        players = part.players
        blocks = part.count // players  # a part begins with a block; after Ctrl-C it may end within one
        if blocks == 0:
            return
        source = part.rows[PLAYERS.name][: blocks * players * players]
        rows = np.zeros(len(source), SEAT_ROW)
        rows["composition"] = self._composition
        rows["block"] = source["deal"]
        rows["rotation"] = source["game"] % players
        rows["strategy"] = self._strategy_of[source["strategy"]]
        for name in ("seat", "glory", "margin", "rank", "win_share"):
            rows[name] = source[name]
        self._keeper.add(rows)


def stored_seed(out: Path) -> int | None:
    """Seed of the tournament in `out`, None if there is none: the same command without a seed goes on with it."""
    try:
        seed = read_manifest(out)["run"]["seed"]
    except Exception:  # whatever is wrong with the folder is told when it is opened to write
        return None
    return seed if isinstance(seed, int) else None


def play_tournament(
    players: int = 4,
    strategies: Sequence[str] = (),
    blocks: int | None = None,
    seed: int | None = None,
    games: int | None = None,
    compositions: str = ALL,
    tables: Sequence[Sequence[str]] = (),
    ruleset: Ruleset | None = None,
    threads: int | None = None,
    out: str | os.PathLike[str] | None = None,
    watcher: Watcher | None = None,
) -> TournamentResults:
    """Play a tournament and return its results as DataFrames.

    Parameters are those of TournamentConfig; `seed` is drawn if None, `threads` None takes all processors, `out` is a
    folder that keeps the games and gets the tables and plots, `watcher` progress.Progress() for a line on standard
    error.

    Raises
    ------
    BloodRageError : bad input (errors.py says of what kind), a folder that cannot be used, a strategy that misbehaves
    KeyboardInterrupt : Ctrl-C; with `out`, finished blocks are kept, and the same call goes on with the rest
    """
    from .frames import analyse
    from .report import write_results

    folder = None if out is None else Path(out)
    if seed is None and folder is not None:
        seed = stored_seed(folder)
    config = TournamentConfig(
        players=players,
        strategies=tuple(strategies),
        blocks=blocks,
        seed=draw_seed() if seed is None else seed,
        games=games,
        compositions=compositions,
        tables=tuple(tuple(table) for table in tables),
        ruleset=ruleset or make_ruleset(),
        threads=available_threads() if threads is None else threads,
    )
    outcome = play_field(config, folder, "bloodrage_sim.tournament.playing.play_tournament", watcher)
    if outcome.interrupted:
        raise KeyboardInterrupt
    results = analyse(outcome.design, outcome.keeper.rows(), outcome.run)
    if folder is not None:
        write_results(results, folder)
    return results
