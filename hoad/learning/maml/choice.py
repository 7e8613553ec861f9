"""The choice of inner steps for low-shot play, on unseen games of the training agents.

All candidates adapt to the same support games and are evaluated on the same query games, so their
losses are compared in pairs. Of those within one standard error of the best, the smallest number of
steps is chosen (the one-standard-error rule: Breiman et al. 1984, "Classification and regression
trees", section 3.4.3).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from hoad.learning.compute import derive_seed
from hoad.learning.maml.adapt import adapt_to_batches
from hoad.learning.maml.recipe import MamlRecipe
from hoad.learning.maml.tasks import Episode, Task, draw_episode
from hoad.learning.measures import measure
from hoad.learning.networks import MetaModel
from hoad.learning.transitions import join_tensors

_DRAW_CHOICE: Final = 5  # a purpose of random numbers; 1 to 4 are the learner's

_DROP: Final = 3.0
"""A candidate is dropped when it is worse in more pairs than half by so many standard deviations
of a fair coin. Signs, because a few adapted models diverge: their losses are far from normal."""

_Losses = Mapping[int, Sequence[Sequence[float]]]


@dataclass(frozen=True)
class Candidate:
    """A number of inner steps that was tried.

    Attributes:
        loss: mean query loss after adapting, in nats.
        worse_by: mean difference from the best candidate's loss in the same episodes.
        error: standard error of that difference, over episodes; the agents are given.
        episodes: of each training agent. A candidate that is clearly worse is tried in fewer.
    """

    loss: float
    worse_by: float
    error: float
    episodes: int


def choose_inner_steps(
    model: MetaModel, tasks: Sequence[Task], recipe: MamlRecipe, inner_lr: float, episodes: int
) -> dict[str, Any]:
    """Return metadata: ``play_steps``, and ``play_steps_candidates`` with each `Candidate`.

    It is a race (Maron and Moore 1994, "Hoeffding races"): a candidate that is worse than the best
    in nearly all pairs is dropped. All is computed in float32, as in play. A single candidate is
    not tried.

    Args:
        model: the weights for play.
        tasks: the training agents, at least one.
        recipe: of the model's training.
        inner_lr: the inner learning rate.
        episodes: most episodes of each agent, at least 2; they are the same ones each time.
    """
    racing = sorted(set(recipe.play_steps))
    if len(racing) == 1:
        return {"play_steps": racing[0], "play_steps_candidates": {}}
    device = next(model.parameters()).device
    losses: dict[int, list[list[float]]] = {steps: [] for steps in racing}
    found: dict[int, Candidate] = {}
    for number in range(episodes):
        for steps in racing:
            losses[steps].append([])
        for index, task in enumerate(tasks):
            seed = derive_seed(_DRAW_CHOICE, recipe.seed, index)
            episode = draw_episode(task, True, recipe, seed, number, device)
            for steps, loss in _query_losses(model, episode, inner_lr, racing).items():
                losses[steps][-1].append(loss)
        if number:  # two episodes have a standard error
            found, racing = _compare(losses, racing)
        if len(racing) == 1:
            break
    chosen = min(steps for steps in racing if found[steps].worse_by <= found[steps].error)
    facts = {str(steps): asdict(candidate) for steps, candidate in found.items()}
    return {"play_steps": chosen, "play_steps_candidates": facts}


def _query_losses(
    model: MetaModel, episode: Episode, inner_lr: float, candidates: Sequence[int]
) -> dict[int, float]:
    """Return the query loss after each number of inner steps (ascending)."""
    query, adapted, taken, losses = join_tensors(episode.query), model, 0, {}
    for steps in candidates:
        if len(episode.support) > 1:  # all steps on a batch come before the next batch
            adapted, taken = model, 0
        adapted = adapt_to_batches(adapted, episode.support, inner_lr, steps - taken, "float32")
        taken = steps
        loss = measure(adapted, query, "float32").loss
        losses[steps] = loss if math.isfinite(loss) else math.inf
    return losses


def _compare(losses: _Losses, racing: Sequence[int]) -> tuple[dict[int, Candidate], list[int]]:
    """Compare all candidates with the best one in the race; return those that stay in it too.

    ``losses`` has the loss of each episode and agent, and the race's episodes are the most.
    """
    tables = {steps: np.array(table) for steps, table in losses.items()}
    best = min(racing, key=lambda steps: tables[steps].mean())
    found, staying = {}, []
    for steps, table in tables.items():
        episodes, agents = table.shape
        loss = float(table.mean())
        if steps == best:
            found[steps] = Candidate(loss, 0.0, 0.0, episodes)
            staying.append(steps)
            continue
        with np.errstate(invalid="ignore"):  # a diverged model's loss is infinite
            differences = table - tables[best][:episodes]
            error = math.sqrt(differences.var(axis=0, ddof=1).sum() / episodes) / agents
        found[steps] = Candidate(loss, float(differences.mean()), error, episodes)
        signs = np.sign(differences).sum() / math.sqrt(differences.size)
        if steps in racing and not signs > _DROP:
            staying.append(steps)
    return found, staying
