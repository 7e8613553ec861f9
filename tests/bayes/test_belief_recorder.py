import numpy as np

from hoad.agents import get_agent
from hoad.bayes.belief_recorder import BeliefRecorder
from hoad.bayes.matchups import play_match_ups
from hoad.players.episodes import play_episodes
from tests.bayes.meta_agents import bayes_features, generalist

BELIEFS = (
    np.array([[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]]),
    np.array([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]]),
)


def recorded(partner):
    recorder = BeliefRecorder(("a", "b"), partner)
    for beliefs in BELIEFS:
        recorder.record(beliefs)
    return recorder.beliefs()


def test_beliefs_are_recorded_before_each_game():
    found = recorded(partner=0)

    assert found.hypotheses == ("a", "b")
    np.testing.assert_allclose(found.means, [[0.5, 0.5], [1.6 / 3, 1.4 / 3]])
    np.testing.assert_array_equal(found.of_first_episode, [[0.5, 0.5], [0.9, 0.1]])
    np.testing.assert_array_equal(found.in_partner, [[0.5, 0.9], [0.5, 0.2], [0.5, 0.5]])
    np.testing.assert_array_equal(found.found, [[0, 1], [0, 0], [0, 0]])
    assert np.isnan(found.estimates).all()


def test_partner_that_is_no_hypothesis_is_never_found():
    found = recorded(partner=None)

    assert np.isnan(found.in_partner).all()
    assert np.isnan(found.found).all()


def test_players_with_fixed_beliefs_record_none():
    match_ups = play_match_ups(("iggi", "flawed"), games=10, seed=1)
    learner, fixed = bayes_features(match_ups), generalist(match_ups)
    for player in (learner, fixed):
        play_episodes(player, get_agent("iggi"), 3, 4, seed=1)

    assert fixed.beliefs is None
    assert learner.beliefs is not None
    assert learner.beliefs.means.shape == (4, 2)
    np.testing.assert_allclose(learner.beliefs.means[0], 0.5)
