"""Networks at the table: agents that play what a network says."""

import hashlib
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numba import njit

from hoad.agents.agent import MOVES, Agent, Batch, new_view, see
from hoad.core.errors import HoadError
from hoad.core.recipe import check_recipe
from hoad.game.observation import encode, observation_bytes
from hoad.game.rules import legal_moves
from hoad.game.state import full_game
from hoad.learning.compute import TORCH_RANDOM, best_device
from hoad.learning.folders import MODEL, find_checkpoint
from hoad.learning.networks import MetaModel, Perceptron
from hoad.learning.observations import mask_illegal, unpack
from hoad.learning.rainbow.network import RainbowNetwork
from hoad.learning.recipes import RainbowRecipe
from hoad.learning.training.checkpoints import load_checkpoint, load_weights

_SUFFIX = ".safetensors"


class NetworkAgent(Agent):
    """Plays the legal move for which its network puts out most (ties: the lowest id).

    It sees the acting player's observation only, and keeps no memory.

    Args:
        name: its name.
        network: from unpacked observations to a number for each move: a logit, or what Rainbow
            expects of it.
    """

    def __init__(self, name: str, network: torch.nn.Module) -> None:
        self.name = name
        self.network = network.to(best_device()).eval()

    @property
    def identity(self) -> Hashable:
        """What kind of network it is, and a digest of its weights."""
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
        """Return what the network puts out for packed observations, ``(games, MOVES)``."""
        device = next(self.network.parameters()).device
        return self.network(unpack(torch.from_numpy(observations).to(device))).float()

    def _masked_outputs(self, batch: Batch) -> torch.Tensor:
        observations, legal = encode_views(batch.states, batch.seat)
        outputs = self.outputs(observations)
        return mask_illegal(outputs, torch.from_numpy(legal).to(outputs.device))


class PolicyAgent(NetworkAgent):
    """A network agent that can tell how probable each move is: its network gives logits."""

    def masked_probabilities(self, batch: Batch) -> np.ndarray:
        """Return the softmax over the legal moves, float64, shape ``(games, MOVES)``."""
        return self._masked_outputs(batch).double().softmax(dim=1).cpu().numpy()

    def logits(self, observations: np.ndarray) -> torch.Tensor:
        """Return the logits of all moves for packed observations, shape ``(games, MOVES)``."""
        return self.outputs(observations)


def load_imitator(name: str) -> PolicyAgent:
    """Return the imitator of an agent, or of a ``.safetensors`` file.

    Raises:
        HoadError: there is no such checkpoint, or it is not an imitator's.
    """
    path = _path_of("imitator", name)
    weights, about = _load(path, "imitator", name)
    recipe = about["recipe"]
    with TORCH_RANDOM:
        network = Perceptron(recipe["hidden"], recipe["dropout"])
    load_weights(network, weights, path)
    return PolicyAgent(f"imitator:{name}", network)


def load_rainbow(name: str) -> NetworkAgent:
    """Return the network that was trained in self-play with this seed, or that of a file.

    Raises:
        HoadError: there is no such checkpoint, or it is not Rainbow's.
    """
    path = _path_of("rainbow", name)
    weights, about = _load(path, "rainbow", name)
    with TORCH_RANDOM:
        network = RainbowNetwork(check_recipe(about["recipe"], RainbowRecipe, str(path)))
    load_weights(network, weights, path)
    return NetworkAgent(f"rainbow:{name}", network)


def load_meta_model(name: str) -> tuple[MetaModel, dict[str, Any]]:
    """Return the meta-model that never saw an agent, or that of a ``.safetensors`` file.

    With it comes what its checkpoint says about it: ``facts`` has the ``inner_rate`` to adapt
    with, ``recipe`` the rest.

    Raises:
        HoadError: there is no such checkpoint, or it is not a meta-model's.
    """
    path = _path_of("maml", name)
    weights, about = _load(path, "maml", name)
    with TORCH_RANDOM:
        model = MetaModel(about["recipe"]["hidden"])
    load_weights(model, weights, path)
    return model.to(best_device()).eval(), about


def load_zero_shot(name: str) -> PolicyAgent:
    """Return the meta-model of a held-out agent as a player, not adapted to anybody."""
    return PolicyAgent(f"maml:{name}", load_meta_model(name)[0])


def encode_views(states: np.ndarray, seat: int) -> tuple[np.ndarray, np.ndarray]:
    """Return what ``seat`` sees and may do in games in which it is to move.

    Args:
        states: records of dtype ``STATE``, shape ``(games,)``.
        seat: the seat that is to move.

    Returns:
        Packed observations, uint8, shape ``(games, 83)``; legal moves as bit sets, int64.
    """
    observations = np.empty((len(states), observation_bytes(full_game(2))), np.uint8)
    legal = np.empty(len(states), np.int64)
    _encode_views(states, seat, new_view()[0], observations, legal)
    return observations, legal


@njit(cache=True, nogil=True)
def _encode_views(
    states: np.ndarray, seat: int, hands: np.ndarray, observations: np.ndarray, legal: np.ndarray
) -> None:
    for game in range(len(states)):
        see(states[game], seat, hands)
        encode(states[game].table, hands, seat, observations[game])
        legal[game] = legal_moves(states[game].table, hands)


def _path_of(kind: str, name: str) -> Path:
    return Path(name) if name.endswith(_SUFFIX) else find_checkpoint(kind, name)


def _load(path: Path, kind: str, name: str) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    weights, about = load_checkpoint(path)
    wanted = {"kind": kind}
    if not name.endswith(_SUFFIX):
        wanted["name"] = name.partition("@")[0]
    for key, value in wanted.items():
        if about.get(key) != value:
            raise HoadError(
                f"{path}: checkpoint of {key} {about.get(key)}, not {value}; name another file"
            )
    if "window" in about:
        raise HoadError(
            f"{path}: a training, not a network that plays; name {path.with_name(MODEL)}"
        )
    if "recipe" not in about:
        raise HoadError(f"{path}: checkpoint without its recipe; train it again")
    return weights, about
