"""Fewer weights for a logit: rules and agents that hardly matter are not asked at the table."""

from typing import Final

import numpy as np
from scipy.optimize import minimize_scalar

from hoad.partners.choices import Choices
from hoad.partners.regression.inputs import FIXED
from hoad.partners.regression.learner import Regression
from hoad.partners.regression.rule_moves import RULES
from hoad.partners.regression.softmax import (
    Inputs,
    WeightEstimates,
    fit_weights,
    log_odds,
    log_softmax,
)

MOST_LOST: Final = 0.05
"""Nats a move that the loss on the games learned may grow.

It lies between two values that were tried on 30 unseen games of four strangers, after ten games of
each, held out with its family:

=============================  =======================  =======================
stranger                       nats with .01, .03, .06  microseconds a decision
=============================  =======================  =======================
smartbot                       .963, .962, .966         34, 20, 12
fireflower                     1.252, 1.259, 1.266      47, 31, 19
elite:canaan-5x5-3/1,3         .347, .345, .361         24, 11, 7
noisy:0.1:elite:canaan-5x5-2…  1.104, 1.112, 1.111      33, 16, 8
=============================  =======================  =======================

Without pruning it is .962, 1.246, .350 and 1.093 nats. Rules take nearly all of the time.
"""

_ROUNDS: Final = 4
"""How often weights are removed and the others fitted again."""

_MOST_TEMPERATURE: Final = 5.0
"""The highest temperature that is tried."""


def kept_inputs(regression: Regression) -> np.ndarray:
    """Return the inputs that matter, ascending indices, int64.

    Weights of rules and agents are removed, those whose removal costs least first (LeCun et al.
    1990, optimal brain damage), until the loss has grown by `MOST_LOST`. The others are fitted
    again, which leaves room to remove more, and so on. Weights of traits stay: all traits are
    computed together.

    Raises:
        ValueError: the regression has learned nothing.
    """
    inputs, choices, weights = _learned(regression)
    made = inputs.rows_of(choices.actions)
    precision, means = regression.precision, regression.prior_means
    most = _loss(inputs, made, weights.means) + MOST_LOST
    kept, left = np.arange(len(precision)), inputs
    for _ in range(_ROUNDS):
        costs = weights.means**2 * (1 / weights.variances - precision[kept]) / 2
        costs[(kept >= RULES) & (kept < FIXED)] = np.inf
        in_order = np.argsort(costs, kind="stable")[: np.isfinite(costs).sum()]
        removed = in_order[: _most_removed(left, made, weights.means, in_order, most)]
        stays = np.setdiff1d(np.arange(len(kept)), removed)
        kept, left, start = kept[stays], left.columns(stays), weights.means[stays]
        weights = fit_weights(left, choices.actions, precision[kept], means[kept], start)
    return kept


def pruned_weights(regression: Regression, kept: np.ndarray) -> np.ndarray:
    """Return the weights of a regression on some of its inputs, 0 for the others, ``(inputs,)``.

    They are divided by a temperature. With it, the plain softmax comes closest to the regression's
    distributions, which take account of how well the weights are known.

    Raises:
        ValueError: the regression has learned nothing.
    """
    inputs, choices, weights = _learned(regression)
    precision, means = regression.precision[kept], regression.prior_means[kept]
    left = inputs.columns(kept)
    fitted = fit_weights(left, choices.actions, precision, means, weights.means[kept]).means
    pruned = np.zeros(len(regression.precision))
    pruned[kept] = fitted / _temperature(left, fitted, regression.expected(inputs))
    return pruned


def _learned(regression: Regression) -> tuple[Inputs, Choices, WeightEstimates]:
    inputs, choices, weights = regression.inputs, regression.choices, regression.weights
    if inputs is None or choices is None or weights is None:
        raise ValueError("a regression is pruned after it has learned some decisions")
    return inputs, choices, weights


def _most_removed(
    inputs: Inputs, made: np.ndarray, weights: np.ndarray, in_order: np.ndarray, most: float
) -> int:
    """Return how many weights may go, the first first, before the loss exceeds the ``most``."""
    low, high = 0, len(in_order)
    while low < high:
        middle = (low + high + 1) // 2
        left = weights.copy()
        left[in_order[:middle]] = 0.0
        if _loss(inputs, made, left) <= most:
            low = middle
        else:
            high = middle - 1
    return low


def _loss(inputs: Inputs, made: np.ndarray, weights: np.ndarray) -> float:
    """Return the loss of the softmax on the moves made, which are rows of the inputs, in nats."""
    return float(-log_softmax(inputs, log_odds(inputs, weights))[made].mean())


def _temperature(inputs: Inputs, weights: np.ndarray, expected: np.ndarray) -> float:
    """Return the temperature with which the softmax is closest to distributions, 1 or more."""
    odds, wanted = log_odds(inputs, weights), expected[inputs.legal]

    def cross_entropy(temperature: float) -> float:
        return float(-(wanted * log_softmax(inputs, odds / temperature)).sum())

    return float(
        minimize_scalar(cross_entropy, bounds=(1.0, _MOST_TEMPERATURE), method="bounded").x
    )
