"""Meta-training: FOMAML on all agents but one, and the choice of the inner learning rate.

Sarmasi (2022), section 3.6.2 and algorithm 1. The thesis and its code leave much open or differ;
the recipe's defaults are a sound reading: whole games, one inner step, a constant inner rate,
the mean gradient over the agents, batch norm that is the same in support, query and play.
"""

import copy
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from hoad.agents.registry import get_agent
from hoad.core.errors import HoadError
from hoad.core.files import only_writer
from hoad.core.progress import progress
from hoad.learning.compute import autocast, best_device, keep_freed_memory
from hoad.learning.folders import checkpoint_folder
from hoad.learning.games import digest, games_file
from hoad.learning.maml.adapt import (
    Episode,
    InnerRate,
    adapt_to_batches,
    judge,
    meta_gradient,
)
from hoad.learning.maml.adhoc_scores import meet
from hoad.learning.maml.gradient import meta_gradient_by_hand
from hoad.learning.maml.tasks import (
    Task,
    draw_episode,
    load_task,
    load_training_tasks,
)
from hoad.learning.measures import Measures, measure
from hoad.learning.names import name_in, original_name
from hoad.learning.networks import MetaModel
from hoad.learning.observations import unpack
from hoad.learning.recipes import MamlRecipe
from hoad.learning.training.checkpoints import load_checkpoint, save_checkpoint
from hoad.learning.training.loop import (
    LOSS,
    VALIDATION_LOSS,
    Learner,
    Run,
    Scalars,
    claim_folder,
    derive_seed,
    refuse_other_run,
    train,
)
from hoad.learning.training.metadata import finished_measures, write_card
from hoad.learning.transitions import join_tensors

LOW_SHOT_LOSS = "validation/low-shot loss"
"""Name of the loss after adapting, on unseen games of the training agents."""

_DRAW_TASKS, _DRAW_EPISODE, _DRAW_UNSEEN, _PLAY = 1, 2, 3, 4
"""What a random number is for; keeps the seeds of different uses apart."""


class MamlLearner(Learner):
    """Meta-trains a model on some tasks.

    Args:
        tasks: the agents to learn from.
        held_out: the partner to come, or None; how the model does with it is reported and
            decides nothing.
        recipe: model and training.
        inner_rate: learning rate of the inner steps at the start.
    """

    recipe: MamlRecipe

    def __init__(
        self, tasks: Sequence[Task], held_out: Task | None, recipe: MamlRecipe, inner_rate: float
    ) -> None:
        torch.manual_seed(derive_seed(recipe.seed))
        self.tasks = tasks
        self.held_out = held_out
        self.recipe = recipe
        self.inner_rate = inner_rate
        self.device = best_device()
        self.network = self.model = MetaModel(recipe.hidden).to(self.device)
        self.average = copy.deepcopy(self.model)
        self.optimiser = torch.optim.Adam(
            self.model.parameters(), lr=recipe.learning_rate, amsgrad=True, fused=True
        )

    def step(self, step: int) -> Scalars:
        """Take one step of Adam along the mean meta-gradient of some tasks."""
        recipe = self.recipe
        episodes = self._draw_episodes(step)
        rates = [self._inner_rate_of(step, task) for task in range(len(episodes))]
        weight = recipe.zero_shot_weight if step >= recipe.fomaml_steps else 0.0
        found = self._meta_gradient(episodes, rates, weight, first=step == 0)
        rate = recipe.learning_rate * 0.5 ** (step // recipe.halving)
        self.set_rate(rate)
        self.optimiser.step()
        self._average(step)
        return {
            LOSS: found["query loss"],
            "training/query accuracy": found["query accuracy"],
            "training/support loss": found["support loss"],
            "training/support accuracy before adapting": found["support accuracy"],
            "training/learning rate": rate,
            "training/inner rate": rates[-1](0),
        }

    def validate(self) -> Scalars:
        """Judge the model on unseen games of the training agents; report the held-out one.

        The checkpoint is chosen by the query's loss after adapting plus, by ``zero_shot_weight``,
        that before; in the first ``fomaml_steps`` too, so that all checkpoints compare.
        """
        judged = [m for task in self.tasks for m in self._judge(task)]
        zero_shot, low_shot = (
            _mean(judged, part, "loss") for part in ("query before", "query after")
        )
        scalars = {VALIDATION_LOSS: low_shot + self.recipe.zero_shot_weight * zero_shot}
        scalars |= {"validation/zero-shot loss": zero_shot, LOW_SHOT_LOSS: low_shot}
        scalars |= _accuracies("validation", judged)
        if self.held_out:
            scalars |= _accuracies("held-out", self._judge(self.held_out))
            scalars |= self._meet(self.held_out)
        return scalars

    def kept_network(self) -> MetaModel:
        """Return the model of averaged weights and statistics: with ``averaging`` 1 the newest."""
        return self.average

    def memory(self) -> dict[str, torch.Tensor]:
        """Return the averaged weights and statistics, if they are not the newest ones."""
        if self.recipe.averaging == 1:
            return {}
        return {f"average.{name}": tensor for name, tensor in self.average.state_dict().items()}

    def remember(self, memory: dict[str, torch.Tensor]) -> None:
        """Take them back."""
        averaged = {name.removeprefix("average."): tensor for name, tensor in memory.items()}
        self.average.load_state_dict(averaged or self.model.state_dict())

    def is_milestone(self, step: int) -> bool:
        """Return whether the recipe has this step as a milestone."""
        return step in self.recipe.milestones

    def describe(self) -> dict[str, Any]:
        """Return how many inner steps to take at play, and the loss of each candidate."""
        steps, losses = self.choose_play_steps()
        return {"play_steps": steps, "play_steps_losses": losses}

    def choose_play_steps(self) -> tuple[int, dict[str, float]]:
        """Return the best number of inner steps for play, and each candidate's loss.

        It is the one with the lowest query loss after adapting, on unseen games of the training
        agents (ties: the one named first).
        """
        recipe = self.recipe
        losses: dict[int, list[float]] = {steps: [] for steps in recipe.play_steps}
        for episode in (episode for task in self.tasks for episode in self._unseen(task)):
            model, taken = self.average, 0
            for steps in sorted(losses):
                if len(episode.support) > 1:  # whose batches take all their steps in turn
                    model, taken = self.average, 0
                model, taken = self._adapted(episode, steps - taken, model), steps
                query = measure(model, join_tensors(episode.query), recipe.precision)
                losses[steps].append(query.loss)
        means = {steps: float(np.mean(found)) for steps, found in losses.items()}
        best = min(means, key=lambda steps: (not np.isfinite(means[steps]), means[steps]))
        return best, {str(steps): loss for steps, loss in means.items()}

    @torch.no_grad()
    def _average(self, step: int) -> None:
        """Let the newest weights into the averaged ones, equally at first, then by their share."""
        averaged = step - self.recipe.fomaml_steps
        share = max(self.recipe.averaging, 1 / (averaged + 1)) if averaged > 0 else 1.0
        means, newest = self.average.state_dict(), self.model.state_dict()
        for name, mean in means.items():
            mean.lerp_(newest[name], share)

    def _draw_episodes(self, step: int) -> list[Episode]:
        recipe = self.recipe
        random = np.random.default_rng((_DRAW_TASKS, recipe.seed, step))
        chosen = random.choice(len(self.tasks), recipe.tasks, replace=False)
        return [
            draw_episode(
                self.tasks[index],
                False,
                recipe,
                derive_seed(_DRAW_EPISODE, recipe.seed, int(index)),
                step,
                self.device,
            )
            for index in chosen
        ]

    def _meta_gradient(
        self,
        episodes: Sequence[Episode],
        rates: Sequence[InnerRate],
        zero_shot_weight: float,
        first: bool,
    ) -> dict[str, float]:
        """Set the gradients, after the running statistics have moved if there are any."""
        model, recipe, precision = self.model, self.recipe, self.recipe.precision
        # The first step has no statistics to start from, so it takes the support's.
        share = 1.0 if first else recipe.statistics_share
        moved = share if recipe.batch_norm == "running" else None
        if recipe.episode == "games":
            return meta_gradient_by_hand(model, episodes, rates, precision, moved, zero_shot_weight)
        if moved is not None:
            self._update_statistics(episodes, moved)
        return meta_gradient(
            model, episodes, rates, recipe.query_gradient, precision, zero_shot_weight
        )

    def _update_statistics(self, episodes: Sequence[Episode], share: float) -> None:
        """Move the running statistics towards all tasks' support, under unadapted weights."""
        support = join_tensors([batch for episode in episodes for batch in episode.support])
        with autocast(self.device, self.recipe.precision):
            self.model.update_statistics(unpack(support.observations), share)

    def _inner_rate_of(self, step: int, task: int) -> InnerRate:
        halving = self.recipe.inner_halving
        if halving is None:
            return lambda _: self.inner_rate
        batches = self.recipe.batches if self.recipe.episode == "transitions" else 1
        before = (step * self.recipe.tasks + task) * batches
        return lambda number: self.inner_rate * 0.5 ** ((before + number) // halving)

    def _judge(self, task: Task) -> list[dict[str, Measures]]:
        """Judge the model on some unseen games, always the same ones."""
        precision = self.recipe.precision
        return [judge(self.average, e, self.inner_rate, precision) for e in self._unseen(task)]

    def _unseen(self, task: Task) -> list[Episode]:
        recipe = self.recipe
        seed = derive_seed(_DRAW_UNSEEN, recipe.seed)
        return [
            draw_episode(task, True, recipe, seed, number, self.device)
            for number in range(recipe.validation_episodes)
        ]

    def _adapted(
        self, episode: Episode, steps: int = 1, model: MetaModel | None = None
    ) -> MetaModel:
        """Return the model, or another one, after inner steps on an episode's support."""
        start, precision = model or self.average, self.recipe.precision
        return adapt_to_batches(start, episode.support, self.inner_rate, steps, precision)

    def _meet(self, held_out: Task) -> Scalars:
        """Return ad-hoc scores with the held-out agent, low-shot in one trial an episode."""
        games, seed = self.recipe.validation_games, derive_seed(_PLAY, self.recipe.seed)
        if not games:
            return {}
        partner = get_agent(name_in(self.recipe.source, held_out.agent))
        shots = {
            "zero-shot": [self.average],
            "low-shot": [self._adapted(episode) for episode in self._unseen(held_out)],
        }
        return {
            f"held-out/{name} {score} score": mean
            for name, models in shots.items()
            for score, mean in meet(partner, models, games, seed).items()
        }


def choose_inner_rate(tasks: Sequence[Task], recipe: MamlRecipe) -> tuple[float, dict[str, float]]:
    """Return the inner rate to use, and the loss after adapting that each candidate reached.

    Each candidate meta-trains a fresh model for ``trial_steps`` on the same episodes; the one
    with the lowest query loss after adapting, on unseen games of the training agents, wins (ties:
    the one named first). A single candidate needs no trial.
    """
    if len(recipe.inner_rates) == 1:
        return recipe.inner_rates[0], {}
    losses = {}
    keep_freed_memory()
    with progress(len(recipe.inner_rates) * recipe.trial_steps, "inner rate", "steps") as bar:
        for rate in recipe.inner_rates:
            learner = MamlLearner(tasks, None, recipe, rate)
            for step in range(recipe.trial_steps):
                learner.step(step)
                bar.update()
            losses[rate] = learner.validate()[LOW_SHOT_LOSS]
            if bar.disable:  # for who keeps it in a file, as in training
                words = f"inner rate {rate:g}: loss after adapting {losses[rate]:.4f}"
                print(words, file=sys.stderr, flush=True)
    finite = {rate: loss for rate, loss in losses.items() if np.isfinite(loss)}
    if not finite:
        raise HoadError("the loss is not finite with any of inner_rates; add smaller ones")
    return min(finite, key=finite.__getitem__), {str(r): loss for r, loss in losses.items()}


def train_maml(recipe: MamlRecipe, held_out: str, data: Path, out: Path, resume: bool) -> Scalars:
    """Meta-train a model that has never seen ``held_out`` and write its checkpoints and card.

    Args:
        recipe: model and training.
        held_out: the agent that is left out.
        data: folder with recorded games.
        out: folder of all checkpoints; the model's is ``maml/HELD_OUT`` in it.
        resume: go on where a stopped training left off.

    Returns:
        The best checkpoint's measures on unseen games, and those of the held-out agent.

    Raises:
        HoadError: games are missing, or see :func:`hoad.learning.training.loop.train`.
    """
    held_out = get_agent(original_name(held_out)).name
    tasks = load_training_tasks(recipe, held_out, data)
    games = {task.agent: digest(task.logs) for task in tasks}
    folder = checkpoint_folder("maml", held_out, out)
    may_change = frozenset(("steps", "milestones"))  # nothing that is learned depends on them
    run = Run("maml", held_out, folder, recipe, games, may_change=may_change)
    claim_folder(run, resume)
    known = finished_measures(run)
    _refuse_passed_milestones(run, recipe)
    if known:
        return known
    reported = _reported(held_out, recipe, data)
    for task in (*tasks, *([reported] if reported else [])):  # too few games: noticed now
        draw_episode(task, True, recipe, 0, 0, best_device())
    clock = run.clock  # which counts the choice of the inner rate
    if run.last.exists():
        rate, losses = _chosen_inner_rate(run)
    else:
        with only_writer(folder):
            rate, losses = choose_inner_rate(tasks, recipe)
    clock.save()
    run = replace(run, facts={"inner_rate": rate, "inner_rate_losses": losses})
    learner = MamlLearner(tasks, reported, recipe, rate)
    train(learner, run, resume)
    weights, about = load_checkpoint(run.best)
    learner.average.load_state_dict(weights)
    measures = learner.validate()
    about |= learner.describe()
    save_checkpoint(run.best, weights, about)
    write_card(run, about, measures)
    return measures


def _refuse_passed_milestones(run: Run, recipe: MamlRecipe) -> None:
    """Raise a HoadError if weights are asked for that the training has left behind."""
    if not run.last.exists():
        return
    steps = load_checkpoint(run.last)[1]["step"]
    passed = [s for s in recipe.milestones if s <= steps and not run.milestone(s).exists()]
    if passed:
        raise HoadError(
            f"{run.folder}: {steps:,} steps have been taken, and the weights after {passed[0]:,} "
            "were not kept; leave it out of milestones, or train anew in another folder with --out"
        )


def _chosen_inner_rate(run: Run) -> tuple[float, dict[str, float]]:
    """Return the inner rate that a stopped training had chosen, and its candidates' losses."""
    about = load_checkpoint(run.last)[1]
    refuse_other_run(about, run)
    return about["facts"]["inner_rate"], about["facts"]["inner_rate_losses"]


def _reported(held_out: str, recipe: MamlRecipe, data: Path) -> Task | None:
    """Return the held-out agent's games for its curve, if there are any.

    Raises:
        HoadError: there are games of its imitator, but not the imitator itself.
    """
    name = name_in(recipe.source, held_out)
    if not games_file(data, name).exists():
        return None
    get_agent(name)  # which the model is to meet: noticed now, not in the first validation
    return load_task(held_out, recipe, data)


def _accuracies(group: str, judged: Sequence[dict[str, Measures]]) -> Scalars:
    return {
        f"{group}/support accuracy before adapting": _mean(judged, "support before", "accuracy"),
        f"{group}/support accuracy after adapting": _mean(judged, "support after", "accuracy"),
        f"{group}/zero-shot accuracy": _mean(judged, "query before", "accuracy"),
        f"{group}/low-shot accuracy": _mean(judged, "query after", "accuracy"),
    }


def _mean(judged: Sequence[dict[str, Measures]], part: str, measure: str) -> float:
    return float(np.mean([getattr(measures[part], measure) for measures in judged]))
