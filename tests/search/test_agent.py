"""Agents and players that search, also with a partner that is not compiled."""

import numpy as np
import pytest

from hoad.adhoc_player import Support, play_episodes
from hoad.agents import get_agent, play
from hoad.agents.agent import CompiledAgent
from hoad.agents.check import check_agent
from hoad.core.errors import HoadError
from hoad.game.log import replay
from hoad.partners.kinds import Knowledge
from hoad.partners.model import Ensemble
from hoad.search import strategy
from hoad.search.agent import SearchAgent
from hoad.search.belief import Belief
from hoad.search.blueprint import best_response
from hoad.search.effort import Effort
from hoad.search.lockstep import LockstepBelief, plays_in_lockstep, roll_out_in_lockstep
from hoad.search.past import NEVER
from hoad.search.player import SearchPlayer
from hoad.search.rollouts import roll_out
from tests.scripts import prints_the_same_without_compilation
from tests.search.late_games import late_pasts, possible_hands, posterior

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
agent = SearchAgent("search", iggi, Ensemble.of(iggi, 0.01), effort)
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
    registered = get_agent("search:smartbot")
    assert (registered.name, registered.plays_as) == ("search:smartbot", ("smartbot",))


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


SMALLER = Effort(rollouts=60, round=40, particles=8, steps=2)
POOL = get_agent("outer"), get_agent("noisy:0.1:iggi")
KNOWN = Knowledge(POOL, "rainbow")


@pytest.mark.usefixtures("quick_choices")
def test_a_trial_alone_has_the_games_that_it_has_among_others_and_after_earlier_sessions(
    monkeypatch,
):
    for name in ("LEARNED_EFFORT", "LOGIT_EFFORT"):
        monkeypatch.setattr(strategy, name, SMALLER)
    partner = get_agent("piers")
    player = SearchPlayer("search", Support(partner, 2, 1), KNOWN)

    together = play_episodes(player, partner, 2, 2, seed=1)
    alone = [
        play_episodes(player.in_trial(trial), partner, 1, 2, seed=1, first_episode=trial)
        for trial in range(2)
    ]

    again = play_episodes(player, partner, 2, 2, seed=1)
    assert np.array_equal(together.lenient, np.concatenate([one.lenient for one in alone]))
    assert np.array_equal(together.lenient, again.lenient)
    one_trial = SearchPlayer("search", Support(partner, 1, 1), KNOWN)
    assert np.array_equal(one_trial.repetitions(2), [0, 0])


@pytest.mark.parametrize(("partner", "best"), [("holmesbot", "valuebot"), ("piers", "iggi")])
def test_conventions_of_the_partner_decide(partner, best):
    agents = [get_agent(name) for name in ("flawed", "valuebot", "iggi")]

    assert best_response(agents, get_agent(partner)).name == best


def test_agents_that_drop_out_are_worse_than_those_that_are_left():
    good = [get_agent(name) for name in ("iggi", "piers", "outer", "van-den-bergh")]
    bad = [get_agent(name) for name in ("legal-random", "simplebot", "valuebot", "holmesbot")]

    assert best_response([*bad, *good], get_agent("iggi")) in good


NOISE = 0.05
NOT_COMPILED = "noisy:0:iggi"


def ensemble_of(name: str) -> Ensemble:
    return Ensemble.of(get_agent(name), NOISE)


def test_agents_without_memory_that_are_not_compiled_play_in_lockstep():
    assert plays_in_lockstep(ensemble_of(NOT_COMPILED), 0)
    assert not plays_in_lockstep(ensemble_of("iggi"), 0)
    assert not plays_in_lockstep(ensemble_of("noisy:0:smartbot"), 0)


def test_the_hands_have_the_posterior_found_by_enumeration():
    ensemble, particles = ensemble_of("noisy:0.1:iggi"), 400
    pasts = late_pasts(("iggi", "iggi"), left=2)
    past = next(past for past in pasts if 5 < len(possible_hands(past)) < 150)
    expected = posterior(ensemble, past)

    belief = LockstepBelief(past, ensemble, particles, candidates=2 * particles)
    belief.move(4)

    hands = [tuple(hand) for hand in belief.hands[:, past.since < NEVER].tolist()]
    assert set(hands) <= {hand for _, hand in expected}
    for (_, hand), probability in expected.items():
        error = abs(hands.count(hand) / particles - probability)
        assert error < 4.5 * np.sqrt(probability / particles) + 3 / particles


@pytest.mark.parametrize("left", [1, 20])
def test_rollouts_are_those_of_compiled_code(left):
    own, partner = get_agent("piers"), get_agent("iggi")
    assert isinstance(own, CompiledAgent)
    past = next(late_pasts(("piers", "iggi"), left))
    belief = Belief(past, Ensemble.of(partner, NOISE), 10, 20)
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


def test_agents_that_remember_and_are_not_compiled_or_networks_alone_are_refused():
    with pytest.raises(HoadError, match="needs a rule list or bot"):
        SearchPlayer("search", Support(POOL[0], 1, 2), Knowledge(POOL[1:], "rainbow"))
    with pytest.raises(HoadError, match="is not compiled"):
        SearchAgent("searcher", get_agent("iggi"), ensemble_of("noisy:0:smartbot"))


def test_a_blueprint_that_predicts_nothing_cannot_hold_a_search():
    with pytest.raises(ValueError, match=r"least = 0\.1 with iggi, expected a ModelAgent"):
        SearchAgent("searcher", get_agent("iggi"), ensemble_of("iggi"), least=0.1)
