import copy
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from hoad.agents import Batch, get_agent, play
from hoad.agents.imagined import last_states
from hoad.agents.views import encode_views
from hoad.core.errors import HoadError
from hoad.core.paths import find_checkpoint
from hoad.game.log import GameLogs, encode_turns, replay
from hoad.game.rules import legal_moves
from hoad.learning.imitator import train_imitator
from hoad.learning.maml.inner_loop import LowShotModel, adapt
from hoad.learning.networks import MetaModel, Perceptron
from hoad.learning.policies import NetworkAgent, PolicyAgent, load_meta_model
from hoad.learning.rainbow.network import RainbowNetwork
from hoad.learning.rainbow.recipe import RainbowRecipe
from hoad.learning.recipes import ImitatorRecipe
from hoad.learning.training.checkpoints import load_checkpoint, save_checkpoint
from tests.game.examples import up_to
from tests.meta_models import save_meta_model

IMITATOR = ImitatorRecipe(
    steps=60, validate_every=60, hidden=(32,), dropout=False, learning_rate=1e-2
)


@pytest.fixture(scope="module")
def folder(data: Path, trained: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Checkpoints of an imitator of iggi and of a meta-model that never saw it."""
    folder = tmp_path_factory.mktemp("checkpoints")
    train_imitator(IMITATOR, "iggi", data, folder, resume=False)
    shutil.copytree(trained / "maml", folder / "maml")
    return folder


@pytest.fixture
def checkpoints(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(folder))
    return folder


@pytest.fixture
def agent() -> PolicyAgent:
    torch.manual_seed(0)
    return PolicyAgent("somebody", MetaModel((32, 32)))


class Indifferent(torch.nn.Module):
    """Finds all moves equally probable."""

    def __init__(self) -> None:
        super().__init__()
        self.logits = torch.nn.Parameter(torch.zeros(20))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.logits.expand(len(x), 20)


def batch_after(logs: GameLogs, turns: int) -> Batch:
    """Return the logged games after so many turns."""
    memory, streams = np.zeros((len(logs), 0), np.uint8), np.zeros(len(logs), np.uint64)
    return Batch(last_states(up_to(logs, turns)), turns % 2, memory, streams)


def legal_moves_of(batch: Batch) -> np.ndarray:
    sets = [legal_moves(state.table, state.hands) for state in batch.states]
    return np.array([[moves >> move & 1 for move in range(20)] for moves in sets], bool)


@pytest.mark.parametrize("turns", [0, 1, 9])
def test_observations_are_those_that_replaying_gives(logs, turns):
    batch = batch_after(logs, turns)
    observations, legal = encode_views(batch.states, batch.seat)
    transitions = encode_turns(logs)
    assert np.array_equal(observations, transitions.observations[logs.offsets[:-1] + turns])
    assert np.array_equal(legal, transitions.legal[logs.offsets[:-1] + turns])


def test_all_weight_is_on_the_most_probable_legal_move(agent, logs):
    batch = batch_after(logs, 6)
    probabilities = agent.masked_probabilities(batch)
    weights = agent.weights(batch)
    assert np.allclose(probabilities.sum(1), 1)
    assert not probabilities[~legal_moves_of(batch)].any()
    assert np.array_equal(weights.argmax(1), probabilities.argmax(1))
    assert np.array_equal(weights.sum(1), np.ones(len(logs)))
    assert np.array_equal(agent.act(batch), weights.argmax(1))
    assert not batch.streams.any()  # no random number was used


def test_ties_go_to_the_lowest_legal_move(logs):
    batch = batch_after(logs, 4)
    moves = PolicyAgent("indifferent", Indifferent()).act(batch)
    assert np.array_equal(moves, legal_moves_of(batch).argmax(1))
    assert len(set(moves.tolist())) > 1


def test_what_a_player_cannot_see_changes_nothing(agent, logs):
    batch = batch_after(logs, 8)
    before = agent.masked_probabilities(batch)
    random = np.random.default_rng(1)
    for state in batch.states:
        own = state.hands[batch.seat]
        own[:] = random.permutation(own)
        state.deck[:] = random.permutation(state.deck)
    assert np.array_equal(agent.masked_probabilities(batch), before)


def test_trained_networks_play_by_name_ones_own_before_the_shipped_one(
    checkpoints, tmp_path, monkeypatch
):
    imitator, zero_shot = get_agent("imitator:iggi"), get_agent("maml:iggi")
    assert (imitator.name, zero_shot.name) == ("imitator:iggi", "maml:iggi")
    file = checkpoints / "imitator" / "iggi" / "model.safetensors"
    assert get_agent(f"imitator:{file}").name == f"imitator:{file}"
    games = play((imitator, zero_shot), games=20, seed=3)
    assert replay(games).over.all()
    assert np.array_equal(games.actions, play((imitator, zero_shot), games=20, seed=3).actions)

    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))
    monkeypatch.setattr("hoad.core.paths.SHIPPED_CHECKPOINTS", tmp_path / "shipped")
    for folder in (tmp_path / "shipped", tmp_path):
        shutil.copytree(checkpoints / "imitator", folder / "imitator")
        assert get_agent("imitator:iggi").name == "imitator:iggi"
        assert find_checkpoint("imitator", "iggi") == folder / "imitator/iggi/model.safetensors"


def test_an_imitator_of_another_seed_plays_by_name(data, own_checkpoints):
    recipe = IMITATOR.model_copy(update={"seed": 1, "steps": 2, "validate_every": 2})
    train_imitator(recipe, "iggi", data, own_checkpoints, resume=False)

    imitator = get_agent("imitator:iggi.1")

    assert (imitator.name, imitator.trained_on) == ("imitator:iggi.1", ("iggi",))
    assert replay(play((imitator, imitator), games=2, seed=3)).over.all()
    shutil.copytree(own_checkpoints / "imitator/iggi.1", own_checkpoints / "imitator/iggi.2")
    with pytest.raises(HoadError, match=r"checkpoint of name iggi, not iggi\.2"):
        get_agent("imitator:iggi.2")


def test_a_meta_model_adapts_to_games_of_a_partner(checkpoints, logs):
    ten = logs.select(np.arange(10))
    model, metadata = load_meta_model("iggi")
    assert not model.training and metadata["facts"]["inner_rate"] == 1e-2

    agent = LowShotModel("iggi").adapt(ten)
    other = LowShotModel("iggi", steps=2, rate=0.5).adapt(ten)

    expected = adapt(model, encode_turns(ten), 1e-2, metadata["play_steps"])
    assert agent.identity == PolicyAgent("adapted", expected).identity
    expected = adapt(model, encode_turns(ten), 0.5, 2)
    assert other.identity == PolicyAgent("adapted", expected).identity
    assert agent.identity != get_agent("maml:iggi").identity
    nobody = np.zeros((10, 2), bool)
    for games, seats in ((logs.select(np.arange(0)), None), (ten, nobody)):
        with pytest.raises(HoadError, match="low-shot: no moves to adapt to"):
            LowShotModel("iggi").adapt(games, seats=seats)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"recipe": {"hidden": [16, 16], "inner_layers": "first"}}, r"recipe\.inner_layers"),
        ({"recipe": None}, "key recipe is missing"),
        ({"games": None}, "key games is missing"),
    ],
)
def test_a_checkpoint_that_does_not_say_what_play_needs_is_refused(
    tmp_path, monkeypatch, changes, complaint
):
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))
    save_meta_model(tmp_path, "iggi")
    path = find_checkpoint("maml", "iggi")
    weights, about = load_checkpoint(path)
    said = {key: value for key, value in (about | changes).items() if value is not None}
    save_checkpoint(path, weights, said)

    with pytest.raises(HoadError, match=rf"model\.safetensors: {complaint}.*; train it again"):
        LowShotModel("iggi")


def test_an_untrained_network_one_of_another_kind_and_a_training_are_refused(
    checkpoints, monkeypatch
):
    monkeypatch.setattr("hoad.core.paths.SHIPPED_CHECKPOINTS", checkpoints / "none")
    file = checkpoints / "imitator" / "iggi" / "model.safetensors"
    for name, complaint in (
        ("imitator:piers", r"imitator/piers/model\.safetensors: no such checkpoint"),
        (f"maml:{file}", "checkpoint of kind imitator, not maml"),
        (
            f"imitator:{file.with_name('last.safetensors')}",
            r"last\.safetensors: a training, .*model\.safetensors",
        ),
    ):
        with pytest.raises(HoadError, match=complaint):
            get_agent(name)


@pytest.mark.parametrize(
    "make",
    [
        lambda: RainbowNetwork(RainbowRecipe(steps=1, validate_every=1)),
        lambda: Perceptron((8,)),
        lambda: MetaModel((8,)),
    ],
)
def test_networks_are_the_same_if_their_weights_are(make):
    networks = make(), make()

    one, other, copied = (
        NetworkAgent("a", network).identity for network in (*networks, copy.deepcopy(networks[0]))
    )

    assert one == copied != other
