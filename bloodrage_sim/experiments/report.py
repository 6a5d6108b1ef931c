"""Findings as text and as tables."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..datasets.dataset import cannot_write
from ..rows.table_files import write_file
from .metrics import Metric
from .running import Finding

if TYPE_CHECKING:
    import pandas as pd


def show(value: float, unit: str) -> str:
    """An effect on a metric with its sign; shares in percentage points."""
    if math.isnan(value):
        return "-"
    return f"{100 * value:+.2f} pp" if is_share(unit) else f"{value:+.2f}"


def show_level(value: float, unit: str) -> str:
    """A value of a metric by itself, not a difference; shares in percent."""
    if math.isnan(value):
        return "-"
    return f"{100 * value:.1f} %" if is_share(unit) else f"{value:.2f}"


def shower(direction: str) -> Callable[[float, str], str]:
    """How the effect of a claim with this expected direction is told: compared with a band it is a value, else a difference."""
    return show_level if direction == "in_band" else show


def is_share(metric: str) -> bool:
    """Whether a metric is a share, so that its effects are told in percentage points."""
    return Metric.read(metric, "").is_share


def lines_of(findings: Sequence[Finding]) -> list[str]:
    """Every finding with its pools."""
    lines: list[str] = []
    for finding in findings:
        lines += [*_head(finding), *_pool_lines(finding), ""]
    return lines[:-1]


def _head(finding: Finding) -> list[str]:
    experiment = finding.experiment
    title = f"{experiment.id}: {experiment.claim}"
    if finding.found is None:
        return [title, f"  {finding.verdict}"]
    metric, effect, tell = experiment.metric.text, finding.found.effect, shower(experiment.expected_direction)
    players = ", ".join(map(str, finding.players))
    games = sum(pool.blocks * pool.cell.players * len(pool.cell.arms) for pool in finding.pools)
    differ = [f"arms differ in {100 * finding.exposure:.1f} % of the games"] if len(experiment.weights) > 1 else []
    acted = [] if math.isnan(finding.triggered) else [f"treatment acted in {100 * finding.triggered:.1f} %"]
    happened = ", ".join([*differ, *acted])
    return [
        title,
        f"  {players} players, {finding.strength}: {finding.verdict}",
        (
            f"  {metric} {tell(effect.value, metric)}, 95 % interval {tell(effect.low, metric)} to {tell(effect.high, metric)}, "
            f"{_asked(finding)}{_elsewhere(finding)}, q {finding.q.effect:.2g}, negligible q {finding.q.equal:.2g}"
        ),
        (
            f"  {happened}{'; ' if happened else ''}{games:,} games, look {finding.look}; "
            f"between pools sd {show(finding.found.tau, metric).lstrip('+')}"
        ),
    ]


def _elsewhere(finding: Finding) -> str:
    if finding.difference is None:
        return ""
    metric, effect = finding.experiment.metric.text, finding.difference.effect
    return f", more than elsewhere by {show(effect.value, metric)} ({show(effect.low, metric)} to {show(effect.high, metric)})"


def _asked(finding: Finding) -> str:
    experiment = finding.experiment
    metric, direction = experiment.metric.text, experiment.expected_direction
    if experiment.band is not None:
        return f"expected {' to '.join(show_level(end, metric) for end in experiment.band)}"
    return f"least effect that matters {show(finding.min_effect, metric)}, expected {direction}"


def _pool_lines(finding: Finding) -> list[str]:
    experiment = finding.experiment
    lines = []
    for pool in finding.pools:
        name = f"{pool.cell.pool}, {pool.cell.players} players" if len(finding.players) > 1 else pool.cell.pool
        metric, effect, tell = experiment.metric.text, pool.effect, shower(experiment.expected_direction)
        also = "".join(
            f"  {other.text} {show(value.value, other.text)} +- {show(1.96 * value.se, other.text).lstrip('+')}"
            for other, value in zip(experiment.also, pool.also, strict=True)
        )
        lines.append(
            f"    {name:<12} {tell(effect.value, metric)}, {tell(effect.low, metric)} to {tell(effect.high, metric)}"
            f"  {pool.blocks:,} blocks{also}"
        )
    return lines


def verdict_rows(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """One row for each finding, as plain data."""
    rows = []
    for finding in findings:
        experiment, found = finding.experiment, finding.found
        nan = float("nan")
        rows.append(
            {
                "id": experiment.id,
                "claim": experiment.claim,
                "source": experiment.source,
                "kind": experiment.kind,
                "players": ",".join(map(str, finding.players)),
                "strength": finding.strength,
                "verdict": finding.verdict.word,
                "reason": finding.verdict.reason,
                "metric": experiment.metric.text,
                "effect": found.effect.value if found else nan,
                "se": found.effect.se if found else nan,
                "low": found.effect.low if found else nan,
                "high": found.effect.high if found else nan,
                "min_effect": finding.min_effect,
                "difference": finding.difference.effect.value if finding.difference else nan,
                "difference_low": finding.difference.effect.low if finding.difference else nan,
                "difference_high": finding.difference.effect.high if finding.difference else nan,
                "expected_direction": experiment.expected_direction,
                "p": finding.p.effect,
                "q": finding.q.effect,
                "p_negligible": finding.p.equal,
                "q_negligible": finding.q.equal,
                "exposure": finding.exposure,
                "triggered": finding.triggered,
                "tau": found.tau if found else nan,
                "cochran_q": found.q if found else nan,
                "blocks": sum(pool.blocks for pool in finding.pools),
                "games": sum(pool.blocks * pool.cell.players * len(pool.cell.arms) for pool in finding.pools),
                "look": finding.look,
            }
        )
    return rows


def pool_rows(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """One row for each pool and metric of each finding, as plain data; arms as JSON: mean of the deciding metric by arm."""
    rows = []
    for finding in findings:
        for pool in finding.pools:
            metrics = finding.experiment.metrics
            for number, (metric, effect) in enumerate(zip(metrics, (pool.effect, *pool.also), strict=True)):
                rows.append(
                    {
                        "id": finding.experiment.id,
                        "players": pool.cell.players,
                        "strength": finding.strength,
                        "pool": pool.cell.pool,
                        "metric": metric.text,
                        "decides": number == 0,
                        "effect": effect.value,
                        "se": effect.se,
                        "low": effect.low,
                        "high": effect.high,
                        "blocks": pool.blocks,
                        "exposure": pool.exposure,
                        "triggered": pool.triggered,
                        "rho": pool.rho,
                        "gain": pool.gain,
                        "diverged_age_1": pool.diverged[0],
                        "diverged_age_2": pool.diverged[1],
                        "diverged_age_3": pool.diverged[2],
                        "voided": pool.voided,
                        "arms": json.dumps(pool.levels) if number == 0 else "",
                    }
                )
    return rows


def write_findings(findings: Sequence[Finding], out: Path) -> None:
    """Write the tables of a run.  Raises OutputRefused."""
    import pandas as pd

    rows = verdict_rows(findings)
    write_tables(out, {"verdicts": pd.DataFrame(rows), "pools": pd.DataFrame(pool_rows(findings))})
    text = json.dumps(rows, indent=1).replace("NaN", "null")
    try:
        write_file(out / "verdicts.json", (text + "\n").encode())
    except OSError as error:
        raise cannot_write(out, error) from None


def write_tables(folder: Path, frames: Mapping[str, pd.DataFrame]) -> None:
    """Write tables as CSV and parquet, by name.  Raises OutputRefused."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, frame in frames.items():
            write_file(folder / f"{name}.csv", frame.to_csv(index=False).encode())
            buffer = io.BytesIO()
            frame.to_parquet(buffer, index=False)
            write_file(folder / f"{name}.parquet", buffer.getvalue())
    except OSError as error:
        raise cannot_write(folder, error) from None
