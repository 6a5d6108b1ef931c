"""The page of verdicts: one HTML file that needs nothing else, and the same as CSV."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..dataset import cannot_write
from ..errors import OutputRefused
from ..experiments.report import show
from ..experiments.verdicts import INCONCLUSIVE
from ..reports.page import TEMPLATES
from ..table_files import write_file
from .catalogue import FOLDER, find_tip
from .forest import REACH, Row, row_of
from .instead import instead
from .outcome import Results, TipOutcome
from .running import read_run

TEMPLATE = "page.html"
COLUMNS = (
    "id", "section", "source", "statement", "claim", "kind", "priority", "design", "verdict", "reason", "players", "strength", "metric",
    "effect", "low", "high", "min_effect", "expected_direction", "exposure", "games", "rule_options", "disagreeing", "instead",
)  # fmt: skip


@dataclass(frozen=True)
class Line:
    """One verdict of a claim as the page shows it."""

    label: str
    verdict: str
    numbers: str
    forest: Row | None


@dataclass(frozen=True)
class Entry:
    """A claim as the page shows it."""

    found: TipOutcome
    cards: Sequence[str]
    lines: Sequence[Line]
    instead: str


def write_report(folder: Path, lang: str, out: Path) -> Path:
    """Write index.html and tips.csv of a folder of `tips run`; returns the page.

    Raises OutputRefused for a folder that holds no such run, or nothing that was tested, and if it cannot be written.
    """
    import pandas as pd

    run = read_run(folder)
    results = Results(folder)
    if results.is_empty:
        raise OutputRefused(f"{folder} has no verdicts yet; run `bloodrage tips run` to its end")
    outcomes = [results.of(find_tip(tip_id)) for tip_id in run["run"]["tips"]]
    page = out / "index.html"
    try:
        out.mkdir(parents=True, exist_ok=True)
        write_file(out / "tips.csv", pd.DataFrame([_row(found) for found in outcomes], columns=list(COLUMNS)).to_csv(index=False).encode())
        write_file(page, _page(run, [_entry(found, lang) for found in outcomes]).encode())
    except OSError as error:
        raise cannot_write(out, error) from None
    return page


def _row(found: TipOutcome) -> dict[str, Any]:
    tip, main = found.tip, found.main
    numbers = {name: main.get(name) for name in COLUMNS if name in main and name not in ("claim", "source", "kind", "id")}
    return {
        **numbers, "id": tip.id, "section": tip.section, "source": tip.source, "statement": tip.statement, "claim": tip.claim,
        "kind": tip.kind, "priority": tip.priority, "design": tip.design, "verdict": found.verdict, "reason": found.reason,
        "rule_options": found.proof.get("flips") or "", "disagreeing": "; ".join(found.disagreeing), "instead": instead(found),
    }  # fmt: skip


def _entry(found: TipOutcome, lang: str) -> Entry:
    main, rows = found.main, (*found.rows, *found.others)
    lines = [Line(f"{row['players']} players, {row['strength']}", _words(row), _numbers(row), row_of(row)) for row in rows]
    if main.get("verdict") == INCONCLUSIVE or found.disagreeing:
        pools = [row for row in found.pools if (row["players"], row["strength"]) == (main["players"], main["strength"])]
        lines += [Line(f"against {row['pool']}", "", _numbers({**main, **row}), row_of({**main, **row})) for row in pools]
    return Entry(found, found.tip.card_names(lang), lines, instead(found))


def _words(row: Any) -> str:
    return f"{row['verdict']} ({row['reason']})" if row["reason"] else str(row["verdict"])


def _numbers(row: Any) -> str:
    if row["effect"] is None:
        return ""
    metric = row["metric"]
    return f"{metric} {show(row['effect'], metric)}, 95 % interval {show(row['low'], metric)} to {show(row['high'], metric)}"


def _page(run: dict[str, Any], entries: Sequence[Entry]) -> str:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([FOLDER, TEMPLATES]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    sections: dict[str, list[Entry]] = {}
    for entry in entries:
        sections.setdefault(entry.found.tip.section, []).append(entry)
    counts = Counter(entry.found.verdict for entry in entries)
    return environment.get_template(TEMPLATE).render(run=run, sections=sections, counts=counts, reach=int(REACH))
