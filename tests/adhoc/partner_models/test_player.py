"""A player that plays as its model of the partner."""

import numpy as np

from hoad.adhoc.episodes import play_episodes
from hoad.adhoc.partner_models.model import Ensemble
from hoad.adhoc.partner_models.player import ModelAgent, ModelPlayer
from hoad.adhoc.partner_models.pool import Nearest
from hoad.adhoc.player import Support
from hoad.agents import get_agent, play
from hoad.agents.check import check_agent


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


def test_it_learns_the_partner_from_the_support():
    partner = get_agent("valuebot")
    pool = [get_agent(name) for name in ("iggi", "valuebot")]
    player = ModelPlayer("model", Support(partner, 2, 2), lambda: Nearest(pool))

    played = play_episodes(player, partner, 2, 2, seed=1)

    assert played.strict.mean() > 10  # iggi loses nearly all lives with it
