"""The blueprint is the agent with the best expected score with a partner."""

import pytest

from hoad.agents import get_agent
from hoad.search.blueprint import FINALISTS, best_responses


@pytest.mark.parametrize(("partner", "best"), [("holmesbot", "valuebot"), ("piers", "iggi")])
def test_conventions_of_the_partner_decide(partner, best):
    agents = [get_agent(name) for name in ("flawed", "valuebot", "iggi")]

    found = best_responses(agents, get_agent(partner))

    assert next(iter(found)).name == best
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_agents_that_drop_out_are_worse_than_those_that_are_left():
    good = [get_agent(name) for name in ("iggi", "piers", "outer", "van-den-bergh")]
    bad = [get_agent(name) for name in ("legal-random", "simplebot", "valuebot", "holmesbot")]

    found = best_responses([*bad, *good], get_agent("iggi"))

    assert len(found) == FINALISTS
    assert {agent.name for agent in found} == {agent.name for agent in good}
