"""A tuning: CMA-ES asks for candidates, all candidates of a generation play the same games, new ones each generation.

The field is who sits in the other seats.  Without other wishes that is the strategy itself, untuned, in half of them, and
its last champions in the other half: every CHAMPION_EVERY generations the centre of the search becomes a champion, the
last CHAMPIONS_KEPT of them play.  Otherwise it is the strategies that are given, in equal parts, one of which may be the
word 'champions'.  In the end the centre of the search, not the luckiest candidate, is measured against the field without
champions, in games whose seed was never used before, and so is the untuned strategy, in the same games.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from .. import batch, provenance
from ..datasets.dataset import locked
from ..errors import BadValue, OutputRefused
from ..plugins.loading import read_strategy
from ..plugins.param_sets import ENDING
from ..progress import show_time
from ..ruleset import tables_hash
from ..running.workers import interrupts_noted
from .config import CHAMPIONS, TuneConfig
from .keeping import Keeper
from .report import Result, file_text
from .scoring import (
    MARGIN_WEIGHT,
    MOST_HELD_OUT_TABLES,
    MOST_TABLES,
    Interrupted,
    Played,
    Score,
    Scorer,
    draw_tables,
    seed_of,
)
from .search import Search, import_cma
from .space import Space

CHAMPION_EVERY = 5
CHAMPIONS_KEPT = 3
LEAST_POPSIZE = 12


class Watcher(batch.Watcher, Protocol):
    """Who is told how far it is: progress.Progress, or a stand-in."""

    def status(self, text: str) -> None: ...


class SilentWatcher(batch.Silent):
    """A watcher that says nothing."""

    def status(self, text: str) -> None:
        """Say nothing."""


@dataclass(frozen=True)
class Outcome:
    """How a tuning ended.

    Attributes
    ----------
    result : what came out, None if it was stopped
    generations : generations that are there now
    played : games played by this call
    seconds : time that took
    """

    result: Result | None
    generations: int
    played: int
    seconds: float


class Tuning:
    """One tuning, from where it stands to its end.

    Attributes
    ----------
    space : the parameters
    keeper : what is kept of it
    """

    def __init__(self, config: TuneConfig, out: Path | None, command: str, watcher: Watcher) -> None:
        import_cma()
        if out is not None and out.suffix != ENDING:
            raise BadValue(f"file {out}: its name must end in {ENDING}")
        self._config = config
        self._watcher = watcher
        self.space = Space(config.strategy, config.params)
        for text in config.strategies:
            read_strategy(text)
        self._popsize = config.popsize or max(LEAST_POPSIZE, 4 + int(3 * np.log(len(self.space.axes))))
        self.keeper = Keeper.open(out, self._describe(), command)
        batch.prepare_for(config.strategies, watcher)
        self._search = Search(self.space, self._popsize, config.sigma, config.seed)
        self._champions: list[str] = []
        for number, generation in enumerate(self.keeper.generations):
            self._repeat(number, generation)
        self._deals = config.deals(config.games)
        self._held_out_deals = config.deals(config.held_out)
        self._scorer = Scorer(config.players, config.ruleset, config.threads, self._tick)
        self._games_before = len(self.keeper.generations) * self._popsize * self._deals * config.players
        self._began = time.monotonic()

    def _describe(self) -> dict[str, Any]:
        """The tuning as plain data: all that decides what comes out."""
        config = self._config
        readings = [read_strategy(text) for text in config.strategies]
        run = {
            "strategy": self.space.reading.settings.text,
            "players": config.players,
            "seed": config.seed,
            "field": [text if text == CHAMPIONS else read_strategy(text).settings.text for text in config.others],
            "params": [axis.name for axis in self.space.axes],
            "generations": config.generations,
            "popsize": self._popsize,
            "sigma": config.sigma,
            "games": config.deals(config.games) * config.players,
            "held_out": config.deals(config.held_out) * config.players,
            "margin_weight": MARGIN_WEIGHT,
            "sources": {reading.settings.text: reading.source_hash for reading in readings},
            **config.ruleset.describe(),
            "tables_hash": tables_hash(config.ruleset.tables()),
            "engine": provenance.engine_digest(),
            "cma": metadata.version("cma"),
        }
        return json.loads(json.dumps(run))

    # ------------------------------------------------------------ generations

    def run(self) -> Outcome:
        """Search on, measure the result and write it, unless Ctrl-C stops that.

        Raises BadPlugin for a strategy that misbehaves, OutputRefused when a file cannot be written.
        """
        config, result = self._config, None
        self._began = time.monotonic()
        with interrupts_noted() as interrupt:
            self._scorer.interrupt = interrupt
            try:
                while len(self.keeper.generations) < config.generations:
                    self._play_generation()
                result = self._measure()
            except (Interrupted, KeyboardInterrupt):  # the latter is the second Ctrl-C
                pass
        return Outcome(result, len(self.keeper.generations), self._scorer.games, time.monotonic() - self._began)

    def _play_generation(self) -> None:
        number = len(self.keeper.generations)
        points = self._search.ask()
        seed = seed_of(self._config.seed, "training", number)
        tables = draw_tables(self._field(), self._config.players, self._deals, MOST_TABLES, seed)
        played = [self._play(self.space.values(point), tables, seed) for point in points]
        scores = [one.score for one in played]
        self.keeper.add({"points": points, "scores": scores, "shares": [float(one.share.mean()) for one in played]})
        self._search.tell(scores)
        self._crown(number)

    def _play(self, values: Mapping[str, float], tables: Sequence[Any], seed: int) -> Played:
        return self._scorer.play(self.space.text_of(values), tables, seed)

    def _repeat(self, number: int, generation: Mapping[str, Any]) -> None:
        """Take a generation that was played before.  Raises OutputRefused if it is not what this search asks for."""
        points = self._search.ask()
        same = np.shape(points) == np.shape(generation["points"]) and np.allclose(points, generation["points"], atol=1e-9)
        if not same:
            raise OutputRefused(
                f"{self.keeper.out}: generation {number + 1} was not played with the points that the search asks for here; "
                "go on where it was begun, or give another file"
            )
        self._search.tell(generation["scores"])
        self._crown(number)

    def _crown(self, number: int) -> None:
        """Make the centre of the search a champion after every CHAMPION_EVERY generations."""
        if (number + 1) % CHAMPION_EVERY == 0:
            self._champions = [*self._champions, self.space.text_of(self._search.centre)][-CHAMPIONS_KEPT:]

    def _field(self, champions: bool = True) -> list[str]:
        """Who plays in the other seats: champions share the part of one; before there is one, the untuned stands in."""
        crowned = self._champions or [self._config.strategy]
        others = [text for text in self._config.others if text != CHAMPIONS]
        if not champions or CHAMPIONS not in self._config.others:
            return others or [self._config.strategy]
        return [*others * len(crowned), *crowned]

    # ------------------------------------------------------------ the end

    def _measure(self) -> Result:
        """Compare the centre of the search with the untuned strategy in games of a new seed, and write the file."""
        values = self._search.centre
        if self.keeper.result is None:
            seed = seed_of(self._config.seed, "held-out")
            tables = draw_tables(
                self._field(False), self._config.players, self._held_out_deals, MOST_HELD_OUT_TABLES, seed
            )
            tuned, untuned = (self._play(which, tables, seed) for which in (values, {}))
            score = Score.of(tuned, untuned, self._config.players)
        else:
            score = Score.from_data(self.keeper.result["score"])
        result = Result(self.space, values, score, self.keeper.run, self._field(False))
        text = file_text(result, self.keeper.run_hash, self.keeper.command)
        self.keeper.finish({"values": values, "score": score.as_data()}, text)
        return result

    # ------------------------------------------------------------ progress

    def _tick(self, games: int) -> None:
        """`games` games were played by this call."""
        played, done = self.keeper.generations, len(self.keeper.generations)
        generations = self._config.generations
        if done < generations:
            text = f"generation {done + 1} of {generations}"
        else:
            text = "games with a seed not used before"
        if played:
            shares = played[-1]["shares"]
            text += f"; the last: best {100 * max(shares):.1f} %, mean {100 * np.mean(shares):.1f} % of wins"
        left = self._games_left(games)
        seconds = time.monotonic() - self._began
        if games > 0:
            text += f"; {games / seconds:,.0f} games/s, {show_time(left * seconds / games)} left"
        self._watcher.status(text)

    def _games_left(self, games: int) -> int:
        all_ = self._config.generations * self._popsize * self._deals + 2 * self._held_out_deals
        return max(0, all_ * self._config.players - self._games_before - games)


def tune(config: TuneConfig, out: Path | None = None, command: str = "", watcher: Watcher | None = None) -> Outcome:
    """Tune a strategy, or go on with it, and write its values into the file `out`; None keeps them in memory.

    Raises
    ------
    UnknownName, BadValue, BadPlugin : no such strategy or parameter, none that can be tuned, one that misbehaves
    MissingPackage : cma is not installed
    OutputRefused : the file is something else or of another tuning, or cannot be written
    """
    with locked(out) if out is not None else nullcontext():
        return Tuning(config, out, command, watcher or SilentWatcher()).run()
