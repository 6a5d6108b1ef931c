"""The page of verdicts: one HTML file that needs nothing else, and the same as CSV."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..datasets.dataset import cannot_write
from ..errors import OutputRefused
from ..experiments.files import read_experiment
from ..experiments.report import show, show_level, shower
from ..experiments.verdicts import INCONCLUSIVE
from ..reports.page import TEMPLATES
from ..rows.table_files import write_file
from .catalogue import FOLDER, find_tip
from .forest import REACH, WIDTH, Row, row_of
from .instead import instead, short_name
from .outcome import Results, TipOutcome
from .running import read_run

TEMPLATE = "page.html"
_SHORT = 30  # characters of a reason beside a verdict
COLUMNS = (
    "id", "section", "source", "statement", "claim", "kind", "priority", "design", "verdict", "reason", "players", "strength", "metric",
    "effect", "low", "high", "min_effect", "expected_direction", "exposure", "games", "rule_options", "disagreeing", "instead",
)  # fmt: skip


@dataclass(frozen=True)
class Line:
    """One effect of a claim as the page shows it; games : ''  for an effect by pool."""

    label: str
    verdict: str
    numbers: str
    games: str
    forest: Row | None


@dataclass(frozen=True)
class Entry:
    """A claim as the page shows it.

    Attributes
    ----------
    lines : by number of players and strategy
    pools : of the verdict that stands for the claim, by opponents
    is_open : whether the opponents are shown at once, because the verdict depends on them or is none
    asked : what the effect is compared with
    """

    found: TipOutcome
    cards: Sequence[str]
    lines: Sequence[Line]
    pools: Sequence[Line]
    is_open: bool
    asked: str
    instead: str

    @property
    def measured(self) -> str:
        """Metric, if it is short, and effect for the table of all claims."""
        metric = self.found.main["metric"]
        return f"{metric} {self.main.numbers}" if short_name(metric) == metric else self.main.numbers

    @property
    def main(self) -> Line:
        """The line of the verdict that stands for the claim."""
        return self.lines[[*self.found.rows, *self.found.others].index(self.found.main)]


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
    band = read_experiment(found.tip.experiment).band if main else None
    lines = [
        Line(f"{row['players']} players, {row['strength']}", _words(row), _numbers(row), f"{row['games']:,} games", row_of(row, band))
        for row in rows
    ]
    pools = [{**main, **row} for row in found.pools if (row["players"], row["strength"]) == (main["players"], main["strength"])]
    by_pool = [Line(f"against {row['pool']}", "", _numbers(row), "", row_of(row, band)) for row in pools]
    is_open = main.get("verdict") == INCONCLUSIVE
    return Entry(found, found.tip.card_names(lang), lines, by_pool, is_open, _asked(main, rows, band), instead(found))


def _asked(row: Any, rows: Sequence[Any], band: tuple[float, float] | None) -> str:
    """What an effect is compared with, in words; '' where nothing was measured.  rows : all verdicts of the claim"""
    if not row or row["effect"] is None:
        return ""
    if band is not None:
        return f"the claim says {' to '.join(show_level(end, row['metric']) for end in band)}, which is the grey band"
    way = "no effect" if row["expected_direction"] == "none" else row["expected_direction"]
    differ = len({other["min_effect"] for other in rows}) > 1
    at = f" with {row['players']} players" if differ else ""
    return f"the claim says {way}; the grey band is {show(row['min_effect'], row['metric']).replace('+', '±')}{at}"


def _words(row: Any) -> str:
    is_short = row["reason"] and len(row["reason"]) <= _SHORT
    return f"{row['verdict']} ({row['reason']})" if is_short else str(row["verdict"])


def _numbers(row: Any) -> str:
    if row["effect"] is None:
        return ""
    metric, tell = row["metric"], shower(row["expected_direction"])
    low, high = (tell(row[name], metric).partition(" ")[0] for name in ("low", "high"))
    return f"{tell(row['effect'], metric)} ({low} to {high})"


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
    return environment.get_template(TEMPLATE).render(run=run, sections=sections, counts=counts, reach=int(REACH), edge=WIDTH)
