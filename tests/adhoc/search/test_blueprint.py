"""The blueprint is the agent with the best expected score with a model of the partner."""

import numpy as np
import pytest

from hoad.adhoc.partner_models.model import Ensemble
from hoad.adhoc.search.blueprint import best_response
from hoad.agents import get_agent


@pytest.mark.parametrize(("partner", "best"), [("holmesbot", "valuebot"), ("piers", "iggi")])
def test_conventions_of_the_partner_decide(partner, best):
    agents = [get_agent(name) for name in ("flawed", "valuebot", "iggi")]
    models = [get_agent(partner)] * 5

    assert best_response(agents, Ensemble(models, np.full(5, 0.2), 0.0)).name == best
