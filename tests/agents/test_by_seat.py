import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.check import check_agent
from hoad.agents.follow import follow
from hoad.agents.wrappers import BySeat


@pytest.fixture
def agent():
    return BySeat("two-faced", get_agent("holmesbot"), get_agent("iggi"))


def test_plays_as_another_agent_in_each_seat(agent):
    holmesbot, iggi, piers = map(get_agent, ("holmesbot", "iggi", "piers"))
    for seats, expected in (
        ([agent, piers], [holmesbot, piers]),
        ([piers, agent], [piers, iggi]),
        ([agent, agent], [holmesbot, iggi]),
    ):
        played, alone = play(seats, 20, seed=4), play(expected, 20, seed=4)

        np.testing.assert_array_equal(played.actions, alone.actions)


@pytest.mark.parametrize(("seat", "name"), [(0, "holmesbot"), (1, "iggi")])
def test_is_followed_as_whoever_sits_there(agent, seat, name):
    logs = play([get_agent("holmesbot"), get_agent("iggi")], 10, seed=4)
    seats = np.zeros((10, 2), np.bool_)
    seats[:, seat] = True

    followed, expected = (list(follow(who, logs, seats)) for who in (agent, get_agent(name)))

    for one, other in zip(followed, expected, strict=True):
        np.testing.assert_array_equal(one.weights, other.weights)


def test_nothing_is_found_wrong_with_it(agent):
    assert check_agent(agent) == []
