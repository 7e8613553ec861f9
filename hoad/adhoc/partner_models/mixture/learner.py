"""A regression that learns from decisions as they come, and how well it predicted each of them."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from hoad.adhoc.partner_models.choices import Choices, join_choices
from hoad.adhoc.partner_models.mixture.inputs import GUESS, input_groups
from hoad.adhoc.partner_models.mixture.linear import FOLDS
from hoad.adhoc.partner_models.mixture.regression import (
    Inputs,
    Weights,
    find_precision,
    fit_weights,
    join_inputs,
    probabilities,
)

_GROWN: Final = 1.5
"""Precisions are found again once there are so many times as many decisions: that takes long."""


@dataclass
class Regression:
    """The regression of a partner's moves on inputs.

    Attributes:
        inputs: of all decisions learned; None before the first.
        choices: these decisions.
        weights: of the inputs; None before the first decision.
        left_out: what it gave to each move before it learned it, or without it, float64, shape
            ``(decisions,)``.
    """

    inputs: Inputs | None = None
    choices: Choices | None = None
    weights: Weights | None = None
    left_out: np.ndarray = field(default_factory=lambda: np.zeros(0))
    _precision: np.ndarray = field(default_factory=lambda: np.zeros(0))
    _found_with: int = 0

    def learn(self, inputs: Inputs, choices: Choices) -> None:
        """Learn from further decisions; those learned before count as well."""
        if not len(choices):
            return
        before = choices.made(self.expected(inputs))
        start = None if self.weights is None else self.weights.means
        if self.inputs is not None and self.choices is not None:
            inputs = join_inputs(self.inputs, inputs)
            choices = join_choices([self.choices, choices])
        self.inputs, self.choices = inputs, choices
        if len(choices) >= _GROWN * self._found_with:
            groups = input_groups(inputs.values.shape[1])
            self._precision = find_precision(inputs, choices.actions, groups, GUESS)
            self._found_with, start = len(choices), None
            self.left_out = _left_out(inputs, choices, self._precision)
        else:
            self.left_out = np.concatenate([self.left_out, before])
        self.weights = fit_weights(inputs, choices.actions, self._precision, start)

    def expected(self, inputs: Inputs) -> np.ndarray:
        """Return the distribution at each decision, float64, shape ``(decisions, MOVES)``."""
        if self.weights is None:
            return inputs.legal / inputs.legal.sum(1, keepdims=True)
        return probabilities(inputs, self.weights)

    @property
    def precision(self) -> np.ndarray:
        """The precision of the prior of each weight, float64, shape ``(inputs,)``."""
        return self._precision


def _left_out(inputs: Inputs, choices: Choices, precision: np.ndarray) -> np.ndarray:
    """Return what a regression that learned other games gives to the moves made, by decision.

    All of them have the precisions that were found with all games: some fifty numbers, which say
    too little of a single game to matter.
    """
    given = np.zeros(len(choices))
    for fold in range(FOLDS):
        out = choices.games % FOLDS == fold
        if not out.any():
            continue
        weights = fit_weights(inputs.select(~out), choices.actions[~out], precision)
        expected = probabilities(inputs.select(out), weights)
        given[out] = expected[np.arange(out.sum()), choices.actions[out]]
    return given
