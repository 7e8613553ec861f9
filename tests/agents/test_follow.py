"""Recorded games, compared with agents move by move."""

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.follow import distributions, follow, in_order, memory_at, move_probabilities
from hoad.game.rules import apply_all, deal_all
from hoad.game.state import full_game

AGENTS = ["iggi", "holmesbot", "smartbot", "infobot", "wtfwt", "legal-random", "cheatbot"]
LOGS = play([get_agent("piers"), get_agent("valuebot")], 8, seed=2)


def states_at(turn: int) -> np.ndarray:
    states = full_game(2).new_states(len(LOGS))
    deal_all(states, LOGS.decks)
    for earlier in range(turn):
        apply_all(states, LOGS.actions[LOGS.offsets[:-1] + earlier])
    return states


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("seat", [0, 1])
def test_probabilities_of_moves_are_those_that_following_gives(name: str, seat: int) -> None:
    agent, seats = get_agent(name), np.zeros((len(LOGS), 2), np.bool_)
    seats[:, seat] = True
    expected = np.zeros(len(LOGS.actions))
    for turn in follow(agent, LOGS, seats):
        made = turn.weights[np.arange(len(turn.actions)), turn.actions]
        expected[LOGS.offsets[turn.games] + turn.turns] = made

    np.testing.assert_array_equal(move_probabilities(agent, LOGS, [seat]), expected)
    in_python = move_probabilities(get_agent(f"noisy:0.0:{name}"), LOGS, [seat])
    np.testing.assert_array_equal(in_python, expected)


@pytest.mark.parametrize("name", AGENTS)
def test_distributions_are_those_that_following_gives(name: str) -> None:
    """In either seat, both, or none."""
    agent, seats = get_agent(name), np.tile([[1, 0], [0, 1], [1, 1], [0, 0]], (2, 1)).astype(bool)

    found = distributions(agent, LOGS, seats)

    np.testing.assert_allclose(found.sum(1), 1)
    np.testing.assert_array_equal(found, in_order(follow(agent, LOGS, seats), LOGS, seats))


def test_probabilities_of_both_seats_are_the_likelihood_of_the_games() -> None:
    agent = get_agent("valuebot")
    first, second = (move_probabilities(agent, LOGS, [seat]) for seat in range(2))

    np.testing.assert_array_equal(move_probabilities(agent, LOGS), first + second)
    assert second.sum() == sum(np.diff(LOGS.offsets) // 2)  # its own moves are certain


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("seat", [0, 1])
def test_compiled_agents_remember_what_they_observe_one_move_after_another(
    name: str, seat: int
) -> None:
    states, agent = states_at(12), get_agent(name)

    found = memory_at(agent, states, seat)

    assert found.shape == (len(LOGS), agent.memory_size)
    np.testing.assert_array_equal(found, memory_at(get_agent(f"noisy:0.0:{name}"), states, seat))
