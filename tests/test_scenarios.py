"""Every scenario file, and that together they cover the cards and the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from bloodrage_sim.data import reader
from bloodrage_sim.errors import BadValue
from bloodrage_sim.ruleset import make_ruleset
from bloodrage_sim.scenario import read_scenario, run_scenario

FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.glob("*.toml"))
RULES = (Path(__file__).parent / "rule_numbers.txt").read_text().split()

# rules that a position cannot show, or not wholly -> the test in test_rules_without_position.py that shows them
TESTED = {
    "4.2": "test_the_rest_of_the_deck_is_never_seen",
    "4.3": "test_draft_choices_are_simultaneous",
    "4.4": "test_draft_choices_are_simultaneous",
    "6.3.1": "test_battle_cards_are_chosen_secretly",
    "6.7.3": "test_a_total_of_0_is_a_total",
    "7.3": "test_thors_domain_at_most_once_a_turn",
    "8.1": "test_discards_are_simultaneous",
    "10.4": "test_the_doom_token_moves_on",
}
# rules of variants that are not built; so are 2.7 and sections 13 to 15
VARIANT_RULES = {"6.10.9": "gods", "6.11.2": "gods", "6.11.3b": "mystics"}


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
    assert len(RULES) == len(set(RULES)) == 111
    assert {*TESTED, *VARIANT_RULES} <= set(RULES)
    named = covered()
    missing = [rule for rule in RULES if rule not in {*TESTED, *VARIANT_RULES} and not any(has(name, rule) for name in named)]
    assert missing == []


def has(name: str, rule: str) -> bool:
    """Whether a name in `covers` is the rule or one of its parts."""
    return name == rule or name.startswith(f"{rule}.") or (name.startswith(rule) and name[len(rule):].isalpha())


def test_the_tests_named_for_rules_exist() -> None:
    source = (FOLDER.parent / "test_rules_without_position.py").read_text(encoding="utf-8")
    assert [name for name in TESTED.values() if f"\ndef {name}(" not in source] == []


@pytest.mark.parametrize("variant", sorted(set(VARIANT_RULES.values())))
def test_variants_whose_rules_have_no_scenario_are_not_built(variant: str) -> None:
    """When a variant is built, take its rules out of VARIANT_RULES and write scenarios."""
    with pytest.raises(BadValue, match="not built yet"):
        make_ruleset({variant: "on"})


def test_covers_names_only_what_exists() -> None:
    cards = {row["id"] for row in reader.card_rows()}
    numbers = {name for name in covered() if name[0].isdigit()}
    headings = {rule.rsplit(".", 1)[0] for rule in RULES}
    listed = {name for name in numbers if 4 <= int(name.split(".")[0]) <= 12}
    assert covered() - numbers - cards == set()
    assert listed - set(RULES) - headings == set()
