"""Means with intervals, and the tests that compare two players."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from warnings import catch_warnings

import numpy as np

SCORES: Final = ("lenient", "strict")
"""The scores of a game: cards on the fireworks; 0 where the last life is lost, else the same."""

CONFIDENCE: Final = 0.95

INTERVAL: Final = "Student's t"
"""How reports name the method of intervals."""

_ROUNDING: Final = 1e-12
"""Values that differ by less are equal: means of the same scores in another order."""


@dataclass(frozen=True)
class Estimate:
    """The mean of ``count`` values and its 95 % interval, ``mean ± half_width``.

    The half width is NaN for fewer than two values.
    """

    mean: float
    half_width: float
    count: int


@dataclass(frozen=True)
class Comparison:
    """How much more the first of two players scores, and the two-sided p-value.

    The p-value is NaN for fewer than two values.
    """

    difference: float
    p: float


def estimate(values: np.ndarray) -> Estimate:
    """Return the mean of independent values (any shape, at least one) with its interval."""
    count = values.size
    error = values.std(ddof=1) / np.sqrt(count) if count > 1 else np.nan
    return Estimate(float(values.mean()), half_width(error, count), count)


def half_width(standard_error: float, count: int) -> float:
    """Return half the width of the 95 % interval of a mean of ``count`` values; NaN for one."""
    if count < 2:
        return float("nan")
    from scipy.special import stdtrit  # Student's t; scipy.stats takes a second longer to import

    return float(stdtrit(count - 1, (1 + CONFIDENCE) / 2) * standard_error)


PAIRED_TEST: Final = "paired t-test"
WELCH_TEST: Final = "Welch's t-test"
"""Names of the tests in reports."""


def welch_test(first: np.ndarray, second: np.ndarray) -> Comparison:
    """Compare independent values with Welch's t-test, as the papers do."""
    return _compare(float(first.mean() - second.mean()), first, second)


def paired_test(first: np.ndarray, second: np.ndarray) -> Comparison:
    """Compare paired values (same decks, same partner) with the paired t-test."""
    differences = first - second
    return _compare(float(differences.mean()), differences)


def _compare(difference: float, *samples: np.ndarray) -> Comparison:
    from scipy import stats

    if min(sample.size for sample in samples) < 2:
        return Comparison(difference, np.nan)
    if all(np.ptp(sample) < _ROUNDING for sample in samples):
        return Comparison(difference, float(abs(difference) < _ROUNDING))
    with catch_warnings(action="ignore", category=RuntimeWarning):  # about one constant sample
        if len(samples) == 1:
            return Comparison(difference, float(stats.ttest_1samp(*samples, 0.0).pvalue))
        return Comparison(difference, float(stats.ttest_ind(*samples, equal_var=False).pvalue))


def holm(p: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number (Holm 1979); NaNs are kept and not counted."""
    p_values = np.array(p, dtype=np.float64)
    order = np.argsort(p_values)[: np.count_nonzero(~np.isnan(p_values))]
    corrected = p_values[order] * np.arange(len(order), 0, -1)
    p_values[order] = np.minimum(np.maximum.accumulate(corrected), 1)
    return p_values.tolist()


def group_means(scores: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Return the mean score of each repetition, float64, shape ``(repetitions,)``.

    ``scores``: shape ``(episodes, games)``; ``groups``: of each episode, ints from 0 without gaps.
    """
    counts = np.bincount(groups)
    return np.bincount(groups, weights=scores.mean(axis=1)) / counts


def means_by_game(scores: np.ndarray, repetitions: np.ndarray) -> list[Estimate]:
    """Return the mean over the repetitions of each game number; see :func:`group_means`."""
    games = range(scores.shape[1])
    return [estimate(group_means(scores[:, [game]], repetitions)) for game in games]


def means_and_widths(estimates: Iterable[Estimate]) -> tuple[np.ndarray, np.ndarray]:
    """Return the means and the half widths, float64."""
    means, widths = np.array([(each.mean, each.half_width) for each in estimates]).T
    return means, widths


def show(value: Estimate, digits: int = 2, sign: str = "") -> str:
    """Return ``mean ± half width``; without the width if there is only one value, or it is NaN."""
    mean = f"{value.mean:{sign}.{digits}f}"
    if value.count < 2 or math.isnan(value.half_width):
        return mean
    return f"{mean} ± {value.half_width:.{digits}f}"


def show_difference(value: Estimate) -> str:
    """Return ``mean ± half width`` with the sign of the mean."""
    return show(value, sign="+z")


def show_p(p: float) -> str:
    """Return a p-value with four decimals."""
    if math.isnan(p):
        return "-"
    return "< 0.0001" if p < 1e-4 else f"{p:.4f}"


def ratio_of_sums(parts: np.ndarray, wholes: np.ndarray) -> tuple[float, float]:
    """Return the ratio of sums over independent games, and its standard error; NaN if undefined."""
    if not (total := wholes.sum()):
        return np.nan, np.nan
    ratio = parts.sum() / total
    return ratio, float(np.sqrt(((parts - ratio * wholes) ** 2).sum()) / total)
