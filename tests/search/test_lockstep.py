"""Search with a partner that is not compiled: alike, with batches in place of compiled loops."""

from itertools import islice

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.agent import CompiledAgent
from hoad.core.errors import HoadError
from hoad.partners.model import Ensemble
from hoad.search.agent import SearchAgent
from hoad.search.belief import Belief
from hoad.search.effort import Effort
from hoad.search.lockstep import LockstepBelief, plays_in_lockstep, roll_out_in_lockstep
from hoad.search.rollouts import roll_out
from tests.search.late_games import late_pasts, possible_hands, posterior

NOISE = 0.05
NOT_COMPILED = "noisy:0:iggi"


def ensemble_of(name: str) -> Ensemble:
    return Ensemble([get_agent(name)], np.ones(1), NOISE)


def test_agents_without_memory_that_are_not_compiled_play_in_lockstep():
    assert plays_in_lockstep(ensemble_of(NOT_COMPILED), 0)
    assert not plays_in_lockstep(ensemble_of("iggi"), 0)
    assert not plays_in_lockstep(ensemble_of("noisy:0:smartbot"), 0)


def test_the_hands_have_the_posterior_found_by_enumeration():
    ensemble, particles = ensemble_of("noisy:0.1:iggi"), 400
    cases = (past for past in late_pasts(("iggi", "iggi"), left=2))
    cases = (past for past in cases if 5 < len(possible_hands(past)) < 150)
    for past in islice(cases, 1):
        expected = posterior(ensemble, past)

        belief = LockstepBelief(past, ensemble, particles, candidates=2 * particles)
        belief.move(4)

        hands = [tuple(hand) for hand in belief.hands[:, past.since < 1_000].tolist()]
        assert set(hands) <= {hand for _, hand in expected}
        for (_, hand), probability in expected.items():
            error = abs(hands.count(hand) / particles - probability)
            assert error < 4.5 * np.sqrt(probability / particles) + 3 / particles


@pytest.mark.parametrize("left", [1, 20])
def test_rollouts_are_those_of_compiled_code(left):
    own, partner = get_agent("piers"), get_agent("iggi")
    assert isinstance(own, CompiledAgent)
    past = next(late_pasts(("piers", "iggi"), left))
    belief = Belief(past, Ensemble([partner], np.ones(1), NOISE), 10, 20)
    alike = LockstepBelief(past, ensemble_of(NOT_COMPILED), 10, 20)
    alike.decks = belief.particles.decks
    given = np.arange(10), own, np.zeros(0, np.uint8), np.array([5, 6]), 3

    scores = roll_out_in_lockstep(past, alike, *given)

    assert (scores == roll_out(past, belief, *given)).all()


def test_an_agent_searches_with_such_a_partner():
    partner, effort = get_agent(NOT_COMPILED), Effort(rollouts=40, round=20, particles=4, steps=1)
    agent = SearchAgent("searcher", get_agent("iggi"), ensemble_of(NOT_COMPILED), effort)

    first, second = (play([agent, partner], 1, seed=1) for _ in range(2))

    assert first.actions.tolist() == second.actions.tolist()


def test_an_agent_that_remembers_and_is_not_compiled_is_refused():
    with pytest.raises(HoadError, match="is not compiled"):
        SearchAgent("searcher", get_agent("iggi"), ensemble_of("noisy:0:smartbot"))
