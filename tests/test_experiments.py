"""Experiments: interventions do what they say and nothing else; verdicts of planted effects; folders that go on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from bloodrage_sim.cli import main
from bloodrage_sim.data import reader
from bloodrage_sim.errors import BloodRageError, OutputRefused
from bloodrage_sim.experiments.cells import Cell, cells_of
from bloodrage_sim.experiments.files import Experiment, experiment_of
from bloodrage_sim.experiments.metrics import Metric
from bloodrage_sim.experiments.playing import ArmKit, ArmPlayer
from bloodrage_sim.experiments.running import Finding, run_experiments
from bloodrage_sim.rows.results import prepare_batch
from bloodrage_sim.rules.events import SOURCE_NAMES
from bloodrage_sim.rules.state import GAME
from bloodrage_sim.ruleset import make_ruleset
from bloodrage_sim.running.units import Planner


@pytest.fixture(scope="module", autouse=True)
def batch() -> None:
    """The kernels of batches."""
    prepare_batch()


def experiment(treatment: dict[str, Any], control: dict[str, Any], **keys: Any) -> Experiment:
    """An experiment at two players of `greedy`, with other keys."""
    document = {
        "id": "trial", "claim": "a claim", "players": [2], "metric": "glory", "min_effect": 1.0, "pools": [["greedy"]], "focal": "greedy",
        "looks": [4], "treatment": treatment, "control": control, **keys,
    }  # fmt: skip
    return experiment_of(document, "trial.toml")


def only_cell(found: Experiment) -> Cell:
    (cell,) = cells_of(found, make_ruleset())
    return cell


def games_of(cell: Cell, arm: str, blocks: int = 20) -> np.recarray:
    """Finished games of an arm."""
    kit = ArmKit.load(cell.arms[arm], cell.players, cell.seed, details=False)
    games = ArmPlayer(kit, cell, Planner([], 0)).games(0, blocks)
    assert games is not None
    return games.copy()


def both(treatment: dict[str, Any], control: dict[str, Any], **keys: Any) -> tuple[np.recarray, np.recarray]:
    cell = only_cell(experiment(treatment, control, **keys))
    return games_of(cell, "treatment"), games_of(cell, "control")


def same(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether all numbers are equal, the padding of records left aside."""
    if one.dtype.names:
        return all(same(one[name], other[name]) for name in one.dtype.names)
    return np.array_equal(one, other)


# ---------------------------------------------------------------- nothing else changes


def test_swapping_a_card_for_itself_changes_no_field_of_any_game() -> None:
    swap = [{"in": place, "card": card, "by": "same", "age": 1} for place, card in (("hand", "lokis_domain"), ("deck", "troll"))]
    games, plain = both({"replace": swap}, {})
    assert (games.trial.changes > 1).any()  # in the deck, and in some hands
    for name in GAME.names or ():
        if name != "trial":
            assert same(games[name], plain[name]), name
    assert np.array_equal(games.trial.course, plain.trial.course)


def test_dealing_takes_the_card_out_of_the_deck_and_leaves_drafts_of_that_age_alone() -> None:
    cell = only_cell(experiment({"deal": [{"card": "troll", "age": 1, "play": "start"}]}, {}))
    games, plain = games_of(cell, "treatment"), games_of(cell, "control")
    troll = next(int(card) for card in cell.arms["treatment"].orders["change"]["card"] if card > 0)
    # with play = "start" it lies on the focal sheet in every game of the one arm, and nowhere in the other
    focal = [int(np.flatnonzero(games.slot[at, :2] == 0)[0]) for at in range(len(games))]
    assert (games.trial.changes == 1).all()
    held = [troll in games.clans.sheet[at, seat] for at, seat in enumerate(focal)]
    assert np.mean(held) > 0.5  # it may be replaced later
    copy = int(cell.arms["treatment"].orders["reserved"][0])
    assert (plain.secret.zone[:, copy] == 0).all()
    # packs of age 1 are the same: the same cards were seen by the same seats
    age_1 = cell.arms["control"].tables.age[0][: plain.secret.seen_cards.shape[2]] == 1
    assert np.array_equal(games.secret.seen_cards[:, :, age_1], plain.secret.seen_cards[:, :, age_1])


def test_control_holds_a_blank_that_nobody_can_play() -> None:
    games, plain = both({"deal": [{"card": "troll", "age": 1}]}, {})
    assert (games.trial.changes == 1).all()
    assert (plain.trial.changes == 1).all()
    assert not np.array_equal(games.trial.course, plain.trial.course)


# ---------------------------------------------------------------- what is forbidden does not happen


def test_quota_of_no_monsters_and_ban_of_playing_them() -> None:
    games, plain = both({"draft_quota": [{"kind": "monster", "most": 0}]}, {})
    focal = games.slot[:, :2] == 0
    assert games.tally.monsters[:, :2][focal].sum() == 0
    assert plain.tally.monsters[:, :2][focal].sum() > 0
    assert plain.trial.heeded.sum() == 0
    games, _ = both({"ban_play": [{"kind": "monster", "to": "others"}]}, {})
    assert games.tally.monsters[:, :2][~focal].sum() == 0
    assert games.tally.monsters[:, :2][focal].sum() > 0


def test_fork_cuts_one_decision_of_each_game_at_most_and_at_the_same_place() -> None:
    fork = {"at": {"question": "turn", "age": 1}, "pass": {"action": "pass"}, "invade": {"action": "invade"}}
    games, other = both({"fork": "pass"}, {"fork": "invade"}, fork=fork)
    assert (games.trial.obeyed[:, 0] == 1).all()
    assert (other.trial.obeyed[:, 0] == 1).all()
    focal = games.slot[:, :2] == 0
    assert (games.tally.turns_age[:, :2, 0][focal] == 1).all()  # passing ends its age
    assert (games.tally.rage_passed[:, :2][focal] > 0).all()


def test_forced_pick_is_taken_when_it_is_seen() -> None:
    card = "lokis_domain"
    games, _ = both({"force_pick": [{"card": card, "age": 1}], "ban_pick": [{"card": card, "to": "others"}]}, {})
    assert games.trial.heeded.sum() > 0
    seen = games.trial.obeyed[:, 0] > 0
    assert seen.any()


def test_state_is_set_for_the_seat_that_is_meant() -> None:
    change = {"set_state": [{"age": 3, "glory": 100, "horns_step": {"is": 6}}]}
    games, plain = both(change, {})
    focal = games.slot[:, :2] == 0
    assert (games.clans.glory[:, :2][focal] >= 100).all()
    assert (games.clans.stats[:, :2, 2][focal] == 6).all()
    assert (games.trial.changes == 2).all()
    # ages 1 and 2 went the same way
    assert np.array_equal(games.trial.course[:, :2], plain.trial.course[:, :2])


def test_cards_given_and_lost() -> None:
    games, plain = both({"set_state": [{"age": 1, "cards": -3}]}, {"set_state": [{"age": 1, "cards": 2}]})
    assert (games.trial.changes == 3).all()
    assert (plain.trial.changes == 2).all()


def test_forced_raise_is_taken_and_forbidden_joining_makes_fewer_battles() -> None:
    games, plain = both({"force": [{"question": "raise", "stat": "horns"}]}, {})
    focal = games.slot[:, :2] == 0
    assert games.trial.heeded.sum() > 0
    assert games.clans.stats[:, :2, 2][focal].sum() > plain.clans.stats[:, :2, 2][focal].sum()
    quiet, plain = both({"forbid": [{"question": "join", "action": "join", "to": "all"}]}, {})
    assert quiet.trial.heeded.sum() > 0
    assert quiet.battles.sum() < plain.battles.sum()


def test_games_start_from_a_position(tmp_path: Path) -> None:
    (tmp_path / "late.toml").write_text(
        'players = 2\nage = 3\nphase = "action"\n[[player]]\nrage = 5\nglory = 60\n[[player]]\nrage = 5\nglory = 10\n[expect]\n'
    )
    document = {
        "id": "late", "claim": "a lead of 50 glory in age 3 wins", "players": [2], "focal": "greedy", "pools": [["greedy"]],
        "position": "late.toml", "treatment": {"traits": ["rush_pillage"]}, "control": {},
    }  # fmt: skip
    cell = only_cell(experiment_of(document, "late.toml", tmp_path))
    games = games_of(cell, "control", 5)
    assert (games.clock.age == 3).all()
    assert (games.slot[:, 0] == 0).all()
    assert (games.tally.turns_age[:, :, :2] == 0).all()
    assert (games.clans.glory[:, 0] >= 60).all()
    assert len(np.unique(games.secret.key)) == len(games)  # a chance of its own for each


def test_hidden_channel_reaches_the_strategy() -> None:
    games, plain = both({"hide": [{"channels": ["doom"]}]}, {}, focal="balanced")
    assert not np.array_equal(games.trial.course, plain.trial.course)
    assert np.array_equal(games.doom, plain.doom)


def test_arms_seat_the_same_opponents_and_every_seat_is_visited() -> None:
    found = experiment({"rules": {"action_end": "rage_only"}}, {}, players=[4], pools=["mixed"])
    cell = only_cell(found)
    games, plain = games_of(cell, "treatment"), games_of(cell, "control")
    assert np.array_equal(games.slot, plain.slot)
    assert [int(np.flatnonzero(slots == 0)[0]) for slots in games.slot[:4, :4]] == [0, 1, 2, 3]
    assert {tuple(sorted(slots)) for slots in games.slot[:, :4].tolist()} <= {(0, *rest) for rest in _choices(4, 3)}
    assert len({tuple(slots) for slots in games.slot[::4, :4].tolist()}) > 10  # of 24


def _choices(of: int, size: int) -> list[tuple[int, ...]]:
    from itertools import combinations

    return list(combinations(range(1, of + 1), size))


def test_metrics_of_cards_agree_with_the_tables_that_books_are_kept_in() -> None:
    """Glory of cards adds up to the glory from the source card, and what was played to the cards played."""
    cell = only_cell(experiment({"traits": ["rush_pillage"]}, {}, also=["card_glory.troll"]))
    kit = ArmKit.load(cell.arms["control"], 2, 1, details=True)
    player = ArmPlayer(kit, cell, Planner([], 0))
    games = player.games(0, 10)
    assert games is not None
    played = player.played(games)
    for who in ("focal", "all"):
        every = [Metric.read(f"card_glory.{card}@{who}", "").measure(played)[0] for card in {row["id"] for row in reader.card_rows()}]
        booked = sum(Metric.read(f"glory_{source}@{who}", "").measure(played)[0] for source in SOURCE_NAMES)
        no_card = Metric.read(f"glory_pillage+glory_battle+glory_ragnarok+glory_stat_bonus@{who}", "").measure(played)[0]
        assert (sum(every) <= booked + 1e-9).all()
        assert sum(every).sum() > 0 and no_card.sum() > 0
    quests = Metric.read("fate.quest_done", "").measure(played)[0]
    assert np.array_equal(quests, Metric.read("quests_done", "").measure(played)[0])


# ---------------------------------------------------------------- verdicts


def run(found: Experiment, out: Path | None = None) -> Finding:
    (finding,) = run_experiments([found], make_ruleset(), 2, out).findings
    return finding


def test_planted_glory_is_found_and_a_swap_for_the_same_is_not_exercised() -> None:
    planted = run(experiment({"set_state": [{"age": 3, "glory": 10}]}, {}, looks=[400]))
    assert planted.verdict.word == "supported"
    assert planted.found is not None
    assert planted.found.effect.low <= 10 + 3 and planted.found.effect.high >= 10 - 3
    same = run(experiment({"replace": [{"in": "hand", "card": "troll", "age": 1, "by": "same"}]}, {}, looks=[400]))
    assert same.verdict.word == "not exercised"
    assert same.found is not None
    assert (same.found.effect.value, same.found.effect.se, same.exposure) == (0.0, 0.0, 0.0)


def test_harm_is_refuted_and_fewer_blocks_are_not_testable() -> None:
    harm = {"ban_play": [{"kinds": ["upgrade", "quest", "battle"]}]}
    assert str(run(experiment(harm, {}, looks=[400])).verdict) == "refuted (harmful)"
    assert run(experiment(harm, {}, looks=[4])).verdict.word == "not testable"


# ---------------------------------------------------------------- folders


def test_folder_goes_on_where_it_stopped_and_refuses_others(tmp_path: Path) -> None:
    found = experiment({"set_state": [{"age": 3, "glory": 10}]}, {}, looks=[6])
    whole = run_experiments([found], make_ruleset(), 1, tmp_path / "whole")
    assert whole.played == 6 * 2 * 2
    run_experiments([experiment({"set_state": [{"age": 3, "glory": 10}]}, {}, looks=[2])], make_ruleset(), 1, tmp_path / "parts")
    rest = run_experiments([found], make_ruleset(), 2, tmp_path / "parts")
    assert rest.played == 4 * 2 * 2
    effects = [outcome.findings[0].pools[0].effect for outcome in (whole, rest)]
    assert effects[0] == effects[1]
    part = next((tmp_path / "parts" / "trial" / "games").glob("*.parquet"))
    part.write_bytes(b"broken")
    mended = run_experiments([found], make_ruleset(), 1, tmp_path / "parts")
    assert mended.damaged
    assert mended.findings[0].pools[0].effect == effects[0]
    with pytest.raises(OutputRefused, match="another experiment"):
        run_experiments([experiment({"set_state": [{"age": 3, "glory": 11}]}, {}, looks=[6])], make_ruleset(), 1, tmp_path / "parts")


def test_command_prints_verdict_and_writes_tables(tmp_path: Path) -> None:
    file = tmp_path / "trial.toml"
    file.write_text(
        'id = "trial"\nclaim = "Ten glory are ten glory"\nplayers = [2]\nlooks = [4]\nmetric = "glory"\nalso = ["battles_won/battles"]\n'
        'min_effect = 1\npools = [["greedy"]]\nfocal = "greedy"\n[treatment]\nset_state = [{ age = 3, glory = 10 }]\n[control]\n'
    )
    result = CliRunner().invoke(main, ["experiment", str(file), "--out", str(tmp_path / "out"), "--threads", "1"])
    assert result.exit_code == 0, result.output
    assert "2 players, greedy: not testable (4 blocks in a pool, 400 are needed)" in result.output
    for name in ("verdicts.csv", "verdicts.parquet", "verdicts.json", "pools.csv", "pools.parquet", "trial/experiment.json"):
        assert (tmp_path / "out" / name).exists()


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"colour": 1}, "unknown key 'colour'"),
        ({"metric": "glori"}, "unknown metric 'glori' in trial.toml; did you mean glory"),
        ({"pools": ["mixt"]}, "unknown pool 'mixt' in trial.toml; did you mean mixed?"),
        ({"looks": [1, 2, 3]}, "3 looks; allowed: 2"),
        ({"looks": [400, 100]}, "write rising numbers of blocks"),
        ({"treatment": {}}, "[control] and trial.toml, [treatment] do not differ"),
        ({"treatment": {"deal": [{"card": "trol", "age": 1}]}}, "unknown card 'trol' in trial.toml, [treatment].deal[0]; did you mean troll"),
        ({"treatment": {"deal": [{"card": "troll", "age": 4}]}}, "age is 4; allowed: whole numbers 1 to 3"),
        ({"treatment": {"deal": [{"card": "friggas_succor", "age": 1}]}}, "numbers of players that have enough: 3, 4, 5"),
        ({"treatment": {"traits": ["lock_provinces"]}}, "unknown trait 'lock_provinces'"),
        ({"treatment": {"fork": "join"}}, "fork needs a table [fork] in the file"),
        ({"treatment": {"rules": {"action_end": "never"}}}, "has no value 'never'"),
        ({"treatment": {"replace": [{"in": "hand", "age": 1, "by": "blank"}]}}, "names no cards"),
        ({"treatment": {"set_state": [{"age": 1}]}}, "changes nothing"),
        ({"estimator": "interaction"}, "unknown key 'both'"),
        ({"estimator": "level"}, "needs than = number, or band"),
        ({"expected_direction": "in_band"}, "belong together"),
        ({"players": [6]}, "players is [6]"),
        ({"also": ["card_glory.trol"]}, "unknown card 'trol' in trial.toml; did you mean troll"),
        ({"also": ["fate.burnt"]}, "unknown fate of a card 'burnt'"),
        ({"treatment": {"force": [{"question": "join"}]}}, "fits every option"),
        ({"treatment": {"position": "none.toml"}}, "cannot be read"),
        ({"id": "A b"}, "allowed: small letters, digits and _"),
        ({"treatment": {"force_pick": [{"card": "troll", "to": "loki"}]}}, "unknown seat 'loki'"),
    ],
)
def test_bad_files_are_told_in_one_line(keys: dict[str, Any], message: str) -> None:
    treatment = keys.pop("treatment", {"traits": ["rush_pillage"]})
    with pytest.raises(BloodRageError) as caught:
        list(cells_of(experiment(treatment, {}, **keys), make_ruleset()))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_placebos_and_planted_effects_20_of_20() -> None:
    """Ten glory more are found, playing no card is harmful, and what greedy does not look at is never an effect."""
    planted = {"set_state": [{"age": 3, "glory": 10}]}
    harm = {"ban_play": [{"kinds": ["upgrade", "quest", "battle"]}]}
    placebo = {"hide": [{"channels": ["history"]}]}
    words = []
    for seed in range(20):
        claims = [experiment(arm, {}, id=name, looks=[400], seed=seed) for name, arm in (("p", planted), ("h", harm), ("n", placebo))]
        words.append([str(finding.verdict).partition(" (the")[0] for finding in run_experiments(claims, make_ruleset(), 2).findings])
    assert words == [["supported", "refuted (harmful)", "not exercised"]] * 20
