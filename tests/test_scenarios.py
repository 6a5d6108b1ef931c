"""Every scenario file, and that together they cover the cards and the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from bloodrage_sim.data import reader
from bloodrage_sim.scenario import read_scenario, run_scenario

FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.glob("*.toml"))
RULES = (Path(__file__).parent / "rule_numbers.txt").read_text().split()

# rules that no position can show -> why, or the test that shows them
NO_POSITION = {
    "4.2": "test_core_chance.py::test_packs_differ_between_seeds_deals_and_ages",
    "6.10.9": "variant Gods of Asgard, not built",
    "6.11.2": "variant Gods of Asgard, not built",
    "6.11.3b": "variant Mystics of Midgard, not built",
}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_scenario(path: Path) -> None:
    outcome = run_scenario(path)
    assert outcome.ok, "\n".join(outcome.differences)


def covered() -> set[str]:
    """Everything that some scenario names in `covers`."""
    return {name for path in FILES for name in read_scenario(path).get("covers", [])}


def test_every_card_has_a_scenario() -> None:
    cards = {row["id"] for row in reader.card_rows() if row["source"] in ("base", "p5")}
    assert cards - covered() == set()


def test_every_rule_has_a_scenario() -> None:
    assert len(RULES) > 100
    named = covered()
    missing = [rule for rule in RULES if rule not in NO_POSITION and not any(has(name, rule) for name in named)]
    assert missing == []


def has(name: str, rule: str) -> bool:
    """Whether a name in `covers` is the rule or one of its parts."""
    return name == rule or name.startswith(f"{rule}.") or (name.startswith(rule) and name[len(rule):].isalpha())
