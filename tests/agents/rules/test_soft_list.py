"""Rule lists that skip each rule at times."""

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.agent import Agent, Batch
from hoad.agents.follow import move_probabilities
from hoad.agents.rules.catalogue import CATALOGUE
from hoad.agents.rules.soft_list import soft_list_agent
from hoad.game.moves import MOVES
from tests.agents.positions import position

CARDS = "R1 Y1 G3 W4 B5  R2 R3 R4 W2 B2"


def _weights(agent: Agent, *moves: str) -> np.ndarray:
    game = position(CARDS, *moves)
    states = np.array([game.state], game.state.dtype)
    memory, streams = agent.new_memory(1), np.zeros(0, np.uint64)
    return agent.weights(Batch(states, game.current_player, memory, streams))[0]


def test_without_skips_it_is_the_rule_list() -> None:
    numbers = [8, 13, 38, 28, 22, 34]
    soft = soft_list_agent("soft", [CATALOGUE[number].row for number in numbers], [0.0] * 6, 0.0)
    hard = get_agent("rules:" + ",".join(map(str, numbers)))
    logs = play([hard, get_agent("outer")], 20, seed=1)

    assert move_probabilities(soft, logs) == pytest.approx(move_probabilities(hard, logs))


def test_a_skipped_rule_leaves_the_move_to_the_next_that_fires() -> None:
    """Of the 1s the newest is played, or else the oldest card is discarded, or else anything."""
    rules = [CATALOGUE[number].row for number in (116, 2, 27)]
    moves = _weights(soft_list_agent("soft", rules, [0.25, 0.5, 0.2], 0.0), "hint red", "hint 1")

    others = 0.25 * 0.2 / (MOVES - 10 + len({"red", "white", "blue", "2", "3", "4"}))
    assert moves.sum() == pytest.approx(1.0)
    assert moves[6] == pytest.approx(0.75 + others)
    assert moves[0] == pytest.approx(0.25 * 0.8 + others)
    assert moves[1] == pytest.approx(others)
