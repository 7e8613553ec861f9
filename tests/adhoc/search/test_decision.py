from itertools import islice
from typing import Any

import numpy as np
import pytest

from hoad.adhoc.partner_models.model import Ensemble
from hoad.adhoc.search.decision import Trust, _Race, decide
from hoad.adhoc.search.effort import Effort
from hoad.adhoc.search.past import Past
from hoad.agents import Agent, Batch, get_agent
from hoad.agents.follow import memory_at
from hoad.core.errors import HoadError
from hoad.game.moves import listed_moves
from hoad.game.rules import legal_moves
from tests.adhoc.search.late_games import (
    late_pasts,
    possible_hands,
    posterior,
    score_after,
    with_hand,
)

EFFORT = Effort(rollouts=4_000)


def move_of(agent: Agent, past: Past) -> int:
    return int(_weights_of(agent, past).argmax())


def test_late_in_a_game_the_move_is_the_best_of_an_enumeration():
    agent = get_agent("smartbot")
    ensemble = Ensemble([agent], np.ones(1), 0.01)
    pasts = (past for past in late_pasts(("smartbot", "smartbot"), left=0))
    pasts = (past for past in pasts if 1 < len(possible_hands(past)) < 40)
    for past in islice(pasts, 5):
        moves = listed_moves(legal_moves(past.now[0].table, past.now[0].hands))
        values = dict.fromkeys(moves, 0.0)
        for (_, hand), probability in posterior(ensemble, past).items():
            deck = with_hand(past, hand).decks[0]
            for move in moves:
                values[move] += probability * score_after(past, deck, move, [agent, agent])

        chosen = decide(past.now, past.seat, agent, [ensemble], EFFORT).move

        assert values[chosen] > max(values.values()) - 0.1


def test_an_infinite_margin_is_the_blueprint():
    agent = get_agent("smartbot")
    ensemble = Ensemble([agent], np.ones(1), 0.01)
    for past in late_pasts(("smartbot", "smartbot"), left=20, games=8):
        trust = Trust(margin=np.inf)

        chosen = decide(past.now, past.seat, agent, [ensemble], EFFORT, trust).move

        assert chosen == move_of(agent, past)


@pytest.mark.parametrize("trust", [Trust(caution=100.0), Trust(margin=0.5), Trust(prior=0.1)])
def test_less_trust_keeps_more_moves_of_the_blueprint(trust):
    agent = get_agent("smartbot")
    ensemble = Ensemble([agent], np.ones(1), 0.01)
    pasts = list(late_pasts(("smartbot", "smartbot"), left=20, games=12))
    blueprint = [move_of(agent, past) for past in pasts]

    def kept(trust: Trust) -> int:
        given = agent, [ensemble], Effort(rollouts=600, round=100), trust
        chosen = [decide(past.now, past.seat, *given).move for past in pasts]
        return int((np.array(chosen) == blueprint).sum())

    assert kept(Trust()) < kept(trust)


def test_the_blueprint_may_be_another_agent_than_the_one_that_plays_on():
    blueprint, agent = get_agent("outer"), get_agent("smartbot")
    models = [Ensemble([agent], np.ones(1), 0.01)]
    for past in late_pasts(("smartbot", "smartbot"), left=20, games=8):
        given = blueprint, models, EFFORT, Trust(margin=np.inf), agent

        chosen = decide(past.now, past.seat, *given).move

        assert _weights_of(blueprint, past)[chosen] > 0


def test_each_model_needs_a_particle():
    (past,) = islice(late_pasts(("smartbot", "smartbot"), left=20), 1)
    agent = get_agent("smartbot")
    models = [Ensemble([agent], np.ones(1), 0.01)] * 3

    with pytest.raises(HoadError, match="2 particles of 3 models"):
        decide(past.now, past.seat, agent, models, Effort(particles=2))


@pytest.mark.parametrize("setting", ["rollouts", "round", "particles", "candidates"])
def test_a_search_without_effort_is_refused(setting):
    nothing: dict[str, Any] = {setting: 0}

    with pytest.raises(HoadError, match=f"{setting} = 0: at least 1"):
        Effort(**nothing)


def test_with_the_worst_model_a_move_has_to_gain_with_all_of_them():
    agents = [get_agent(name) for name in ("valuebot", "iggi")]
    models = [Ensemble([agent], np.ones(1), 0.05) for agent in agents]
    pasts = list(late_pasts(("valuebot", "iggi"), left=20, games=12))
    blueprint = [move_of(agents[0], past) for past in pasts]

    def kept(trust: Trust) -> int:
        given = agents[0], models, Effort(rollouts=600, round=100), trust
        chosen = [decide(past.now, past.seat, *given).move for past in pasts]
        return int((np.array(chosen) == blueprint).sum())

    assert kept(Trust(margin=1.0)) < kept(Trust(margin=1.0, worst=True))


def test_the_best_of_the_moves_that_gain_with_all_models_is_made():
    effort, trust = Effort(rollouts=12, round=12), Trust(worst=True)
    race = _Race(np.arange(3), np.array([1.0, 0.0, 0.0]), effort, trust)

    # The blueprint's move, one that gains with the second model alone, one that gains with both.
    race.add(np.array([[10, 10, 5, 5], [6, 6, 6, 6], [11, 11, 5.5, 5.5]]), np.array([0, 0, 1, 1]))

    assert race.winner == 2


def _weights_of(agent: Agent, past: Past) -> np.ndarray:
    memory = memory_at(agent, past.now, past.seat)
    return agent.weights(Batch(past.now, past.seat, memory, np.zeros(0)))[0]
