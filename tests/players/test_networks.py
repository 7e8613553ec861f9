"""Low-shot and naive players, with networks small enough to learn in a second."""

import itertools

import numpy as np
import pytest
import torch

from hoad.adhoc_player import Support, play_episodes, trials_of
from hoad.agents import Agent, get_agent, play
from hoad.agents.follow import move_probabilities
from hoad.core.errors import HoadError
from hoad.game.log import encode_turns
from hoad.learning.maml.inner_loop import adapt
from hoad.learning.policies import load_meta_model
from hoad.learning.recipes import NaiveRecipe
from hoad.players.networks import LowShotPlayer, NaivePlayer
from tests.meta_models import save_meta_model

EPISODES, GAMES, TRIALS, SUPPORT_GAMES = 4, 2, 2, 3
NUMBERS = itertools.count()
SMALL = NaiveRecipe(hidden=(32,), batch_size=32, epochs=3, precision="float32")


@pytest.fixture
def partner():
    return get_agent("iggi")


@pytest.fixture
def save_model(tmp_path, monkeypatch):
    """Save an untrained meta-model that is to be adapted in this way."""
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))

    def save(**about):
        save_meta_model(tmp_path, "iggi", **about)

    return save


class Scribe(Agent):
    """Plays as another agent and writes down the decks of its games."""

    def __init__(self, agent: Agent) -> None:
        self.name = f"scribe {next(NUMBERS)}"  # no support of another one is taken for its own
        self.agent = agent
        self.decks: set[bytes] = set()

    def weights(self, batch):
        self.decks.update(deck.tobytes() for deck in batch.states["deck"])
        return self.agent.weights(batch)


def low_shot(partner):
    return LowShotPlayer("low-shot", Support(partner, TRIALS, SUPPORT_GAMES), ["iggi"])


def naive(partner):
    return NaivePlayer("naive", Support(partner, TRIALS, SUPPORT_GAMES), SMALL)


def test_naive_refuses_games_with_others_before_it_plays(partner):
    recorded = play([partner, get_agent("piers")], 1, seed=1)
    support = Support(partner, 1, 1, recorded=recorded, seats=np.array([[True, False]]))

    with pytest.raises(HoadError, match="self-play games only"):
        NaivePlayer("naive", support, SMALL)


def weights(network):
    return torch.cat([tensor.flatten() for tensor in network.state_dict().values()])


def seat(player, seed=5):
    player.begin(EPISODES, seed)
    return player.agents(0, 1)


def test_episodes_are_shared_out_among_the_trials_in_order():
    assert trials_of(5, 2).tolist() == [0, 0, 0, 1, 1]
    assert trials_of(4, 4).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("make", [low_shot, naive])
def test_games_to_learn_from_are_fresh_and_none_of_the_session(partner, save_model, make):
    save_model()
    learned_from, met = Scribe(partner), Scribe(partner)

    player = make(learned_from)
    first = play_episodes(player, met, EPISODES, GAMES, seed=5)

    assert first.lenient.shape == (EPISODES, GAMES)
    assert len(learned_from.decks) == TRIALS * SUPPORT_GAMES
    assert len(met.decks) == EPISODES * GAMES
    assert not learned_from.decks & met.decks
    again = play_episodes(player, met, EPISODES, GAMES, seed=5)
    np.testing.assert_array_equal(first.lenient, again.lenient)


@pytest.mark.parametrize("make", [low_shot, naive])
def test_they_learn_once_a_trial_what_the_seed_decides(partner, save_model, make):
    save_model()

    seated = seat(make(partner))

    assert seated[0] is seated[1]
    assert seated[2] is seated[3]
    assert not torch.equal(weights(seated[0].network), weights(seated[2].network))
    again, other = (seat(make(partner), seed)[0].network for seed in (5, 6))
    assert torch.equal(weights(seated[0].network), weights(again))
    assert not torch.equal(weights(again), weights(other))


def test_each_trial_adapts_the_meta_model_and_not_the_trial_before(partner, save_model):
    save_model(inner_rate=1e-12)  # as good as none

    seated = seat(low_shot(partner))

    unadapted = weights(load_meta_model("iggi")[0])
    for agent in (seated[0], seated[2]):
        torch.testing.assert_close(weights(agent.network), unadapted)


def test_low_shot_learns_what_the_partner_does(partner, save_model):
    save_model()
    logs = play([partner, partner], 20, seed=77)

    agents = seat(low_shot(partner))[0], get_agent("maml:iggi")

    adapted, unadapted = (move_probabilities(agent, logs).mean() for agent in agents)
    assert adapted > unadapted


@pytest.mark.parametrize("episode", ["games", "transitions"])
def test_low_shot_takes_as_many_steps_as_its_checkpoint_says(partner, save_model, episode):
    """Models of the published code, which learn from transitions, take a step on each game."""
    save_model(inner_rate=0.1, episode=episode, play_steps=3)
    model, _ = load_meta_model("iggi")
    logs = play([partner, partner], SUPPORT_GAMES, seed=77)
    both = np.ones((len(logs), 2), np.bool_)

    learned = low_shot(partner).learn(logs, both, seed=5, trial=0)

    each_game, turns = episode == "transitions", encode_turns(logs)
    adapted = adapt(model, turns, lr=0.1, steps=3, each_game=each_game)
    otherwise = adapt(model, turns, lr=0.1, steps=3, each_game=not each_game)
    torch.testing.assert_close(weights(learned.network), weights(adapted))
    assert not torch.equal(weights(learned.network), weights(otherwise))


def test_low_shot_needs_a_training_that_has_ended(partner, save_model, monkeypatch, tmp_path):
    save_model(play_steps=None)

    with pytest.raises(HoadError, match="maml:iggi: its training has not chosen inner steps"):
        low_shot(partner)
    LowShotPlayer("low-shot", Support(partner, TRIALS, SUPPORT_GAMES), ["iggi"], steps=2)
    monkeypatch.setattr("hoad.core.paths.SHIPPED_CHECKPOINTS", tmp_path)
    (tmp_path / "maml").rename(tmp_path / "elsewhere")
    with pytest.raises(HoadError, match="no such checkpoint"):
        low_shot(partner)
