"""Priors that are learned from other strangers."""

import numpy as np
import pytest
from scipy import sparse

from hoad.game.moves import MOVES
from hoad.partners.mixture.learner import Prior
from hoad.partners.mixture.population import Observed, fit_population
from hoad.partners.mixture.regression import (
    Inputs,
    WeightEstimates,
    fit_weights,
    probabilities,
)

SHARED, OWN = np.array([1.5, -1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.5, 1.5])
"""What all strangers have in common, and how much they differ in."""

GROUPS = np.array([0, 0, 1, 1])


def stranger(seed: int, decisions: int = 200) -> Observed:
    """Return the moves of a stranger whose last two weights are its own."""
    draw = np.random.default_rng(seed)
    weights = SHARED + OWN * draw.normal(size=4)
    legal = draw.random((decisions, MOVES)) < 0.5
    legal[:, 0] = True
    values = draw.normal(size=(int(legal.sum()), 4)).astype(np.float32)
    inputs = Inputs(sparse.csr_array(values), legal)
    chances = probabilities(inputs, WeightEstimates(weights, np.zeros(4))).cumsum(1)
    return Observed(inputs, (chances < draw.random((decisions, 1))).sum(1))


def first(observed: Observed, decisions: int) -> Observed:
    chosen = np.arange(len(observed.actions)) < decisions
    return Observed(observed.inputs.select(chosen), observed.actions[chosen])


def loss(observed: Observed, weights: WeightEstimates) -> float:
    given = probabilities(observed.inputs, weights)
    return float(-np.log(given[np.arange(len(given)), observed.actions]).mean())


def fitted(observed: Observed, precision: np.ndarray, means: np.ndarray | None) -> WeightEstimates:
    return fit_weights(observed.inputs, observed.actions, precision, means=means)


@pytest.fixture(scope="module")
def population() -> Prior:
    return fit_population([stranger(seed) for seed in range(40)], GROUPS)


def test_what_strangers_share_is_the_mean(population: Prior) -> None:
    shared, own = population.means[:2], population.means[2:]

    assert (np.sign(shared) == np.sign(SHARED[:2])).all()
    assert (np.abs(shared) > np.abs(SHARED[:2]) / 2).all()  # averages of strangers are less certain
    assert np.abs(shared).min() > 2 * np.abs(own).max()


def test_what_strangers_differ_in_is_less_certain(population: Prior) -> None:
    shared, own = population.precision[0], population.precision[2]

    assert shared > 10 * own
    assert shared > 10 * own
    assert 0.1 < own < 1.5  # half of one over the variance, which is 2.25


def test_the_prior_helps_with_few_moves_and_none(population: Prior) -> None:
    new = [stranger(seed) for seed in range(100, 120)]
    plain = np.ones(4)

    for decisions in (0, 10):
        with_prior, without = (
            np.mean([loss(one, fitted(first(one, decisions), *prior)) for one in new])
            for prior in ((population.precision, population.means), (plain, None))
        )
        assert with_prior < without - 0.03
