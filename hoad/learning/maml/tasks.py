"""Tasks of meta-learning: the training agents, and episodes of their games."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from hoad.agents.families import HoldOut, name_in
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs
from hoad.knowledge import agents_without
from hoad.learning.games import find_games
from hoad.learning.maml.recipe import MamlRecipe
from hoad.learning.transitions import TransitionTensors, to_device
from hoad.replay.sampler import sample_games, sample_transitions
from hoad.replay.split import split_games


@dataclass(frozen=True)
class Task:
    """One agent's recorded games, and the indices of those for training and for validation."""

    agent: str
    logs: GameLogs
    train: np.ndarray
    validation: np.ndarray


@dataclass(frozen=True)
class Episode:
    """Batches that adapt a model, in turn, and those on which the adapted model is evaluated."""

    support: tuple[TransitionTensors, ...]
    query: tuple[TransitionTensors, ...]


def load_task(agent: str, recipe: MamlRecipe, data: Path) -> Task:
    """Read the games of an agent, or of its imitator if the recipe's source says so."""
    logs = find_games(data, name_in(recipe.source, agent))
    games = split_games(logs)
    return Task(agent, logs, games["train"], games["validation"])


def load_training_tasks(
    recipe: MamlRecipe, held_out: str, data: Path, hold_out: HoldOut = "agent"
) -> list[Task]:
    """Read the games of all agents of the recipe except the held-out one, or its family.

    Raises:
        HoadError: too few agents remain, or one has no games.
    """
    agents = agents_without(recipe.agents, held_out, hold_out)
    if len(agents) < recipe.tasks:
        whom = held_out if hold_out == "agent" else f"the family of {held_out}"
        raise HoadError(
            f"tasks = {recipe.tasks}: without {whom} only {len(agents)} agents remain "
            f"({', '.join(agents)}); name more agents in the recipe or lower tasks"
        )
    return [load_task(agent, recipe, data) for agent in agents]


def draw_episode(
    task: Task, unseen: bool, recipe: MamlRecipe, seed: int, number: int, device: torch.device
) -> Episode:
    """Draw support and query of one task, disjoint, from its training or its unseen games.

    They are a function of ``seed`` and ``number``, the number of the draw. The recipe sets whether
    whole games or single transitions are drawn, and how many.

    Raises:
        HoadError: there are too few games.
    """
    games = task.validation if unseen else task.train
    if recipe.episode == "games":
        drawn = sample_games(task.logs, games, recipe.games, seed, number)
        return Episode(*((to_device(half, device),) for half in drawn))
    count, size = recipe.batches, recipe.batch_size
    drawn = sample_transitions(task.logs, games, count, size, seed, number)
    return Episode(*(tuple(to_device(half, device).split(size)) for half in drawn))
