"""Card values: replaying a game as it was gives that game; what is otherwise happens; the table is right on rows done by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from bloodrage_sim.card_values.config import DENY, HOLD, PICK, USE, ValueConfig
from bloodrage_sim.card_values.instances import INSTANCE, batches, instances_of
from bloodrage_sim.card_values.replaying import BLANK_CARD, VALUE_ROW, Replayer, sort_hands
from bloodrage_sim.card_values.running import value_cards
from bloodrage_sim.card_values.values import value_table
from bloodrage_sim.cli import main
from bloodrage_sim.errors import BadValue, UnknownName
from bloodrage_sim.experiments.cards import card_of
from bloodrage_sim.rows.results import prepare_batch
from bloodrage_sim.rows.tables_out import DEALS
from bloodrage_sim.running.units import Planner


@pytest.fixture(scope="module", autouse=True)
def batch() -> None:
    """The kernels of batches."""
    prepare_batch()


def config(cards: tuple[str, ...] = (), **keys: object) -> ValueConfig:
    return ValueConfig(**{"cards": cards, "players": 3, "blocks": 4, "seed": 1, "strategies": ("greedy",), **keys})  # type: ignore[arg-type]


def test_games_that_go_on_from_a_copy_end_as_they_did() -> None:
    replayer = Replayer(config(), Planner([], 0))
    games = replayer._set_up(0, 4)
    replayer._go_on(games)
    ended = games.copy()
    after, before = replayer._snapshots(0, 4)
    for copies in (*after, *before):
        hands = copies.secret.hand.copy()
        sort_hands(copies, np.zeros(4, np.int64), replayer.kit.tables.face[0])
        assert np.array_equal(copies.secret.hand, hands)  # hands are sorted already
        replayer._go_on(copies)
        assert np.array_equal(copies.trial.course, ended.trial.course)
        assert np.array_equal(copies.clans.glory, ended.clans.glory)


def test_what_is_otherwise() -> None:
    replayer = Replayer(config(), Planner([], 0))
    after, before = replayer._snapshots(0, 4)
    rows = np.zeros(4, INSTANCE)
    rows["game"], rows["age"] = np.arange(4), 1
    hands = after[0].secret.hand[:, 1, 0]
    rows["seat"], rows["copy"] = 1, hands
    rows["card"] = after[0].secret.card_of[np.arange(4), hands]
    for measure, games in ((HOLD, after), (USE, after)):
        rows["measure"] = measure
        other = games[0][rows["game"]]
        replayer._change(other, rows)
        replayer._go_on(other)
        assert other.over.all()
        if measure == HOLD:
            assert (other.secret.card_of[np.arange(4), hands] == BLANK_CARD).all()
            assert not np.isin(other.secret.zone[np.arange(4), hands], (4, 5, 6)).any()  # never on a sheet, a quest or revealed
    rows["measure"] = DENY
    other = before[0][rows["game"]]
    replayer._change(other, rows)
    replayer._go_on(other)
    assert (other.secret.zone[np.arange(4), hands] == 8).all()  # left over in the draft


def test_instances_are_who_took_and_who_passed() -> None:
    deals = np.zeros(3, DEALS.row)
    deals["copy"], deals["age"] = [5, 6, 7], 1
    deals["first_seat"], deals["round"], deals["taken_by"] = [0, 1, 2], [1, 3, 0], [0, 0, -1]
    card_of_copy = np.arange(10)
    held = instances_of(deals, card_of_copy, np.ones(10, bool), [PICK], False)
    assert held[["copy", "seat", "round"]].tolist() == [(5, 0, 1), (6, 0, 3)]
    passed = instances_of(deals, card_of_copy, np.ones(10, bool), [DENY], False)
    assert passed[["copy", "seat"]].tolist() == [(6, 1), (7, 2)]
    one = instances_of(deals, card_of_copy, np.ones(10, bool), [HOLD], True)
    assert len(one) == 1  # seat 0 took both
    assert [len(part) for part in batches(held, 22)] == [1, 1]  # picks of different rounds are played apart


def test_table_of_rows_done_by_hand() -> None:
    rows = np.zeros(4, VALUE_ROW)
    rows["block"], rows["card"], rows["measure"] = [0, 0, 1, 2], 3, HOLD
    rows["share_as_it_is"] = [1, 1, 0, 0]
    rows["glory_as_it_is"], rows["glory_otherwise"] = [50, 40, 30, 20], [46, 40, 30, 20]
    table = value_table(rows, 2, ["greedy", "greedy"])
    assert len(table) == 1
    row = table.iloc[0]
    assert (row["effect_share"], row["effect_glory"], row["pairs"], row["clusters"]) == (1.0, 1.0, 4, 3)
    # sums of deals less mean times size: shares 4 - 2, 0 - 1, 0 - 1; SE^2 = 3 / 2 * 6 / 16; t(2) = 4.3027
    assert row["high_share"] == pytest.approx(1 + 4.30265 * np.sqrt(9 / 16), rel=1e-4)
    denied = rows.copy()
    denied["measure"] = DENY
    assert value_table(denied, 2, ["greedy"])["effect_share"][0] == -1.0


def test_a_run_goes_on_and_does_not_depend_on_threads() -> None:
    whole = value_cards(config(("troll", "fire_giant"), blocks=34, threads=2))
    again = value_cards(config(("troll", "fire_giant"), blocks=34, threads=1))
    assert whole.blocks == 34
    assert np.sort(whole.rows, order=VALUE_ROW.names).tobytes() == np.sort(again.rows, order=VALUE_ROW.names).tobytes()
    assert set(np.unique(whole.rows["measure"])) == {HOLD, USE, DENY, PICK}


def test_command_writes_the_table_and_goes_on_with_more_blocks(tmp_path: Path) -> None:
    arguments = ["card-value", "troll", "--players", "2", "--strategy", "greedy", "--seed", "1", "--threads", "1", "--out", str(tmp_path)]
    for blocks, expected in ((16, "16 deals"), (32, "32 deals")):
        result = CliRunner().invoke(main, [*arguments, "--blocks", str(blocks)])
        assert result.exit_code == 0, result.output
        assert f"comparisons in {expected}" in result.output
    header = (tmp_path / "card_values.csv").read_text().splitlines()[0]
    assert header == (
        "card,age,players,strategy,measure,effect_share,low_share,high_share,effect_glory,low_glory,high_glory,pairs,clusters,rho,diverged"
    )
    result = CliRunner().invoke(main, [*arguments, "--blocks", "16", "--rule", "march=neighbour"])
    assert result.exit_code == 2


def test_synergy_is_a_two_by_two(tmp_path: Path) -> None:
    arguments = ["card-value", "troll", "--with", "fire_giant", "--players", "3", "--blocks", "4", "--seed", "1", "--strategy", "greedy"]
    result = CliRunner().invoke(main, [*arguments, "--threads", "1", "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert (tmp_path / "synergy.csv").read_text().splitlines()[1].startswith("troll,fire_giant,3,greedy,")
    both = CliRunner().invoke(main, [*arguments, "--measures", "hold", "--out", str(tmp_path)])
    assert both.exit_code == 2 and "--measures does not go with it" in both.output


@pytest.mark.parametrize(
    ("keys", "error", "message"),
    [
        ({"cards": ("trol",)}, UnknownName, "unknown card 'trol' in the cards; did you mean troll"),
        ({"cards": ("friggas_succor",), "players": 2}, BadValue, "card friggas_succor is in no deck with 2 players"),
        ({"blocks": 0}, BadValue, "blocks is 0; allowed: whole numbers 1 to"),
        ({"measures": ("own",)}, BadValue, "measure 'own'"),
        ({"strategies": ("greedy",) * 6}, BadValue, "6 strategies; allowed: 1 to 5"),
    ],
)
def test_bad_input(keys: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message.replace("(", r"\(")):
        config(**keys)  # type: ignore[arg-type]


@pytest.mark.slow
def test_planted_glory_is_what_owning_is_worth() -> None:
    """Thor's Glory at 30 glory a battle is worth more than as it is, with intervals apart."""
    from bloodrage_sim.ruleset import make_ruleset

    card, found = card_of("thors_glory", 1, ""), []
    for ruleset in (make_ruleset(), make_ruleset(card_changes=[("thors_glory", "", "amount", "30")])):
        outcome = value_cards(config(("thors_glory",), players=4, blocks=400, measures=("hold",), ruleset=ruleset, threads=2))
        assert (outcome.rows["card"] == card).all()
        found.append(value_table(outcome.rows, 4, outcome.strategies).iloc[0])
    assert found[1]["low_glory"] > found[0]["high_glory"]
