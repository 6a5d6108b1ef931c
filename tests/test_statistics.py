"""Statistics of many cells on tables small enough to work out by hand, and against statsmodels and scipy."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from bloodrage_sim.statistics.comparing import compare_paired, compare_unpaired, names_of_both
from bloodrage_sim.statistics.intervals import Estimates, t_quantile, two_sided_p, wilson
from bloodrage_sim.statistics.minimum import GREY, HIDDEN, SHOWN, hide, standing_of
from bloodrage_sim.statistics.moments import Moments
from bloodrage_sim.statistics.multiple import flag, q_values
from bloodrage_sim.statistics.ratios import contrast, quotient, ratio, share
from bloodrage_sim.statistics.shrinkage import shrink

WON, LOST = ("a", "b"), ("c", "d")
# three clusters; a / b = 3 / 6, c / d = 3 / 4
TABLE = np.array([[1, 2, 1, 1], [0, 1, 2, 2], [2, 3, 0, 1]], float)
T2 = 4.302653  # 97.5 % point of Student's t with 2 degrees of freedom


def moments_of(table, names="abcd"):
    moments = Moments.empty(tuple(names), ())
    moments.add(np.asarray(table, float))
    return moments


# --- moments


def test_moments_by_hand():
    moments = moments_of([[1, 2], [0, 3]], "ab")
    assert moments.total.tolist() == [[1, 5]] and moments.clusters.tolist() == [[1, 2]]
    assert moments.cross.tolist() == [[[1, 2], [2, 4 + 9]]]
    assert moments.sum_of("b") == 5 and moments.clusters_with("a") == 1


def test_parts_in_any_order_and_merged_moments_are_those_of_whole_clusters():
    generator = np.random.default_rng(1)
    rows = 3000
    cluster, cell = generator.integers(0, 40, rows), generator.integers(0, 6, rows)
    values = generator.integers(0, 3, (rows, 3)).astype(float)
    sums = np.zeros((40, 2, 3, 3))
    np.add.at(sums.reshape(40, 6, 3), (cluster, cell), values)
    sums[7, 1] = values[(cluster == 7) & (cell >= 3)] = 0  # a cluster without rows in some cells
    whole, parts, early = (Moments.empty(("x", "y", "z"), (2, 3)) for _ in range(3))
    whole.add(sums)
    first = cluster < 25
    early.add_parts(cell[first], cluster[first], values[first])
    parts.add_parts(cell[~first], cluster[~first] + 1000, values[~first])
    parts.add_parts(cell[:0], cluster[:0], values[:0])
    merged = parts.merged(early)
    for name in ("total", "cross", "clusters"):
        assert (getattr(merged, name) == getattr(whole, name)).all()
    assert whole.clusters[3:].max() == 39 and whole.sum_of("y").shape == (2, 3)
    assert (whole.cross[4] == sums[:, 1, 1].T @ sums[:, 1, 1]).all()


def test_moments_that_do_not_fit():
    moments = Moments.empty(("a", "b"), (3,))
    with pytest.raises(ValueError, match=r"sums have shape \(5, 2, 2\); expected \(clusters, \(3, 2\)\)"):
        moments.add(np.zeros((5, 2, 2)))
    with pytest.raises(ValueError, match="cells 0 to 3 were given; there are 0 to 2"):
        moments.add_parts(np.array([0, 3]), np.array([0, 0]), np.zeros((2, 2)))
    with pytest.raises(ValueError, match=r"2 cells, 1 clusters and values of shape \(2, 2\)"):
        moments.add_parts(np.array([0, 1]), np.array([0]), np.zeros((2, 2)))
    with pytest.raises(ValueError, match="do not fit"):
        moments.merged(Moments.empty(("a", "c"), (3,)))
    with pytest.raises(ValueError, match="no variable 'c'; there are a, b"):
        ratio(moments, ("a", "c"))
    with pytest.raises(ValueError, match="twice"):
        Moments.empty(("a", "a"), (3,))
    with pytest.raises(ValueError, match=r"cross has shape \(3, 2\); 3 cells need \(3, 2, 2\)"):
        Moments(("a", "b"), (3,), moments.total, moments.total, moments.clusters)


# --- ratios


def test_ratio_by_hand():
    """p = 1/2; a - p b = 0, -1/2, 1/2; SE^2 = 3/2 * 1/2 / 6^2 = 1/48."""
    found = ratio(moments_of(TABLE), WON, null=0.25)
    assert found.value == 0.5 and found.se == pytest.approx(np.sqrt(1 / 48))
    assert found.high == pytest.approx(0.5 + T2 * np.sqrt(1 / 48)) and found.low == pytest.approx(1 - found.high)
    assert found.p == pytest.approx(2 * stats.t.sf(0.25 / np.sqrt(1 / 48), 2))
    assert (found.rows, found.clusters) == (6, 3)


def test_contrast_by_hand():
    """In 48ths: (a - b/2) / 6 = 0, -4, 4; (c - 3d/4) / 4 = 3, 6, -9; less: -3, -10, 13; SE^2 = 3/2 * 278 / 48^2."""
    found = contrast(moments_of(TABLE), WON, LOST)
    se = np.sqrt(139 / 768)
    assert found.value == -0.25 and found.se == pytest.approx(se)
    assert (found.low, found.high) == pytest.approx((-0.25 - T2 * se, -0.25 + T2 * se))
    assert found.p == pytest.approx(2 * stats.t.sf(0.25 / se, 2)) and (found.rows, found.clusters) == (4, 3)


def test_quotient_by_hand():
    """Relative pulls in 12ths: 0, -2, 2 less 1, 2, -3 are -1, -4, 5; SE^2 of the logarithm = 3/2 * 42 / 144 = 7/16."""
    found = quotient(moments_of(TABLE), WON, LOST)
    log_se = np.sqrt(7) / 4
    assert found.value == pytest.approx(2 / 3) and found.se == pytest.approx(2 / 3 * log_se)
    assert (found.low, found.high) == pytest.approx((2 / 3 * np.exp(-T2 * log_se), 2 / 3 * np.exp(T2 * log_se)))
    assert found.p == pytest.approx(2 * stats.t.sf(np.log(1.5) / log_se, 2))


def test_share_by_hand():
    """n_eff = 1/4 / (1/48) = 12; Wilson at 1/2 is 1/2 -+ t / 2 / sqrt(n + t^2)."""
    found = share(moments_of(TABLE), WON)
    half = T2 / 2 / np.sqrt(12 + T2**2)
    assert (found.low, found.high) == pytest.approx((0.5 - half, 0.5 + half)) and np.isnan(found.p)
    assert found.se == pytest.approx(np.sqrt(1 / 48))
    assert share(moments_of(TABLE), WON, fair=found.low).p == pytest.approx(0.05)  # test and interval agree
    assert share(moments_of(TABLE), WON, fair=0.5).p == 1


def test_shares_of_0_and_1_count_clusters():
    """60 clusters of two rows: Wilson with n = 60 at 0 is 0 to t^2 / (n + t^2)."""
    t = t_quantile(59)
    moments = moments_of(np.tile([0, 2, 2, 2], (60, 1)))
    none, every = share(moments, WON, fair=0.25), share(moments, LOST)
    assert none.value == none.low == 0 and none.high == pytest.approx(t**2 / (60 + t**2)) and none.rows == 120
    assert every.value == every.high == 1 and every.low == pytest.approx(1 - none.high)
    assert (none.se, every.se) == pytest.approx((none.high / 2 / t,) * 2)
    z = np.sqrt(60 * 0.25 / 0.75)  # of 0 in 60 where 0.25 was expected
    assert none.p == pytest.approx(2 * stats.t.sf(z, 59))


def test_a_share_without_spread_is_certain():
    """All seats are of one strategy, so each game gives it 1 of 4."""
    found = share(moments_of(np.tile([1, 4, 3, 7], (30, 1))), WON, fair=0.25)
    assert found.value == found.low == found.high == 0.25 and found.se == 0 and found.p == 1
    assert ratio(moments_of(np.tile([1, 4, 3, 7], (30, 1))), LOST).se == 0  # 3/7 is no binary number
    with pytest.raises(ValueError, match="a / b is outside 0 to 1"):
        share(moments_of([[3, 2, 0, 0]]), WON)


def test_cells_without_enough_data_are_nan_and_say_so_by_their_counts():
    moments = Moments.empty("abcd", (3,))  # no rows; one cluster; c and d nowhere
    moments.add(np.array([[[0, 0, 0, 0], [1, 2, 1, 2], [1, 2, 0, 0]], [[0, 0, 0, 0], [0, 0, 0, 0], [0, 1, 0, 0]]], float))
    found = share(moments, WON)
    assert np.isnan(found.value[0]) and found.value[1:] == pytest.approx([0.5, 1 / 3])
    assert found.clusters.tolist() == [0, 1, 2] and found.rows.tolist() == [0, 2, 3]
    assert np.isnan([found.se[:2], found.low[:2], found.high[:2]]).all() and found.se[2] > 0
    less = contrast(moments, WON, LOST)
    assert np.isnan(less.value).tolist() == [True, False, True] and np.isnan([less.se, less.low, less.p]).all()
    assert less.clusters.tolist() == [0, 1, 0]
    times = quotient(moments_of([[0, 2, 1, 1], [0, 1, 1, 2]]), WON, LOST)
    assert times.value == 0 and np.isnan([times.se, times.low, times.high, times.p]).all()


def test_other_units():
    found = share(moments_of(TABLE), WON, fair=0.25)
    four = found.times(4)
    assert (four.value, four.low, four.high, four.se) == (2, 4 * found.low, 4 * found.high, 4 * found.se)
    assert (four.p, four.rows) == (found.p, found.rows)


def test_ratio_and_contrast_are_least_squares_with_clustered_errors():
    generator = np.random.default_rng(2)
    cluster = np.sort(generator.integers(0, 80, 500))
    held = (generator.random(500) < 0.2).astype(float)  # some clusters have none
    y = generator.normal(50, 10, 80)[cluster] + 5 * held + generator.normal(0, 10, 500)
    moments = Moments.empty(("glory", "rows", "other glory", "other rows"), ())
    moments.add_parts(np.zeros(500, int), cluster, np.stack([y * held, held, y * (1 - held), 1 - held], 1))
    mine = held == 1
    fit = sm.OLS(y[mine], np.ones(mine.sum())).fit(cov_type="cluster", cov_kwds={"groups": cluster[mine]})
    found = ratio(moments, ("glory", "rows"))
    assert (found.value, found.se) == pytest.approx((fit.params[0], fit.bse[0]))
    fit = sm.OLS(y, sm.add_constant(held)).fit(cov_type="cluster", cov_kwds={"groups": cluster})
    found = contrast(moments, ("glory", "rows"), ("other glory", "other rows"))
    every, some = len(np.unique(cluster)), int(found.clusters)
    assert some == len(np.unique(cluster[mine])) < every
    # theirs has (N - 1) / (N - 2) besides, and counts the clusters of both groups in G / (G - 1)
    correction = (499 / 498) * (every / (every - 1)) / (some / (some - 1))
    assert found.value == pytest.approx(fit.params[1]) and found.se**2 * correction == pytest.approx(fit.bse[1] ** 2)


def test_intervals_are_those_of_the_libraries():
    assert t_quantile([1, 2, 10, 1e9, 0]) == pytest.approx(
        [12.706205, T2, 2.228139, 1.959964, np.nan], abs=1e-6, nan_ok=True
    )
    low, high = wilson(np.array([0.0, 0.3, 1.0]), np.array([10, 50, 7]), 1e9)
    assert np.array([low, high]).T == pytest.approx(
        np.array([proportion_confint(x, n, 0.05, "wilson") for x, n in ((0, 10), (15, 50), (7, 7))]), abs=1e-6
    )
    # ten clusters that agree: 2^-9 by a sign test, nothing if they agree on no difference
    assert two_sided_p(np.array([0.1, 0.0]), np.zeros(2), 9).tolist() == [2**-9, 1]


# --- many tests


def test_q_values_by_hand():
    """Four tests: 4/1 * .01, 4/2 * .02, 4/3 * .03 are all .04; the sum 1 + 1/2 + 1/3 + 1/4 is 25/12."""
    p = np.array([[0.02, np.nan, 0.01], [0.03, 0.5, np.nan]])
    expected = np.array([[0.04, np.nan, 0.04], [0.04, 0.5, np.nan]])
    assert q_values(p) == pytest.approx(expected, nan_ok=True)
    expected *= 25 / 12
    expected[1, 1] = 1
    assert q_values(p, any_dependence=True) == pytest.approx(expected, nan_ok=True)
    assert np.isnan(q_values(np.array([np.nan]))).all()


@pytest.mark.parametrize("any_dependence, method", [(False, "fdr_bh"), (True, "fdr_by")])
def test_q_values_are_those_of_statsmodels(any_dependence, method):
    p = np.random.default_rng(3).random(150) ** 3
    assert q_values(p, any_dependence) == pytest.approx(multipletests(p, 0.05, method)[1])


def test_flags_are_sure_and_large_enough():
    """q is .004, .04, .04, .04, nothing; under any dependence 25/12 of that, so only the first is robust."""
    effect = np.array([-0.05, 0.05, 0.01, 0.02, 0.5])
    found = flag(effect, np.array([0.001, 0.03, 0.02, 0.04, np.nan]), 0.02)
    assert found.sign.tolist() == [-1, 1, 0, 1, 0] and found.robust.tolist() == [True, False, False, False, False]
    assert found.q[:4] == pytest.approx([0.004, 0.04, 0.04, 0.04]) and np.isnan(found.q[4])


# --- ranking and hiding


def test_shrinkage_by_hand():
    """Weights 1 and 1/3, fixed mean 1, Q = 1 + 9/3 = 4, C = 4/3 - (10/9) / (4/3) = 1/2, so tau^2 = (4 - 1) / C = 6.

    The mean is (4/9) / (1/7 + 1/9) = 7/4; 6/7 and 6/9 of the distances to it are kept.
    """
    found = shrink(np.array([0, np.nan, 4, 9, 5]), np.array([1, 1, np.sqrt(3), 0, np.nan]))
    assert found.tau2 == pytest.approx(6) and found.mean == pytest.approx(1.75)
    assert found.value == pytest.approx([0.25, np.nan, 3.25, 9, np.nan], nan_ok=True)
    assert found.se == pytest.approx([np.sqrt(6 / 7), np.nan, np.sqrt(2), 0, np.nan], nan_ok=True)


def test_shrinkage_of_estimates_no_further_apart_than_their_errors_is_to_the_mean():
    found = shrink(np.array([1.0, 1.5, 2.0]), np.ones(3))
    assert found.tau2 == 0 and found.value.tolist() == [1.5, 1.5, 1.5] and found.se.tolist() == [0, 0, 0]


def test_shrinkage_of_one_estimate_leaves_it():
    found = shrink(np.array([1.0, np.nan]), np.array([2.0, 1.0]))
    assert found.value.tolist()[0] == 1 and found.se.tolist()[0] == 2 and np.isnan([found.value[1], found.tau2]).all()


def test_small_cells_are_hidden_or_grey():
    rows, clusters = np.array([99, 100, 100, 399, 400]), np.array([99, 50, 49, 50, 50])
    assert standing_of(rows, clusters).tolist() == [HIDDEN, GREY, HIDDEN, GREY, SHOWN]
    numbers = np.arange(5.0)
    found = hide(Estimates(*[numbers] * 5, rows, clusters))
    for values in (found.value, found.se, found.low, found.high, found.p):
        assert values == pytest.approx([np.nan, 1, np.nan, 3, 4], nan_ok=True)
    assert found.rows is rows and found.clusters is clusters


# --- two runs


def test_unpaired_comparison_is_welchs_test():
    generator = np.random.default_rng(4)
    runs = [generator.normal(50 + at, 5 + 5 * at, (20 + 20 * at, 3)) for at in range(2)]
    estimates = []
    for values in runs:
        moments = Moments.empty(("glory", "games"), (3,))
        moments.add(np.stack([values, np.ones_like(values)], -1))
        estimates.append(ratio(moments, ("glory", "games")))
    found = compare_unpaired(*estimates)
    test = stats.ttest_ind(runs[1], runs[0], equal_var=False)
    interval = test.confidence_interval()
    assert found.difference.value == pytest.approx(runs[1].mean(0) - runs[0].mean(0))
    assert found.difference.p == pytest.approx(test.pvalue) and found.q == pytest.approx(q_values(test.pvalue))
    assert found.difference.low == pytest.approx(interval.low) and found.difference.high == pytest.approx(interval.high)
    assert found.difference.clusters.tolist() == [20] * 3


def test_paired_comparison_is_the_paired_t_test():
    generator = np.random.default_rng(5)
    first = generator.normal(50, 20, (30, 2))
    second = first + generator.normal([0, 1], 1, (30, 2))
    both = Moments.empty(names_of_both(("glory", "games")), (2,))
    ones = np.ones_like(first)
    both.add(np.stack([first, ones, second, ones], -1))
    found = compare_paired(both, ("glory", "games"))
    test = stats.ttest_rel(second, first)
    interval = test.confidence_interval()
    assert found.difference.value == pytest.approx((second - first).mean(0))
    assert found.difference.p == pytest.approx(test.pvalue) and found.q == pytest.approx(q_values(test.pvalue))
    assert found.difference.low == pytest.approx(interval.low) and found.difference.high == pytest.approx(interval.high)


def test_runs_that_are_alike_do_not_differ():
    both = Moments.empty(names_of_both("ab"), ())
    both.add(np.tile(TABLE[:, :2], 2))
    found = compare_paired(both, WON).difference
    assert (found.value, found.se, found.low, found.high, found.p) == (0, 0, 0, 0, 1)
    certain = ratio(moments_of(np.tile([2.0, 1, 0, 0], (4, 1))), WON)
    same = compare_unpaired(certain, certain).difference
    assert (same.value, same.se, same.p, same.clusters) == (0, 0, 1, 4)
