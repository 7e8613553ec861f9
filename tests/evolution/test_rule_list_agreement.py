import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.follow import follow
from hoad.agents.registry import RULE_LISTS
from hoad.agents.rules.rule_list import rule_list_agent
from hoad.core.errors import HoadError
from hoad.evolution.rule_list_agreement import expected_agreement
from hoad.game.log import GameLogs

NAMES = ("iggi", "flawed", "legal-random", "piers")
NO_GROUPS = np.zeros((0, 1), np.int64)


@pytest.fixture(scope="module")
def logs() -> GameLogs:
    return play([get_agent("iggi"), get_agent("flawed")], 6, seed=2)


def test_agreement_is_the_chance_of_the_same_move_in_each_recorded_state(logs):
    found, _ = expected_agreement([RULE_LISTS[name] for name in NAMES], NO_GROUPS, logs)

    distributions = distributions_of(logs)
    expected = np.einsum("ask,bsk->ab", distributions, distributions)
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert (found == found.T).all()


def test_agreement_of_a_group_is_the_chance_that_all_make_the_same_move(logs):
    groups = np.array([[0, 1, 2], [1, 2, 3]])

    _, found = expected_agreement([RULE_LISTS[name] for name in NAMES], groups, logs)

    distributions = np.array(distributions_of(logs))
    np.testing.assert_allclose(found, distributions[groups].prod(axis=1).sum((1, 2)), rtol=1e-6)


def distributions_of(logs: GameLogs) -> list[list[np.ndarray]]:
    """By agent and decision."""
    seats = np.ones((len(logs), 2), np.bool_)
    distributions = []
    for name in NAMES:
        agent = rule_list_agent(name, RULE_LISTS[name])
        by_turn = {
            (game, turn): weights
            for each in follow(agent, logs, seats)
            for game, turn, weights in zip(
                each.games.tolist(), each.turns.tolist(), each.weights, strict=True
            )
        }
        distributions.append([by_turn[key] for key in sorted(by_turn)])
    return distributions


def test_agent_agrees_with_itself_but_for_chance(logs):
    always_plays, never_decides = [3], [39]

    found, _ = expected_agreement([always_plays, never_decides], NO_GROUPS, logs)

    assert found[0, 0] == len(logs.actions)
    assert found[1, 1] < len(logs.actions) / 5


def test_unknown_rule_is_named(logs):
    with pytest.raises(HoadError, match="unknown rule 999"):
        expected_agreement([[8, 999]], NO_GROUPS, logs)
