"""The catalogue as lines to read."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..experiments.report import shower
from ..layout import WIDTH, show_columns
from .catalogue import ENUMERATION, EXPERIMENT, SCENARIO, Tip
from .outcome import Results, TipOutcome

RULE_FACT = "rule_fact"


def list_lines(tips: Sequence[Tip], results: Results, lang: str) -> list[str]:
    """A line for each claim, then counts by kind, design and verdict."""
    found = {tip.id: results.of(tip) for tip in tips}
    rows = [["id", "kind", "design", "priority", "verdict"]]
    rows += [[tip.id, tip.kind, tip.design, str(tip.priority), found[tip.id].verdict] for tip in tips]
    shown = show_columns(rows)
    lines = [shown[0]]
    for tip, line in zip(tips, shown[1:], strict=True):
        lines += [line, *_wrapped(tip.claim, 4)]
        if lang == "pl" and tip.cards:
            lines += _wrapped(", ".join(tip.card_names(lang)), 4)
    return [*lines, "", *count_lines(tips, results)]


def count_lines(tips: Sequence[Tip], results: Results) -> list[str]:
    """How many claims of each kind have which design and verdict."""
    facts = [tip for tip in tips if tip.kind == RULE_FACT]
    others = [tip for tip in tips if tip.kind not in (RULE_FACT, "not_testable")]
    by_games, counted = _count(others, EXPERIMENT), _count(others, ENUMERATION)
    lines = [
        f"{len(tips)} tips",
        f"{len(facts)} rule facts: {_count(facts, SCENARIO)} by scenarios, {_count(facts, ENUMERATION)} by enumeration",
        f"{len(others)} claims about play: {by_games} by experiments, {counted} by enumeration, {len(others) - by_games - counted} not",
        f"{len(tips) - len(facts) - len(others)} claims about people, not about the game",
        "",
    ]
    for title, key in (("kind", lambda tip: tip.kind), ("design", lambda tip: tip.design), ("section", lambda tip: tip.section)):
        lines += [*_table(title, tips, key, results), ""]
    return lines[:-1]


def _count(tips: Sequence[Tip], design: str) -> int:
    return sum(tip.design == design for tip in tips)


def _table(title: str, tips: Sequence[Tip], key: Callable[[Tip], str], results: Results) -> list[str]:
    groups: dict[str, Counter[str]] = {}
    for tip in tips:
        groups.setdefault(key(tip), Counter())[results.of(tip).verdict] += 1
    verdicts = sorted({verdict for counts in groups.values() for verdict in counts})
    rows = [[title, "tips", *verdicts]]
    rows += [[name, str(counts.total()), *(str(counts[verdict] or "") for verdict in verdicts)] for name, counts in groups.items()]
    return show_columns(rows, right=range(1, len(verdicts) + 2))


def page_lines(tip: Tip, results: Results, lang: str) -> list[str]:
    """All about a claim: what it says, where it is from, how it is tested, what came out."""
    lines = [tip.id, *_wrapped(tip.claim, 2), ""]
    said = "says so" if tip.statement == "stated" else "implies it"
    facts = [
        ("source", f"{tip.source} ({tip.section}) {said}"),
        ("kind", f"{tip.kind}, priority {tip.priority}"),
        ("players", ", ".join(map(str, tip.players))),
        ("cards", ", ".join(tip.card_names(lang))),
        ("design", _design(tip)),
        ("matters from", tip.min_effect),
        ("depends on", ", ".join(tip.depends)),
    ]
    lines += [f"  {name:<14}{text}" for name, text in facts if text]
    return [*lines, "", *outcome_lines(results.of(tip))]


def _design(tip: Tip) -> str:
    if tip.design == SCENARIO:
        return f"scenario: {len(tip.scenarios)} positions in {tip.scenarios[0].parent}"
    if tip.design == EXPERIMENT:
        return f"experiment: {tip.experiment}"
    return tip.design


def outcome_lines(found: TipOutcome) -> list[str]:
    """The verdict on a claim with its numbers."""
    lines = _wrapped(f"{found.verdict}{': ' + found.reason if found.reason else ''}", 2)
    if found.proof and not found.proof["decides"]:
        lines += _wrapped(f"From the tables alone: {found.proof['summary']}", 2)
    if found.proof and found.proof["flips"]:
        lines += _wrapped(f"Otherwise with the rule {found.proof['flips']}.", 2)
    lines += [f"  {_effect(row)}" for row in (*found.rows, *found.others)]
    if found.pools:
        tell = shower(found.main["expected_direction"])
        lines += ["  by pool:"]
        lines += [
            f"    {row['players']} players, {row['strength']}, {row['pool']}: {tell(row['effect'], row['metric'])}, "
            f"{tell(row['low'], row['metric'])} to {tell(row['high'], row['metric'])}"
            for row in found.pools
        ]
    return lines


def _effect(row: Mapping[str, Any]) -> str:
    if row["effect"] is None:
        return f"{row['players']} players, {row['strength']}: {row['verdict']}"
    metric, tell = row["metric"], shower(row["expected_direction"])
    return (
        f"{row['players']} players, {row['strength']}: {row['verdict']}, {metric} {tell(row['effect'], metric)}, "
        f"{tell(row['low'], metric)} to {tell(row['high'], metric)}, {row['games']:,} games"
    )


def _wrapped(text: str, indent: int) -> list[str]:
    return textwrap.wrap(text, WIDTH - indent, initial_indent=" " * indent, subsequent_indent=" " * indent)
