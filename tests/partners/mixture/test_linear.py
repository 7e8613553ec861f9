"""A linear mixture weighs models by what they expected of games that they had not learned."""

from copy import deepcopy

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.partners.choices import Seen, choices_of
from hoad.partners.mixture.linear import LinearMixture, mix_ensembles, shares_of
from hoad.partners.model import Ensemble
from hoad.partners.pool import PoolPosterior

PARTNER = "outer"


def pool(*names):
    return lambda: PoolPosterior([get_agent(name) for name in names])


def games(number, seed=1):
    return play([get_agent(PARTNER)] * 2, number, seed), np.ones((number, 2), np.bool_)


@pytest.fixture
def learned():
    found = LinearMixture([pool("iggi"), pool(PARTNER)])
    found.learn(*games(6))
    return found


def test_the_model_that_predicts_has_the_share(learned):
    wrong, right, uniform = learned.shares

    assert right > 0.95
    assert wrong + right + uniform == pytest.approx(1.0)
    assert shares_of(np.zeros((0, 4))) == pytest.approx(0.25)  # without evidence


def test_predictions_are_distributions_over_legal_moves(learned):
    logs, seats = games(3, seed=2)

    found = learned.expected(Seen(logs, seats))

    assert found.sum(1) == pytest.approx(1.0)
    assert not found[~choices_of(logs, seats).legal].any()


def test_a_game_is_predicted_before_it_is_learned():
    logs, seats = games(1)[0], np.array([[True, False]])
    mixture = LinearMixture([pool("iggi", PARTNER), pool(PARTNER)])
    seen = Seen(logs, seats)
    before = [*(model.expected(seen) for model in mixture.models), seen.choices.uniform]

    mixture.learn(logs, seats)

    made = np.transpose([seen.choices.made(weights) for weights in before])
    assert mixture.shares == pytest.approx(shares_of(made))


def test_a_copy_learns_on_its_own(learned):
    copy, shares = deepcopy(learned), learned.ensemble().probabilities
    other = play([get_agent("iggi")] * 2, 6, seed=4)

    copy.learn(other, np.ones((6, 2), np.bool_))

    assert learned.ensemble().probabilities == pytest.approx(shares)
    assert copy.ensemble().probabilities != pytest.approx(shares)


def test_hypotheses_are_those_of_all_models_by_share_also_if_thinned():
    agents = [get_agent(name) for name in ("iggi", "piers", "outer", "flawed")]
    parts = [
        Ensemble(agents[:2], np.array([0.5, 0.5]), 0.2),
        Ensemble(agents[2:], np.array([1.0, 0.0]), 0.0),
    ]

    mixed = mix_ensembles(parts, np.array([0.5, 0.4, 0.1]))
    thinned = mixed.thinned(8)

    assert [agent.name for agent in mixed.agents] == ["iggi", "piers", "outer", "flawed"]
    assert mixed.probabilities == pytest.approx([0.25, 0.25, 0.5, 0])
    assert [agent.name for agent in thinned.agents] == ["iggi", "piers", "outer"]
    assert thinned.probabilities == pytest.approx([0.25, 0.25, 0.5])
    assert mixed.noise == thinned.noise == pytest.approx(0.2)
