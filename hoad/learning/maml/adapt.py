"""First-order MAML (Finn et al. 2017) through learn2learn: adapting, and the meta-gradient."""

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from hoad.game.log import Transitions
from hoad.learning.compute import autocast
from hoad.learning.maml.learn2learn import import_maml
from hoad.learning.measures import Measures, accuracy, cross_entropy, measure
from hoad.learning.networks import MetaModel
from hoad.learning.observations import unpack
from hoad.learning.recipes import Precision
from hoad.learning.transitions import TransitionTensors, join_tensors, to_device


@dataclass(frozen=True)
class Episode:
    """What one task shows of one agent.

    Attributes:
        support: adapts the model; one inner step on each of these batches, in order.
        query: judges the adapted model.
    """

    support: tuple[TransitionTensors, ...]
    query: tuple[TransitionTensors, ...]


InnerRate = Callable[[int], float]
"""The inner learning rate of an episode's k-th inner step."""


def adapt(
    model: MetaModel,
    games: Transitions,
    rate: float,
    steps: int = 1,
    each_game: bool = False,
    precision: Precision = "float32",
) -> MetaModel:
    """Return a copy of the model that is adapted to these games; the model stays as it is.

    Args:
        model: meta-trained, on any device.
        games: all transitions of the support games.
        rate: learning rate of the inner steps.
        steps: inner steps on all games together; 0 for none.
        each_game: take the steps on each game in turn instead (published code).
        precision: of matrix products.
    """
    device = next(model.parameters()).device
    batches = _batches(games, device) if each_game else [to_device(games, device)]
    return adapt_to_batches(model, batches, rate, steps, precision)


def adapt_to_batches(
    model: MetaModel,
    batches: Sequence[TransitionTensors],
    rate: float,
    steps: int,
    precision: Precision,
) -> MetaModel:
    """Return an adapted copy of the model: ``steps`` inner steps on each of the batches in turn."""
    learner = import_maml()(model, lr=rate, first_order=True).clone()
    _adapt(learner, [batch for batch in batches for _ in range(steps)], lambda _: rate, precision)
    adapted = copy.deepcopy(model)
    adapted.load_state_dict(learner.module.state_dict())
    return adapted


def meta_gradient(
    model: MetaModel,
    episodes: Sequence[Episode],
    inner_rates: Sequence[InnerRate],
    query_gradient: str,
    precision: Precision,
    zero_shot_weight: float = 0.0,
) -> dict[str, float]:
    """Set the gradients of ``model`` to the mean of the episodes' first-order meta-gradients.

    An episode's gradient is that of its query loss at the adapted weights. That of its support
    loss at the unadapted ones can be added, by a weight; with one support batch and the weight 1,
    the sum is the gradient of Reptile with two steps (Nichol et al. 2018, "On first-order
    meta-learning algorithms", section 5.1).

    Args:
        model: not changed but for its gradients.
        episodes: one for each task.
        inner_rates: one for each task.
        query_gradient: ``all`` for the mean loss of the query batches, ``last`` for the last's.
        precision: of matrix products.
        zero_shot_weight: weight of the unadapted model's loss on all of the support.

    Returns:
        Means over the episodes of ``support loss`` and ``support accuracy`` (first batch, before
        adapting), ``query loss`` and ``query accuracy`` (the batches that give the gradient).
    """
    model.zero_grad()
    maml = import_maml()(model, lr=0.0, first_order=True)
    sums = torch.zeros(4)
    for episode, rate in zip(episodes, inner_rates, strict=True):
        learner = maml.clone()
        before = _adapt(learner, episode.support, rate, precision)
        queries = episode.query if query_gradient == "all" else episode.query[-1:]
        loss, correct = _loss_and_accuracy(learner, join_tensors(queries), precision)
        (loss / len(episodes)).backward()
        if zero_shot_weight:
            unadapted, _ = _loss_and_accuracy(model, join_tensors(episode.support), precision)
            (unadapted * (zero_shot_weight / len(episodes))).backward()
        sums += torch.stack([*before, loss.detach(), correct]).cpu()
    names = ("support loss", "support accuracy", "query loss", "query accuracy")
    return dict(zip(names, (sums / len(episodes)).tolist(), strict=True))


def judge(
    model: MetaModel, episode: Episode, rate: float, precision: Precision
) -> dict[str, Measures]:
    """Measure the model before and after adapting to one episode.

    Returns:
        ``support before``, ``support after``, ``query before`` (zero-shot), ``query after``
        (low-shot).
    """
    adapted = adapt_to_batches(model, episode.support, rate, 1, precision)
    support, query = join_tensors(episode.support), join_tensors(episode.query)
    before, after = (
        [measure(network, part, precision) for part in (support, query)]
        for network in (model, adapted)
    )
    return {
        "support before": before[0],
        "query before": before[1],
        "support after": after[0],
        "query after": after[1],
    }


def _adapt(
    learner: Any, batches: Sequence[TransitionTensors], rate: InnerRate, precision: Precision
) -> tuple[torch.Tensor, torch.Tensor]:
    """Take one inner step on each batch; return loss and accuracy before the first one."""
    first = None
    for number, batch in enumerate(batches):
        loss, correct = _loss_and_accuracy(learner, batch, precision)
        first = first or (loss.detach(), correct)
        learner.lr = rate(number)
        learner.adapt(loss)
    return first or (torch.tensor(torch.nan), torch.tensor(torch.nan))


def _loss_and_accuracy(
    network: torch.nn.Module, batch: TransitionTensors, precision: Precision
) -> tuple[torch.Tensor, torch.Tensor]:
    with autocast(batch.actions.device, precision):
        logits = network(unpack(batch.observations))
        return cross_entropy(logits, batch.actions), accuracy(logits, batch.actions)


def _batches(games: Transitions, device: torch.device) -> list[TransitionTensors]:
    """Return one batch for each game."""
    transitions = to_device(games, device)
    return [
        transitions.rows(torch.from_numpy(np.flatnonzero(games.games == game)).to(device))
        for game in dict.fromkeys(games.games.tolist())
    ]
