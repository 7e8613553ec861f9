"""Softmax regression on the inputs of legal moves, and its priors."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import check_grad

from hoad.game.moves import MOVES
from hoad.partners.regression.learner import Prior
from hoad.partners.regression.population import Observed, fit_population
from hoad.partners.regression.softmax import (
    Inputs,
    WeightEstimates,
    find_precision,
    fit_weights,
    join_inputs,
    probabilities,
    widen_prior,
)


def random_inputs(seed: int, decisions: int, inputs: int = 3) -> Inputs:
    draw = np.random.default_rng(seed)
    legal = draw.random((decisions, MOVES)) < 0.5
    legal[:, 0] = True
    values = draw.normal(size=(int(legal.sum()), inputs)).astype(np.float32)
    return Inputs(sparse.csr_array(values), legal)


def certain(weights: np.ndarray) -> WeightEstimates:
    return WeightEstimates(weights, np.zeros(len(weights)))


def drawn(inputs: Inputs, weights: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """Return actions as a player with these weights makes them."""
    expected = probabilities(inputs, certain(weights)).cumsum(1)
    return (expected < draw.random((len(expected), 1))).sum(1)


@given(st.integers(0, 1000), st.integers(1, 6))
@settings(max_examples=30, deadline=None)
def test_distributions_are_over_legal_moves(seed: int, decisions: int) -> None:
    inputs = random_inputs(seed, decisions)

    found = probabilities(inputs, WeightEstimates(np.array([1.0, -2.0, 5.0]), np.ones(3)))

    np.testing.assert_allclose(found.sum(1), 1)
    assert (found[~inputs.legal] == 0).all()


def test_the_weights_that_made_the_moves_are_found() -> None:
    inputs, truth = random_inputs(1, 20_000), np.array([1.0, -0.5, 0.0])
    actions = drawn(inputs, truth, np.random.default_rng(2))

    fitted = fit_weights(inputs, actions, np.ones(3))

    np.testing.assert_allclose(fitted.means, truth, atol=0.05)
    assert (np.abs(fitted.means - truth) < 4 * np.sqrt(fitted.variances)).all()
    assert (fitted.variances < 0.001).all()


def test_a_learned_prior_is_widened_where_the_moves_contradict_it() -> None:
    inputs, truth = random_inputs(1, 2_000, inputs=4), np.array([2.0, -2.0, 0.1, -0.1])
    actions = drawn(inputs, truth, np.random.default_rng(2))
    groups, precision = np.array([0, 0, 1, 1]), np.full(4, 50.0)

    widened = widen_prior(inputs, actions, groups, np.zeros(4), precision)

    assert (widened[:2] < 5).all()
    np.testing.assert_allclose(widened[2:], 50.0)


def test_weights_are_the_most_probable_ones() -> None:
    inputs = random_inputs(3, 30)
    actions, precision = np.zeros(30, np.int64), np.array([1.0, 10.0, 0.1])

    def negative_log_posterior(weights: np.ndarray) -> float:
        made = probabilities(inputs, certain(weights))[:, 0]
        return float(-np.log(made).sum() + precision / 2 @ weights**2)

    def no_gradient(weights: np.ndarray) -> np.ndarray:
        return np.zeros_like(weights)

    best = fit_weights(inputs, actions, precision).means

    assert check_grad(negative_log_posterior, no_gradient, best, epsilon=1e-4) < 0.05
    assert negative_log_posterior(best) < negative_log_posterior(np.zeros(3))


def test_the_evidence_finds_how_large_the_weights_of_a_group_are() -> None:
    draw = np.random.default_rng(7)
    inputs = random_inputs(7, 20_000, inputs=60)
    deviations = np.repeat([1.0, 0.05], 30)
    actions = drawn(inputs, draw.normal(size=60) * deviations, draw)

    precisions = find_precision(inputs, actions, np.repeat([0, 1], 30), np.array([10.0, 10.0]))

    assert precisions[0] == pytest.approx(1, rel=0.5)
    assert precisions[-1] == pytest.approx(400, rel=0.6)
    assert len(set(precisions)) == 2


def test_without_decisions_all_weights_are_zero_and_the_precision_is_the_guess() -> None:
    empty = random_inputs(1, 5).select(np.zeros(5, np.bool_))

    fitted = fit_weights(empty, np.zeros(0, np.int64), np.full(3, 2.0))

    assert fitted.means.tolist() == [0, 0, 0]
    assert fitted.variances.tolist() == [0.5, 0.5, 0.5]
    assert probabilities(empty, fitted).shape == (0, MOVES)
    groups, guesses = np.array([0, 1, 1]), np.array([3.0, 5.0])
    precisions = find_precision(empty, np.zeros(0, np.int64), groups, guesses)
    np.testing.assert_allclose(precisions, [3, 5, 5])


def test_variances_are_those_of_the_curvature_of_the_log_loss() -> None:
    inputs, precision = random_inputs(5, 40), np.array([1.0, 10.0, 0.1])
    actions = np.zeros(40, np.int64)
    fitted = fit_weights(inputs, actions, precision)

    def loss(index: int, step: float) -> float:
        moved = fitted.means + step * np.eye(3)[index]
        made = probabilities(inputs, certain(moved))[:, 0]
        return float(-np.log(made).sum() + precision / 2 @ moved**2)

    for index, variance in enumerate(fitted.variances):
        curvature = (loss(index, 0.1) - 2 * loss(index, 0) + loss(index, -0.1)) / 0.01
        assert 1 / variance == pytest.approx(curvature, rel=0.02)


def test_what_is_not_known_makes_the_most_probable_move_less_probable() -> None:
    inputs, means = random_inputs(6, 20), np.array([3.0, -2.0, 1.0])

    sure, unsure = (
        probabilities(inputs, WeightEstimates(means, np.array([0.0, 0.0, variance])))
        for variance in (0.0, 50.0)
    )

    several = inputs.legal.sum(1) > 1
    assert (unsure.max(1) < sure.max(1))[several].all()
    assert (unsure.argmax(1) == sure.argmax(1)).all()


def test_parts_of_inputs_join_to_the_whole() -> None:
    inputs = random_inputs(4, 6)
    first = np.arange(6) < 2

    joined = join_inputs([inputs.select(first), inputs.select(~first)])

    np.testing.assert_array_equal(joined.values.toarray(), inputs.values.toarray())
    np.testing.assert_array_equal(joined.legal, inputs.legal)


SHARED, OWN = np.array([1.5, -1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.5, 1.5])
"""What all strangers have in common, and how much they differ in."""

GROUPS = np.array([0, 0, 1, 1])


def stranger(seed: int, decisions: int = 200) -> Observed:
    """Return the moves of a stranger whose last two weights are its own."""
    draw = np.random.default_rng([seed, 1])
    weights, inputs = SHARED + OWN * draw.normal(size=4), random_inputs(seed, decisions, inputs=4)
    return Observed(inputs, drawn(inputs, weights, draw))


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


def test_what_strangers_share_is_the_mean_and_what_they_differ_in_is_less_certain(
    population: Prior,
) -> None:
    shared, own = population.means[:2], population.means[2:]

    assert (np.sign(shared) == np.sign(SHARED[:2])).all()
    assert (np.abs(shared) > np.abs(SHARED[:2]) / 2).all()  # averages of strangers are less certain
    assert np.abs(shared).min() > 2 * np.abs(own).max()
    assert population.precision[0] > 10 * population.precision[2]
    assert 0.1 < population.precision[2] < 1.5  # half of one over the variance, which is 2.25


def test_the_prior_helps_with_few_moves_and_none(population: Prior) -> None:
    new = [stranger(seed) for seed in range(100, 120)]
    plain = np.ones(4)

    for decisions in (0, 10):
        with_prior, without = (
            np.mean([loss(one, fitted(first(one, decisions), *prior)) for one in new])
            for prior in ((population.precision, population.means), (plain, None))
        )
        assert with_prior < without - 0.03
