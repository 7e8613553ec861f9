"""The partner model `logit`, learned from games."""

import numpy as np

from hoad.agents import get_agent, play
from hoad.partners.choices import Seen
from hoad.partners.logit.model import Logit
from hoad.partners.logit.prune import MOST_LOST, kept_inputs, pruned_weights
from hoad.partners.mixture.inputs import FIXED
from hoad.partners.mixture.regression import log_odds, log_softmax
from hoad.partners.mixture.rule_moves import RULES

POOL = [get_agent(name) for name in ("outer", "holmesbot", "rainbow", "fireflower")]


def games_of(name: str, games: int, seed: int) -> Seen:
    return Seen(play([get_agent(name)] * 2, games, seed), np.ones((games, 2), np.bool_))


def log_loss(weights: np.ndarray, games: Seen) -> float:
    return float(-np.log(games.choices.made(weights)).mean())


def learned(name: str, games: int = 5) -> Logit:
    model = Logit(POOL)
    model.learn_seen(games_of(name, games, seed=1))
    return model


def test_a_relative_of_the_pool_is_predicted_from_five_games() -> None:
    unseen = games_of("valuebot", 10, seed=2)

    found = log_loss(learned("valuebot").expected(unseen), unseen)

    assert found < log_loss(unseen.uniform, unseen) / 3


def test_pruning_loses_no_more_than_it_may_and_removes_most_rules() -> None:
    regression = learned("valuebot").regression
    inputs, choices, weights = regression.inputs, regression.choices, regression.weights
    assert inputs is not None
    assert choices is not None
    assert weights is not None
    made = inputs.rows_of(choices.actions)

    found = pruned_weights(regression, kept_inputs(regression))

    def loss(means: np.ndarray) -> float:
        return float(-log_softmax(inputs, log_odds(inputs, means))[made].mean())

    at_some_temperature = min(loss(found * heat) for heat in np.linspace(1, 5, 81))
    assert at_some_temperature <= loss(weights.means) + MOST_LOST
    assert 0 < np.count_nonzero(found[:RULES]) < RULES / 3


def test_agents_that_compiled_code_cannot_ask_are_no_inputs() -> None:
    inputs = learned("valuebot").regression.inputs

    assert inputs is not None
    assert inputs.values.shape[1] == FIXED + 2


def test_without_games_all_moves_are_alike() -> None:
    games = games_of("iggi", 2, seed=1)

    np.testing.assert_allclose(Logit(POOL).expected(games), games.uniform)


def test_a_further_game_is_predicted_before_it_is_learned() -> None:
    model, further = learned("valuebot", 8), games_of("valuebot", 1, seed=3)
    before = model.regression.left_out

    model.learn_seen(further)

    assert np.array_equal(model.regression.left_out[: len(before)], before)
    assert len(model.regression.left_out) == len(before) + len(further.choices)
