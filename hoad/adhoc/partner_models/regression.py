"""Softmax regression over the moves of a partner (McFadden 1974, conditional logit).

The log-odds of a legal move are a weighted sum of its inputs: what rules and agents would do, and
the log-probabilities that other models give. It learns from few games how far to follow each of
them, and is a soft form of an ordered list of rules, with weights that fall fast.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.optimize import minimize

from hoad.game.moves import MOVES

_ITERATIONS: Final = 100


@dataclass(frozen=True)
class Inputs:
    """The inputs of the legal moves of some decisions.

    Attributes:
        values: float32, shape ``(legal moves, inputs)``, by decision, then by id of the move.
        legal: bool, shape ``(decisions, MOVES)``.
    """

    values: np.ndarray
    legal: np.ndarray

    @property
    def starts(self) -> np.ndarray:
        """The first row of each decision, int64, shape ``(decisions,)``."""
        counts = self.legal.sum(1)
        return np.cumsum(counts) - counts

    def select(self, chosen: np.ndarray) -> "Inputs":
        """Return the inputs of some decisions, bool, shape ``(decisions,)``."""
        rows = np.repeat(chosen, self.legal.sum(1))
        return Inputs(self.values[rows], self.legal[chosen])


def join_inputs(first: Inputs, second: Inputs) -> Inputs:
    """Return the inputs of both, in order."""
    values = np.concatenate([first.values, second.values])
    return Inputs(values, np.concatenate([first.legal, second.legal]))


def fit_weights(inputs: Inputs, actions: np.ndarray, precision: np.ndarray) -> np.ndarray:
    """Return the most probable weights of the inputs, float64, shape ``(inputs,)``.

    Args:
        inputs: of the legal moves.
        actions: the moves made, shape ``(decisions,)``.
        precision: of the normal prior of each weight, shape ``(inputs,)``; its mean is 0.
    """
    starts = inputs.starts
    before = np.cumsum(inputs.legal, axis=1)[np.arange(len(actions)), actions] - 1
    made = starts + before

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        logs = _log_softmax(inputs, weights)
        error = np.exp(logs)
        error[made] -= 1.0
        gradient = error.astype(np.float32) @ inputs.values + precision * weights
        return -logs[made].sum() + precision / 2 @ weights**2, gradient.astype(np.float64)

    start = np.zeros(inputs.values.shape[1])
    if not len(actions):
        return start
    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _ITERATIONS}).x


def probabilities(inputs: Inputs, weights: np.ndarray) -> np.ndarray:
    """Return the distribution at each decision, float64, shape ``(decisions, MOVES)``."""
    found = np.zeros((len(inputs.legal), MOVES))
    found[inputs.legal] = np.exp(_log_softmax(inputs, weights))
    return found


def _log_softmax(inputs: Inputs, weights: np.ndarray) -> np.ndarray:
    """Return the log-probability of each legal move, float64, shape ``(legal moves,)``."""
    odds = (inputs.values @ weights.astype(np.float32)).astype(np.float64)
    starts, counts = inputs.starts, inputs.legal.sum(1)
    if not len(starts):
        return odds
    odds -= np.repeat(np.maximum.reduceat(odds, starts), counts)
    return odds - np.repeat(np.log(np.add.reduceat(np.exp(odds), starts)), counts)
