"""The choice of inner steps for low-shot play, on unseen games of the training agents.

It follows the one-standard-error rule (Breiman et al. 1984, "Classification and regression trees",
section 3.4.3): the smallest number of steps whose loss is within one standard error of the lowest
loss. All candidates adapt to the same support games and are evaluated on the same query games.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from hoad.learning.compute import derive_seed
from hoad.learning.maml.inner_loop import adapt_to_batches
from hoad.learning.maml.recipe import InnerLayers, MamlRecipe
from hoad.learning.maml.tasks import Episode, Task, draw_episode
from hoad.learning.measures import measure
from hoad.learning.networks import MetaModel
from hoad.learning.transitions import join_tensors

_DRAW_CHOICE: Final = 5  # a purpose of random numbers; 1 to 4 are the learner's

_DROP: Final = 3.0
"""Sign test: a candidate of more steps than the best is dropped at z above this, over all pairs of
losses in the same episodes. The rule then cannot choose it. Signs are compared and not losses,
because those of a few adapted models diverge."""


@dataclass(frozen=True)
class Candidate:
    """A number of inner steps that was tried in so many ``episodes`` of each training agent.

    ``loss`` is the mean query loss after adapting, in nats; ``worse_by`` the mean difference from
    the best candidate's in the same episodes. Standard errors are over episodes of given agents.
    """

    loss: float
    loss_error: float
    worse_by: float
    worse_by_error: float
    episodes: int


def choose_inner_steps(
    model: MetaModel, tasks: Sequence[Task], recipe: MamlRecipe, inner_lr: float
) -> dict[str, Any]:
    """Return metadata: ``play_steps``, and ``play_steps_candidates`` with each `Candidate`.

    All is computed in float32, as in play. A single candidate is not tried. The model has the
    weights for play, the recipe is that of its training, and there is at least one task.
    """
    best, *others = racing = sorted(set(recipe.play_steps))
    if not others:
        return {"play_steps": best, "play_steps_candidates": {}}
    device = next(model.parameters()).device
    losses: dict[int, list[list[float]]] = {steps: [] for steps in racing}
    compared: dict[int, Candidate] = {}
    for number in range(recipe.choice_episodes):
        for steps in racing:
            losses[steps].append([])
        for index, task in enumerate(tasks):
            seed = derive_seed(_DRAW_CHOICE, recipe.seed, index)
            episode = draw_episode(task, True, recipe, seed, number, device)
            for steps, loss in _query_losses(
                model, episode, inner_lr, racing, recipe.inner_layers
            ).items():
                losses[steps][-1].append(loss)
        if number:  # two episodes have a standard error
            best, compared, racing = _compare(losses, racing)
    margin = compared[best].loss_error
    chosen = min(steps for steps in racing if steps == best or compared[steps].worse_by <= margin)
    facts = {str(steps): asdict(candidate) for steps, candidate in compared.items()}
    return {"play_steps": chosen, "play_steps_candidates": facts}


def _query_losses(
    model: MetaModel,
    episode: Episode,
    inner_lr: float,
    candidates: Sequence[int],
    layers: InnerLayers,
) -> dict[int, float]:
    """Return the query loss after each number of inner steps (ascending)."""
    query, adapted, taken, losses = join_tensors(episode.query), model, 0, {}
    for steps in candidates:
        if len(episode.support) > 1:  # all steps on a batch come before the next batch
            adapted, taken = model, 0
        adapted = adapt_to_batches(
            adapted, episode.support, inner_lr, steps - taken, "float32", layers
        )
        taken = steps
        loss = measure(adapted, query, "float32").loss
        losses[steps] = loss if math.isfinite(loss) else math.inf
    return losses


def _compare(
    losses: Mapping[int, Sequence[Sequence[float]]], racing: Sequence[int]
) -> tuple[int, dict[int, Candidate], list[int]]:
    """Return the best number of steps, all candidates compared with it, and those not dropped.

    ``losses`` are by number of steps, episode and agent; those ``racing`` have all episodes.
    """
    tables = {steps: np.array(table) for steps, table in losses.items()}
    best = min(racing, key=lambda steps: tables[steps].mean())
    compared, staying = {}, []
    for steps, table in tables.items():
        with np.errstate(invalid="ignore"):  # a diverged model's loss is infinite
            worse = table - tables[best][: len(table)] if steps != best else np.zeros_like(table)
            means = float(table.mean()), float(worse.mean())
            errors = _standard_error(table), _standard_error(worse)
        compared[steps] = Candidate(means[0], errors[0], means[1], errors[1], len(table))
        signs = np.sign(worse).sum() / math.sqrt(worse.size)
        if steps in racing and not (steps > best and signs > _DROP):
            staying.append(steps)
    return best, compared, staying


def _standard_error(table: np.ndarray) -> float:
    """Return the standard error of the mean, shape ``(episodes, agents)``, over episodes."""
    episodes, agents = table.shape
    return math.sqrt(table.var(axis=0, ddof=1).sum() / episodes) / agents
