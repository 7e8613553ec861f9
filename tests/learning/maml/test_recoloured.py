"""A meta-model in all colours."""

import numpy as np
import pytest
import torch

from hoad.agents import get_agent, play
from hoad.game.log import encode_turns
from hoad.game.moves import MOVES
from hoad.learning.maml.recoloured import adapt_recoloured, recoloured_probabilities
from hoad.learning.networks import MetaModel
from hoad.learning.rainbow.recolour import recoloured_moves

CYCLE = np.array([1, 2, 3, 4, 0])

LOGS = play([get_agent("iggi")] * 2, 4, seed=2)
GAMES = encode_turns(LOGS)
LEGAL = (GAMES.legal[:, None] >> np.arange(MOVES) & 1).astype(np.bool_)


@pytest.fixture
def model() -> MetaModel:
    torch.manual_seed(3)
    return MetaModel([16, 16]).eval()


def probabilities(model: MetaModel, temperature: float = 1.0) -> np.ndarray:
    return recoloured_probabilities(model, GAMES.observations, LEGAL, temperature)


def test_predictions_are_distributions_over_legal_moves(model: MetaModel) -> None:
    found = probabilities(model)

    np.testing.assert_allclose(found.sum(1), 1)
    assert ((found > 0) == LEGAL).all()


def test_predictions_do_not_depend_on_which_colour_comes_first(model: MetaModel) -> None:
    recoloured = type(LOGS)(
        2, CYCLE[LOGS.decks // 5] * 5 + LOGS.decks % 5, LOGS.actions, LOGS.offsets
    )
    moves = recoloured_moves(CYCLE)
    played = type(LOGS)(
        2, recoloured.decks.astype(np.uint8), moves[LOGS.actions].astype(np.uint8), LOGS.offsets
    )
    turns = encode_turns(played)
    legal = (turns.legal[:, None] >> np.arange(MOVES) & 1).astype(np.bool_)

    found = recoloured_probabilities(model, turns.observations, legal, 1.0)

    np.testing.assert_allclose(found[:, moves], probabilities(model), atol=1e-6)


def test_a_temperature_above_one_is_less_certain(model: MetaModel) -> None:
    assert (probabilities(model, 3.0).max(1) <= probabilities(model).max(1) + 1e-12).all()


def test_adapting_raises_the_likelihood_and_leaves_the_model(model: MetaModel) -> None:
    before = probabilities(model)

    adapted = adapt_recoloured(model, GAMES, lr=0.1, steps=10, seed=1)

    made = np.arange(len(LEGAL)), GAMES.actions
    assert np.log(probabilities(adapted)[made]).mean() > np.log(before[made]).mean() + 0.1
    np.testing.assert_array_equal(probabilities(model), before)


def test_the_same_seed_adapts_to_the_same_model(model: MetaModel) -> None:
    first, second = (adapt_recoloured(model, GAMES, 0.1, 2, seed=5) for _ in range(2))

    np.testing.assert_array_equal(probabilities(first), probabilities(second))
