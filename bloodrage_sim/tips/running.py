"""Testing claims of the catalogue into a folder.

    DIR/tips.json                    what was asked for: claims, numbers of players, looks, rules, versions
    DIR/proofs.csv, .parquet         one row for each claim that is proved
    DIR/cases/ID.csv                 the positions or numbers behind a proof
    DIR/games/                       experiments with the strategy that the claim is about, see experiments/running.py
    DIR/strengths/                   the same at other strengths of play, first look only
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..batch import Watcher
from ..datasets.dataset import cannot_write, locked
from ..errors import OutputRefused
from ..experiments.files import Experiment, read_experiment
from ..experiments.report import write_findings, write_tables
from ..experiments.running import Outcome, run_experiments
from ..provenance import differences, versions
from ..rows.results import prepare_batch
from ..rows.table_files import write_file
from ..ruleset import Ruleset
from ..running.runs import Engine
from .catalogue import EXPERIMENT, Tip
from .proofs import Proof
from .proving import proof_rows, proofs_of
from .strengths import other_strengths

RUN_FILE, GAMES, STRENGTHS, PROOFS, CASES = "tips.json", "games", "strengths", "proofs", "cases"
_FORMAT = "bloodrage-sim tips"


@dataclass(frozen=True)
class Plan:
    """What to test.

    Attributes
    ----------
    tips : claims
    ruleset : rules and numbers
    players : numbers of players as '2,4'; None for those of each claim
    looks : blocks at the looks; None for those of each file
    strengths : whether experiments are also played at other strengths
    """

    tips: Sequence[Tip]
    ruleset: Ruleset
    players: str | None = None
    looks: tuple[int, ...] | None = None
    strengths: bool = True

    def experiments(self) -> list[Experiment]:
        """Experiments of the claims; those that are for none of the numbers of players are left out.

        Raises BadFile, BadValue, UnknownName.
        """
        found = [read_experiment(tip.experiment) for tip in self.tips if tip.design == EXPERIMENT]
        if self.looks is not None:
            found = [replace(experiment, looks=self.looks) for experiment in found]
        return found if self.players is None else [kept for one in found if (kept := _only(one, self.players)) is not None]

    def document(self) -> dict[str, Any]:
        """What decides the run, as plain data."""
        return {
            "tips": [tip.id for tip in self.tips],
            "players": self.players or "",
            "looks": list(self.looks or ()),
            "strengths": self.strengths,
            "rules": self.ruleset.describe(),
            "versions": versions(),
        }


def _only(experiment: Experiment, players: str) -> Experiment | None:
    """The experiment for some numbers of players; None if it is for none of them.  A contrast needs all of its numbers."""
    counts = [part.strip() for part in players.split(",")]
    named = [str(count) for count in experiment.players if str(count) in counts]
    if experiment.estimator == "contrast":
        return experiment if len(named) == len(experiment.players) else None
    bad = [count for count in counts if count not in ("2", "3", "4", "5")]
    return experiment.only_players(",".join(bad or named), "--players") if bad or named else None


@dataclass(frozen=True)
class Tested:
    """How a run ended: proofs, then games with the claims' own strategies and at other strengths (None where there were none)."""

    proofs: Sequence[tuple[Tip, Proof]]
    games: Outcome | None
    strengths: Outcome | None

    @property
    def outcomes(self) -> list[Outcome]:
        """The outcomes there are."""
        return [outcome for outcome in (self.games, self.strengths) if outcome is not None]


def run_tips(plan: Plan, out: Path, threads: int, command: str, watcher: Watcher, engine: Engine | None = None) -> Tested:
    """Test claims, or what is missing of their games in folder `out`.

    engine : who plays, None for `threads` threads of this process

    Raises OutputRefused for a folder of another run, and what run_experiments raises.
    """
    experiments = plan.experiments()
    with locked(out):
        return _run(plan, experiments, out, threads, command, watcher, engine)


def _run(
    plan: Plan, experiments: Sequence[Experiment], out: Path, threads: int, command: str, watcher: Watcher, engine: Engine | None
) -> Tested:
    """Test claims with nobody else writing into the folder."""
    with _writing(out):
        _claim_folder(out, plan, command)
    prepare_batch(watcher.compiling)
    proofs = list(proofs_of(plan.tips, plan.ruleset))
    with _writing(out):
        _write_proofs(out, proofs)
    games = _play(experiments, plan, out / GAMES, threads, command, watcher, engine)
    others = other_strengths(experiments) if plan.strengths and not (games and games.interrupted) else []
    return Tested(proofs, games, _play(others, plan, out / STRENGTHS, threads, command, watcher, engine))


def _play(
    experiments: Sequence[Experiment], plan: Plan, out: Path, threads: int, command: str, watcher: Watcher, engine: Engine | None
) -> Outcome | None:
    if not experiments:
        return None
    outcome = run_experiments(experiments, plan.ruleset, threads, out, command, watcher, engine)
    if not outcome.interrupted:
        write_findings(outcome.findings, out)
    return outcome


@contextmanager
def _writing(out: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise cannot_write(out, error) from None


def _claim_folder(out: Path, plan: Plan, command: str) -> None:
    """Write tips.json, or see that the folder is of the same run.  Raises OutputRefused."""
    document = json.loads(json.dumps(plan.document()))
    place = out / RUN_FILE
    if place.exists():
        changed = differences(read_run(out)["run"], document)
        if changed:
            raise OutputRefused(f"output folder {out} holds another run of tips: {'; '.join(changed[:4])}; give another folder")
        return
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise OutputRefused(f"output folder {out} holds files that are no run of tips; give a new or empty folder")
    out.mkdir(parents=True, exist_ok=True)
    write_file(place, json.dumps({"format": _FORMAT, "command": command, "run": document}, indent=1).encode())


def read_run(folder: Path) -> dict[str, Any]:
    """The document tips.json of a folder.  Raises OutputRefused for a folder without a good one."""
    try:
        found = json.loads((folder / RUN_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        found = None
    if not isinstance(found, dict) or found.get("format") != _FORMAT or not isinstance(found.get("run"), dict):
        raise OutputRefused(f"{folder} is no folder of `bloodrage tips run`: it has no readable {RUN_FILE}")
    return found


def _write_proofs(out: Path, proofs: Sequence[tuple[Tip, Proof]]) -> None:
    import pandas as pd

    if not proofs:
        return
    write_tables(out, {PROOFS: pd.DataFrame(proof_rows(proofs))})
    (out / CASES).mkdir(exist_ok=True)
    for tip, proof in proofs:
        write_file(out / CASES / f"{tip.id}.csv", pd.DataFrame(list(proof.cases)).to_csv(index=False).encode())
