"""Agents made of other agents: with noise, or different by seat."""

import numpy as np
import pytest

from hoad.agents import get_agent, play, same_agent
from hoad.agents.check import check_agent
from hoad.agents.follow import follow
from hoad.agents.wrappers import BySeat
from hoad.core.errors import HoadError
from hoad.game.log import replay
from tests.agents.positions import position, weights

GAME = position("R1 W2 W3 W4 W5  Y4 R1 G1 G1 B5")


def test_noise_is_a_mixture_and_may_be_noisy_itself() -> None:
    """Player 0 may make 12 moves; iggi would tell the ones."""
    moves, twice = (
        weights(f"{noisy}:iggi", GAME) for noisy in ("noisy:0.12", "noisy:0.5:noisy:0.5")
    )

    assert len(moves) == 12
    assert moves.pop("hint 1") == pytest.approx(0.88 + 0.01)
    assert list(moves.values()) == pytest.approx([0.01] * 11)
    assert twice["hint 1"] == pytest.approx(0.25 + 0.75 / 12)


@pytest.mark.parametrize(("noise", "same"), [("0", "iggi"), ("1", "legal-random")])
def test_no_noise_and_nothing_but_noise(noise: str, same: str) -> None:
    assert weights(f"noisy:{noise}:iggi", GAME) == pytest.approx(weights(same, GAME))


def test_without_noise_an_agent_with_memory_plays_its_own_games() -> None:
    quiet, own = get_agent("noisy:0:simplebot"), get_agent("simplebot")

    quiet_games, own_games = play([quiet, quiet], 30, seed=2), play([own, own], 30, seed=2)

    assert np.array_equal(quiet_games.actions, own_games.actions)


def test_noise_costs_points() -> None:
    means = [
        replay(play([get_agent(name)] * 2, 300, seed=3)).scores.mean()
        for name in ("iggi", "noisy:0.1:iggi", "noisy:0.5:iggi")
    ]

    assert means == sorted(means, reverse=True)


def test_the_inner_agent_and_the_noise_make_the_agent() -> None:
    assert get_agent("noisy:0.1:iggi").fair and not get_agent("noisy:0.1:cheatbot").fair
    assert same_agent("noisy:0.10:iggi", "noisy:0.1:rules:2,8,13,38,27,22")
    assert not same_agent("noisy:0.1:iggi", "noisy:0.2:iggi")


@pytest.mark.parametrize("name", ["noisy:iggi", "noisy:0.1", "noisy:2:iggi", "noisy:nan:iggi"])
def test_bad_noise_is_refused(name: str) -> None:
    with pytest.raises(HoadError, match="expected noisy:E:AGENT with E from 0 to 1"):
        get_agent(name)


@pytest.fixture
def by_seat() -> BySeat:
    return BySeat("two-faced", get_agent("holmesbot"), get_agent("iggi"))


def test_by_seat_is_sound_and_plays_as_another_agent_in_each_seat(by_seat: BySeat) -> None:
    assert check_agent(by_seat) == []
    holmesbot, iggi, piers = map(get_agent, ("holmesbot", "iggi", "piers"))
    for seats, expected in (
        ([by_seat, piers], [holmesbot, piers]),
        ([piers, by_seat], [piers, iggi]),
        ([by_seat, by_seat], [holmesbot, iggi]),
    ):
        played, alone = play(seats, 20, seed=4), play(expected, 20, seed=4)

        np.testing.assert_array_equal(played.actions, alone.actions)


@pytest.mark.parametrize(("seat", "name"), [(0, "holmesbot"), (1, "iggi")])
def test_by_seat_is_followed_as_its_agent(by_seat: BySeat, seat: int, name: str) -> None:
    logs = play([get_agent("holmesbot"), get_agent("iggi")], 10, seed=4)
    seats = np.zeros((10, 2), np.bool_)
    seats[:, seat] = True

    followed, expected = (list(follow(agent, logs, seats)) for agent in (by_seat, get_agent(name)))

    for one, other in zip(followed, expected, strict=True):
        np.testing.assert_array_equal(one.weights, other.weights)
