"""What each rule would do, in compiled code."""

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.follow import follow, in_order, states_at
from hoad.partners.choices import choices_of
from hoad.partners.mixture.rule_moves import rule_moves
from hoad.partners.program.firing import NUMBERS
from tests.scripts import prints_the_same_without_compilation

LOGS = play([get_agent("iggi"), get_agent("holmesbot")], 3, seed=1)
SECOND = np.tile([False, True], (3, 1))

PROGRAM = """
import numpy as np
from hoad.partners.mixture.rule_moves import rule_moves
from hoad.agents import get_agent, play
from hoad.agents.follow import states_at
from hoad.game.log import GameLogs
game = play([get_agent("iggi")] * 2, 1, seed=4)
begun = GameLogs(2, game.decks, game.actions[:8], np.array([0, 8]))
found = rule_moves(states_at(begun, np.ones((1, 2), bool)))
print(found.shape, (found * np.arange(1, 1 + found.size).reshape(found.shape)).sum())
"""


@pytest.mark.parametrize("number", [8, 22, 27, 125])
def test_a_rule_moves_as_the_agent_with_this_rule_alone(number: int) -> None:
    choices = choices_of(LOGS, SECOND)
    alone = in_order(follow(get_agent(f"rules:{number}"), LOGS, SECOND), LOGS, SECOND)

    column = rule_moves(states_at(LOGS, SECOND))[:, NUMBERS.index(number)]

    weights = np.zeros(choices.legal.shape)
    weights[choices.legal] = column
    fires = weights.any(axis=1)
    assert fires.sum() > 0
    np.testing.assert_allclose(weights[fires], alone[fires], atol=1e-6)
    np.testing.assert_allclose(alone[~fires], choices.uniform[~fires])


def test_rules_move_the_same_without_compilation() -> None:
    assert prints_the_same_without_compilation(PROGRAM)
