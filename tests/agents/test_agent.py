"""Agents cannot see what their player cannot see; agents made of other agents."""

import numpy as np
import pytest

from hoad.adhoc_player import Support
from hoad.agents import agent_names, get_agent, play, same_agent
from hoad.agents.agent import MAX_MEMORY, CompiledAgent, remember_nothing
from hoad.agents.bots import simplebot
from hoad.agents.check import check_agent, last_weights, rearranged
from hoad.agents.follow import follow
from hoad.agents.wrappers import BySeat
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs
from tests.agents.positions import position, weights


@pytest.fixture(scope="module", params=[3, 16, 29, 44, 59])
def same_to_the_player(request: pytest.FixtureRequest) -> tuple[GameLogs, GameLogs]:
    """Games up to a turn, and the same actions on decks that look the same to the next player."""
    played = play([get_agent("iggi"), get_agent("internal")], 100, seed=11)
    real, other = rearranged(played, request.param, np.random.default_rng(request.param))
    assert (real.decks != other.decks).any(axis=1).mean() > 0.9
    return real, other


@pytest.mark.parametrize("name", [name for name in agent_names() if name != "cheatbot"])
def test_hidden_cards_do_not_change_what_an_agent_does(same_to_the_player, name):
    agent = get_agent(name)

    assert agent.fair
    real, other = (last_weights(agent, logs) for logs in same_to_the_player)
    assert (real == other).all()


def test_a_compiled_agent_has_no_more_memory_than_there_is_room_for():
    with pytest.raises(HoadError, match=rf"greedy: {MAX_MEMORY + 1} bytes"):
        CompiledAgent(
            "greedy", ("greedy", ""), simplebot.choose, remember_nothing, memory_size=MAX_MEMORY + 1
        )


def test_other_seeds_trials_and_numbers_of_games_give_other_support():
    iggi = get_agent("iggi")

    supports = [Support(iggi, *size).play(seed) for size, seed in (((2, 3), 5), ((1, 3), 5))]
    supports += [Support(iggi, *size).play(seed) for size, seed in (((2, 4), 5), ((2, 3), 6))]

    assert [(len(games), len(games[0])) for games in supports] == [(2, 3), (1, 3), (2, 4), (2, 3)]
    assert supports[0][0].actions.tolist() != supports[3][0].actions.tolist()


GAME = position("R1 W2 W3 W4 W5  Y4 R1 G1 G1 B5")


def test_noise_is_a_mixture_and_may_be_noisy_itself():
    """Player 0 may make 12 moves; iggi would tell the ones."""
    moves, twice = (
        weights(f"{noisy}:iggi", GAME) for noisy in ("noisy:0.12", "noisy:0.5:noisy:0.5")
    )

    assert len(moves) == 12
    assert moves.pop("hint 1") == pytest.approx(0.88 + 0.01)
    assert list(moves.values()) == pytest.approx([0.01] * 11)
    assert twice["hint 1"] == pytest.approx(0.25 + 0.75 / 12)


def test_no_noise_and_nothing_but_noise():
    assert weights("noisy:0:iggi", GAME) == pytest.approx(weights("iggi", GAME))
    assert weights("noisy:1:iggi", GAME) == pytest.approx(weights("legal-random", GAME))
    # With memory, too.
    quiet, own = (play([get_agent(name)] * 2, 30, 2) for name in ("noisy:0:simplebot", "simplebot"))
    assert np.array_equal(quiet.actions, own.actions)


def test_the_inner_agent_and_the_noise_make_the_agent():
    assert get_agent("noisy:0.1:iggi").fair and not get_agent("noisy:0.1:cheatbot").fair
    assert same_agent("noisy:0.10:iggi", "noisy:0.1:rules:2,8,13,38,27,22")
    assert not same_agent("noisy:0.1:iggi", "noisy:0.2:iggi")


def test_by_seat_is_sound_and_plays_and_is_followed_as_another_agent_in_each_seat():
    holmesbot, iggi, piers = map(get_agent, ("holmesbot", "iggi", "piers"))
    by_seat = BySeat("two-faced", holmesbot, iggi)
    assert check_agent(by_seat, games=10) == []
    for seats, expected in (
        ([by_seat, piers], [holmesbot, piers]),
        ([piers, by_seat], [piers, iggi]),
        ([by_seat, by_seat], [holmesbot, iggi]),
    ):
        played, alone = play(seats, 20, seed=4), play(expected, 20, seed=4)
        np.testing.assert_array_equal(played.actions, alone.actions)
    for seat, agent in enumerate((holmesbot, iggi)):
        seats = np.eye(2, dtype=np.bool_)[np.full(20, seat)]
        pairs = zip(follow(by_seat, played, seats), follow(agent, played, seats), strict=True)
        for one, other in pairs:
            np.testing.assert_array_equal(one.weights, other.weights)
