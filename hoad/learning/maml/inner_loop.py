"""MAML's inner loop (Finn et al. 2017, section 3.1): a copy of a model adapts to an agent's games.

With weights phi, which start as the model's, the inner learning rate alpha and a batch of the
agent's transitions, an inner step is

    phi <- phi - alpha * grad L(phi)

Training (:mod:`.meta_gradient`), validation and low-shot play take this step, through learn2learn.
"""

import copy
from collections.abc import Sequence

import numpy as np
import torch

from hoad.game.log import Transitions
from hoad.learning.compute import autocast, one_thread
from hoad.learning.maml.learn2learn import import_maml
from hoad.learning.measures import cross_entropy
from hoad.learning.networks import MetaModel
from hoad.learning.observations import unpack
from hoad.learning.recipes import Precision
from hoad.learning.transitions import TransitionTensors, to_device


def start(model: MetaModel) -> MetaModel:
    """Return a copy of the model, phi, for inner steps; the model stays as it is."""
    phi: MetaModel = import_maml().clone_module(model)
    return phi


def inner_step(phi: MetaModel, gradients: Sequence[torch.Tensor], lr: float) -> None:
    """Take an inner step with learning rate ``lr``, along the gradients of all parameters."""
    import_maml().maml_update(phi, lr, gradients)


def adapt(
    model: MetaModel, games: Transitions, lr: float, steps: int = 1, each_game: bool = False
) -> MetaModel:
    """Return a copy of the model adapted to these games; the model stays as it is.

    It takes inner steps with learning rate ``lr`` on all transitions together or, with
    ``each_game`` (published code), on each game in turn; in float32 and, on a CPU, with one thread,
    so that the copy plays alike on different machines.
    """
    device = next(model.parameters()).device
    batches = [to_device(games, device)]
    if each_game:
        batches = [
            batches[0].rows(torch.from_numpy(np.flatnonzero(games.games == game)).to(device))
            for game in dict.fromkeys(games.games.tolist())
        ]
    with one_thread():
        return adapt_to_batches(model, batches, lr, steps, "float32")


def adapt_to_batches(
    model: MetaModel,
    batches: Sequence[TransitionTensors],
    lr: float,
    steps: int,
    precision: Precision,
) -> MetaModel:
    """Return an adapted copy of the model: ``steps`` inner steps on each of the batches in turn."""
    phi = start(model)
    for batch in batches:
        for _ in range(steps):
            with autocast(batch.actions.device, precision):
                loss = cross_entropy(phi(unpack(batch.observations)), batch.actions)
            inner_step(phi, torch.autograd.grad(loss, list(phi.parameters())), lr)
    adapted = copy.deepcopy(model)
    adapted.load_state_dict(phi.state_dict())
    return adapted
