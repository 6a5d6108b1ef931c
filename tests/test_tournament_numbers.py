"""What a tournament works out of its games, on games that are made up: means, intervals, strengths, equilibria."""

from __future__ import annotations

import gc
from collections import Counter
from itertools import product

import choix
import numpy as np
import pytest

from bloodrage_sim.errors import BadFile, BadValue
from bloodrage_sim.tournament.design import (
    INVASION,
    count_compositions,
    make_design,
    orders_of_blocks,
    read_field,
    split_table,
)
from bloodrage_sim.tournament.equilibrium import ACCEPT, approach, equilibria_of, game_of
from bloodrage_sim.tournament.frames import analyse
from bloodrage_sim.tournament.keeping import SEAT_ROW
from bloodrage_sim.tournament.payoffs import (
    Payoffs,
    bootstrap_counts,
    differences_of,
    estimate,
    field_weights,
    invasion_weights,
    largest_cycle,
    pair_weights,
    payoffs_of,
)
from bloodrage_sim.tournament.plots import labels_of
from bloodrage_sim.tournament.strengths import fit, rankings_of, strengths_of
from bloodrage_sim.tournament.words import lines_of

RUN = {"seed": 1, "blocks": 40, "tables_hash": "made up"}


# --- design


@pytest.mark.parametrize("strategies, players, count", [(2, 2, 3), (2, 4, 5), (4, 4, 35), (6, 4, 126), (8, 5, 792)])
def test_all_compositions(strategies, players, count):
    design = make_design(players, [f"s{number}" for number in range(strategies)])
    assert len(design.compositions) == len(set(design.compositions)) == count_compositions(strategies, players) == count
    assert design.complete


def test_invasion_has_one_among_others_for_every_pair():
    design = make_design(4, ["a", "b", "c"], INVASION)
    assert len(design.compositions) == 9 and not design.complete
    assert not np.isnan(invasion_weights(design)).any()
    assert make_design(2, ["a", "b", "c"], INVASION).complete  # at two seats these are all


@pytest.mark.parametrize(
    "text, table",
    [
        ("a,b", ("a", "b")),
        (" a , b*3", ("a", "b", "b", "b")),
        ("greedy:boldness=0.9,x=1,./my.py:p=2,random", ("greedy:boldness=0.9,x=1", "./my.py:p=2", "random")),
        ("balanced+stat_order=rage/axes,greedy", ("balanced+stat_order=rage/axes", "greedy")),
    ],
)
def test_a_table_in_words(text, table):
    assert split_table(text) == table


def test_field_file(tmp_path):
    file = tmp_path / "field.txt"
    file.write_text("# gates\n\na,b*3   # one among others\na,a,b,b\n")
    assert read_field(file) == [("a", "b", "b", "b"), ("a", "a", "b", "b")]
    file.write_text("a,b\na,,b\n")
    with pytest.raises(BadValue, match=r"field.txt, line 2: table 'a,,b' has an empty place"):
        read_field(file)
    file.write_text("# nothing\n")
    with pytest.raises(BadFile, match="has no tables"):
        read_field(file)
    with pytest.raises(BadFile, match="cannot be read: No such file"):
        read_field(tmp_path / "absent")


def test_orders_are_keyed_by_seed_composition_and_block():
    orders, drawn = orders_of_blocks(7, ("a", "b", "c", "d"), 500)
    assert len(orders) == 6 and set(drawn) == set(range(6))  # 3! circular orders of four
    again, longer = orders_of_blocks(7, ("d", "c", "a", "b"), 800)  # listing and number of blocks do not matter
    assert again == orders and (longer[:500] == drawn).all()
    assert (orders_of_blocks(8, ("a", "b", "c", "d"), 500)[1] != drawn).any()
    assert (orders_of_blocks(7, ("a", "b", "c", "e"), 500)[1] != drawn).any()


def test_all_seatings_are_equally_likely():
    orders, drawn = orders_of_blocks(3, ("a", "a", "b", "b"), 30_000)
    shares = dict(zip(orders, np.bincount(drawn) / len(drawn), strict=True))
    # of 6 seatings 4 have equal neighbours, 2 alternate
    assert shares == pytest.approx({("a", "a", "b", "b"): 2 / 3, ("a", "b", "a", "b"): 1 / 3}, abs=0.01)
    orders, drawn = orders_of_blocks(3, tuple("abcde"), 30_000)
    assert len(orders) == 24 and np.bincount(drawn).min() > 1000
    assert orders_of_blocks(3, ("a",) * 4, 10)[0] == [("a",) * 4]


def test_designs_that_cannot_be():
    with pytest.raises(BadValue, match=r"a field with one strategy \(a\); give at least 2"):
        make_design(4, ["a"])
    with pytest.raises(BadValue, match="strategy a is given twice"):
        make_design(4, ["a", "b", "a"])
    with pytest.raises(BadValue, match=r"table 'a,b' has 2 strategies for 4 players; give 4"):
        make_design(4, [], tables=[("a", "b")])
    with pytest.raises(BadValue, match="is given twice; seats do not matter"):
        make_design(2, [], tables=[("a", "b"), ("b", "a")])
    with pytest.raises(BadValue, match=r"30 strategies at 5 seats are 278,256 compositions; allowed: 20,000"):
        make_design(5, [f"s{number}" for number in range(30)])
    with pytest.raises(BadValue, match="did you mean all"):
        make_design(4, ["a", "b"], "al")


def test_labels_are_short_and_different():
    labels = labels_of(("random", "/long/way/random.py", "/other/way/random.py", "x" * 60, "b+order=rage/axes"))
    assert len(set(labels.values())) == 5 and labels["b+order=rage/axes"] == "b+order=rage/axes"
    assert all(len(label) < 40 for label in labels.values())
    assert labels["random"] == "random" and labels["/long/way/random.py"] == "random.py (2)"


# --- made-up games


def made_up(design, blocks, strength, generator, spread=0.0):
    """SEAT_ROW rows: games of Plackett-Luce players, whose strengths differ from block to block by `spread`."""
    n, players = len(design.strategies), design.players
    tables = np.array(design.compositions)
    shape = (len(tables), blocks, players)  # composition, block, rotation
    strength = np.asarray(strength) + spread * generator.standard_normal((len(tables), blocks, n))
    rows = np.zeros((*shape, players), SEAT_ROW)
    seat, rotation = np.arange(players), np.arange(players)
    strategy = tables[:, None, (seat - rotation[:, None]) % players].repeat(blocks, 1)
    noise = generator.gumbel(size=strategy.shape)
    score = noise + np.take_along_axis(strength[:, :, None], strategy, 3)
    rows["composition"] = np.arange(len(tables))[:, None, None, None]
    rows["block"] = np.arange(blocks)[:, None, None]
    rows["rotation"], rows["seat"], rows["strategy"] = rotation[:, None], seat, strategy
    rows["glory"] = np.round(50 + 10 * score)
    rows["rank"] = 1 + (score[..., None, :] > score[..., None]).sum(-1)
    rows["win_share"] = rows["rank"] == 1
    rows["margin"] = rows["glory"] - 50
    return rows.ravel()


def test_payoffs_by_hand():
    design = make_design(2, ["a", "b"], tables=[("a", "b")])
    rows = np.zeros(8, SEAT_ROW)  # two blocks of two games
    rows["block"] = np.repeat([0, 1], 4)
    rows["rotation"] = np.tile([0, 0, 1, 1], 2)
    rows["seat"] = np.tile([0, 1], 4)
    rows["strategy"] = np.tile([0, 1, 1, 0], 2)
    rows["glory"] = [10, 5, 8, 8, 20, 10, 0, 30]
    rows["win_share"] = [1, 0, 0.5, 0.5, 1, 0, 0, 1]
    rows["rank"] = [1, 2, 1, 1, 1, 2, 2, 1]
    found = payoffs_of(design, rows)
    assert found.share.tolist() == [[1.5, 2.0], [0.5, 0.0]]  # times two players
    assert found.glory.tolist() == [[9.0, 25.0], [6.5, 5.0]]
    assert found.ranks[0].tolist() == [[1.0, 1.0], [0.5, 0.0]]
    assert found.winner_glory.tolist() == [[9.0, 25.0]]
    shares = found.shares_by(field_weights(design))
    assert shares.mean.tolist() == [1.75, 0.25] and shares.se == pytest.approx([0.25, 0.25])
    differences = differences_of(found)
    assert differences.estimates.mean == pytest.approx([1.5]) and differences.p == pytest.approx([0.2048], abs=1e-4)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_weights_are_of_opponents_drawn_at_random(players):
    design = make_design(players, ["a", "b", "c"])
    composition, strategy, _ = design.entries
    drawn = Counter()
    for one, *others in product(range(3), repeat=players):
        drawn[tuple(sorted([one, *others])), one] += 1
    expected = [
        drawn[design.compositions[at], one] / 3 ** (players - 1)
        for at, one in zip(composition.tolist(), strategy.tolist(), strict=True)
    ]
    weights = field_weights(design)
    assert weights[strategy, np.arange(len(strategy))] == pytest.approx(expected)
    assert weights.sum(1) == pytest.approx(1) and pair_weights(design).sum(2) == pytest.approx(1)
    # the mean over the field is that over the opponents that a table is sure to have
    assert pair_weights(design).mean(1) == pytest.approx(weights)


def test_shares_of_a_whole_field_are_fair_on_the_whole():
    design = make_design(4, ["a", "b", "c"])
    rows = made_up(design, 20, [0.5, 0, -1], np.random.default_rng(1))
    shares = payoffs_of(design, rows).shares_by(field_weights(design))
    assert shares.mean.mean() == pytest.approx(1)
    alone = payoffs_of(design, rows).shares()
    assert (alone.low[design.entries[2] == 4] == 1).all() and (alone.high[design.entries[2] == 4] == 1).all()


@pytest.mark.parametrize("spread, gap", [(0.0, 0.0), (1.0, 0.0), (1.0, 2.5)])
def test_intervals_cover(spread, gap):
    """95 % intervals over blocks hold the truth as often as they say, with common luck in a block and near the edge."""
    generator = np.random.default_rng(5)
    design = make_design(4, ["a", "b"], tables=[("a", "b", "b", "b")])
    truth = payoffs_of(design, made_up(design, 200_000, [gap, 0], generator, spread))
    blocks, repeats = 40, 1000
    rows = made_up(design, blocks * repeats, [gap, 0], generator, spread)
    every = payoffs_of(design, rows)
    held_share = held_glory = 0
    for at in range(repeats):
        part = slice(at * blocks, (at + 1) * blocks)
        one = type(every)(
            design, *(values[..., part] for values in (every.share, every.glory, every.margin, every.ranks)),
            every.winner_glory[..., part],
        )  # fmt: skip
        share, glory = one.shares(), estimate(one.glory)
        held_share += share.low[0] <= truth.share[0].mean() <= share.high[0]
        held_glory += glory.low[0] <= truth.glory[0].mean() <= glory.high[0]
    assert 0.93 <= held_share / repeats <= 0.975
    assert 0.93 <= held_glory / repeats <= 0.97


def test_an_interval_at_the_edge_has_width():
    design = make_design(4, ["a", "b"], tables=[("a", "b", "b", "b")])
    found = payoffs_of(design, made_up(design, 50, [50, 0], np.random.default_rng(1))).shares()
    assert found.mean.tolist() == [4, 0] and found.high[0] == 4 and found.low[1] == 0
    assert 3.9 < found.low[0] < 3.99 and 0.005 < found.high[1] < 0.03  # of three copies, which share what they win


def test_false_alarms_are_rare_and_a_planted_difference_is_found(monkeypatch):
    monkeypatch.setattr(gc, "collect", lambda *_: 0)  # statsmodels collects at every call, which takes the time here
    design = make_design(3, ["a", "b", "c"])
    alarms = found = 0
    for seed in range(60):
        generator = np.random.default_rng(seed)
        null, planted = (
            differences_of(payoffs_of(design, made_up(design, 20, strength, generator, 0.3))).p_holm
            for strength in ([0, 0, 0], [0.7, 0, 0])
        )
        alarms += (null < 0.05).any()
        found += planted[0] < 0.05 and planted[1] < 0.05
    assert alarms <= 9 and found >= 57  # 3 and 60 expected


# --- strengths


def test_strengths_are_those_of_choix_and_near_the_truth():
    design = make_design(4, ["a", "b", "c", "d"], tables=[("a", "b", "c", "d")])
    rows = made_up(design, 500, [0.8, 0.4, 0, -0.4], np.random.default_rng(3))
    lists = rows["strategy"].reshape(-1, 4)[np.arange(2000)[:, None], rows["rank"].reshape(-1, 4).argsort(1)].tolist()
    found = strengths_of(rows, 4, 4, bootstrap_counts(500, 50, 1))
    assert found.strength == pytest.approx(choix.ilsr_rankings(4, lists, alpha=0.01), abs=1e-6)
    assert found.strength == pytest.approx(np.array([0.8, 0.4, 0, -0.4]) - 0.2, abs=0.1)
    assert (found.low < found.strength).all() and (found.strength < found.high).all()
    assert (found.high - found.low < 0.2).all() and found.repeats == 50


def test_strengths_with_copies_at_a_table():
    design = make_design(4, ["a", "b", "c"])
    rows = made_up(design, 200, [1, 0, -1], np.random.default_rng(4))
    found = strengths_of(rows, 4, 3, bootstrap_counts(200, 5, 1))
    assert found.strength == pytest.approx([1, 0, -1], abs=0.08)


def test_ties_count_as_all_their_orders():
    rows = np.zeros(3, SEAT_ROW)
    rows["strategy"], rows["rank"] = [2, 0, 1], [1, 1, 3]
    found = rankings_of(rows, 3)
    assert dict(zip(map(tuple, found.order.tolist()), found.counts.toarray()[:, 0], strict=True)) == {
        (0, 2, 1): 0.5, (2, 0, 1): 0.5,
    }  # fmt: skip


def test_a_strategy_that_never_lost_has_a_finite_strength():
    order, count = np.array([[0, 1, 2], [0, 2, 1]]), np.array([50.0, 50.0])
    strength = fit(order, count, 3)
    assert np.isfinite(strength).all() and strength[0] > 3 and strength[1] == pytest.approx(strength[2])


# --- equilibria


def two_of_three(one_a, one_b):
    """Win shares times 3 of a field of two strategies at three seats, one block: of a with one b, of b with two a.

    one_a, one_b : win share of a copy of a at (a, a, b), and of a at (a, b, b)
    """
    design = make_design(3, ["a", "b"])
    table = {"a x3": [1 / 3], "a x2, b": [one_a, 1 - 2 * one_a], "a, b x2": [one_b, (1 - one_b) / 2], "b x3": [1 / 3]}
    shares = [share for at in range(4) for share in table[design.name_of(at)]]
    return design, 3 * np.array(shares)[:, None]


def test_rare_strategies_gain_so_both_are_played():
    """By hand: f_a = x^2/3 + x(1-x)/2 + (1-x)^2/2 and f_b is the same with x and 1-x exchanged, so x = 1/2."""
    design, share = two_of_three(0.25, 0.5)
    game, entries = game_of(design)
    shares = share[entries] / 3
    mixes = np.array([[1.0, 0.5], [0.0, 0.5]])  # only a; both evenly
    assert game.fitness(mixes, shares).T == pytest.approx(np.array([[1 / 3, 0.5], [1 / 3, 1 / 3]]))
    assert game.nash_conv(mixes, shares) == pytest.approx([0.5 - 1 / 3, 0])
    found = equilibria_of(design, share, bootstrap_counts(1, 1, 1), 1)
    assert len(found.found) == 1 and found.found[0].accepted and found.found[0].starts == 10
    assert found.found[0].weights == pytest.approx([0.5, 0.5], abs=0.01)
    assert np.isnan(found.low).all() and found.repeats == 0  # one block has no bootstrap


def test_all_equilibria_are_found_where_the_common_strategy_gains():
    """Both pure mixes are equilibria; so is the even mix, but the smallest step away from it leads to the others."""
    design, share = two_of_three(0.4, 0.2)
    found = equilibria_of(design, share, bootstrap_counts(1, 1, 1), 1).found
    assert all(one.accepted for one in found) and sum(one.starts for one in found) == 10
    assert {0.0, 1.0} <= {round(float(one.weights[0]), 2) for one in found} <= {0.0, 0.5, 1.0}


def test_a_better_strategy_takes_all_and_the_bootstrap_knows_how_surely():
    design = make_design(4, ["a", "b", "c"])
    rows = made_up(design, 40, [1.0, 0.0, -1.0], np.random.default_rng(2))
    found = equilibria_of(design, payoffs_of(design, rows).share, bootstrap_counts(40, 50, 1), 1)
    assert [one.starts for one in found.found] == [10]
    assert found.found[0].weights == pytest.approx([1, 0, 0], abs=1e-3) and found.found[0].nash_conv <= ACCEPT
    assert found.repeats == 50 and found.in_support.tolist() == [1, 0, 0] and found.low[0] > 0.99


def rock_paper_scissors(players):
    """Share times `players`: a beats b beats c beats a; at a table the winner is a beaten-by-nobody, else all share."""
    design = make_design(players, ["a", "b", "c"])
    beats = {(0, 1), (1, 2), (2, 0)}
    shares = []
    for members in design.compositions:
        counts = Counter(members)
        points = {one: sum(n for other, n in counts.items() if (one, other) in beats) for one in counts}
        total = sum(points[one] * n for one, n in counts.items())
        shares += [points[one] / total if total else 1 / players for one in sorted(counts)]
    return design, players * np.array(shares)[:, None]


@pytest.mark.parametrize("players", [2, 3])
def test_rock_paper_scissors_is_played_evenly(players):
    design, share = rock_paper_scissors(players)
    found = equilibria_of(design, share, bootstrap_counts(1, 1, 1), 1)
    assert found.found[0].accepted and found.found[0].weights == pytest.approx([1 / 3] * 3, abs=0.05)


def test_a_circle_is_named():
    design, share = rock_paper_scissors(3)
    noise = np.random.default_rng(1).normal(0, 0.1, (design.n_entries, 30))
    zero = np.zeros_like(noise)
    around = Payoffs(design, share + noise, zero, zero, np.zeros((3, *zero.shape)), np.zeros((10, 30)))
    cycle = largest_cycle(around)
    assert cycle is not None and cycle.strategies == (0, 1, 2) and min(cycle.leads) > 0.5
    assert largest_cycle(Payoffs(design, 1 + noise, zero, zero, around.ranks, around.winner_glory)) is None


def test_a_mix_far_from_equilibrium_is_not_accepted():
    design, share = two_of_three(0.25, 0.5)
    game, entries = game_of(design)
    mix = approach(game, share[entries] / 3, np.array([[0.9], [0.1]]), 1)
    assert game.nash_conv(mix, share[entries] / 3)[0] > ACCEPT


# --- frames


def test_frames_of_made_up_games_name_the_winner_and_the_doubt():
    design = make_design(4, ["strong", "plain", "copy"])
    rows = made_up(design, 40, [1.2, 0.0, 0.0], np.random.default_rng(8))
    results = analyse(design, rows, RUN)
    frame = results.strategies.set_index("strategy")
    assert frame.win_share.idxmax() == "strong" and frame.win_share_low["strong"] > 1
    assert frame.verdict["strong"] == "dominant" and frame.weight["strong"] > 0.99
    assert frame[[f"rank_{rank}" for rank in range(1, 5)]].sum(axis=1).to_numpy() == pytest.approx(1)
    pairs = results.differences.set_index(["strategy", "other"])
    assert not pairs.significant[("plain", "copy")] and pairs.significant[("strong", "plain")]
    text = "\n".join(lines_of(results))
    assert "NOT significant" in text and "plain less copy" in text and "The other 2 pairs differ significantly" in text
    assert "Best response to the even field: strong" in text
    assert len(results.payoffs) == design.n_entries and len(results.head_to_head) == len(results.invasion) == 9
    assert (results.payoffs.groupby("composition")[["win_share", "copies"]].apply(
        lambda rows: (rows.win_share * rows.copies).sum()
    ) - 4).abs().max() < 1e-9  # fmt: skip


def test_a_listed_field_has_no_equilibrium_and_says_so():
    design = make_design(4, [], tables=[("a", "b", "b", "b"), ("a", "c", "c", "c")])
    results = analyse(design, made_up(design, 40, [1, 0, 0], np.random.default_rng(8)), RUN)
    assert results.equilibria.empty and "weight" not in results.strategies
    assert "not worked out, the field has not every mix" in "\n".join(lines_of(results))
    assert set(zip(results.head_to_head.strategy, results.head_to_head.opponent, strict=True)) == {
        ("a", "b"), ("b", "a"), ("a", "c"), ("c", "a"), ("b", "b"), ("c", "c"),
    }  # fmt: skip


def test_one_block_gives_no_intervals():
    design = make_design(2, ["a", "b"])
    results = analyse(design, made_up(design, 1, [1, 0], np.random.default_rng(8)), {**RUN, "blocks": 1})
    assert results.strategies.win_share_low.isna().all() and not results.differences.significant.any()
    assert "One block gives no intervals" in "\n".join(lines_of(results))
