"""Rule lists that skip each rule at times."""

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.agent import Agent, Batch
from hoad.agents.follow import move_probabilities
from hoad.agents.rules.catalogue import CATALOGUE
from hoad.agents.rules.soft_list import soft_list_agent
from hoad.game.moves import PLAY
from tests.agents.positions import position

CARDS = "R1 Y1 G3 W4 B5  R2 R3 R4 W2 B2"


def _weights(agent: Agent, *moves: str) -> np.ndarray:
    game = position(CARDS, *moves)
    states = np.array([game.state], game.state.dtype)
    return agent.weights(Batch(states, game.current_player, agent.new_memory(1)))[0]


def test_without_skips_it_is_the_rule_list() -> None:
    numbers = [8, 13, 38, 28, 22, 34]
    soft = soft_list_agent("soft", [CATALOGUE[number].row for number in numbers], [0.0] * 6, 0.5)
    hard = get_agent("rules:" + ",".join(map(str, numbers)))
    logs = play([hard, get_agent("outer")], 20, seed=1)

    assert move_probabilities(soft, logs) == pytest.approx(move_probabilities(hard, logs))


def test_a_skip_leads_to_the_next_rule_that_fires_or_astray() -> None:
    """The newest 1 is played (rule 116), else the first one (8), else the oldest card goes (27)."""
    rules = [CATALOGUE[number].row for number in (116, 2, 8, 27)]
    soft = soft_list_agent("soft", rules, [0.25, 0.9, 0.5, 0.2], 0.4)

    moves = _weights(soft, "hint red", "hint 1")

    any_legal = 0.25 * 0.4 + 0.25 * 0.6 * 0.5  # astray, or a second rule is skipped
    legal = 10 + len({"red", "white", "blue", "2", "3", "4"})
    assert moves.sum() == pytest.approx(1.0)
    assert moves[PLAY + 1] == pytest.approx(0.75 + any_legal / legal)
    assert moves[PLAY] == pytest.approx(0.25 * 0.6 * 0.5 + any_legal / legal)
    assert moves[0] == pytest.approx(any_legal / legal)  # no third rule is asked


def test_what_no_rule_makes_is_any_legal_move() -> None:
    soft = soft_list_agent("soft", [CATALOGUE[2].row], [0.1], 0.5)

    assert _weights(soft).max() == pytest.approx(
        1 / (5 + len({"red", "white", "blue", "2", "3", "4"}))
    )
