"""The agent of a conditional logit, in compiled code."""

import numpy as np

from hoad.agents import get_agent, play
from hoad.agents.check import check_agent
from hoad.partners.choices import Seen
from hoad.partners.logit.agent import LogitWeights, logit_agent
from hoad.partners.logit.members import can_be_member
from hoad.partners.mixture.inputs import regression_inputs
from hoad.partners.mixture.move_traits import TRAITS
from hoad.partners.mixture.regression import Weights, probabilities
from hoad.partners.program.firing import ROWS
from tests.compilation import prints_the_same_without_compilation

MEMBERS = [get_agent(name) for name in ("simplebot", "valuebot", "holmesbot", "smartbot", "iggi")]
RANDOM = np.random.default_rng(1)
WEIGHTS = LogitWeights(
    ROWS, MEMBERS, *(RANDOM.normal(size=size) for size in (len(ROWS), TRAITS, len(MEMBERS)))
)

PROGRAM = """
import numpy as np
from hoad.partners.logit.agent import LogitWeights, logit_agent
from hoad.partners.mixture.move_traits import TRAITS
from hoad.partners.program.firing import ROWS
from hoad.agents import get_agent, play
members = [get_agent(name) for name in ("simplebot", "iggi", "holmesbot")]
weights = LogitWeights(ROWS[:20], members, np.ones(20), np.sin(np.arange(TRAITS)), np.ones(3))
agents = [logit_agent("logit", weights, greedy) for greedy in (False, True)]
print(play(agents, 1, seed=3).actions.tolist())
"""


def test_it_gives_moves_the_probabilities_of_the_regression() -> None:
    logs = play([get_agent("holmesbot"), get_agent("iggi")], 3, seed=2)
    games = Seen(logs, np.ones((3, 2), np.bool_))
    means = np.concatenate([WEIGHTS.of_rules, WEIGHTS.of_traits, WEIGHTS.of_members])

    found = games.weights_of(logit_agent("logit", WEIGHTS))

    sure = Weights(means, np.zeros(len(means)))
    expected = probabilities(regression_inputs(games, MEMBERS), sure)
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_a_greedy_one_makes_the_most_probable_move() -> None:
    games = Seen(play([get_agent("iggi")] * 2, 3, seed=2), np.ones((3, 2), np.bool_))

    drawing, greedy = (
        games.weights_of(logit_agent("logit", WEIGHTS, each)) for each in (False, True)
    )

    assert np.array_equal(greedy, np.eye(20)[drawing.argmax(1)])


def test_a_logit_of_one_member_plays_as_the_member() -> None:
    [member] = members = [get_agent("holmesbot")]
    weights = LogitWeights([], members, np.zeros(0), np.zeros(TRAITS), np.full(1, 30.0))
    agent = logit_agent("logit", weights)

    ours, theirs = (play([one, member], 5, seed=3) for one in (agent, member))

    assert np.array_equal(ours.actions, theirs.actions)
    assert check_agent(agent, games=1) == []


def test_agents_that_take_long_or_are_not_compiled_are_no_members() -> None:
    assert not any(map(can_be_member, map(get_agent, ("fireflower", "wtfwt", "noisy:0.1:iggi"))))


def test_moves_are_the_same_without_compilation() -> None:
    assert prints_the_same_without_compilation(PROGRAM)
