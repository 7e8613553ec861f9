"""Beliefs from moves, and the recorder of beliefs."""

import numpy as np
import pytest

from hoad.adhoc_player import play_episodes
from hoad.agents import Agent, Batch, get_agent, play
from hoad.agents.check import check_agent, rearranged
from hoad.agents.games import play_numbered
from hoad.agents.imagined import last_states
from hoad.bayes.belief import BeliefRecorder
from hoad.bayes.hypotheses import Hypotheses
from hoad.bayes.in_game import InGameMetaAgent
from hoad.bayes.matchups import Matchups, play_matchups
from hoad.bayes.moves import (
    NOISE,
    SAMPLES,
    BayesMovesAgent,
    LikelihoodBelief,
    beliefs_from,
    log_evidence,
    unlikely,
)
from hoad.bayes.pool import agents_of
from hoad.game.log import GameLogs, replay
from tests.bayes.meta_agents import POOL as ELITES
from tests.bayes.meta_agents import bayes_features, generalist
from tests.game.examples import moves_at, up_to

POOL = ("iggi", "internal", "outer", "flawed", "piers", "van-den-bergh")
EPISODES = 40


@pytest.fixture(scope="module")
def agents() -> list[Agent]:
    return [get_agent(name) for name in POOL]


def games_with(partner: str, seat: int, games: int = EPISODES) -> GameLogs:
    names = ["iggi", partner] if seat == 0 else [partner, "iggi"]
    return play([get_agent(name) for name in names], games, seed=8)


def belief_after(
    agents: list[Agent], logs: GameLogs, seat: int, reveal: bool = False
) -> np.ndarray:
    belief = LikelihoodBelief(agents, reveal)
    belief.begin(len(logs))
    belief.update(logs, seat, np.zeros(len(logs), np.int64))
    return belief.probabilities


@pytest.mark.parametrize("reveal", [False, True])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("partner", POOL)
def test_one_game_shows_who_the_partner_is(agents, partner, seat, reveal):
    beliefs = belief_after(agents, games_with(partner, seat), seat, reveal=reveal)

    np.testing.assert_allclose(beliefs.sum(1), 1)
    assert (beliefs.argmax(1) == POOL.index(partner)).mean() >= 0.95
    assert beliefs[:, POOL.index(partner)].mean() > 0.9


def test_evidence_is_that_of_all_games(agents):
    belief = LikelihoodBelief(agents)
    belief.begin(3)
    assert belief.probabilities == pytest.approx(np.full((3, len(POOL)), 1 / len(POOL)))
    total = np.zeros((3, len(POOL) + 1))
    for seat in range(2):
        logs = games_with("flawed", seat, games=3)
        belief.update(logs, seat, np.zeros(3, np.int64))
        alone = LikelihoodBelief(agents)
        alone.begin(3)
        alone.update(logs, seat, np.zeros(3, np.int64))
        total += alone.knowledge

    np.testing.assert_allclose(belief.probabilities, beliefs_from(total), atol=1e-6)


def test_a_move_that_a_hypothesis_never_makes_does_not_rule_it_out():
    evidence = log_evidence(np.array([[1.0, 0.0, 0.5]]), noise=0.1)

    stranger = 0.9 * 0.5 + 0.005
    np.testing.assert_allclose(np.exp(evidence), [[0.905, 0.005, 0.455, stranger]])
    shares = np.array([0.905, 0.005, 0.455]) + stranger / 3
    np.testing.assert_allclose(beliefs_from(evidence), [shares / (1.365 + stranger)])
    too_unlikely = np.array([[-5000.0, -5001.0, -9000.0]])  # for a float
    np.testing.assert_allclose(beliefs_from(too_unlikely), [[0.731, 0.269]], atol=1e-3)


def test_whoever_explains_few_of_the_moves_is_not_believed_in():
    moves = np.arange(30)
    by_turns = np.eye(3)[moves % 3]
    mostly_first = np.eye(3)[np.where(moves < 28, 0, 1)]

    evidence = [log_evidence(weights, 0.05).sum(0) for weights in (by_turns, mostly_first)]
    evidence[0][0] += 2.0  # the first seems likelier than the others

    beliefs = beliefs_from(np.array(evidence))
    assert beliefs[0] == pytest.approx(np.full(3, 1 / 3), abs=1e-6)
    assert beliefs[1] == pytest.approx([1, 0, 0], abs=1e-6)


@pytest.mark.parametrize("turn", [10, 41])
def test_only_a_table_laid_open_shows_cards_that_never_left_the_hand(agents, turn):
    played = play([get_agent("iggi"), get_agent("flawed")], 30, seed=5)
    pair = [up_to(logs, -1) for logs in rearranged(played, turn, np.random.default_rng(2))]
    seat = turn % 2

    hidden, others = (belief_after(agents, logs, seat) for logs in pair)
    open_, other_open = (belief_after(agents, logs, seat, reveal=True) for logs in pair)

    np.testing.assert_array_equal(hidden, others)
    assert (open_ != other_open).any()


def test_episodes_do_not_depend_on_each_other(agents):
    logs = games_with("internal", 1)
    together = belief_after(agents, logs, 1)

    alone = belief_after(agents, logs.select(np.array([7])), 1)

    np.testing.assert_array_equal(alone[0], together[7])


BELIEFS = (
    np.array([[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]]),
    np.array([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]]),
)


def test_beliefs_are_recorded_before_each_game():
    beliefs, of_stranger = (BeliefRecorder(("a", "b"), partner) for partner in (0, None))
    for recorder in (beliefs, of_stranger):
        for each in BELIEFS:
            recorder.record(each)
    found, unknown = beliefs.beliefs(), of_stranger.beliefs()

    assert found.hypotheses == ("a", "b")
    np.testing.assert_allclose(found.means, [[0.5, 0.5], [1.6 / 3, 1.4 / 3]])
    np.testing.assert_array_equal(found.of_first_episode, [[0.5, 0.5], [0.9, 0.1]])
    np.testing.assert_array_equal(found.in_partner, [[0.5, 0.9], [0.5, 0.2], [0.5, 0.5]])
    np.testing.assert_array_equal(found.found, [[0, 1], [0, 0], [0, 0]])
    for undefined in (found.estimates, unknown.in_partner, unknown.found):
        assert np.isnan(undefined).all()


def test_players_with_fixed_beliefs_record_none():
    matchups = play_matchups(("iggi", "flawed"), games=10, seed=1)
    learner, fixed = bayes_features(matchups), generalist(matchups)
    for player in (learner, fixed):
        play_episodes(player, get_agent("iggi"), 3, 4, seed=1)

    assert fixed.beliefs is None
    assert learner.beliefs is not None
    assert learner.beliefs.means.shape == (4, 2)
    np.testing.assert_allclose(learner.beliefs.means[0], 0.5)


SEED = 21


@pytest.fixture(scope="module")
def matchups() -> Matchups:
    return play_matchups(ELITES, games=200, seed=1)


def best_with_itself(*names: str) -> Matchups:
    """Matchups in which everybody's best response is itself."""
    scores, features = np.eye(len(names)), np.zeros((len(names), len(names), 2, 2))
    return Matchups(names, scores, scores, features)


@pytest.mark.parametrize("turn", [10, 41])
def test_no_hidden_card_reaches_a_belief(matchups, turn):
    played = play([get_agent(ELITES[1]), get_agent(ELITES[3])], 20, seed=SEED)
    pair, seat = rearranged(played, turn, np.random.default_rng(1)), turn % 2

    hands = [last_states(up_to(logs, turn))["hands"][:, seat] for logs in pair]
    memories = []
    for logs in pair:
        agent = BayesMovesAgent("bayes-moves", matchups)
        memories.append(agent.new_memory(len(logs)))
        for earlier in range(turn):
            states = last_states(up_to(logs, earlier))
            agent.observe(states, seat, memories[-1], moves_at(logs, earlier))

    assert (hands[0] != hands[1]).any()
    np.testing.assert_array_equal(memories[0], memories[1])


@pytest.mark.parametrize("seat", [0, 1])
def test_evidence_is_that_of_every_move_of_the_partner(matchups, seat):
    agent = BayesMovesAgent("bayes-moves", matchups)
    logs = play([get_agent(ELITES[1]), get_agent(ELITES[3])], 4, seed=SEED)
    memory = agent.new_memory(4)
    expected = np.zeros((4, len(ELITES) + 1))

    for turn in range(20):
        states = last_states(up_to(logs, turn))
        actions = moves_at(logs, turn)
        agent.observe(states, seat, memory, actions)
        if turn % 2 != seat:
            asked = Hypotheses(agents_of(ELITES))
            rare = unlikely(expected)
            weights = asked.weights_of_moves(states, actions, seat, SAMPLES, rare)
            expected += log_evidence(weights, NOISE)

    np.testing.assert_array_equal(memory, agent.memory_with(expected))
    assert expected[:, 3 if seat == 0 else 1].mean() > expected.mean()


def test_response_changes_as_soon_as_the_evidence_does():
    agent = BayesMovesAgent("bayes-moves", best_with_itself("iggi", "flawed"))
    states = last_states(up_to(play([get_agent("iggi")] * 2, 3, seed=SEED), 10))
    memory = agent.memory_with(np.array([[0.0, -9, -9], [-9, 0, -9], [-9, 0, -9]]))
    no_streams = np.zeros(3, np.uint64)

    weights = agent.weights(Batch(states, 0, memory, no_streams))

    for game, name in enumerate(("iggi", "flawed", "flawed")):
        nothing = np.zeros((1, 0), np.uint8)
        batch = Batch(states[[game]], 0, nothing, no_streams[:1])
        np.testing.assert_array_equal(weights[[game]], get_agent(name).weights(batch))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("response", ["holmesbot", "smartbot", "iggi"])
def test_who_is_certain_of_its_partner_plays_as_the_best_response_does(response, seat):
    pool = ("smartbot", "iggi", "holmesbot")
    agent = BayesMovesAgent("bayes-moves", best_with_itself(*pool))
    certain = np.where(np.arange(4) == pool.index(response), 0, np.full((6, 4), -1e9))
    known = agent.memory_with(certain)
    partner, numbers = get_agent("simplebot"), np.arange(6)

    seats, memory = [agent, partner], [known, None]
    played_as = [get_agent(response), partner]
    if seat == 1:
        seats, memory, played_as = seats[::-1], memory[::-1], played_as[::-1]
    logs = play_numbered(seats, numbers, SEED, memory=memory)

    np.testing.assert_array_equal(logs.actions, play_numbered(played_as, numbers, SEED).actions)


def in_game(matchups: Matchups) -> InGameMetaAgent:
    return InGameMetaAgent(BayesMovesAgent("bayes-moves", matchups))


def test_adapting_gains_over_the_generalist_from_the_first_game_on(matchups):
    gains = []
    for partner in ELITES:
        player = in_game(matchups)
        found, unmoved = (
            play_episodes(who, get_agent(partner), 40, 3, SEED).lenient.astype(float)
            for who in (player, generalist(matchups))
        )
        gains.append(found - unmoved)
        assert (player.belief.probabilities.argmax(1) == ELITES.index(partner)).mean() > 0.95

    assert (np.mean(gains, axis=(0, 1)) > 0.2).all()


def test_what_a_game_has_shown_is_known_in_the_next(matchups):
    player, agent = in_game(matchups), BayesMovesAgent("bayes-moves", matchups)
    player.begin(2, SEED)
    np.testing.assert_array_equal(player.memory(0, seat=0), agent.new_memory(2))

    [first, *_] = player.agents(0, 0)
    logs = play([first, get_agent(ELITES[3])], 2, SEED)
    player.watch(0, 0, logs)

    np.testing.assert_array_equal(player.memory(1, 0), agent.memory_with(player.belief.knowledge))
    again = LikelihoodBelief(agents_of(ELITES))
    again.begin(2)
    again.update(logs, 0, np.zeros(2, np.int64))
    np.testing.assert_array_equal(player.belief.knowledge, again.knowledge)


def test_two_of_them_meet(matchups):
    first, second = in_game(matchups), in_game(matchups)

    played = play_episodes(first, second, 4, 3, SEED)
    again = play_episodes(in_game(matchups), in_game(matchups), 4, 3, SEED, threads=2)

    np.testing.assert_array_equal(played.lenient, again.lenient)
    for player in (first, second):
        assert (player.belief.probabilities.max(1) > 0.5).all()


def test_bayes_moves_agents_are_sound_and_sit_at_any_table(matchups):
    agent = get_agent("bayes-moves:iggi+flawed+piers")

    assert replay(play([agent, agent], 5, seed=1)).over.all()
    assert agent.identity != get_agent("bayes-moves:iggi+flawed").identity
    assert check_agent(BayesMovesAgent("bayes-moves", matchups), games=15) == []
