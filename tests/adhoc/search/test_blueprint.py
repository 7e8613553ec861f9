"""The blueprint is the agent with the best expected score with a model of the partner."""

import numpy as np
import pytest

from hoad.adhoc.partner_models.model import Ensemble
from hoad.adhoc.search.blueprint import FINALISTS, rank_responses
from hoad.agents import get_agent


@pytest.mark.parametrize(("partner", "best"), [("holmesbot", "valuebot"), ("piers", "iggi")])
def test_conventions_of_the_partner_decide(partner, best):
    agents = [get_agent(name) for name in ("flawed", "valuebot", "iggi")]
    models = [get_agent(partner)] * 5

    assert rank_responses(agents, Ensemble(models, np.full(5, 0.2), 0.0))[0].name == best


def test_agents_that_drop_out_are_worse_than_those_that_are_left():
    good = [get_agent(name) for name in ("iggi", "piers", "outer", "van-den-bergh")]
    bad = [get_agent(name) for name in ("legal-random", "simplebot", "valuebot", "holmesbot")]

    found = rank_responses([*bad, *good], Ensemble([get_agent("iggi")], np.ones(1), 0.0))

    assert len(found) > FINALISTS
    assert {agent.name for agent in found[:4]} == {agent.name for agent in good}
    assert found[-1].name == "legal-random"
