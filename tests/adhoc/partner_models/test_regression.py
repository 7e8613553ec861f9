"""Softmax regression on the inputs of legal moves."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import check_grad

from hoad.adhoc.partner_models.regression import Inputs, fit_weights, join_inputs, probabilities
from hoad.game.moves import MOVES


def random_inputs(seed: int, decisions: int, inputs: int = 3) -> Inputs:
    draw = np.random.default_rng(seed)
    legal = draw.random((decisions, MOVES)) < 0.5
    legal[:, 0] = True
    values = draw.normal(size=(int(legal.sum()), inputs)).astype(np.float32)
    return Inputs(values, legal)


@given(st.integers(0, 1000), st.integers(1, 6))
@settings(max_examples=30, deadline=None)
def test_distributions_are_over_legal_moves(seed: int, decisions: int) -> None:
    inputs = random_inputs(seed, decisions)

    found = probabilities(inputs, np.array([1.0, -2.0, 5.0]))

    np.testing.assert_allclose(found.sum(1), 1)
    assert (found[~inputs.legal] == 0).all()


def test_the_weights_that_made_the_moves_are_found() -> None:
    inputs, truth = random_inputs(1, 20_000), np.array([1.0, -0.5, 0.0])
    given = probabilities(inputs, truth).cumsum(1)
    actions = (given < np.random.default_rng(2).random((len(given), 1))).sum(1)

    np.testing.assert_allclose(fit_weights(inputs, actions, np.ones(3)), truth, atol=0.05)


def test_weights_are_the_most_probable_ones() -> None:
    inputs = random_inputs(3, 30)
    actions, precision = np.zeros(30, np.int64), np.array([1.0, 10.0, 0.1])

    def negative_log_posterior(weights: np.ndarray) -> float:
        made = probabilities(inputs, weights)[:, 0]
        return float(-np.log(made).sum() + precision / 2 @ weights**2)

    def no_gradient(weights: np.ndarray) -> np.ndarray:
        return np.zeros_like(weights)

    best = fit_weights(inputs, actions, precision)

    assert check_grad(negative_log_posterior, no_gradient, best, epsilon=1e-4) < 0.05
    assert negative_log_posterior(best) < negative_log_posterior(np.zeros(3))


def test_without_decisions_all_weights_are_zero() -> None:
    empty = random_inputs(1, 5).select(np.zeros(5, np.bool_))

    assert fit_weights(empty, np.zeros(0, np.int64), np.ones(3)).tolist() == [0, 0, 0]
    assert probabilities(empty, np.ones(3)).shape == (0, MOVES)


def test_parts_of_inputs_join_to_the_whole() -> None:
    inputs = random_inputs(4, 6)
    first = np.arange(6) < 2

    joined = join_inputs(inputs.select(first), inputs.select(~first))

    np.testing.assert_array_equal(joined.values, inputs.values)
    np.testing.assert_array_equal(joined.legal, inputs.legal)
