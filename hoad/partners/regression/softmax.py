"""Softmax regression over the moves of a partner (McFadden 1974, conditional logit).

The log-odds of a legal move are a weighted sum of its inputs: its traits, what rules and agents
would do, and the log-probabilities that other models give. It learns from few games how far to
follow each of them, and is a soft form of an ordered list of rules, with weights that fall fast.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy import sparse
from scipy.optimize import minimize

_ITERATIONS: Final = 100

_ROUNDS: Final = 3
"""How often precisions are found, each time from the weights under those before."""

_WIDENINGS: Final = 2
"""The same for those of a learned prior."""

_DOUBT: Final = 0.25
"""The part of the variance of a move's log-odds that counts.

The variances take no account of correlations. Most of the 1,300 inputs depend on each other, so the
sum is far too large. Chosen among .1, .25, .5 and 1 by the loss after ten games of `wtfwt`,
`fireflower`, `smartbot` and `infobot`, none of which was in the pool (two sets of games, in
self-play and with two other agents each): 1.524, 1.522, 1.523 and 1.538 nats a move. In self-play
alone it is 1.303, 1.307, 1.318 and 1.347.
"""


@dataclass(frozen=True)
class Inputs:
    """The inputs of the legal moves of some decisions."""

    # float32, shape (legal moves, inputs), by decision, then by id of the move. Most are 0
    values: sparse.csr_array
    legal: np.ndarray  # bool, shape (decisions, MOVES)

    @property
    def starts(self) -> np.ndarray:
        """The first row of each decision, int64, shape ``(decisions,)``."""
        counts = self.legal.sum(1)
        return np.cumsum(counts) - counts

    def rows_of(self, moves: np.ndarray) -> np.ndarray:
        """Return the rows of one legal move of each decision, int64, shape ``(decisions,)``."""
        before = np.cumsum(self.legal, axis=1)[np.arange(len(moves)), moves] - 1
        return self.starts + before

    def select(self, chosen: np.ndarray) -> "Inputs":
        """Return the inputs of the decisions that are ``chosen``, bool, shape ``(decisions,)``."""
        rows = np.repeat(chosen, self.legal.sum(1))
        return Inputs(self.values[rows], self.legal[chosen])

    def columns(self, kept: np.ndarray) -> "Inputs":
        """Return some of the inputs, by index, of all decisions."""
        return Inputs(self.values[:, kept], self.legal)


def join_inputs(parts: Sequence[Inputs]) -> Inputs:
    """Return all inputs, at least one part, in order."""
    values = sparse.vstack([part.values for part in parts], format="csr")
    return Inputs(values, np.concatenate([part.legal for part in parts]))


@dataclass(frozen=True)
class WeightEstimates:
    """What a regression has learned of its inputs."""

    # the most probable weights, as far as the optimiser came, float64, shape (inputs,)
    means: np.ndarray
    # of each weight if all others were known, float64, shape (inputs,): one over the diagonal
    # of the Hessian of the negative log-posterior
    variances: np.ndarray


def fit_weights(
    inputs: Inputs,
    actions: np.ndarray,
    precision: np.ndarray,
    means: np.ndarray | None = None,
    start: np.ndarray | None = None,
    iterations: int = _ITERATIONS,
) -> WeightEstimates:
    """Return the weights of the inputs.

    Args:
        inputs: of the legal moves.
        actions: the moves made, shape ``(decisions,)``.
        precision: of the normal prior of each weight, shape ``(inputs,)``.
        means: of that prior, shape ``(inputs,)``; None for 0.
        start: weights from which the optimiser starts; None for the means of the prior.
        iterations: of the optimiser, at most.
    """
    means = np.zeros(len(precision)) if means is None else means
    if not len(actions):
        return WeightEstimates(means, 1 / precision)
    made, by_input = inputs.rows_of(actions), inputs.values.T.tocsr()

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        logs = log_softmax(inputs, log_odds(inputs, weights))
        error = np.exp(logs)
        error[made] -= 1.0
        apart = weights - means
        gradient = by_input @ error.astype(np.float32) + precision * apart
        return -logs[made].sum() + precision / 2 @ apart**2, gradient.astype(np.float64)

    limit = {"maxiter": iterations}
    start = means if start is None else start
    estimates = minimize(loss, start, jac=True, method="L-BFGS-B", options=limit).x
    return WeightEstimates(estimates, 1 / (precision + _curvature(inputs, estimates)))


def find_precision(
    inputs: Inputs, actions: np.ndarray, groups: np.ndarray, guess: np.ndarray
) -> np.ndarray:
    """Return the precision of the prior of each weight, float64, shape ``(inputs,)``.

    Weights of a group share it. It is found by evidence (MacKay 1992, "Bayesian interpolation"):
    small weights that the moves determine well raise it.

    ``groups`` has the group of each input, int64, shape ``(inputs,)``; ``guess`` the precision by
    group before moves are seen, which counts as one weight that is determined.
    """
    precision = guess[groups]
    for _ in range(_ROUNDS):
        weights = fit_weights(inputs, actions, precision)
        determined = np.bincount(groups, 1 - precision * weights.variances, len(guess))
        squares = np.bincount(groups, weights.means**2, len(guess))
        precision = ((determined + 1) / (squares + 1 / guess))[groups]
    return precision


def widen_prior(
    inputs: Inputs,
    actions: np.ndarray,
    groups: np.ndarray,
    means: np.ndarray,
    precision: np.ndarray,
) -> np.ndarray:
    """Return the precision of a learned prior, lowered where the moves contradict it.

    Weights of a group share a factor, at most 1, which is found by evidence as in
    :func:`find_precision`. The other arguments are those of :func:`fit_weights`.
    """
    factors = np.ones(groups.max() + 1)
    for _ in range(_WIDENINGS):
        widened = precision * factors[groups]
        weights = fit_weights(inputs, actions, widened, means)
        determined = np.bincount(groups, 1 - widened * weights.variances)
        apart = np.bincount(groups, precision * (weights.means - means) ** 2)
        factors = np.minimum(1.0, (determined + 1) / (apart + 1))
    return precision * factors[groups]


def probabilities(inputs: Inputs, weights: WeightEstimates) -> np.ndarray:
    """Return the distribution at each decision, float64, shape ``(decisions, MOVES)``.

    The odds of the best move against another one are lower if the weights of the inputs by which
    the two differ are not known well. For two moves and ``_DOUBT`` 1 this is
    MacKay's moderated output (1992, "The evidence framework applied to classification networks").
    """
    odds = log_odds(inputs, weights.means)
    by_move = np.full(inputs.legal.shape, -np.inf)
    by_move[inputs.legal] = odds
    best = np.repeat(inputs.rows_of(by_move.argmax(1)), inputs.legal.sum(1))
    apart = inputs.values - inputs.values[best]
    variances = apart.multiply(apart) @ weights.variances
    behind = (odds - odds[best]) / np.sqrt(1 + _DOUBT * np.pi / 8 * variances)
    probabilities = np.zeros(inputs.legal.shape)
    probabilities[inputs.legal] = np.exp(log_softmax(inputs, behind))
    return probabilities


def log_odds(inputs: Inputs, weights: np.ndarray) -> np.ndarray:
    """Return the weighted sums of the inputs, float64, shape ``(legal moves,)``."""
    return (inputs.values @ weights.astype(np.float32)).astype(np.float64)


def log_softmax(inputs: Inputs, odds: np.ndarray) -> np.ndarray:
    """Return the log-probability of each legal move, float64, shape ``(legal moves,)``."""
    starts, counts = inputs.starts, inputs.legal.sum(1)
    if not len(starts):
        return odds
    odds = odds - np.repeat(np.maximum.reduceat(odds, starts), counts)
    return odds - np.repeat(np.log(np.add.reduceat(np.exp(odds), starts)), counts)


def _curvature(inputs: Inputs, weights: np.ndarray) -> np.ndarray:
    """Return the diagonal of the Hessian of the summed loss: the inputs' variances, summed."""
    expected = np.exp(log_softmax(inputs, log_odds(inputs, weights)))
    rows, ends = np.arange(len(expected) + 1), np.append(inputs.starts, len(expected))
    shape = len(inputs.legal), len(expected)
    means = sparse.csr_array((expected, rows[:-1], ends), shape) @ inputs.values
    squares = inputs.values.multiply(inputs.values).T @ expected
    return np.maximum(0.0, squares - means.multiply(means).sum(0))
