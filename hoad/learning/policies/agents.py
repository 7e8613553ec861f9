"""Agents that play with a trained network, by name or file."""

import hashlib
from collections.abc import Hashable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hoad.agents.agent import MOVES, Agent, Batch
from hoad.agents.families import seeded_name
from hoad.agents.views import encode_views
from hoad.core.errors import HoadError
from hoad.core.files import one_line
from hoad.core.paths import MODEL, find_checkpoint
from hoad.core.recipe import check_recipe, explain
from hoad.learning.compute import TORCH_RANDOM, best_device
from hoad.learning.network_inputs import mask_illegal, unpack
from hoad.learning.networks import MetaModel, Perceptron
from hoad.learning.rainbow.network import RainbowNetwork
from hoad.learning.rainbow.recipe import RainbowRecipe
from hoad.learning.training.checkpoints import load_checkpoint, load_weights

_CHUNK: Final = 1_024


class _Stored(BaseModel):
    """Of what a checkpoint says, what play needs; the file may be anybody's."""

    model_config = ConfigDict(strict=True, allow_inf_nan=False)


class _StoredRecipe(_Stored):
    hidden: Annotated[list[Annotated[int, Field(ge=1)]], Field(max_length=1_000)] = []
    dropout: bool = False
    episode: str = ""
    inner_layers: Literal["all", "last"] = "all"
    seed: int = 0


class _Facts(_Stored):
    inner_rate: float | None = None
    asked: Annotated[list[str], Field(max_length=1_000)] = []


class _About(_Stored):
    name: str
    recipe: _StoredRecipe
    games: dict[str, Any]
    facts: _Facts = _Facts()
    play_steps: Annotated[int, Field(ge=0, le=10_000)] | None = None


class NetworkAgent(Agent):
    """Plays the legal move of the highest output of its network (ties: the lowest id).

    It sees the acting player's observation only, and keeps no memory. The network gives a number
    for each move: a logit, or Rainbow's expected return.
    """

    def __init__(
        self, name: str, network: torch.nn.Module, trained_on: tuple[str, ...] = ()
    ) -> None:
        self.name = name
        self.network = network.to(best_device()).eval()
        self.trained_on = trained_on

    @property
    def identity(self) -> Hashable:
        """The class of the network and a checksum of its weights."""
        digest = hashlib.sha256()
        for name, weights in self.network.state_dict().items():
            digest.update(name.encode())
            digest.update(weights.detach().cpu().flatten().view(torch.uint8).numpy())
        return type(self.network).__name__, digest.hexdigest()

    def act(self, batch: Batch) -> np.ndarray:
        """Return the move of each game, uint8; no random number is used."""
        return self._masked_outputs(batch).argmax(dim=1).to(torch.uint8).cpu().numpy()

    def weights(self, batch: Batch) -> np.ndarray:
        """Return weight 1 for the move that is played (see :meth:`Agent.weights`)."""
        return np.eye(MOVES)[self.act(batch)]

    @torch.inference_mode()
    def outputs(self, observations: np.ndarray) -> torch.Tensor:
        """Return the outputs of the network for packed observations, ``(games, MOVES)``."""
        device = next(self.network.parameters()).device
        return self.network(unpack(torch.from_numpy(observations).to(device))).float()

    def _masked_outputs(self, batch: Batch) -> torch.Tensor:
        observations, legal = encode_views(batch.states, batch.seat)
        outputs = self.outputs(observations)
        return mask_illegal(outputs, torch.from_numpy(legal).to(outputs.device))


class PolicyAgent(NetworkAgent):
    """A network agent with a probability for each move: its network returns logits."""

    def masked_probabilities(self, batch: Batch) -> np.ndarray:
        """Return the softmax over the legal moves, float64, shape ``(games, MOVES)``."""
        return self.probabilities_of(*encode_views(batch.states, batch.seat))

    def probabilities_of(self, observations: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Return the same from packed observations and bit sets of legal moves."""
        probabilities = np.empty((len(observations), MOVES))
        for start in range(0, len(observations), _CHUNK):
            rows = slice(start, start + _CHUNK)
            outputs = self.outputs(observations[rows])
            logits = mask_illegal(outputs, torch.from_numpy(legal[rows]).to(outputs.device))
            probabilities[rows] = logits.double().softmax(dim=1).cpu().numpy()
        return probabilities


def load_imitator(name: str) -> PolicyAgent:
    """Return the imitator of an agent, or of a file; a HoadError if it cannot be loaded."""
    path, weights, metadata = _load("imitator", name)
    recipe = metadata["recipe"]
    with TORCH_RANDOM:
        network = Perceptron(recipe.get("hidden", ()), recipe.get("dropout", False))
    load_weights(network, weights, path)
    agent = PolicyAgent(f"imitator:{name}", network, (metadata["name"],))
    agent.plays_as = tuple(metadata.get("facts", {}).get("asked", ()))
    return agent


def load_rainbow(name: str) -> NetworkAgent:
    """Return Rainbow of a seed, or of a file; a HoadError if it cannot be loaded."""
    path, weights, metadata = _load("rainbow", name)
    recipe = check_recipe(metadata["recipe"], RainbowRecipe, str(path))
    with TORCH_RANDOM:
        network = RainbowNetwork(recipe)
    load_weights(network, weights, path)
    return NetworkAgent(f"rainbow:{name}", network, ("rainbow",))


def load_meta_model(name: str) -> tuple[MetaModel, dict[str, Any]]:
    """Return the meta-model trained without an agent, or of a file, and the checkpoint's metadata.

    ``facts`` of the metadata has the ``inner_rate`` to adapt with. A file ends in ``.safetensors``.

    Raises:
        HoadError: there is no such meta-model, or it cannot be loaded.
    """
    path, weights, metadata = _load("maml", name)
    with TORCH_RANDOM:
        model = MetaModel(metadata["recipe"].get("hidden", ()))
    load_weights(model, weights, path)
    return model.to(best_device()).eval(), metadata


def inner_rate(metadata: Mapping[str, Any]) -> float:
    """Return the inner learning rate of a meta-model's checkpoint; a HoadError if it has none."""
    rate: float | None = metadata.get("facts", {}).get("inner_rate")
    if rate is None:
        name = metadata.get("name")
        raise HoadError(f"maml:{name}: checkpoint without an inner rate; train it again")
    return rate


def load_zero_shot(name: str) -> PolicyAgent:
    """Return that meta-model as a player, not adapted to any partner."""
    model, metadata = load_meta_model(name)
    return PolicyAgent(f"maml:{name}", model, tuple(metadata["games"]))


def network_file(kind: str, name: str) -> Path:
    """Return the file of a network by its name, or the file that the name is."""
    return Path(name) if name.endswith(".safetensors") else find_checkpoint(kind, name)


def _load(kind: str, name: str) -> tuple[Path, dict[str, torch.Tensor], dict[str, Any]]:
    """Return the file, the weights and the metadata of a network by its name or file.

    Raises:
        HoadError: there is no such checkpoint, or it is another network's, or not for play.
    """
    path, is_file = network_file(kind, name), name.endswith(".safetensors")
    weights, metadata = load_checkpoint(path)
    if (stored := metadata.get("kind")) != kind:
        raise HoadError(f"{path}: checkpoint of kind {stored}, not {kind}; give another file")
    if "window" in metadata:
        raise HoadError(f"{path}: a training, not a network for play; give {path.with_name(MODEL)}")
    try:
        about = _About.model_validate(metadata)
    except ValidationError as error:
        raise HoadError(f"{path}: {one_line(explain(error))}; train it again") from error
    wanted, stored = name.partition("@")[0], about.name
    # The name of an imitator is that of its agent, and its folder's has the seed.
    if not is_file and wanted not in (stored, seeded_name(stored, about.recipe.seed)):
        raise HoadError(f"{path}: checkpoint of name {stored}, not {wanted}; give another file")
    widths = about.recipe.hidden
    products = sum(width * other for width, other in pairwise(widths)) + max(widths, default=0)
    if products > sum(tensor.numel() for tensor in weights.values()):  # would take memory
        raise HoadError(f"{path}: checkpoint of another shape than its recipe; train it again")
    return path, weights, metadata
