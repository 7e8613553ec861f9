import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.check import check_agent
from hoad.core.errors import HoadError
from hoad.game.log import replay
from hoad.partners.model import Ensemble
from hoad.search.agent import SearchAgent
from hoad.search.effort import Effort
from tests.scripts import prints_the_same_without_compilation

SMALL = Effort(rollouts=100, round=40, particles=10)

PROGRAM = """
import numpy as np
from hoad.partners.model import Ensemble
from hoad.search.agent import SearchAgent
from hoad.search.effort import Effort
from hoad.agents import Batch, get_agent
from hoad.game.rules import replay_moves
from hoad.game.state import full_game
iggi = get_agent("iggi")
effort = Effort(100, 40, particles=10)
agent = SearchAgent("search", iggi, Ensemble([iggi], np.ones(1), 0.01), effort)
state = full_game(2).new_states(1)
replay_moves(state[0], full_game(2).full_deck()[::-1].copy(), np.array([15, 5, 0, 14], np.uint8))
print(agent.weights(Batch(state, 0, np.zeros((1, 0), np.uint8), np.zeros(0))))
"""


def searcher(effort: Effort, *hypotheses: str) -> SearchAgent:
    """Return one with a model of all hypotheses."""
    agents = [get_agent(name) for name in hypotheses]
    model = Ensemble(agents, np.full(len(agents), 1 / len(agents)), 0.01)
    return SearchAgent("searcher", agents[0], model, effort)


def test_it_is_a_sound_agent_that_does_not_peek():
    agent = searcher(SMALL, "iggi", "holmesbot")

    assert check_agent(agent, games=1) == []


def test_it_plays_a_game_alike_alone_and_among_others():
    agent, partner = searcher(SMALL, "iggi"), get_agent("iggi")

    together = play([agent, partner], 3, seed=1)
    alone = play([agent, partner], 1, seed=1, first_game=2)

    assert (together.actions_of(2) == alone.actions_of(0)).all()


def test_it_plays_better_with_its_model_than_the_model_with_itself():
    model = get_agent("van-den-bergh")
    agent = searcher(Effort(rollouts=1_000, round=200, particles=100), "van-den-bergh")

    searched = replay(play([agent, model], 8, seed=1)).strict
    themselves = replay(play([model, model], 8, seed=1)).strict

    assert searched.mean() > themselves.mean() + 2


def test_agents_with_other_models_or_effort_are_told_apart():
    changed = Effort(rollouts=101, round=40, particles=10)
    searchers = [searcher(SMALL, "iggi"), searcher(SMALL, "piers"), searcher(changed, "iggi")]

    assert len({one.identity for one in searchers}) == 3
    assert searcher(SMALL, "iggi").identity == searchers[0].identity


def test_agents_are_registered_by_the_name_of_their_model():
    agent = get_agent("search:smartbot")

    assert agent.name == "search:smartbot"
    assert agent.plays_as == ("smartbot",)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("search:cheatbot", "sees its own hand"),
        ("search:noisy:0.1:iggi", "is not compiled"),
        ("search:nobody", "unknown agent"),
    ],
)
def test_models_that_search_cannot_take_are_refused(name, message):
    with pytest.raises(HoadError, match=message):
        get_agent(name)


def test_moves_are_the_same_without_compilation():
    assert prints_the_same_without_compilation(PROGRAM)
