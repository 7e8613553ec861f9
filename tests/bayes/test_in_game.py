import numpy as np
import pytest

from hoad.adhoc_player import play_episodes
from hoad.agents import Batch, get_agent, play
from hoad.agents.check import check_agent, rearranged
from hoad.agents.games import play_numbered
from hoad.agents.imagined import last_states
from hoad.bayes.hypotheses import Hypotheses
from hoad.bayes.matchups import Matchups, play_matchups
from hoad.bayes.moves import (
    NOISE,
    SAMPLES,
    BayesMovesAgent,
    InGameMetaAgent,
    LikelihoodBelief,
    log_evidence,
    unlikely,
)
from hoad.bayes.pool import agents_of
from hoad.game.log import replay
from tests.bayes.meta_agents import POOL, generalist
from tests.game.examples import moves_at, up_to

SEED = 21


@pytest.fixture(scope="module")
def matchups() -> Matchups:
    return play_matchups(POOL, games=200, seed=1)


def best_with_itself(*names: str) -> Matchups:
    """Matchups in which everybody's best response is itself."""
    scores, features = np.eye(len(names)), np.zeros((len(names), len(names), 2, 2))
    return Matchups(names, scores, scores, features)


@pytest.mark.parametrize("turn", [10, 41])
def test_no_hidden_card_reaches_a_belief(matchups, turn):
    played = play([get_agent(POOL[1]), get_agent(POOL[3])], 20, seed=SEED)
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
    logs = play([get_agent(POOL[1]), get_agent(POOL[3])], 4, seed=SEED)
    memory = agent.new_memory(4)
    expected = np.zeros((4, len(POOL) + 1))

    for turn in range(20):
        states = last_states(up_to(logs, turn))
        actions = moves_at(logs, turn)
        agent.observe(states, seat, memory, actions)
        if turn % 2 != seat:
            asked = Hypotheses(agents_of(POOL))
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
    return InGameMetaAgent("bayes-moves", matchups)


def test_adapting_gains_over_the_generalist_from_the_first_game_on(matchups):
    gains = []
    for partner in POOL:
        player = in_game(matchups)
        found, unmoved = (
            play_episodes(who, get_agent(partner), 40, 3, SEED).lenient.astype(float)
            for who in (player, generalist(matchups))
        )
        gains.append(found - unmoved)
        assert (player.belief.probabilities.argmax(1) == POOL.index(partner)).mean() > 0.95

    assert (np.mean(gains, axis=(0, 1)) > 0.2).all()


def test_what_a_game_has_shown_is_known_in_the_next(matchups):
    player, agent = in_game(matchups), BayesMovesAgent("bayes-moves", matchups)
    player.begin(2, SEED)
    np.testing.assert_array_equal(player.memory(0, seat=0), agent.new_memory(2))

    [first, *_] = player.agents(0, 0)
    logs = play([first, get_agent(POOL[3])], 2, SEED)
    player.watch(0, 0, logs)

    np.testing.assert_array_equal(player.memory(1, 0), agent.memory_with(player.belief.evidence))
    again = LikelihoodBelief(agents_of(POOL))
    again.begin(2)
    again.update(logs, 0, np.zeros(2, np.int64))
    np.testing.assert_array_equal(player.belief.evidence, again.evidence)


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
