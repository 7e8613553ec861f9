import numpy as np
import pytest
import torch

from hoad.agents import Agent, Batch, get_agent, play
from hoad.agents.imagined import imagine, last_states
from hoad.bayes.hypotheses import Hypotheses
from hoad.game.log import GameLogs
from hoad.game.rules import apply, deal
from hoad.game.state import full_game
from hoad.learning.networks import MetaModel, Perceptron
from hoad.learning.policies import NetworkAgent, PolicyAgent
from hoad.learning.rainbow.network import RainbowNetwork
from hoad.learning.rainbow.recipe import RainbowRecipe
from tests.game.examples import moves_at, up_to

# Rule lists certain and random, bots that remember, and one that is not compiled.
POOL = ("iggi", "holmesbot", "flawed", "smartbot", "noisy:0.2:simplebot", "legal-random")
SAMPLES = 2


def weights_move_by_move(agent: Agent, logs: GameLogs, seat: int) -> np.ndarray:
    """What the agent, in this seat, thinks of each of its moves: one state at a time."""
    weights = np.zeros(len(logs.actions))
    for game in range(len(logs)):
        state = full_game(2).new_states(1)
        state[0].deck[:] = logs.decks[game]
        deal(state[0], 0)
        memory = agent.new_memory(1)
        for index in range(logs.offsets[game], logs.offsets[game + 1]):
            action = logs.actions[index]
            if state[0].table.current == seat:
                batch = Batch(state, seat, memory)
                weights[index] = agent.weights(batch)[0, action]
            agent.observe(state, seat, memory, np.array([action]))
            apply(state[0], int(action))
    return weights


def nobody(logs: GameLogs, agents: int = len(POOL)) -> np.ndarray:
    return np.zeros((len(logs), agents), np.bool_)


@pytest.fixture(scope="module")
def agents() -> list[Agent]:
    return [get_agent(name) for name in POOL]


@pytest.fixture(scope="module", params=[0, 1])
def seat(request: pytest.FixtureRequest) -> int:
    """Where the meta-agent sits."""
    return request.param


@pytest.fixture(scope="module")
def logs() -> GameLogs:
    """Games of two that make all kinds of moves."""
    return play([get_agent("iggi"), get_agent("noisy:0.2:internal")], 5, seed=4)


@pytest.mark.parametrize("samples", [None, SAMPLES])
def test_weights_of_games_are_the_agents_own_or_means_over_imagined_games(
    agents, logs, seat, samples
):
    weights = Hypotheses(agents).weights_in_games(logs, seat, samples, nobody(logs))

    decks = [logs.decks] if samples is None else imagine(last_states(logs), seat, samples)[0]
    imagined = [GameLogs(2, deck, logs.actions, logs.offsets) for deck in decks]
    for index, agent in enumerate(agents):
        expected = [weights_move_by_move(agent, games, 1 - seat) for games in imagined]
        np.testing.assert_allclose(weights[:, index], np.mean(expected, axis=0), atol=1e-12)
    assert 0 < weights.mean() < 1


@pytest.mark.parametrize("turn", [0, 1, 8, 21])
def test_weights_of_moves_are_means_over_hands_that_fit_what_is_seen_after(agents, logs, turn):
    before, after = (last_states(up_to(logs, turns)) for turns in (turn, turn + 1))
    actions = moves_at(logs, turn)
    seat = 1 - turn % 2

    weights = Hypotheses(agents).weights_of_moves(before, actions, seat, SAMPLES, nobody(logs))

    decks, _ = imagine(after, seat, SAMPLES)
    for index, agent in enumerate(agents):
        expected = np.zeros(len(logs))
        for deck in decks:
            known = up_to(logs, turn + 1)
            games = GameLogs(2, deck, known.actions, known.offsets)
            expected += weights_move_by_move(agent, games, 1 - seat)[games.offsets[1:] - 1]
        np.testing.assert_allclose(weights[:, index], expected / SAMPLES, atol=1e-12)


def test_who_is_unlikely_is_shown_one_hand(agents, logs, seat):
    asked = Hypotheses(agents)
    unlikely = np.arange(len(logs) * len(POOL)).reshape(-1, len(POOL)) % 4 == 0
    states = last_states(up_to(logs, 20 + (1 - seat)))
    moves = np.full(len(logs), 5, np.uint8)
    ways = (SAMPLES, unlikely), (1, unlikely), (SAMPLES, nobody(logs))

    in_games = [asked.weights_in_games(logs, seat, *way) for way in ways]
    of_moves = [asked.weights_of_moves(states, moves, seat, *way) for way in ways]

    by_turn = np.repeat(unlikely, np.diff(logs.offsets), axis=0)
    np.testing.assert_array_equal(in_games[0], np.where(by_turn, *in_games[1:]))
    np.testing.assert_array_equal(of_moves[0], np.where(unlikely, *of_moves[1:]))
    assert (in_games[1] != in_games[2]).any()


def test_a_network_of_values_is_evaluated_by_its_best_move(logs):
    torch.manual_seed(0)
    rainbow = NetworkAgent("rainbow", RainbowNetwork(RainbowRecipe(steps=1, validate_every=1)))
    own_games = play((rainbow, rainbow), games=3, seed=1)

    of_its_own, of_others = (
        Hypotheses([rainbow]).weights_in_games(games, 0, None, nobody(games, agents=1))
        for games in (own_games, logs)
    )

    turns = np.arange(own_games.offsets[-1]) - np.repeat(
        own_games.offsets[:-1], np.diff(own_games.offsets)
    )
    np.testing.assert_array_equal(of_its_own[turns % 2 == 1, 0], 1)
    assert of_others.mean() < 0.2


def test_networks_are_evaluated_alike_in_many_games_and_in_one_move(logs):
    torch.manual_seed(0)
    networks = [PolicyAgent(name, MetaModel((32, 32))) for name in ("somebody", "somebody else")]
    pool = [networks[0], get_agent("iggi"), networks[1]]
    states = last_states(up_to(logs, 21))
    moves = moves_at(logs, 21)
    unlikely = np.arange(len(logs) * len(pool)).reshape(-1, len(pool)) % 3 == 0

    weights = Hypotheses(pool).weights_of_moves(states, moves, 0, SAMPLES, unlikely)

    decks, hands = imagine(last_states(up_to(logs, 22)), 0, SAMPLES)
    for index, network in zip((0, 2), networks, strict=True):
        given = np.zeros((SAMPLES, len(logs)))
        for sample, (deck, hand) in enumerate(zip(decks, hands, strict=True)):
            imagined = states.copy()
            imagined["deck"], imagined["hands"][:, 0] = deck, hand
            batch = Batch(imagined, 1, np.zeros((len(logs), 0), np.uint8))
            probabilities = network.masked_probabilities(batch)
            given[sample] = probabilities[np.arange(len(logs)), moves]
        expected = np.where(unlikely[:, index], given[0], given.mean(0))
        np.testing.assert_allclose(weights[:, index], expected, rtol=1e-4)


@pytest.mark.parametrize(
    "make", [lambda: MetaModel((32, 32)), lambda: Perceptron((64, 32), dropout=False)]
)
def test_the_moves_of_a_network_are_as_likely_as_it_finds_them(logs, make):
    torch.manual_seed(0)
    network = PolicyAgent("somebody", make())
    pool = [get_agent("iggi"), network]

    weights = Hypotheses(pool).weights_in_games(logs, 0, None, nobody(logs, agents=2))

    expected = weights_move_by_move(_Probable(network), logs, 1)
    np.testing.assert_allclose(weights[:, 1], expected, rtol=1e-4)
    assert weights[:, 1].sum() > 1


class _Probable(Agent):
    """Draws its moves as its network finds them probable."""

    def __init__(self, network: PolicyAgent) -> None:
        self._network = network

    def weights(self, batch: Batch) -> np.ndarray:
        return self._network.masked_probabilities(batch)
