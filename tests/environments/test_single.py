"""The Gymnasium environment of one game."""

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from hoad.environments import HanabiEnv


@pytest.mark.filterwarnings("ignore:.*not having a spec")
def test_gymnasium_finds_no_fault() -> None:
    check_env(HanabiEnv())
    check_env(HanabiEnv("noisy:0.1:holmesbot", seat=1, score="lenient", render_mode="ansi"))


def test_masks_have_two_names() -> None:
    env = HanabiEnv()
    _, info = env.reset(seed=1)

    assert env.action_masks().dtype == bool
    np.testing.assert_array_equal(env.action_masks(), info["action_mask"])


def test_it_shows_the_table() -> None:
    env = HanabiEnv(seat=1, render_mode="ansi")
    env.reset(seed=1)

    assert "turn 1, player 1 to move" in env.render()


def test_the_learner_sits_in_both_seats_by_turns() -> None:
    env, seats = HanabiEnv(render_mode="ansi"), []
    env.reset(seed=1)
    for _ in range(4):
        seats.append("player 0 to move" in env.render())
        env.reset()

    assert seats == [True, False, True, False]
