"""Running experiments: looks, the correction for all tests of the run, and what came out.

    DIR/<id>/experiment.json, games/part-*.parquet     what was played, kept while it goes on
    DIR/verdicts.csv, .parquet, .json                  one row for each verdict
    DIR/pools.csv, .parquet                            one row for each pool and metric
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..batch import Silent, Watcher, prepare_for
from ..datasets.dataset import locked
from ..errors import BadValue
from ..rows.results import prepare_batch
from ..ruleset import Ruleset
from ..running.runs import Engine, check_threads
from ..running.tasks import share_out
from ..running.workers import interrupts_noted
from ..statistics.multiple import q_values
from .cells import Cell, cells_of
from .estimates import Effect, Pooled, PoolEffect, pool_effect, pooled
from .files import Experiment
from .gate import closed_to
from .playing import CellWork, tasks_of
from .specificity import by_pool, less, mean_of, specific
from .trials import TrialKeeper
from .verdicts import (
    NOT_EXERCISED,
    NOT_TESTABLE,
    SUPPORTED,
    PValues,
    Question,
    Verdict,
    decide,
    level_of,
    p_values_of,
    untested,
)


@dataclass(frozen=True)
class Finding:
    """A verdict on a claim for a number of players and a base of the focal seat.

    Attributes
    ----------
    experiment : the claim
    players : numbers of players; more than one for a contrast
    strength : base of the focal seat
    pools : what came out by pool; () where nothing was played
    found : their mean; None where nothing was played
    p, q : p-values, and those corrected for all tests of the run
    difference : the effect less that elsewhere, for claims that speak of some numbers of players or opponents; None for others
    look : number of the look that decided, from 1
    verdict : the verdict
    """

    experiment: Experiment
    players: tuple[int, ...]
    strength: str
    pools: tuple[PoolEffect, ...]
    found: Pooled | None
    p: PValues
    q: PValues
    look: int
    verdict: Verdict
    difference: Pooled | None = None

    @property
    def min_effect(self) -> float:
        """Least effect that matters."""
        return self.experiment.effect_at(max(self.players))

    @property
    def exposure(self) -> float:
        """Share of games that did not go the same way in all arms."""
        return float(np.mean([pool.exposure for pool in self.pools])) if self.pools else float("nan")

    @property
    def triggered(self) -> float:
        """Share of games in which the treatment acted; nan where that is not counted."""
        return float(np.mean([pool.triggered for pool in self.pools])) if self.pools else float("nan")


@dataclass(frozen=True)
class Outcome:
    """How a run ended; findings are empty if it was interrupted.

    played : games played by this call; asked : games of all planned looks so far; damaged : files written again
    """

    findings: tuple[Finding, ...]
    played: int
    done: int
    asked: int
    seconds: float
    interrupted: bool
    damaged: tuple[str, ...]


@dataclass
class _Test:
    """A test on its way to a verdict: the cells of a number of players and a base, or of a contrast."""

    trial: _Trial
    players: tuple[int, ...]
    strength: str
    cells: tuple[Cell, ...]
    finding: Finding | None = None

    @property
    def is_open(self) -> bool:
        return self.finding is None or self.finding.verdict.word == "inconclusive"


class _Trial:
    """An experiment with its cells and what is kept of them."""

    def __init__(self, experiment: Experiment, ruleset: Ruleset, out: Path | None, command: str) -> None:
        self.experiment = experiment
        self.cells = tuple(cells_of(experiment, ruleset))
        self.keeper = TrialKeeper(experiment, self.cells, None if out is None else out / experiment.id, command)
        groups: dict[tuple[Any, ...], list[Cell]] = {}
        for cell in self.cells:
            counts = experiment.players if experiment.estimator == "contrast" else (cell.players,)
            groups.setdefault((counts, cell.strength), []).append(cell)
        self.tests = [_Test(self, players, strength, tuple(cells)) for (players, strength), cells in groups.items()]


def run_experiments(
    experiments: Sequence[Experiment],
    ruleset: Ruleset,
    threads: int,
    out: Path | None = None,
    command: str = "",
    watcher: Watcher | None = None,
    engine: Engine | None = None,
) -> Outcome:
    """Run experiments, or what is missing of them in folder `out`; None keeps all in memory.

    engine : who plays, None for `threads` threads of this process

    Raises
    ------
    BadValue : threads out of their range
    UnknownName, BadValue, BadPlugin : arms that cannot be, strategies that misbehave; games before that are kept
    OutputRefused : a folder that holds something else, or cannot be written
    """
    watcher = watcher or Silent()
    check_threads(threads)
    names = [experiment.id for experiment in experiments]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise BadValue(f"two experiments have the id {twice[0]}; give each its own")
    tested = [experiment for experiment in experiments if not experiment.not_testable]
    prepare_for([base for experiment in tested for base in experiment.strengths[:1]], watcher)
    prepare_batch(watcher.compiling)
    with locked(out) if out is not None else nullcontext():
        return _run(experiments, tested, ruleset, threads, out, command, watcher, engine)


def _run(
    experiments: Sequence[Experiment], tested: Sequence[Experiment], ruleset: Ruleset, threads: int, out: Path | None, command: str,
    watcher: Watcher, engine: Engine | None,
) -> Outcome:  # fmt: skip
    """Run experiments with nobody else writing into the folder; tested : those of them that have games."""
    names = [experiment.id for experiment in experiments]
    trials = [_Trial(experiment, ruleset, out, command) for experiment in tested]
    damaged = [f"{trial.experiment.id}/{file}" for trial in trials for file in trial.keeper.files.damaged]
    runner = _Runner(trials, threads, watcher, engine)
    began = time.monotonic()
    with interrupts_noted() as interrupt:
        for look in range(max((len(experiment.looks) for experiment in tested), default=0)):
            runner.play(look, interrupt)
            if interrupt.is_set():
                break
            _judge(trials, look)
    findings = [test.finding for trial in trials for test in trial.tests if test.finding is not None]
    untestable = [_untestable(experiment) for experiment in experiments if experiment.not_testable]
    ordered = sorted([*findings, *untestable], key=lambda finding: names.index(finding.experiment.id))
    return Outcome(
        tuple(ordered), runner.played, runner.done, runner.asked, time.monotonic() - began, interrupt.is_set(), tuple(damaged)
    )  # fmt: skip


class _Runner:
    """Plays what looks ask for and counts games."""

    def __init__(self, trials: Sequence[_Trial], threads: int, watcher: Watcher, engine: Engine | None) -> None:
        self._trials = trials
        self._threads = threads
        self._engine = engine
        self._watcher = watcher
        self.played = 0
        self.asked = 0
        self.done = 0

    def play(self, look: int, interrupt: threading.Event) -> None:
        """Play the missing blocks of open tests up to a look, until `interrupt` is set."""
        work = []
        self.asked = self.done = 0
        for trial in self._trials:
            looks = trial.experiment.looks
            for test in trial.tests:
                blocks = looks[look] if test.is_open and look < len(looks) else looks[test.finding.look - 1] if test.finding else 0
                for cell in test.cells:
                    missing = trial.keeper.missing(cell, blocks)
                    games = blocks * cell.players * len(cell.arms)
                    self.asked += games
                    self.done += games - sum(map(len, missing)) * cell.players
                    work.append((trial, cell, missing))
        self._watcher.already = self.done
        for trial, cell, missing in work:
            if not interrupt.is_set() and sum(map(len, missing)):
                self._play_cell(trial, cell, missing, interrupt)

    def _play_cell(self, trial: _Trial, cell: Cell, missing: Sequence[np.ndarray], interrupt: threading.Event) -> None:
        keeper = trial.keeper

        def keep(rows: np.ndarray) -> None:
            keeper.add(rows)
            self.played += len(rows)
            self.done += len(rows)
            self._watcher.games(self.done, self.asked)

        try:
            work = CellWork(cell, trial.experiment.recorded, keeper.form)
            share_out(work, tasks_of(cell, missing), self._threads, keep, interrupt, self._engine)
        except KeyboardInterrupt:  # the second Ctrl-C
            interrupt.set()
        finally:
            keeper.files.flush()


def _judge(trials: Sequence[_Trial], look: int) -> None:
    """Give every open test its finding at a look; tests decided earlier keep their p-values in the family."""
    tests = [test for trial in trials for test in trial.tests]
    fresh = [test for test in tests if test.is_open and look < len(test.trial.experiment.looks)]
    for test in fresh:
        test.finding = _measure(test, look)
    counted = [test.finding for test in tests if test.finding is not None and test.finding.found is not None]
    counted = [finding for finding in counted if finding.verdict.word not in (NOT_EXERCISED, NOT_TESTABLE)]
    effect = q_values(np.array([finding.p.effect for finding in counted]))
    equal = q_values(np.array([finding.p.equal for finding in counted]))
    corrected = {id(finding): PValues(float(one), float(two)) for finding, one, two in zip(counted, effect, equal, strict=True)}
    for test in fresh:
        finding = test.finding
        if finding is not None and finding.found is not None and id(finding) in corrected:
            q = corrected[id(finding)]
            level = level_of(len(finding.experiment.looks), look)
            verdict = decide(finding.found, _effects(finding), q, _question(finding), level)
            test.finding = replace(finding, q=q, verdict=verdict)
    for test in fresh:
        _judge_specificity(test, look)


def _judge_specificity(test: _Test, look: int) -> None:
    """Ask of a claim about some opponents or numbers of players whether there is less of its effect elsewhere."""
    finding, experiment = test.finding, test.trial.experiment
    if finding is None or finding.found is None or not (experiment.inside or set(test.players) - set(experiment.outside) and experiment.outside):
        return
    if experiment.inside:
        differences = [pool.difference for pool in finding.pools if pool.difference is not None]
    else:
        others = [other.finding for other in test.trial.tests if set(other.players) <= set(experiment.outside) and other.strength == test.strength]
        outside = [_effects(other) for other in others if other is not None]
        differences = by_pool(_effects(finding), outside) if outside else []
    difference = pooled(differences, [experiment.looks[look]] * len(differences)) if differences else None
    verdict = finding.verdict
    if verdict.word == SUPPORTED:
        verdict = specific(difference, experiment.expected_direction, level_of(len(experiment.looks), look))
    test.finding = replace(finding, difference=difference, verdict=verdict)


def _measure(test: _Test, look: int) -> Finding:
    """What a test found at a look, before correction."""
    trial, experiment = test.trial, test.trial.experiment
    blocks = experiment.looks[look]
    pools = tuple(pool_effect(experiment, cell, trial.keeper.rows(cell, blocks), blocks) for cell in test.cells)
    none = PValues(float("nan"), float("nan"))
    finding = Finding(experiment, test.players, test.strength, pools, None, none, none, look + 1, Verdict("inconclusive", ""))
    effects = _effects(finding)
    found = pooled(effects, [blocks] * len(effects))
    verdict = untested([pool.blocks for pool in pools], finding.exposure, finding.triggered) or _uncounted(pools)
    verdict = verdict or closed_to(experiment.bases(test.strength)) or finding.verdict
    return replace(finding, found=found, p=p_values_of(found, _question(finding)), verdict=verdict)


def _uncounted(pools: Sequence[PoolEffect]) -> Verdict | None:
    """The verdict of a ratio of which nothing was counted in some pool."""
    empty = [pool.cell.pool for pool in pools if np.isnan(pool.effect.value)]
    return Verdict(NOT_EXERCISED, f"what the metric divides by never happened in pool {', '.join(empty)}") if empty else None


def _effects(finding: Finding) -> list[Effect]:
    """Effects of the pools, less what they are compared with; of a contrast, differences between numbers of players."""
    experiment = finding.experiment
    than = experiment.than if experiment.expected_direction != "in_band" else 0.0
    if experiment.estimator != "contrast":
        return [_shifted(pool.effect, than) for pool in finding.pools]
    effects = []
    for name in dict.fromkeys(pool.cell.pool for pool in finding.pools):
        larger = [pool.effect for pool in finding.pools if pool.cell.pool == name and pool.cell.players in experiment.larger]
        smaller = [pool.effect for pool in finding.pools if pool.cell.pool == name and pool.cell.players in experiment.smaller]
        effects.append(less(mean_of(larger), mean_of(smaller)))
    return effects


def _shifted(effect: Effect, than: float) -> Effect:
    return Effect(effect.value - than, effect.se, effect.low - than, effect.high - than)


def _question(finding: Finding) -> Question:
    experiment = finding.experiment
    return Question(experiment.expected_direction, finding.min_effect, experiment.band)


def _untestable(experiment: Experiment) -> Finding:
    none = PValues(float("nan"), float("nan"))
    verdict = Verdict(NOT_TESTABLE, experiment.not_testable)
    return Finding(experiment, experiment.players, "", (), None, none, none, 0, verdict)
