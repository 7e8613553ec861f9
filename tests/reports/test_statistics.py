import numpy as np
import pytest

from hoad.reports.statistics import (
    Estimate,
    estimate,
    group_means,
    holm,
    means_by_game,
    paired_test,
    show,
    show_difference,
    welch_test,
)


def test_interval_is_student_s_and_one_value_has_none():
    found, single = estimate(np.array([1.0, 2.0, 3.0, 4.0])), estimate(np.array([3.0]))

    # 97.5 % quantile of t with 3 degrees of freedom: 3.18245; standard error sqrt(5 / 3) / 2.
    assert (found.mean, found.count) == (2.5, 4)
    assert found.half_width == pytest.approx(3.18245 * np.sqrt(5 / 3) / 2, rel=1e-5)
    assert single.mean == 3.0 and np.isnan(single.half_width)


def test_interval_covers_the_truth_95_times_of_100():
    random = np.random.default_rng(1)

    found = [estimate(random.normal(7.0, 2.0, 5)) for _ in range(4_000)]

    covered = np.mean([abs(one.mean - 7.0) <= one.half_width for one in found])
    assert covered == pytest.approx(0.95, abs=0.01)


@pytest.mark.parametrize(
    ("values", "shown"),
    [([1.0, 3.0], "+2.00 ± 12.71"), ([-3.0, -1.0], "-2.00 ± 12.71"), ([2.0], "+2.00")],
)
def test_a_difference_is_shown_with_its_sign(values, shown):
    assert show_difference(estimate(np.array(values))) == shown


def test_an_unknown_interval_is_not_shown():
    assert show(Estimate(5.0, float("nan"), 2)) == "5.00"


def test_welch_finds_a_difference_and_its_direction():
    random = np.random.default_rng(2)
    low, high = random.normal(10, 1, 50), random.normal(11, 3, 70)

    comparison = welch_test(low, high)

    assert comparison.difference == pytest.approx(low.mean() - high.mean())
    assert comparison.p < 0.05
    assert welch_test(high, low).p == comparison.p


def test_pairing_sees_what_the_decks_hide():
    random = np.random.default_rng(3)
    decks = random.normal(15, 4, 100)
    worse, better = decks + random.normal(0, 0.5, 100), decks + 0.5 + random.normal(0, 0.5, 100)

    assert paired_test(better, worse).p < 1e-6
    assert welch_test(better, worse).p > 0.1


@pytest.mark.parametrize("compare", [welch_test, paired_test])
def test_constant_and_single_scores(compare, recwarn):
    seven, eight = np.full(5, 7.0), np.full(5, 8.0)

    assert compare(seven, seven).p == 1.0
    assert (compare(eight, seven).p, compare(eight, seven).difference) == (0.0, 1.0)
    assert np.isnan(compare(np.array([1.0]), np.array([2.0])).p)
    assert compare(np.array([0.1 + 0.2, 0.3]), np.array([0.3, 0.3])).p == 1.0  # but for rounding
    one_constant = welch_test(np.full(3, 20.0), np.array([10.0, 12.0, 14.0]))
    # t = 8 / sqrt(4 / 3) = 6.928 with 2 degrees of freedom, those of the other player
    assert one_constant.difference == 8
    assert one_constant.p == pytest.approx(0.0202, abs=1e-4)
    assert not recwarn.list


def test_means_are_over_the_episodes_of_each_repetition_and_over_repetitions_by_game():
    scores, repetitions = np.array([[0.0, 2.0], [2.0, 4.0], [5.0, 7.0]]), np.array([0, 0, 1])

    by_game = means_by_game(scores, repetitions)

    assert group_means(scores, repetitions).tolist() == [2.0, 6.0]
    assert [(one.mean, one.count) for one in by_game] == [(3.0, 2), (5.0, 2)]


def test_holm_is_that_of_a_published_example_and_counts_only_tests_that_were_made():
    # Holm (1979) as computed by R's p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm").
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.03, np.nan, 0.6]) == pytest.approx([0.06, np.nan, 0.6], nan_ok=True)
    assert holm([]) == []
