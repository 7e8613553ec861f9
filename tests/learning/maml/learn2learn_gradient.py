"""The first-order meta-gradient through learn2learn alone: the reference of ours."""

from collections.abc import Sequence
from typing import Any

import torch

from hoad.learning.compute import autocast
from hoad.learning.maml.learn2learn import import_maml
from hoad.learning.maml.meta_gradient import InnerLr
from hoad.learning.maml.tasks import Episode
from hoad.learning.measures import accuracy, cross_entropy
from hoad.learning.networks import MetaModel
from hoad.learning.observations import unpack
from hoad.learning.recipes import Precision
from hoad.learning.transitions import TransitionTensors, join_tensors


def reference_gradient(
    model: MetaModel,
    episodes: Sequence[Episode],
    inner_lrs: Sequence[InnerLr],
    precision: Precision,
    query_gradient: str = "all",
    zero_shot_weight: float = 0.0,
) -> dict[str, float]:
    """Set the gradients of ``model``; return the measures (see `meta_gradient`)."""
    model.zero_grad()
    maml = import_maml().MAML(model, lr=0.0, first_order=True)
    sums = torch.zeros(4)
    for episode, lr in zip(episodes, inner_lrs, strict=True):
        learner = maml.clone()
        before = _loss_and_accuracy(learner, episode.support[0], precision)
        for k, batch in enumerate(episode.support):
            learner.lr = lr(k)
            learner.adapt(_loss_and_accuracy(learner, batch, precision)[0])
        queries = episode.query if query_gradient == "all" else episode.query[-1:]
        after = _loss_and_accuracy(learner, join_tensors(queries), precision)
        (after[0] / len(episodes)).backward()
        if zero_shot_weight:
            unadapted, _ = _loss_and_accuracy(model, join_tensors(episode.support), precision)
            (unadapted * (zero_shot_weight / len(episodes))).backward()
        sums += torch.stack([*before, *after]).detach()
    names = ("support loss", "support accuracy", "query loss", "query accuracy")
    return dict(zip(names, (sums / len(episodes)).tolist(), strict=True))


def _loss_and_accuracy(
    network: Any, batch: TransitionTensors, precision: Precision
) -> tuple[torch.Tensor, torch.Tensor]:
    with autocast(batch.actions.device, precision):
        logits = network(unpack(batch.observations))
        return cross_entropy(logits, batch.actions), accuracy(logits, batch.actions)
