"""Agents that now and then make any legal move instead."""

import numpy as np
import pytest

from hoad.agents import get_agent, play, same_agent
from hoad.core.errors import HoadError
from hoad.game.log import replay
from tests.agents.positions import position, weights

GAME = position("R1 W2 W3 W4 W5  Y4 R1 G1 G1 B5")


def test_noise_is_a_mixture() -> None:
    """Player 0 may make 12 moves; iggi would tell the ones."""
    moves = weights("noisy:0.12:iggi", GAME)

    assert len(moves) == 12
    assert moves.pop("hint 1") == pytest.approx(0.88 + 0.01)
    assert list(moves.values()) == pytest.approx([0.01] * 11)


@pytest.mark.parametrize(("noise", "same"), [("0", "iggi"), ("1", "legal-random")])
def test_no_noise_and_nothing_but_noise(noise: str, same: str) -> None:
    assert weights(f"noisy:{noise}:iggi", GAME) == pytest.approx(weights(same, GAME))


def test_without_noise_an_agent_with_memory_plays_its_own_games() -> None:
    quiet, own = get_agent("noisy:0:simplebot"), get_agent("simplebot")

    quiet_games, own_games = play([quiet, quiet], 30, seed=2), play([own, own], 30, seed=2)

    assert np.array_equal(quiet_games.actions, own_games.actions)


def test_noise_may_be_noisy_itself() -> None:
    moves = weights("noisy:0.5:noisy:0.5:iggi", GAME)

    assert moves["hint 1"] == pytest.approx(0.25 + 0.75 / 12)


def test_noise_costs_points() -> None:
    means = [
        replay(play([get_agent(name)] * 2, 300, seed=3)).scores.mean()
        for name in ("iggi", "noisy:0.1:iggi", "noisy:0.5:iggi")
    ]

    assert means == sorted(means, reverse=True)


def test_a_noisy_agent_is_as_fair_as_the_one_inside() -> None:
    assert get_agent("noisy:0.1:iggi").fair
    assert not get_agent("noisy:0.1:cheatbot").fair


def test_the_inner_agent_and_the_noise_make_the_agent() -> None:
    assert same_agent("noisy:0.10:iggi", "noisy:0.1:rules:2,8,13,38,27,22")
    assert not same_agent("noisy:0.1:iggi", "noisy:0.2:iggi")


@pytest.mark.parametrize("name", ["noisy:iggi", "noisy:0.1", "noisy:2:iggi", "noisy:nan:iggi"])
def test_bad_noise_is_refused(name: str) -> None:
    with pytest.raises(HoadError, match="expected noisy:E:AGENT with E from 0 to 1"):
        get_agent(name)
