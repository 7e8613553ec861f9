"""Agents and players that move as models of a partner predict."""

import numpy as np

from hoad.adhoc_player import Support, play_episodes
from hoad.agents import get_agent, play
from hoad.agents.agent import Agent, Batch
from hoad.agents.check import check_agent
from hoad.agents.follow import distributions, states_at
from hoad.game.moves import COLOUR_HINT, MOVES, PLAY
from hoad.partners.agents import ModelAgent, ModelPlayer, PredictedPartner
from hoad.partners.choices import Seen
from hoad.partners.logit.model import Logit
from hoad.partners.mixture import Mixture
from hoad.partners.model import Ensemble
from hoad.partners.pool import Nearest, PoolPosterior
from hoad.partners.positions import Positions
from hoad.partners.program.posterior import ProgramPosterior


def test_a_model_of_one_agent_plays_as_that_agent():
    agent = get_agent("holmesbot")
    model = ModelAgent("model", PoolPosterior([agent]))

    ours, theirs = (play([one, agent], 4, seed=1) for one in (model, agent))

    assert np.array_equal(ours.actions, theirs.actions)
    assert check_agent(model, games=1) == []


def test_positions_are_asked_as_recorded_games_are():
    logs = play([get_agent("iggi"), get_agent("holmesbot")], 2, seed=1)
    second = np.tile([False, True], (2, 1))
    agents = [get_agent(name) for name in ("holmesbot", "iggi")]
    models = Mixture([lambda: PoolPosterior(agents), ProgramPosterior], agents), Logit(agents)
    seen = Seen(logs, second)
    for model in models:
        model.learn(seen)

        asked = model.expected(Positions(states_at(logs, second), 1))

        np.testing.assert_allclose(asked, model.expected(seen), atol=1e-6)


def test_a_predicted_partner_keeps_one_hypothesis_in_a_game():
    agents = [get_agent(name) for name in ("valuebot", "holmesbot")]
    partner = PredictedPartner("partner", Ensemble(agents, np.full(2, 0.5), 0.0))

    found, *expected = (games_with_piers(agent) for agent in (partner, *agents))

    same = np.array(
        [[one == game for one, game in zip(found, games, strict=True)] for games in expected]
    )
    assert same.any(axis=0).all(), "a game is none of a single hypothesis"
    assert same.any(axis=1).all(), "all games have the same hypothesis"


class Kind(Agent):
    """Draws its move from the legal plays, or from the other legal moves."""

    def __init__(self, plays: bool) -> None:
        self.name, self._plays = f"plays: {plays}", plays

    def weights(self, batch: Batch) -> np.ndarray:
        legal = get_agent("legal-random").weights(batch)
        of_kind = np.where(is_play(np.arange(MOVES)) == self._plays, legal, 0.0)
        return of_kind / of_kind.sum(1, keepdims=True)


def is_play(moves: np.ndarray) -> np.ndarray:
    return (moves >= PLAY) & (moves < COLOUR_HINT)


def test_a_predicted_partner_keeps_a_hypothesis_that_draws_its_moves():
    kinds = Ensemble([Kind(True), Kind(False)], np.full(2, 0.5), 0.0)
    partner = PredictedPartner("partner", kinds)

    logs = play([partner, partner], 12, seed=1)

    games = [is_play(logs.actions_of(game)) for game in range(12)]
    assert {share for plays in games for share in (plays[::2].mean(), plays[1::2].mean())} == {0, 1}


def games_with_piers(agent: Agent) -> list[list[int]]:
    logs = play([agent, get_agent("piers")], 12, seed=1)
    return [logs.actions_of(game).tolist() for game in range(12)]


def test_a_predicted_partner_is_surer_of_its_moves_than_its_hypothesis():
    agent = get_agent("noisy:0.35:piers")
    partner = PredictedPartner("partner", Ensemble.of(agent))
    logs = play([agent, get_agent("iggi")], 4, seed=1)
    first = np.tile([True, False], (4, 1))
    states = states_at(logs, first)
    new = partner.new_memory(len(states)), np.zeros(len(states), np.uint64)

    found = partner.weights(Batch(states, 0, *new))

    squares = distributions(agent, logs, first) ** 2
    np.testing.assert_allclose(found, squares / squares.sum(1, keepdims=True))


def test_it_learns_the_partner_from_the_support():
    partner = get_agent("valuebot")
    pool = [get_agent(name) for name in ("iggi", "valuebot")]
    player = ModelPlayer("model", Support(partner, 2, 2), lambda: Nearest(pool))

    played = play_episodes(player, partner, 2, 2, seed=1)

    assert played.strict.mean() > 10  # iggi loses nearly all lives with it
