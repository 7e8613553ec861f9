"""Models that are made of the agents of a pool, and the model that knows nothing."""

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.game.log import GameLogs
from hoad.partners.choices import Seen, choices_of
from hoad.partners.model import PartnerModel
from hoad.partners.pool import NOISES, Nearest, PoolPosterior
from hoad.partners.uniform import Uniform

NAMES = ("outer", "piers", "simplebot")
POOL = [get_agent(name) for name in NAMES]


def games(name: str, number: int = 5) -> tuple[GameLogs, np.ndarray]:
    return play([get_agent(name)] * 2, number, seed=8), np.ones((number, 2), np.bool_)


@pytest.mark.parametrize("kind", [PoolPosterior, Nearest])
@pytest.mark.parametrize("partner", NAMES)
def test_the_partner_is_found_in_the_pool(kind: type[PoolPosterior], partner: str) -> None:
    model = kind(POOL)

    model.learn(*games(partner))

    assert model.ensemble().agents[0].name == partner
    assert model.ensemble().probabilities[0] == pytest.approx(1)
    assert model.ensemble().noise < 0.01


def test_noise_follows_from_the_moves_that_no_agent_makes() -> None:
    model = PoolPosterior(POOL)

    model.learn(*games("noisy:0.35:piers", number=20))

    assert model.ensemble().noise == pytest.approx(0.35, abs=0.06)


def test_before_any_game_all_agents_are_equally_probable() -> None:
    belief = PoolPosterior(POOL).belief()

    np.testing.assert_allclose(belief, 1 / (len(POOL) * len(NOISES)))


def test_learning_in_two_parts_is_learning_at_once() -> None:
    logs, seats = games("iggi")
    at_once, in_parts = PoolPosterior(POOL), PoolPosterior(POOL)

    at_once.learn(logs, seats)
    in_parts.learn(logs.select(np.arange(2)), seats[:2])
    in_parts.learn(logs.select(np.arange(2, 5)), seats[2:])

    np.testing.assert_allclose(in_parts.belief(), at_once.belief())


@pytest.mark.parametrize("model", [Uniform(), PoolPosterior(POOL), Nearest(POOL)])
def test_predictions_are_distributions_over_legal_moves(model: PartnerModel) -> None:
    logs, seats = games("holmesbot")
    model.learn(logs, seats)

    weights = model.expected(Seen(logs, seats))

    np.testing.assert_allclose(weights.sum(1), 1)
    assert ((weights > 0) == choices_of(logs, seats).legal).all()


def test_uniform_is_rolled_out_as_any_legal_move() -> None:
    logs, seats = games("iggi", number=1)
    [agent] = Uniform().ensemble().agents

    rolled_out = PoolPosterior([agent])

    np.testing.assert_allclose(
        rolled_out.expected(Seen(logs, seats)), choices_of(logs, seats).uniform
    )
