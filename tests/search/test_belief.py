from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

from hoad.agents import get_agent
from hoad.agents.follow import memory_at
from hoad.core.errors import HoadError
from hoad.partners.model import Ensemble
from hoad.search.belief import Belief
from hoad.search.past import NEVER, Past
from tests.search.late_games import late_pasts, likelihood, possible_hands, posterior

NOISE = 0.1


def pasts_of_few_hands(name: str) -> Iterator[Past]:
    pasts = late_pasts((name, name), left=2)
    return (past for past in pasts if 5 < len(possible_hands(past)) < 150)


def assert_posterior(belief: Belief, ensemble: Ensemble, past: Past) -> None:
    """Compare hypotheses and hands of all particles with the posterior found by enumeration."""
    hands = map(tuple, belief.hands[:, past.since < NEVER].tolist())
    drawn = list(zip(belief.particles.hypotheses.tolist(), hands, strict=True))
    expected, particles = posterior(ensemble, past), len(drawn)
    assert set(drawn) <= set(expected)
    for key, probability in expected.items():
        error = abs(drawn.count(key) / particles - probability)
        assert error < 4.5 * np.sqrt(probability / particles) + 3 / particles


@pytest.mark.parametrize("partner", ["iggi", "holmesbot"])
def test_the_particles_have_the_posterior_found_by_enumeration(partner):
    agents = [get_agent(name) for name in ("iggi", "holmesbot")]
    ensemble = Ensemble(agents, np.array([0.3, 0.7]), NOISE)
    pasts = list(islice(pasts_of_few_hands(partner), 2))
    assert len(pasts) == 2
    for past in pasts:
        belief = Belief(past, ensemble, 4_000, candidates=8_000)
        belief.move(5)

        assert_posterior(belief, ensemble, past)


def test_metropolis_moves_alone_lead_to_the_posterior():
    ensemble = Ensemble.of(get_agent("smartbot"), 0.3)
    past = next(pasts_of_few_hands("smartbot"))

    belief = Belief(past, ensemble, 1_000, candidates=1)  # one hand, again and again
    belief.move(500)

    assert_posterior(belief, ensemble, past)


def test_every_particle_remembers_what_its_partner_would():
    ensemble = Ensemble([get_agent("holmesbot"), get_agent("smartbot")], np.full(2, 0.5), NOISE)
    past = next(late_pasts(("smartbot", "holmesbot"), left=9))

    belief = Belief(past, ensemble, particles=40, candidates=80)
    belief.move(4)

    particles = belief.particles
    for hypothesis, deck, memory in zip(
        particles.hypotheses, particles.decks, particles.memory, strict=True
    ):
        state = past.now.copy()
        state["deck"][0] = deck
        known = memory_at(ensemble.agents[hypothesis], state, 1 - past.seat)[0]
        assert (memory[: len(known)] == known).all()


@pytest.mark.parametrize("names", [("iggi", "piers"), ("holmesbot", "smartbot")])
def test_the_evidence_of_a_changed_hand_is_that_of_the_whole_game(names):
    ensemble = Ensemble([get_agent(name) for name in names], np.full(2, 0.5), NOISE)
    past = next(late_pasts(names, left=9))

    belief = Belief(past, ensemble, particles=20, candidates=40)
    belief.move(20)

    held = past.since < NEVER
    particles = belief.particles
    for hypothesis, hand, evidence in zip(
        particles.hypotheses, belief.hands[:, held], particles.evidence, strict=True
    ):
        whole = likelihood(ensemble.agents[hypothesis], NOISE, past, tuple(hand.tolist()))
        assert evidence == pytest.approx(np.log(whole))


def test_hypotheses_of_the_same_code_are_one_group():
    names = ("iggi", "piers", "holmesbot")
    ensemble = Ensemble([get_agent(name) for name in names], np.array([0.2, 0.2, 0.6]), 1.0)
    past = next(late_pasts(("iggi", "iggi"), left=30))  # all moves are noise

    belief = Belief(past, ensemble, particles=50, candidates=50)

    lists, bots = belief.groups
    assert (lists.rows.start, lists.rows.stop) == (0, bots.rows.start)
    assert bots.rows.stop == 50
    assert set(belief.particles.hypotheses[bots.rows]) == {2}


def test_a_partner_that_contradicts_the_model_leaves_hands_that_fit_the_hints():
    ensemble = Ensemble.of(get_agent("smartbot"), 0.01)
    past = next(late_pasts(("legal-random", "legal-random"), left=30))

    belief = Belief(past, ensemble, particles=50, candidates=100)

    ways = {tuple(sorted(deck)) for deck in belief.particles.decks.tolist()}
    assert len(belief.particles.decks) == 50
    assert len(ways) == 1  # all decks hold the same cards


def test_agents_that_are_not_compiled_are_refused():
    past = next(late_pasts(("iggi", "iggi"), left=9))
    with pytest.raises(HoadError, match=r"noisy:0\.1:iggi is not compiled"):
        Belief(past, Ensemble.of(get_agent("noisy:0.1:iggi"), NOISE), 10, 10)
