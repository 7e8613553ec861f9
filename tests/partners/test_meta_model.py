"""Partner models that are a meta-model, which comes with HOAD."""

import numpy as np
import pytest
import torch

from hoad.agents import get_agent, play
from hoad.agents.follow import follow, in_order
from hoad.partners.choices import Seen, choices_of
from hoad.partners.meta_model import LowShot, ZeroShot

GAMES = play([get_agent("simplebot")] * 2, 8, seed=6)
SUPPORT, UNSEEN = GAMES.select(np.arange(5)), GAMES.select(np.arange(5, 8))
SEATS = np.ones((5, 2), np.bool_)
SEATS_UNSEEN = np.ones((3, 2), np.bool_)


def log_loss(model: ZeroShot) -> float:
    choices = choices_of(UNSEEN, SEATS_UNSEEN)
    weights = model.expected(Seen(UNSEEN, SEATS_UNSEEN))
    np.testing.assert_allclose(weights.sum(1), 1)
    return float(-np.log(choices.made(weights)).mean())


def test_low_shot_predicts_unseen_games_better_than_zero_shot() -> None:
    low_shot = LowShot("simplebot")
    low_shot.learn(SUPPORT, SEATS)

    assert log_loss(low_shot) < log_loss(ZeroShot("simplebot")) - 0.2


def test_learning_in_two_parts_is_learning_at_once() -> None:
    at_once, in_parts = LowShot("simplebot"), LowShot("simplebot")

    at_once.learn(SUPPORT, SEATS)
    in_parts.learn(SUPPORT.select(np.arange(1)), SEATS[:1])
    in_parts.learn(SUPPORT.select(np.arange(1, 5)), SEATS[1:])

    assert log_loss(in_parts) == pytest.approx(log_loss(at_once))


def test_without_moves_of_the_partner_low_shot_stays_the_meta_model() -> None:
    low_shot = LowShot("simplebot")

    low_shot.learn(SUPPORT, np.zeros((5, 2), np.bool_))

    assert low_shot.network() is not None
    assert torch.equal(
        low_shot.network().output.weight, ZeroShot("simplebot").network().output.weight
    )


def test_it_is_rolled_out_as_it_predicts() -> None:
    model = ZeroShot("simplebot")

    [agent] = model.ensemble().agents

    predicted = model.expected(Seen(UNSEEN, SEATS_UNSEEN))
    played = in_order(follow(agent, UNSEEN, SEATS_UNSEEN), UNSEEN, SEATS_UNSEEN)
    np.testing.assert_allclose(played, predicted, atol=1e-6)
    assert len(play([agent, agent], 2, seed=1)) == 2
