"""The catalogue of tips: every claim is there, has its test, and every file of a test loads."""

from __future__ import annotations

from collections import Counter

import pytest
from click.testing import CliRunner

from bloodrage_sim.cli import main
from bloodrage_sim.data import reader
from bloodrage_sim.errors import BadFile
from bloodrage_sim.experiments.cells import cells_of
from bloodrage_sim.experiments.files import read_experiment
from bloodrage_sim.experiments.verdicts import REFUTED, SUPPORTED
from bloodrage_sim.ruleset import check_options, make_ruleset, parse_rule
from bloodrage_sim.scenario import read_scenario
from bloodrage_sim.tips import facts
from bloodrage_sim.tips.catalogue import ENUMERATION, EXPERIMENT, FOLDER, NOT_TESTABLE, SCENARIO, choose_tips, tips
from bloodrage_sim.tips.enumeration import BACKGROUND, DECIDING
from bloodrage_sim.tips.facts import show_fact
from bloodrage_sim.tips.strengths import other_strengths

FACTS = choose_tips((), design=SCENARIO)
WITH_GAMES = choose_tips((), design=EXPERIMENT)
ARGUED = "players argue"
# facts that come out otherwise under another reading of a rule, and the reading
DEPENDENT = {
    "forced_card_burn": ["battle_card=optional"],
    "pass_loses_rage": ["passed_player=may_return"],
    "poison_over_prowess": ["poison_vs_prowess=prowess_first"],
    "prowess_over_trickery": ["prowess_vs_trickery=trickery_first"],
    "watch_beats_all_but_primacy": ["two_watches=all"],
}


def test_every_claim_of_the_sources_is_there() -> None:
    from_sources = [tip for tip in tips() if tip.section != ARGUED]
    assert len(from_sources) == 147
    assert len(tips()) == 157
    assert Counter(tip.kind for tip in from_sources) == {
        "quantity": 33, "behaviour": 32, "rule_fact": 31, "card_synergy": 20, "card_value": 13, "counter": 9, "strategy_strength": 7,
        "not_testable": 2,
    }  # fmt: skip
    assert sum(tip.priority == 1 for tip in tips()) == 12
    assert len({tip.id for tip in tips()}) == len(tips())


def test_coverage_is_what_was_asked() -> None:
    """31 rule facts: 27 by scenarios, 4 by enumeration; all of the 114 others; a reason for each claim about people."""
    rule_facts = [tip for tip in tips() if tip.kind == "rule_fact"]
    assert Counter(tip.design for tip in rule_facts) == {SCENARIO: 27, ENUMERATION: 4}
    others = [tip for tip in tips() if tip.kind not in ("rule_fact", "not_testable") and tip.section != ARGUED]
    assert len(others) == 114
    assert Counter(tip.design for tip in others) == {EXPERIMENT: 108, ENUMERATION: 6}
    assert Counter(tip.design for tip in tips()) == {EXPERIMENT: 118, SCENARIO: 27, ENUMERATION: 10, NOT_TESTABLE: 2}
    assert all(bool(tip.reason) == (tip.design == NOT_TESTABLE) for tip in tips())


def test_claims_name_cards_and_rules_that_exist() -> None:
    assert {card for tip in tips() for card in tip.cards} <= {row["id"] for row in reader.card_rows()}
    for tip in tips():
        check_options(dict(parse_rule(text) for text in tip.depends), tip.id)


def test_every_test_is_there_and_no_other() -> None:
    assert {path.stem for path in (FOLDER / "experiments").glob("*.toml")} == {tip.id for tip in WITH_GAMES}
    assert {path.name for path in (FOLDER / "scenarios").iterdir()} == {tip.id for tip in FACTS}
    assert set(DECIDING) == {tip.id for tip in tips() if tip.design == ENUMERATION}
    assert set(BACKGROUND) <= {tip.id for tip in tips() if tip.design in (EXPERIMENT, NOT_TESTABLE)}


@pytest.mark.parametrize("tip", WITH_GAMES, ids=lambda tip: tip.id)
def test_experiment_file_is_of_its_claim(tip) -> None:
    experiment = read_experiment(tip.experiment)
    assert (experiment.id, experiment.claim, experiment.source, experiment.kind) == (tip.id, tip.claim, tip.source, tip.kind)
    assert set(experiment.players) <= {2, 3, 4, 5}
    assert not experiment.not_testable


def test_all_experiments_can_be_set_up_with_four_players() -> None:
    ruleset = make_ruleset()
    experiments = [read_experiment(tip.experiment) for tip in WITH_GAMES]
    with_four = [experiment for experiment in experiments if 4 in experiment.players and experiment.estimator != "contrast"]
    assert len(with_four) == len(experiments) - 1
    for experiment in with_four:
        assert cells_of(experiment.only_players("4", "test"), ruleset)


def test_claims_about_balanced_play_are_tested_at_three_strengths() -> None:
    experiments = [read_experiment(tip.experiment) for tip in WITH_GAMES]
    others = other_strengths(experiments)
    assert len(others) >= 70
    assert all(experiment.strengths == ("greedy", "balanced@tuned") and len(experiment.looks) == 1 for experiment in others)
    assert {experiment.id for experiment in experiments} - {experiment.id for experiment in others} >= {"loki_viable_4_5", "loki_surprise_win"}


@pytest.mark.parametrize("tip", FACTS, ids=lambda tip: tip.id)
def test_rule_fact(tip) -> None:
    proof = show_fact(tip)
    assert proof.verdict == (REFUTED if tip.id == "win_costs_cards" else SUPPORTED)
    assert list(proof.flips) == DEPENDENT.get(tip.id, [])
    cases = [case for case in proof.cases if case["role"] == facts.CASE]
    assert cases
    assert [case["case"] for case in proof.cases if not case["passed"]] == []


def test_counterexamples_refute_and_are_named() -> None:
    [tip] = choose_tips(["win_costs_cards"])
    proof = show_fact(tip)
    against = {case["case"] for case in proof.cases if case["against"]}
    assert against == {"counterexample_empty_hand", "counterexample_prowess", "counterexample_watch_costs_the_loser_too"}
    assert proof.against == 3
    assert "empty hand" in proof.summary


def test_a_failing_position_refutes(tmp_path, monkeypatch) -> None:
    [tip] = choose_tips(["valkyrie_scores_dying"])
    folder = tmp_path / "scenarios" / tip.id
    folder.mkdir(parents=True)
    path = next(path for path in tip.scenarios if path.stem == "case_tie")
    (folder / "case_tie.toml").write_text(path.read_text().replace('"player.0.glory" = 6', '"player.0.glory" = 4'))
    monkeypatch.setattr("bloodrage_sim.tips.catalogue.FOLDER", tmp_path)
    proof = show_fact(tip)
    assert proof.verdict == REFUTED
    assert proof.summary.startswith("0 of 1 positions")
    (folder / "something.toml").write_text(path.read_text())
    with pytest.raises(BadFile, match="must begin with case_, counterexample_ or exception_"):
        show_fact(tip)


def test_scenarios_cover_what_exists() -> None:
    cards = {row["id"] for row in reader.card_rows()}
    named = {name for tip in FACTS for path in tip.scenarios for name in read_scenario(path).get("covers", [])}
    assert {name for name in named if not name[0].isdigit()} <= cards


def test_list_counts_and_filters() -> None:
    shown = CliRunner().invoke(main, ["tips", "list"])
    assert shown.exit_code == 0
    assert "157 tips" in shown.output
    assert "31 rule facts: 27 by scenarios, 4 by enumeration" in shown.output
    only = CliRunner().invoke(main, ["tips", "list", "--priority", "1"])
    assert "12 tips" in only.output
    assert "rage_pacing" not in only.output


def test_show_tells_source_design_and_polish_names() -> None:
    shown = CliRunner().invoke(main, ["tips", "show", "poison_over_prowess", "--lang", "pl"])
    assert shown.exit_code == 0
    assert "game help:437" in shown.output
    assert "Trucizna Lokiego" in shown.output
    assert "poison_vs_prowess=prowess_first" in shown.output
    reason = CliRunner().invoke(main, ["tips", "show", "novice_rage_burn"])
    assert "not testable" in reason.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tips", "show", "lock_is_god"], "did you mean lock_is_good"),
        (["tips", "list", "nope"], "unknown tip 'nope'"),
        (["tips", "run", "lock_is_god", "--out", "x"], "did you mean lock_is_good"),
        (["tips", "run", "lock_is_good", "--out", "x", "--players", "7"], "--players"),
        (["tips", "run", "lock_is_good", "--out", "x", "--looks", "1,2,3"], "allowed: 2"),
        (["tips", "report", "nowhere"], "is no folder of `bloodrage tips run`"),
        (["tips", "list", "--from", "nowhere"], "is no folder of `bloodrage tips run`"),
    ],
)
def test_bad_input(arguments: list[str], message: str, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed = CliRunner().invoke(main, arguments)
    assert failed.exit_code == 2
    assert message in failed.output
    assert "Traceback" not in failed.output
    assert not (tmp_path / "x").exists()
