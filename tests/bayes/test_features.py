from dataclasses import replace

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.behaviour import count_behaviour, features_of
from hoad.bayes.belief import FixedBelief, UniformBelief
from hoad.bayes.features import BehaviourBelief, behaviour_between_moves, update_log_beliefs
from hoad.bayes.matchups import Matchups, play_matchups
from hoad.bayes.response import ExpectedBest
from hoad.game.log import GameLogs
from tests.game.examples import up_to

POOL = ("iggi", "flawed", "internal")

OBSERVATIONS = ((0.35, 0.62), (0.35, 0.62), (0.60, 0.45))

# The response to the prior, then after each observation the three largest beliefs, the response
# and its expected score: computed from the published matchups.
PUBLISHED = {
    1: (
        "23",
        ({"12": 0.354388, "22": 0.310725, "11": 0.107580}, "24", 14.6247),
        ({"12": 0.479767, "22": 0.444365, "11": 0.047421}, "13", 14.6935),
        ({"12": 0.497569, "22": 0.489675, "42": 0.006585}, "13", 14.9250),
    ),
    2: (
        "14",
        ({"12": 0.197565, "22": 0.146524, "31": 0.134887}, "33", 12.4560),
        ({"12": 0.434116, "22": 0.249034, "11": 0.147796}, "33", 12.2445),
        ({"12": 0.583901, "22": 0.396568, "21": 0.018877}, "24", 14.5981),
    ),
    3: (
        "23",
        ({"12": 0.515994, "11": 0.140487, "22": 0.073257}, "24", 14.5286),
        ({"12": 0.884611, "11": 0.065881, "22": 0.018503}, "24", 14.5458),
        ({"12": 0.976776, "30": 0.016567, "22": 0.004060}, "24", 14.8246),
    ),
}


@pytest.mark.parametrize("population", [1, 2, 3])
def test_beliefs_and_responses_are_those_of_the_published_matchups(published, population):
    matchups = published(population)
    names = matchups.agents
    respond = ExpectedBest(matchups)
    prior, *updates = PUBLISHED[population]
    log_beliefs = np.full((1, len(names)), -np.log(len(names)))
    response = respond.choose(np.exp(log_beliefs), seat=0)
    assert names[response[0]] == prior

    for observed, (largest, best, expected_score) in zip(OBSERVATIONS, updates, strict=True):
        expected = matchups.expected_features(seat=0)[response]
        log_beliefs = update_log_beliefs(log_beliefs, np.array([observed]), expected)

        beliefs = np.exp(log_beliefs)
        response = respond.choose(beliefs, seat=0)
        top = np.argsort(-beliefs[0])[:3]
        assert {names[h]: beliefs[0, h] for h in top} == pytest.approx(largest, abs=5e-7)
        assert names[response[0]] == best
        scores = matchups.scores(seat=0)[response[0]]
        assert float(beliefs[0] @ scores) == pytest.approx(expected_score, abs=5e-5)


def test_undefined_features_and_evidence_against_everybody_change_nothing():
    log_beliefs = np.log([[0.2, 0.3, 0.5]])
    expected = np.array([[[0.5, np.nan], [0.6, 0.1], [0.7, 0.2]]])

    unseen = update_log_beliefs(log_beliefs, np.array([[np.nan, np.nan]]), expected)
    after = update_log_beliefs(log_beliefs, np.array([[0.5, 0.1]]), expected)
    impossible = update_log_beliefs(log_beliefs, np.full((1, 2), 0.5), np.full((1, 3, 2), np.inf))

    np.testing.assert_allclose(np.exp(unseen), [[0.2, 0.3, 0.5]])
    np.testing.assert_allclose(np.exp(impossible), [[0.2, 0.3, 0.5]])
    weights = np.array([0.2 * 1, 0.3 * np.exp(-0.5), 0.5 * np.exp(-0.5 * (4 + 1))])
    np.testing.assert_allclose(np.exp(after), [weights / weights.sum()])


def test_belief_survives_evidence_too_unlikely_for_a_float():
    log_beliefs = np.log([[0.5, 0.5]])
    expected = np.array([[[0.0, 0.0], [0.1, 0.0]]])
    for _ in range(100):
        log_beliefs = update_log_beliefs(log_beliefs, np.array([[1.0, 1.0]]), expected)
    assert np.exp(log_beliefs[0]) == pytest.approx([0, 1])
    for _ in range(250):
        log_beliefs = update_log_beliefs(log_beliefs, np.array([[0.0, 0.0]]), expected * 2)

    assert np.isfinite(log_beliefs).all()
    assert np.exp(log_beliefs).sum() == pytest.approx(1)


@pytest.fixture(scope="module")
def matchups() -> Matchups:
    return play_matchups(POOL, games=50, seed=1)


@pytest.fixture(scope="module")
def logs() -> GameLogs:
    return play([get_agent("iggi"), get_agent("flawed")], 30, seed=9)


def belief_after(known: Matchups, logs: GameLogs, seat: int = 0, evidence="last_game", times=1):
    belief, episodes = BehaviourBelief(known, evidence), len(logs)
    belief.begin(episodes)
    for _ in range(times):
        belief.update(logs, seat, np.zeros(episodes, np.int64))
    return belief.probabilities


@pytest.mark.parametrize("seat", [0, 1])
def test_partner_is_evaluated_by_what_it_does_in_its_seat(matchups, seat):
    names = ["iggi", "flawed"] if seat == 0 else ["flawed", "iggi"]
    logs = play([get_agent(name) for name in names], 20, seed=9)

    beliefs = belief_after(matchups, logs, seat)

    shown = features_of(count_behaviour(logs)[:, 1 - seat])
    known = matchups.features[0, :, 1] if seat == 0 else matchups.features[:, 0, 0]
    densities = np.exp(-0.5 * (((shown[:, None] - known) / 0.1) ** 2).sum(2))
    expected = densities / densities.sum(1, keepdims=True)
    np.testing.assert_allclose(beliefs, expected, atol=1e-12)
    assert (beliefs.argmax(1) == POOL.index("flawed")).mean() > 0.7


@pytest.mark.parametrize(
    ("evidence", "observe"),
    [
        ("last_game", lambda logs: count_behaviour(logs)[1:, 1]),
        ("cumulative", lambda logs: count_behaviour(logs)[:, 1]),
        ("as_published", lambda logs: behaviour_between_moves(logs, 0)),
    ],
)
def test_evidence_is_the_last_game_or_all_games(matchups, logs, evidence, observe):
    belief = BehaviourBelief(matchups, evidence)
    belief.begin(1)
    for game in range(2):
        before = np.log(belief.probabilities)
        belief.update(logs.select(np.array([game])), 0, np.zeros(1, np.int64))

    observed = features_of(observe(logs.select(np.arange(2))).sum(0))[None]
    expected = update_log_beliefs(before, observed, matchups.expected_features(0)[[0]])
    np.testing.assert_allclose(belief.probabilities, np.exp(expected))
    belief.begin(1)
    assert belief.probabilities == pytest.approx(np.full((1, 3), 1 / 3))
    one = logs.select(np.array([0]))
    belief.update(one, 0, np.zeros(1, np.int64))
    np.testing.assert_array_equal(
        belief.probabilities, belief_after(matchups, one, evidence=evidence)
    )


@pytest.mark.parametrize("seat", [0, 1])
def test_published_program_sees_the_partner_between_its_own_moves_only(logs, seat):
    seen = behaviour_between_moves(logs, seat)

    lengths = np.diff(logs.offsets)
    assert set(lengths % 2) == {0, 1}  # games that end with either seat's move
    for game, turns in enumerate(lengths.tolist()):
        alone, own = logs.select(np.array([game])), range(seat, turns, 2)
        until, before = (count_behaviour(up_to(alone, own[place])) for place in (-1, 0))
        np.testing.assert_array_equal(seen[game], (until - before)[0, 1 - seat])


def test_published_program_takes_undefined_observations_for_zero(matchups, logs):
    first_turn = up_to(logs.select(np.array([0])), 1)

    beliefs = belief_after(matchups, first_turn, evidence="as_published")

    densities = np.exp(-0.5 * ((matchups.expected_features(0)[0] / 0.1) ** 2).sum(1))
    np.testing.assert_allclose(beliefs[0], densities / densities.sum())


def test_published_program_rules_out_who_never_showed_a_feature(matchups, logs):
    features = matchups.features.copy()
    features[0, 1, 1, 1] = np.nan

    known = replace(matchups, features=features)
    beliefs = belief_after(known, logs, evidence="as_published", times=2)

    assert (beliefs[:, 1] == 0).all()
    assert beliefs.sum(1) == pytest.approx(1)


@pytest.mark.parametrize("belief", [FixedBelief(np.array([0.0, 1, 0])), UniformBelief(4)])
def test_fixed_and_uniform_beliefs_learn_nothing(belief):
    belief.begin(2)
    before = belief.probabilities.tolist()

    belief.update(play([get_agent("iggi")] * 2, 2, seed=1), 0, np.zeros(2, np.int64))

    assert belief.probabilities.tolist() == before
    assert before in ([[0, 1, 0]] * 2, [[0.25] * 4] * 2)
