"""Agents cannot see what their player cannot see."""

import numpy as np
import pytest

from hoad.adhoc_player import Support
from hoad.agents import agent_names, get_agent, play
from hoad.agents.agent import MAX_MEMORY, CompiledAgent, remember_nothing
from hoad.agents.bots import simplebot
from hoad.agents.check import last_weights, rearranged
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs

# Agents cannot see what their player cannot see.


GAMES = 200


@pytest.fixture(scope="module", params=[3, 16, 29, 44, 59])
def same_to_the_player(request: pytest.FixtureRequest) -> tuple[GameLogs, GameLogs]:
    """Games up to a turn, and the same actions on decks that look the same to the next player."""
    played = play([get_agent("iggi"), get_agent("internal")], GAMES, seed=11)
    return rearranged(played, request.param, np.random.default_rng(request.param))


@pytest.mark.parametrize("name", [name for name in agent_names() if name != "cheatbot"])
def test_hidden_cards_do_not_change_what_an_agent_does(
    same_to_the_player: tuple[GameLogs, GameLogs], name: str
) -> None:
    real, other = same_to_the_player
    agent = get_agent(name)
    assert agent.fair

    same = last_weights(agent, real) == last_weights(agent, other)

    assert same.all()


def test_the_hidden_cards_did_change(same_to_the_player: tuple[GameLogs, GameLogs]) -> None:
    real, other = same_to_the_player

    assert (real.decks != other.decks).any(axis=1).mean() > 0.9


def test_a_compiled_agent_has_no_more_memory_than_there_is_room_for() -> None:
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
