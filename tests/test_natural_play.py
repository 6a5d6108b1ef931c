"""What is measured of games as they are played: battles by age, turn order, cards that come round, results that are brought about."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bloodrage_sim.data import reader
from bloodrage_sim.errors import BloodRageError
from bloodrage_sim.experiments.cells import Cell, cells_of
from bloodrage_sim.experiments.estimates import pool_effect
from bloodrage_sim.experiments.files import Experiment, experiment_of, read_experiment
from bloodrage_sim.experiments.gate import closed_to
from bloodrage_sim.experiments.metrics import Metric
from bloodrage_sim.experiments.played import PlayedGames
from bloodrage_sim.experiments.playing import ArmKit, ArmPlayer
from bloodrage_sim.experiments.running import Finding, run_experiments
from bloodrage_sim.experiments.steering import Steering
from bloodrage_sim.rows.results import prepare_batch
from bloodrage_sim.rows.tables_out import BOARD, DEALS
from bloodrage_sim.rules.events import EVENT_FAILED, EVENT_PILLAGED, EVENT_TOTAL
from bloodrage_sim.rules.ids import PLACE_NAMES
from bloodrage_sim.rules.state import GAME_EVENTS, new_log
from bloodrage_sim.ruleset import make_ruleset
from bloodrage_sim.running.units import Planner
from bloodrage_sim.tips.catalogue import EXPERIMENT, choose_tips
from bloodrage_sim.tips.strengths import other_strengths

RESULTS = {"treatment": {"result": "tie", "other": "loss", "never": "win"}, "control": {"result": "loss", "other": "tie", "never": "win"}}


@pytest.fixture(scope="module", autouse=True)
def batch() -> None:
    """The kernels of batches."""
    prepare_batch()


def experiment(**keys: Any) -> Experiment:
    """An experiment on natural play of `balanced` among `battle`, with other keys."""
    document = {
        "id": "natural", "claim": "a claim", "players": [4], "metric": "glory", "min_effect": 1.0, "pools": [["battle"]], "looks": [8],
        "treatment": {}, **keys,
    }  # fmt: skip
    return experiment_of(document, "natural.toml")


def cell_of(found: Experiment) -> Cell:
    (cell,) = cells_of(found, make_ruleset())
    return cell


def player_of(cell: Cell, arm: str = "treatment", details: bool = False) -> ArmPlayer:
    kit = ArmKit.load(cell.arms[arm], cell.players, cell.seed, details, events=details)
    kit.prepare()
    return ArmPlayer(kit, cell, Planner([], 0))


@pytest.fixture(scope="module")
def played() -> PlayedGames:
    """Ten blocks with all their rows."""
    player = player_of(cell_of(experiment(against="glory", metric="margin")), details=True)
    games = player.games(0, 10)
    assert games is not None
    return player.played(games)


def measured(text: str, played: PlayedGames) -> np.ndarray:
    return Metric.read(text, "").measure(played)[0]


@pytest.mark.parametrize("who", ["focal", "left", "first_2"])
def test_battles_and_pillages_by_age_add_up_to_the_columns(played: PlayedGames, who: str) -> None:
    def total(words: str) -> np.ndarray:
        return sum(measured(f"{words}.age_{age}@{who}", played) for age in (1, 2, 3))

    assert np.array_equal(total("battles"), measured(f"battles@{who}", played))
    assert np.array_equal(total("battles.won"), measured(f"battles_won@{who}", played))
    assert np.array_equal(total("battles.own") + total("battles.foreign"), measured(f"battles@{who}", played))
    assert np.array_equal(total("battles.lost"), total("battles") - total("battles.won"))
    assert np.array_equal(total("pillages"), measured(f"pillages@{who}", played))
    unopposed = total("pillages") - total("battles.own.won")
    assert np.array_equal(unopposed, measured(f"pillages_unopposed@{who}", played))


def test_a_tied_battle_has_no_winner(played: PlayedGames) -> None:
    won, called = (4 * measured(f"{words}@all", played) for words in ("battles.won", "battles.own"))
    tied = 4 * measured("battles.own.tied@all", played)
    assert tied.sum() > 0
    assert np.array_equal(won + tied, called)


def test_glory_of_battles_is_that_of_axes_and_of_the_cards_that_were_played(played: PlayedGames) -> None:
    """Axes pay winners only; what battle cards pay to others, such as stolen glory, is left out."""
    for who in ("focal", "all"):
        glory = measured(f"battle_glory.own@{who}", played) + measured(f"battle_glory.foreign@{who}", played)
        axes, cards = measured(f"glory_battle@{who}", played), measured(f"card_glory.battle@{who}", played)
        assert (glory >= axes).all() and (glory <= axes + cards + 1e-9).all()
        assert (glory > axes).any()
    no_win = measured("battles.foreign.won.age_1", played) == 0
    assert no_win.any() and not no_win.all()
    assert (measured("battle_glory.foreign.age_1", played)[no_win] == 0).all()


def test_the_first_player_moves_on_by_one_seat_each_age(played: PlayedGames) -> None:
    order, glory = played.column("turn_order"), played.column("glory")
    for who, place in (("first_1", 0), ("first_2", 1), ("first_3", 2), ("last_1", 3), ("last_2", 0), ("last_3", 1)):
        assert np.array_equal(measured(f"glory@{who}", played), glory[order == place])
    assert np.array_equal(measured("0.5*glory@first_1-2*glory@last_1", played), 0.5 * glory[order == 0] - 2 * glory[order == 3])


def test_cards_that_come_round_as_plain_loops_count_them(played: PlayedGames) -> None:
    """For each quest of a region in a first pack: who has figures in its provinces and their fjords, and in which round it was taken."""
    figures: dict[tuple[int, int, int], dict[str, int]] = {}
    for row in played.details[BOARD.name]:
        left = int(row["figures"]) - int(row["ragnarok_deaths"])
        figures.setdefault((int(row["game"]), int(row["age"]), int(row["seat"])), {})[PLACE_NAMES[row["place"]]] = left
    cards, board = reader.card_rows(), reader.board()
    counts = {"alone": 0, "shared": 0, "alone.back": 0, "shared.back": 0}
    for row in played.details[DEALS.name]:
        game, age, first = int(row["game"]), int(row["age"]), int(row["first_seat"])
        card = cards[played.card_of[game, row["copy"]]]
        if not card["effect"].startswith("most_str") or card["effect"] == "most_str_provinces" or row["round"] == 1:
            continue
        region = [found["provinces"] for found in board["region"] if found["id"] == card["region"]]
        places = set(region[0]) if region else {"yggdrasil"}
        places |= {fjord["id"] for fjord in board["fjord"] if places & set(fjord["provinces"])}
        holders = [seat for seat in range(4) if sum(figures.get((game, age - 1, seat), {}).get(place, 0) for place in places) > 0]
        if first in holders:
            word = "alone" if len(holders) == 1 else "shared"
            counts[word] += 1
            counts[f"{word}.back"] += row["round"] == 0 or row["round"] > 4
    assert min(counts.values()) > 0
    assert counts == {word: 4 * measured(f"passed_quests.{word}@all", played).sum() for word in counts}


@pytest.mark.parametrize(
    ("text", "is_share"),
    [
        ("win_share@left", True), ("win_share@first_1-win_share@all", True), ("battles.lost/battles", True), ("glory", False),
        ("passed_quests.alone.back/passed_quests.alone", True), ("battles.age_1@all/battles.own.age_1@all", False),
        ("battles.own@all/battles.own@all+pillages.age_1@all", True), ("battles_won/battles", False),
    ],
)  # fmt: skip
def test_what_is_a_share(text: str, is_share: bool) -> None:
    assert Metric.read(text, "").is_share == is_share


# ---------------------------------------------------------------- two metrics of the same games


def rows_of(found: Experiment, blocks: int) -> tuple[Cell, np.ndarray]:
    """Rows of an experiment whose metrics are the block number and others made up."""
    cell = cell_of(found)
    form = [(name, "<f8") for name in ("arm", "block", "trace_1", "trace_2", "trace_3", "heeded", "voided", "changes")]
    form += [(f"{part}_{number}", "<f8") for number in range(len(found.recorded)) for part in ("over", "under")]
    rows = np.zeros(len(cell.arms) * blocks * cell.players, form)
    for number in range(len(found.recorded)):
        rows[f"under_{number}"] = 1
    return cell, rows


def test_a_metric_set_against_another_is_the_difference_within_games() -> None:
    found = experiment(metric="battles_won/battles", against="glory_age_3", also=["glory_age_1"], min_effect=0.1)
    cell, rows = rows_of(found, 6)
    rng = np.random.default_rng(3)
    rows["over_0"], rows["under_0"] = rng.integers(0, 3, len(rows)), 3
    rows["over_1"], rows["over_2"] = 7, rows["over_0"] + 5
    effect = pool_effect(found, cell, rows, 6)
    assert effect.levels == {"treatment": rows["over_0"].sum() / rows["under_0"].sum(), "glory_age_3": rows["over_2"].mean()}
    assert effect.effect.value == pytest.approx(effect.levels["treatment"] - effect.levels["glory_age_3"])
    # ratio and other metric rise together, a block at a time, so the error is that of the difference, not of the two alone
    blocks = rows["over_0"].reshape(6, 4).mean(1)
    assert effect.effect.se == pytest.approx((blocks / 3 - blocks).std(ddof=1) / np.sqrt(6))
    assert effect.also[0].value == 7
    assert effect.exposure == 1.0


def test_with_a_control_the_other_metric_is_that_of_the_control() -> None:
    found = experiment(metric="battles.lost/battles", against="battles.won/battles", control={"focal": "battle"}, min_effect=0.1)
    cell, rows = rows_of(found, 2)
    rows["over_0"][:8], rows["over_1"][8:] = 0.8, 0.3
    effect = pool_effect(found, cell, rows, 2)
    assert effect.effect.value == pytest.approx(0.5)
    assert effect.levels == pytest.approx({"treatment": 0.8, "control": 0.0, "battles.won/battles": 0.3})


def test_gain_is_the_error_of_other_deals_over_that_of_the_same() -> None:
    """Means of two blocks: 0 and 2 in one arm, 0 and 1 in the other, 0 and 1 of their difference: sqrt((1 + 0.25) / 0.25)."""
    cell, rows = rows_of(experiment(control={"traits": ["lock_province"]}), 2)
    rows["over_0"][4:8], rows["over_0"][12:] = 2, 1
    effect = pool_effect(experiment(control={"traits": ["lock_province"]}), cell, rows, 2)
    assert effect.gain == pytest.approx(np.sqrt(5))
    assert effect.rho == pytest.approx(1.0)


def test_planted_difference_between_two_metrics_of_the_same_games_is_found() -> None:
    found = experiment(metric="glory@left", against="glory@left", min_effect=1.0, looks=[400], pools=[["greedy"]], players=[2], focal="greedy")
    (same,) = run_experiments([found], make_ruleset(), 2).findings
    assert (effect_of(same), same.verdict.reason) == ((0.0, 0.0), "negligible")
    planted = experiment(
        metric="glory", against="glory@left", min_effect=5.0, looks=[400], pools=[["greedy"]], players=[2], focal="greedy",
        treatment={"set_state": [{"age": 3, "glory": 30}]},
    )  # fmt: skip
    (more,) = run_experiments([planted], make_ruleset(), 2).findings
    assert more.verdict.word == "supported"
    assert abs(effect_of(more)[0] - 30) < 4 * effect_of(more)[1]


def test_a_share_of_what_never_happens_is_not_exercised() -> None:
    found = experiment(
        metric="glory/monsters", against="battles", looks=[400], pools=[["greedy"]], players=[2], focal="greedy",
        treatment={"draft_quota": [{"kind": "monster", "most": 0}]},
    )  # fmt: skip
    (finding,) = run_experiments([found], make_ruleset(), 2).findings
    assert str(finding.verdict) == "not exercised (what the metric divides by never happened in pool greedy)"


def test_an_effect_that_is_everywhere_is_not_specific() -> None:
    found = experiment(
        metric="glory", players=[2, 3], outside=[2], looks=[400], pools=[["greedy"]], focal="greedy", min_effect=5.0,
        treatment={"set_state": [{"age": 3, "glory": 30}]}, control={},
    )  # fmt: skip
    two, three = run_experiments([found], make_ruleset(), 2).findings
    assert (str(two.verdict), str(three.verdict)) == ("supported", "supported (not specific)")
    (alone,) = run_experiments([found.only_players("3", "--players")], make_ruleset(), 2).findings
    assert str(alone.verdict) == "supported (not compared with elsewhere)"


def test_a_base_that_plays_badly_gives_no_verdict() -> None:
    keys: dict[str, Any] = {"metric": "glory", "against": "glory@left", "players": [2], "looks": [400], "pools": [["greedy"]]}
    (finding,) = run_experiments([experiment(focal="random", **keys)], make_ruleset(), 2).findings
    assert finding.verdict.word == "not testable"
    assert finding.verdict.reason.startswith("random wins only 0.0")
    assert finding.verdict.reason.endswith("of games with three greedy, 0.25 is asked")
    by_arm = experiment(**keys, control={"focal": "random"})
    assert by_arm.bases("balanced") == ["balanced", "random"]


@pytest.mark.slow
def test_all_strategies_of_the_catalogue_pass_the_gate() -> None:
    experiments = [read_experiment(tip.experiment) for tip in choose_tips((), design=EXPERIMENT)]
    bases = {base for found in (*experiments, *other_strengths(experiments)) for strength in found.strengths for base in found.bases(strength)}
    assert {"balanced", "loki", "battle", "greedy", "balanced@tuned"} <= bases
    assert closed_to(sorted(bases)) is None


@pytest.mark.parametrize(
    ("both", "b_only", "verdict"),
    [(30, 30, "supported (not specific)"), (30, -30, "supported"), (1, -30, "refuted (negligible)")],
)
def test_an_effect_against_some_opponents_decides_inside_and_is_specific_by_the_interaction(both: int, b_only: int, verdict: str) -> None:
    """Planted glory with a `battle` player at the table (both, a_only) and without: 30 here and there; only here; only a loss there."""
    arms = {
        name: {"set_state": [{"age": 3, "glory": glory}], "with_others": [other]}
        for name, glory, other in (("both", both, "battle"), ("a_only", 0, "battle"), ("b_only", b_only, "greedy"), ("neither", 0, "greedy"))
    }
    found = experiment_of(
        {
            "id": "counter", "claim": "a claim", "players": [3], "metric": "glory", "min_effect": 8.0, "pools": [["greedy"]], "looks": [400],
            "focal": "greedy", "estimator": "interaction", "inside": {"both": 1, "a_only": -1}, "arms": arms,
        },
        "counter.toml",
    )  # fmt: skip
    (finding,) = run_experiments([found], make_ruleset(), 2).findings
    assert str(finding.verdict) == verdict
    value, se = effect_of(finding)
    assert abs(value - both) < 8 and se > 0
    assert finding.difference is not None and abs(finding.difference.effect.value - (both - b_only)) < 10


def effect_of(finding: Finding) -> tuple[float, float]:
    assert finding.found is not None
    return finding.found.effect.value, finding.found.effect.se


# ---------------------------------------------------------------- results of battles


def test_arms_bring_about_their_results_in_the_same_games() -> None:
    """Totals of the battle say the same as the result that was asked: a tie shares the most STR, a loss has less than another clan."""
    cell = cell_of(experiment(metric="win_share", **{arm: {"battle_result": asked} for arm, asked in RESULTS.items()}))
    heeded = {arm: player_of(cell, arm).games(0, 10).trial.heeded.copy() for arm in RESULTS}
    assert np.array_equal(heeded["treatment"], heeded["control"])
    assert 0.2 < heeded["treatment"].mean() < 1
    # the games up to the choice are those of an arm that does nothing
    plain = player_of(cell_of(experiment(metric="win_share", against="glory")))
    for arm in RESULTS:
        player = player_of(cell, arm)
        player._steering = None
        games = player.games(0, 10)
        natural = plain.games(0, 10)
        assert games is not None and natural is not None
        assert np.array_equal(games.trial.course, natural.trial.course)


@pytest.mark.parametrize("arm", list(RESULTS))
def test_the_card_brings_the_result(arm: str) -> None:
    cell = cell_of(experiment(metric="win_share", **{name: {"battle_result": asked} for name, asked in RESULTS.items()}))
    player = player_of(cell, arm)
    result, player._steering = cell.arms[arm].result, None
    assert result is not None
    games = player._empty_games(80)
    player._recorder.set_up(games, 4, 0)
    games.slot[:, :4] = np.arange(4)
    steering, seen = Steering(result, player), 0
    for at in range(80):
        game = games[at : at + 1]
        steering.steer(game)
        if game.trial.heeded[0]:
            log = new_log(GAME_EVENTS, kinds=1 << EVENT_TOTAL | 1 << EVENT_FAILED | 1 << EVENT_PILLAGED)
            game.n_events[0] = 0
            player.step(game, -1, -1, log)
            events = log.event[0, : game.n_events[0]]
            end = int(np.flatnonzero(events["kind"] != EVENT_TOTAL)[0])
            totals = {int(event["seat"]): int(event["value"]) for event in events[:end]}
            most = [seat for seat, total in totals.items() if total == max(totals.values())]
            assert (len(most) > 1) if arm == "treatment" else (most != [0] and len(most) == 1), (at, totals)
            seen += 1
    assert seen > 10


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"against": "glry", "metric": "margin"}, "did you mean glory"),
        ({"against": "glory", "estimator": "level", "than": 0}, "against belongs to the estimator difference without `within`, not to estimator level"),
        ({"against": "glory", "within": [0, 1]}, "not to within"),
        ({"players": [2, 3], "outside": [2, 3], "against": "margin"}, "write some of players, [2, 3], but not all"),
        ({"inside": {"treatment": 1, "control": -1}, "against": "margin"}, "inside belongs to the estimator interaction, not to difference"),
        ({"outside": [3], "against": "margin"}, "outside is [3]; write some of players, [4]"),
        ({"metric": "battles.age_4", "against": "glory"}, "unknown word of a metric 'age_4'"),
        ({"metric": "battle_glory", "against": "glory"}, "unknown metric 'battle_glory'"),
        ({"metric": "glory@first_4", "against": "glory"}, "unknown seat 'first_4'"),
        (
            {"metric": "glory@first_2+glory@first_3-glory@last_2-glory@last_3", "players": [2], "against": "margin"},
            "is 0 in every game with 2 players, because its terms cancel",
        ),
        ({"metric": "glory*2", "against": "glory"}, "is no sum of columns"),
        ({"treatment": {"battle_result": {"result": "tie", "other": "tie"}}, "against": "glory"}, "give different ones"),
        ({"treatment": {"battle_result": {"result": "draw", "other": "tie"}}, "against": "glory"}, "battle_result: result is 'draw'"),
        ({"treatment": {"battle_result": "tie"}, "against": "glory"}, "write a table of keys: result, other, never"),
        ({"treatment": {"battle_result": RESULTS["control"]}, "against": "battles.won"}, "cannot be measured with battle_result"),
    ],
)
def test_bad_input(keys: dict[str, Any], message: str) -> None:
    with pytest.raises(BloodRageError) as failed:
        list(cells_of(experiment(**keys), make_ruleset()))
    assert message in str(failed.value)
    assert "\n" not in str(failed.value)
