"""Agents that move as models of a partner predict."""

from itertools import pairwise

import numpy as np

from hoad.adhoc.partner_models.agents import ModelAgent, PredictedPartner
from hoad.adhoc.partner_models.model import Ensemble
from hoad.agents import get_agent, play
from hoad.agents.check import check_agent
from hoad.agents.follow import distributions


def test_with_one_hypothesis_it_plays_as_that_agent():
    agent = get_agent("holmesbot")
    model = ModelAgent("model", Ensemble([agent], np.ones(1), 0.0))

    ours, theirs = (play([one, agent], 4, seed=1) for one in (model, agent))

    assert np.array_equal(ours.actions, theirs.actions)
    assert check_agent(model, games=1) == []


def test_the_move_is_the_most_probable_of_all_hypotheses():
    agents = [get_agent(name) for name in ("valuebot", "iggi", "outer")]
    model = ModelAgent("model", Ensemble(agents, np.array([0.6, 0.2, 0.2]), 0.0))

    ours, theirs = (play([one, agents[0]], 2, seed=1) for one in (model, agents[0]))

    assert np.array_equal(ours.actions, theirs.actions)


def test_a_predicted_partner_keeps_one_hypothesis_of_each_model_in_a_game():
    agents = [get_agent(name) for name in ("valuebot", "iggi", "outer")]
    first, second = agents[:1], agents[1:]
    models = [Ensemble(first, np.ones(1), 0.0), Ensemble(second, np.full(2, 0.5), 0.0)]
    partner = PredictedPartner("partner", list(zip(models, (0.75, 0.25), strict=True)))
    logs = play([partner, partner], 4, seed=1)
    everywhere = np.ones((4, 2), np.bool_)

    found, *parts = (distributions(agent, logs, everywhere) for agent in (partner, *agents))

    squares = [(0.75 * parts[0] + 0.25 * part) ** 2 for part in parts[1:]]
    mixed = [square / square.sum(1, keepdims=True) for square in squares]
    games = [slice(start, end) for start, end in pairwise(logs.offsets.tolist())]
    held = [[np.allclose(found[game], one[game]) for one in mixed] for game in games]
    assert sorted(held) == [[False, True]] * 2 + [[True, False]] * 2
