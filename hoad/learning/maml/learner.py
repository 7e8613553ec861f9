"""Meta-training: FOMAML on all agents but one, or but a family; choice of the inner learning rate.

Sarmasi (2022), section 3.6.2 and algorithm 1. The thesis and its code leave much open or differ;
the recipe's defaults are our reading of it: whole games, one inner step, a constant inner rate,
the mean gradient over the agents, batch norm that is the same in support, query and play.
"""

import copy
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from hoad.agents.agent import Agent
from hoad.agents.families import FAMILIES, HoldOut, name_in, original_name
from hoad.agents.games import play
from hoad.agents.registry import get_agent, is_agent
from hoad.core.errors import HoadError
from hoad.core.files import only_writer
from hoad.core.paths import checkpoint_folder
from hoad.core.progress import progress, say
from hoad.game.log import join_logs, replay
from hoad.knowledge import HeldOut
from hoad.learning.compute import autocast, best_device, derive_seed, keep_freed_memory
from hoad.learning.games import checksum_of_logs, games_file
from hoad.learning.maml.choice import choose_inner_steps
from hoad.learning.maml.inner_loop import adapt_to_batches
from hoad.learning.maml.inner_step import import_maml
from hoad.learning.maml.meta_gradient import InnerLr, meta_gradient
from hoad.learning.maml.recipe import MamlRecipe
from hoad.learning.maml.tasks import Episode, Task, draw_episode, load_task, load_training_tasks
from hoad.learning.measures import Measures, measure
from hoad.learning.network_inputs import unpack
from hoad.learning.networks import MetaModel, update_average
from hoad.learning.policies import PolicyAgent, load_meta_model
from hoad.learning.training.checkpoints import narrow, read_header
from hoad.learning.training.loop import LOSS, VALIDATION_LOSS, Learner, Scalars, train_and_test
from hoad.learning.training.run import TrainingRun
from hoad.learning.transitions import join_tensors

LOW_SHOT_LOSS = "validation/low-shot loss"
"""Name of the loss after adapting, on unseen games of the training agents."""

_DRAW_TASKS, _DRAW_EPISODE, _DRAW_UNSEEN, _PLAY = 1, 2, 3, 4
"""Purposes of random numbers; they keep the seeds of different uses apart."""

_WHEN = "before", "after"


class MamlLearner(Learner):
    """Meta-trains a model on the tasks of the training agents.

    Measures with held-out agents, if any are given, are reported and decide nothing. ``inner_lr``
    is the learning rate of the inner steps at the start.
    """

    recipe: MamlRecipe
    network: MetaModel

    def __init__(
        self, tasks: Sequence[Task], held_out: Sequence[Task], recipe: MamlRecipe, inner_lr: float
    ) -> None:
        super().__init__(recipe)
        self.tasks = tasks
        self.held_out = held_out
        self.inner_lr = inner_lr
        self._details: Scalars = {}
        self.network = MetaModel(recipe.hidden).to(self.device)
        if recipe.start:
            self.network.load_state_dict(_start_of(recipe)[0].state_dict())
        self.average = copy.deepcopy(self.network)
        self.optimiser = torch.optim.Adam(
            self.network.parameters(), lr=recipe.learning_rate, amsgrad=True, fused=True
        )

    def step(self, step: int) -> Scalars:
        """Take one step of Adam along the mean meta-gradient of some tasks."""
        recipe = self.recipe
        episodes = self._draw_episodes(step)
        inner_lrs = [self._inner_lr_of(step, task) for task in range(len(episodes))]
        measures = self._set_meta_gradient(episodes, inner_lrs, step)
        gradients = [
            weights.grad for weights in self.network.parameters() if weights.grad is not None
        ]
        norm = torch.nn.utils.get_total_norm(gradients).item()
        lr = recipe.learning_rate * 0.5 ** (step // recipe.lr_half_life)
        self.set_lr(lr)
        self.optimiser.step()
        update_average(self.average, self.network, recipe.ema, max(step - recipe.fomaml_steps, 0))
        return {
            LOSS: measures["query loss"],
            "training/query accuracy": measures["query accuracy"],
            "training/support loss": measures["support loss"],
            "training/support accuracy before adapting": measures["support accuracy"],
            "training/gradient norm": norm,
            "training/learning rate": lr,
            "training/inner rate": inner_lrs[-1](0),
        }

    def _draw_episodes(self, step: int) -> list[Episode]:
        recipe = self.recipe
        random = np.random.default_rng((_DRAW_TASKS, recipe.seed, step))
        chosen = random.choice(len(self.tasks), recipe.tasks, replace=False).tolist()
        seeds = {index: derive_seed(_DRAW_EPISODE, recipe.seed, index) for index in chosen}
        return [
            draw_episode(self.tasks[index], False, recipe, seed, step, self.device)
            for index, seed in seeds.items()
        ]

    def _set_meta_gradient(
        self, episodes: Sequence[Episode], inner_lrs: Sequence[InnerLr], step: int
    ) -> dict[str, float]:
        """Update running statistics, if there are any, and set the gradients."""
        model, recipe = self.network, self.recipe
        # The first step has no statistics to start from, so it takes the support's.
        momentum = recipe.bn_momentum if step or recipe.start else 1.0
        is_running = recipe.batch_norm == "running"
        if is_running and recipe.episode == "transitions":  # taken as constant
            support = join_tensors([batch for episode in episodes for batch in episode.support])
            with autocast(self.device, recipe.precision):
                model.update_statistics(unpack(support.observations), momentum)
            is_running = False
        return meta_gradient(
            model,
            episodes,
            inner_lrs,
            recipe.precision,
            query_gradient=recipe.query_gradient,
            low_shot_weight=recipe.low_shot_weight,
            zero_shot_weight=recipe.zero_shot_weight if step >= recipe.fomaml_steps else 0.0,
            inner_layers=recipe.inner_layers,
            bn_momentum=momentum if is_running else None,
        )

    def _inner_lr_of(self, step: int, task: int) -> InnerLr:
        half_life = self.recipe.inner_lr_half_life or math.inf
        batches = self.recipe.batches if self.recipe.episode == "transitions" else 1
        before = (step * self.recipe.tasks + task) * batches
        return lambda k: self.inner_lr * 0.5 ** ((before + k) // half_life)

    def validate(self) -> Scalars:
        """Measure on unseen games of the training agents; report the held-out agents.

        The checkpoint is chosen by ``low_shot_weight`` times the query loss after adapting plus
        ``zero_shot_weight`` times the query loss before; in the first ``fomaml_steps`` too, so that
        all checkpoints compare.
        """
        tasks = self._tasks_with_unseen_games
        measures = [self.measure(episode) for task in tasks for episode in self._unseen(task)]
        zero_shot, low_shot = (_mean(measures, f"query {when}", "loss") for when in _WHEN)
        weights = self.recipe.low_shot_weight, self.recipe.zero_shot_weight
        scalars = {VALIDATION_LOSS: weights[0] * low_shot + weights[1] * zero_shot}
        scalars |= {"validation/zero-shot loss": zero_shot, LOW_SHOT_LOSS: low_shot}
        scalars |= _accuracies("validation", measures)
        self._details = {"validation/inner-loop gain": zero_shot - low_shot}
        unseen = {task.agent: self._unseen(task) for task in self.held_out}
        if unseen:
            of_held_out = [self.measure(e) for episodes in unseen.values() for e in episodes]
            before, after = (_mean(of_held_out, f"query {when}", "loss") for when in _WHEN)
            self._details["held-out/inner-loop gain"] = before - after
            scalars |= _accuracies("held-out", of_held_out)
            scores = [self._adhoc_scores(agent, episodes) for agent, episodes in unseen.items()]
            scalars |= {key: float(np.mean([means[key] for means in scores])) for key in scores[0]}
        return scalars

    def details(self) -> Scalars:
        """Return how much lower the query loss is after the inner loop than before, in nats."""
        return self._details

    def measure(self, episode: Episode) -> dict[str, Measures]:
        """Measure the averaged model before and after adapting to the support of an episode.

        By ``support before``, ``support after``, ``query before`` (zero-shot), ``query after``
        (low-shot).
        """
        parts = {"support": join_tensors(episode.support), "query": join_tensors(episode.query)}
        models = dict(zip(_WHEN, (self.average, self._adapted(episode)), strict=True))
        return {
            f"{part} {when}": measure(model, transitions, self.recipe.precision)
            for part, transitions in parts.items()
            for when, model in models.items()
        }

    def _unseen(self, task: Task) -> list[Episode]:
        """Return episodes of games that training never uses, the same ones each time."""
        seed = derive_seed(_DRAW_UNSEEN, self.recipe.seed)
        return [
            draw_episode(task, True, self.recipe, seed, number, self.device)
            for number in range(self.recipe.validation_episodes)
        ]

    def _adapted(self, episode: Episode) -> MetaModel:
        """Return the averaged model after an inner step on the support."""
        recipe = self.recipe
        return adapt_to_batches(
            self.average, episode.support, self.inner_lr, 1, recipe.precision, recipe.inner_layers
        )

    def _adhoc_scores(self, held_out: str, unseen: Sequence[Episode]) -> Scalars:
        """Return scores with the held-out agent, low-shot with one adapted model per episode."""
        games = self.recipe.validation_games // len(self.held_out)
        seed = derive_seed(_PLAY, self.recipe.seed)
        if not games:
            return {}
        partner = get_agent(name_in(self.recipe.source, held_out))
        adapted = [self._adapted(episode) for episode in unseen]
        return {
            f"held-out/{shot} {score} score": mean
            for shot, models in (("zero-shot", [self.average]), ("low-shot", adapted))
            for score, mean in adhoc_scores(partner, models, games, seed).items()
        }

    def kept_network(self) -> MetaModel:
        """Return the model of averaged weights and statistics; with ``ema`` 1 the newest."""
        return self.average

    def kept_weights(self) -> dict[str, torch.Tensor]:
        """Return its weights, matrices in bfloat16, whatever the training computes in."""
        return narrow(self.kept_network().state_dict())

    def state_dict(self) -> dict[str, torch.Tensor]:
        """Return the averaged weights and statistics, if they are not the newest ones."""
        if self.recipe.ema == 1:
            return {}
        return {f"average.{name}": tensor for name, tensor in self.average.state_dict().items()}

    def load_state_dict(self, state: Mapping[str, torch.Tensor]) -> None:
        """Restore the averaged weights and statistics; the newest ones if there are no others."""
        averaged = {name.removeprefix("average."): tensor for name, tensor in state.items()}
        self.average.load_state_dict(averaged or self.network.state_dict())

    def is_milestone(self, step: int) -> bool:
        """Return whether this is a milestone of the recipe."""
        return step in self.recipe.milestones

    def describe(self) -> dict[str, Any]:
        """Return the inner steps for play, chosen with the weights for play, and how sure it is."""
        model = copy.deepcopy(self.average)
        model.load_state_dict(self.kept_weights())
        tasks = self._tasks_with_unseen_games
        return choose_inner_steps(model, tasks, self.recipe, self.inner_lr)

    @property
    def _tasks_with_unseen_games(self) -> list[Task]:
        """The tasks with games for validation, which people may not have."""
        return [task for task in self.tasks if len(task.validation)]


def _accuracies(group: str, measures: Sequence[dict[str, Measures]]) -> Scalars:
    names = {f"support accuracy {when} adapting": f"support {when}" for when in _WHEN}
    names |= {"zero-shot accuracy": "query before", "low-shot accuracy": "query after"}
    return {f"{group}/{name}": _mean(measures, part, "accuracy") for name, part in names.items()}


def _mean(episodes: Sequence[dict[str, Measures]], part: str, measure: str) -> float:
    return float(np.mean([getattr(measures[part], measure) for measures in episodes]))


def adhoc_scores(
    partner: Agent, networks: Sequence[torch.nn.Module], games: int, seed: int
) -> dict[str, float]:
    """Return the mean lenient and strict score of networks with a partner.

    The games are divided evenly among networks and seats; each has at least one.
    """
    share = max(1, games // (2 * len(networks)))
    players = [PolicyAgent("learner", network) for network in networks]
    logs = [
        play(seats, share, seed, first_game=number * share)
        for number, player in enumerate(players)
        for seats in ((partner, player), (player, partner))
    ]
    outcomes = replay(join_logs(logs))
    return {"lenient": float(np.mean(outcomes.scores)), "strict": float(np.mean(outcomes.strict))}


def choose_inner_lr(tasks: Sequence[Task], recipe: MamlRecipe) -> tuple[float, dict[str, float]]:
    """Return the inner learning rate to use, and the loss after adapting of each candidate.

    Each, unless it is the only one, meta-trains a new model for ``trial_steps`` on the same
    episodes. The best has the lowest query loss on unseen games of the training agents (ties: the
    first).
    """
    if len(recipe.inner_lrs) == 1:
        return recipe.inner_lrs[0], {}
    losses: dict[float, float] = {}
    keep_freed_memory()
    with progress(len(recipe.inner_lrs) * recipe.trial_steps, "inner rate", "steps") as bar:
        for lr in recipe.inner_lrs:
            learner = MamlLearner(tasks, (), recipe, lr)
            for step in range(recipe.trial_steps):
                learner.step(step)
                bar.update()
            losses[lr] = learner.validate()[LOW_SHOT_LOSS]
            say(bar, f"inner rate {lr:g}: loss after adapting {losses[lr]:.4f}")
    finite = {lr: loss for lr, loss in losses.items() if np.isfinite(loss)}
    if not finite:
        raise HoadError("the loss is not finite with any of inner_lrs; add smaller ones")
    return min(finite, key=finite.__getitem__), {str(lr): loss for lr, loss in losses.items()}


def train_maml(
    recipe: MamlRecipe,
    held_out: str,
    data: Path,
    out: Path,
    resume: bool,
    hold_out: HoldOut = "agent",
) -> Scalars:
    """Meta-train a model on games in ``data``; write to ``maml/HELD_OUT`` in ``out``.

    The agent ``held_out`` is left out of the recipe's agents or, with ``family``, its whole family,
    by which the folder is named then; a seed other than 0 follows, as in ``maml/iggi.1``. Return
    measures of the best checkpoint on unseen games, and with the held-out agents.

    Raises:
        HoadError: games are missing, or see :func:`hoad.learning.training.loop.train`.
    """
    original = original_name(held_out)
    unseen = HeldOut(get_agent(original if is_agent(original) else held_out).name, hold_out)
    if recipe.start and not unseen.allows(f"maml:{recipe.start}"):
        raise HoadError(f"start: maml:{recipe.start} has learned from {held_out}; name another")
    tasks = load_training_tasks(recipe, unseen, data)
    name = unseen.meta_model(recipe.seed)
    return train_on_tasks(
        recipe, name, tasks, out, resume, lambda: _held_out_tasks(unseen, recipe, data)
    )


def train_on_tasks(
    recipe: MamlRecipe,
    name: str,
    tasks: Sequence[Task],
    out: Path,
    resume: bool,
    reported: Callable[[], Sequence[Task]] = tuple,
) -> Scalars:
    """Meta-train a model on some tasks; write to ``maml/NAME`` in ``out``; return its measures.

    ``reported`` gives held-out tasks, on which the model is measured, which decides nothing.

    Raises:
        HoadError: a task has too few games, or see :func:`hoad.learning.training.loop.train`.
    """
    games = {task.agent: checksum_of_logs(task.logs) for task in tasks}
    if recipe.start:
        games = _start_of(recipe)[1]["games"] | games
    folder = checkpoint_folder("maml", name, out)
    may_change = frozenset(("steps", "milestones"))  # the weights do not depend on them
    run = TrainingRun("maml", name, folder, recipe, games, may_change=may_change)
    run.claim(resume)
    finished = run.finished_measures()
    _refuse_passed_milestones(run, recipe)
    if finished:
        return finished
    import_maml()  # refuses where it is not installed, before games are read
    held_out = reported()
    for task in [*tasks, *held_out]:
        if task.seats is None:
            draw_episode(task, True, recipe, 0, 0, best_device())  # fails now if games are too few
    clock = run.clock  # starts here, so that it counts the choice of the inner learning rate
    if run.last.exists():
        facts = read_header(run.last)["facts"]
        inner_lr, losses = facts["inner_rate"], facts["inner_rate_losses"]
    else:
        with only_writer(folder):
            inner_lr, losses = choose_inner_lr(tasks, recipe)
    clock.save()
    run = replace(run, facts={"inner_rate": inner_lr, "inner_rate_losses": losses})
    return train_and_test(MamlLearner(tasks, held_out, recipe, inner_lr), run, resume)


def _start_of(recipe: MamlRecipe) -> tuple[MetaModel, dict[str, Any]]:
    """Return the meta-model that the training starts from, with its metadata."""
    model, metadata = load_meta_model(str(recipe.start))
    if (hidden := tuple(metadata["recipe"]["hidden"])) != recipe.hidden:
        raise HoadError(f"hidden = {list(recipe.hidden)}: maml:{recipe.start} has {list(hidden)}")
    return model, metadata


def _refuse_passed_milestones(run: TrainingRun, recipe: MamlRecipe) -> None:
    """Raise a HoadError if a milestone has passed without its weights being kept."""
    steps = read_header(run.last)["step"] if run.last.exists() else 0
    passed = [s for s in recipe.milestones if s <= steps and not run.milestone(s).exists()]
    if passed:
        raise HoadError(
            f"{run.folder}: {steps:,} steps have been taken, and the weights after {passed[0]:,} "
            "were not kept; remove it from milestones, or start a new training with --out"
        )


def _held_out_tasks(held_out: HeldOut, recipe: MamlRecipe, data: Path) -> list[Task]:
    """Return the games of the held-out agents for their curves, if there are any."""
    family = FAMILIES[held_out.family] if held_out.family else ()
    members = [agent for agent in family if agent in recipe.agents]
    tasks = []
    for agent in members or [held_out.partner]:
        name = name_in(recipe.source, agent)
        if games_file(data, name).exists():
            get_agent(name)  # fails now, and not in the first validation, if it is missing
            tasks.append(load_task(agent, recipe, data))
    return tasks
