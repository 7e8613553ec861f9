"""A regression that learns from decisions as they come, and how well it predicted each of them."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from hoad.core.identity import identity_of
from hoad.partners.choices import FOLDS, Choices, join_choices
from hoad.partners.regression.inputs import GUESS, input_groups
from hoad.partners.regression.softmax import (
    Inputs,
    WeightEstimates,
    find_precision,
    fit_weights,
    join_inputs,
    probabilities,
    widen_prior,
)

_GROWN: Final = 1.5
"""Precisions are found again once there are so many times as many decisions: that takes long."""


@dataclass(frozen=True)
class Prior:
    """What is known of the weights of inputs before any game of a partner."""

    means: np.ndarray  # float64, shape (inputs,)
    precision: np.ndarray  # one over the variances, likewise

    @property
    def identity(self) -> str:
        """What decides its predictions."""
        return identity_of([self.means.tolist(), self.precision.tolist()])


@dataclass
class Regression:
    """The regression of a partner's moves on inputs."""

    # of the weights of rules and traits, which is widened by evidence; None for means of 0
    # and precisions that are found by evidence
    prior: Prior | None = None
    inputs: Inputs | None = None  # of all decisions learned; None before the first
    choices: Choices | None = None  # these decisions
    weights: WeightEstimates | None = None  # of the inputs; None before the first decision
    # what it gave to each move before it learned it, or without it, float64, shape
    # (decisions,)
    left_out: np.ndarray = field(default_factory=lambda: np.zeros(0))
    # of the prior of each weight, float64, shape (inputs,)
    precision: np.ndarray = field(default_factory=lambda: np.zeros(0))
    prior_means: np.ndarray = field(default_factory=lambda: np.zeros(0))
    found_with: int = 0  # decisions with which the precisions were found last

    def learn(self, inputs: Inputs, choices: Choices) -> None:
        """Learn from further decisions; those learned before count as well."""
        if not len(choices):
            return
        before = choices.made(self.expected(inputs))
        start = None if self.weights is None else self.weights.means
        if self.inputs is not None and self.choices is not None:
            inputs = join_inputs([self.inputs, inputs])
            choices = join_choices([self.choices, choices])
        self.inputs, self.choices = inputs, choices
        if len(choices) >= _GROWN * self.found_with:
            self.precision, self.prior_means = self._prior_of(inputs, choices)
            self.found_with, start = len(choices), None
            self.left_out = _left_out(inputs, choices, self.precision, self.prior_means)
        else:
            self.left_out = np.concatenate([self.left_out, before])
        self.weights = fit_weights(inputs, choices.actions, self.precision, self.prior_means, start)

    @property
    def knows_something(self) -> bool:
        """Whether it has learned decisions or has a learned prior."""
        return self.weights is not None or self.prior is not None

    def expected(self, inputs: Inputs) -> np.ndarray:
        """Return the distribution at each decision, float64, shape ``(decisions, MOVES)``."""
        if self.weights is not None:
            return probabilities(inputs, self.weights)
        if self.prior is None:
            return inputs.legal / inputs.legal.sum(1, keepdims=True)
        means, precision = _with_further(self.prior, inputs.values.shape[1])
        return probabilities(inputs, WeightEstimates(means, 1 / precision))

    def _prior_of(self, inputs: Inputs, choices: Choices) -> tuple[np.ndarray, np.ndarray]:
        """Return the precisions and the means of the prior of all weights."""
        count = inputs.values.shape[1]
        groups = input_groups(count)
        if self.prior is None:
            return find_precision(inputs, choices.actions, groups, GUESS), np.zeros(count)
        means, precision = _with_further(self.prior, count)
        return widen_prior(inputs, choices.actions, groups, means, precision), means


def _with_further(prior: Prior, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return means and precisions of ``count`` weights, of which the prior has the first."""
    further = count - len(prior.means)
    means = np.concatenate([prior.means, np.zeros(further)])
    return means, np.concatenate([prior.precision, np.full(further, GUESS[-1])])


def _left_out(
    inputs: Inputs, choices: Choices, precision: np.ndarray, prior_means: np.ndarray
) -> np.ndarray:
    """Return what a regression that learned other games gives to the moves made, by decision.

    All of them have the precisions that were found with all games: some fifty numbers, which say
    too little of a single game to matter.
    """
    of_made = np.zeros(len(choices))
    for fold in range(FOLDS):
        out = choices.games % FOLDS == fold
        if not out.any():
            continue
        others, made = inputs.select(~out), choices.actions[~out]
        weights = fit_weights(others, made, precision, prior_means)
        expected = probabilities(inputs.select(out), weights)
        of_made[out] = expected[np.arange(out.sum()), choices.actions[out]]
    return of_made
