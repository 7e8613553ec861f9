"""MAML's inner loop (Finn et al. 2017, section 3.1): a copy of a model adapts to an agent's games.

With weights phi, which start as the model's, the inner learning rate alpha and a batch of the
agent's transitions, an inner step is

    phi <- phi - alpha * grad L(phi)

Validation and low-shot play take this step here, which needs only torch. Training takes it through
learn2learn (:mod:`.inner_step`); tests hold both to the same weights. Models of the partner's
moves take other steps: see :mod:`.all_colours`.
"""

import copy
from collections.abc import Sequence

import numpy as np
import torch

from hoad.agents.follow import turns_of_seats
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, Transitions, encode_turns, refuse_other_games
from hoad.learning.compute import autocast, one_thread
from hoad.learning.maml.recipe import InnerLayers
from hoad.learning.measures import cross_entropy
from hoad.learning.network_inputs import unpack
from hoad.learning.networks import MetaModel
from hoad.learning.policies import PolicyAgent, inner_rate, load_meta_model
from hoad.learning.recipes import Precision
from hoad.learning.transitions import TransitionTensors, to_device


class LowShotModel:
    """A meta-model with the settings to adapt it to games of a partner, ten in the thesis.

    ``name`` is that of ``maml:NAME``: the agent that it was trained without, or a file. Inner steps
    and rate are those that the training chose, if they are None.

    Raises:
        HoadError: there is no such meta-model, or no steps are given, and its training has not
            finished, so that none were chosen.
    """

    def __init__(self, name: str, steps: int | None = None, rate: float | None = None) -> None:
        self._model, metadata = load_meta_model(name)
        if steps is None and "play_steps" not in metadata:
            raise HoadError(
                f"maml:{name}: its training has not chosen inner steps for play yet; train to "
                "the end with --resume, take a milestone (low-shot@STEP), or give --low-shot.steps"
            )
        self._steps = metadata["play_steps"] if steps is None else steps
        self._rate = inner_rate(metadata) if rate is None else rate
        self._each_game = metadata["recipe"].get("episode") == "transitions"
        self._layers: InnerLayers = metadata["recipe"].get("inner_layers", "all")

    def adapt(
        self, logs: GameLogs, name: str = "low-shot", seats: np.ndarray | None = None
    ) -> PolicyAgent:
        """Return an agent with a copy of the model adapted to all transitions of these games.

        With ``seats``, bool, shape ``(games, 2)``, only to those of these seats.

        It takes the inner steps on all games together or, if its support in training was one
        mini-batch after another (published code), on each game in turn. It raises a HoadError if
        they are not legal games of two players, or have no such move.
        """
        refuse_other_games(logs)
        moves = encode_turns(logs) if seats is None else turns_of_seats(logs, seats)
        if not len(moves.actions):
            raise HoadError(f"{name}: no moves to adapt to; give games with some of the partner's")
        adapted = adapt(self._model, moves, self._rate, self._steps, self._each_game, self._layers)
        return PolicyAgent(name, adapted)


def adapt(
    model: MetaModel,
    games: Transitions,
    lr: float,
    steps: int = 1,
    each_game: bool = False,
    layers: InnerLayers = "all",
) -> MetaModel:
    """Return a copy of the model adapted to these games; the model stays as it is.

    It takes inner steps with learning rate ``lr`` on all transitions together or, with
    ``each_game`` (published code), on each game in turn; in float32 and, on a CPU, with one thread,
    so that the copy plays alike on different machines. With ``layers`` "last" they change the last
    layer only.
    """
    device = next(model.parameters()).device
    batches = [to_device(games, device)]
    if each_game:
        batches = [
            batches[0].rows(torch.from_numpy(np.flatnonzero(games.games == game)).to(device))
            for game in dict.fromkeys(games.games.tolist())
        ]
    with one_thread():
        return adapt_to_batches(model, batches, lr, steps, "float32", layers)


def adapt_to_batches(
    model: MetaModel,
    batches: Sequence[TransitionTensors],
    lr: float,
    steps: int,
    precision: Precision,
    layers: InnerLayers = "all",
) -> MetaModel:
    """Return an adapted copy of the model: ``steps`` inner steps on each of the batches in turn.

    They change all ``layers``, or the last one alone (ANIL, Raghu et al. 2020, section 4).
    """
    phi = copy.deepcopy(model)
    weights = list((phi if layers == "all" else phi.output).parameters())
    for batch in batches:
        for _ in range(steps):
            with autocast(batch.actions.device, precision):
                loss = cross_entropy(phi(unpack(batch.observations)), batch.actions)
            gradients = torch.autograd.grad(loss, weights)
            with torch.no_grad():
                for weight, gradient in zip(weights, gradients, strict=True):
                    weight.sub_(lr * gradient)
    return phi
