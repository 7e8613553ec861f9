"""How well a partner model predicts moves."""

import numpy as np
import pytest

from hoad.adhoc.partner_models.choices import Seen
from hoad.adhoc.partner_models.pool import PoolPosterior
from hoad.adhoc.partner_models.uniform import Uniform
from hoad.agents import get_agent, play
from hoad.evaluation.prediction.measure import evaluate


def test_uniform_and_the_partner_itself_are_judged() -> None:
    logs, seats = play([get_agent("simplebot")] * 2, 3, seed=1), np.ones((3, 2), np.bool_)
    itself = PoolPosterior([get_agent("simplebot")])
    itself.learn(logs, seats)

    seen = Seen(logs, seats)
    found = evaluate({"known": itself, "unknown": Uniform()}, seen)

    known, unknown = found["known"].prediction(), found["unknown"].prediction()

    assert (known.accuracy, round(known.log_loss, 1)) == (1.0, 0.0)
    assert 2.4 < unknown.log_loss < 3.0
    assert 1 / 20 < unknown.accuracy < 1 / 5  # as if one of the legal moves were drawn


def test_the_loss_of_a_game_is_the_mean_of_its_moves() -> None:
    logs = play([get_agent("iggi")] * 2, 3, seed=1)
    first_in_two_games = np.array([[True, False], [False, False], [True, False]])

    found = evaluate({0: Uniform()}, Seen(logs, first_in_two_games))[0]
    by_game = found.by_game(found.losses)

    assert by_game.shape == (2,)
    assert by_game[1] == pytest.approx(found.losses[found.games == 2].mean())


def test_uniform_is_calibrated_where_moves_are_drawn_uniformly() -> None:
    logs = play([get_agent("legal-random")] * 2, 200, seed=1)

    found = evaluate({0: Uniform()}, Seen(logs, np.ones((200, 2), np.bool_)))[0]

    number, expected, made = found.calibration
    often = number > 1000
    np.testing.assert_allclose(
        made[often] / number[often], expected[often] / number[often], atol=0.02
    )
    assert made.sum() == len(logs.actions)
