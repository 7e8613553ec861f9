"""Tasks of meta-learning: the training agents, and episodes of their games."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, Transitions
from hoad.learning.games import find_games
from hoad.learning.maml.recipe import MamlRecipe
from hoad.learning.names import agents_without, name_in
from hoad.learning.transitions import TransitionTensors, to_device
from hoad.replay.sampler import sample_games, sample_transitions
from hoad.replay.split import split_games


@dataclass(frozen=True)
class Task:
    """One agent's recorded games, split by game.

    Attributes:
        agent: name of the agent.
        logs: all its games.
        train: indices of the training games.
        validation: indices of the games that training never uses.
    """

    agent: str
    logs: GameLogs
    train: np.ndarray
    validation: np.ndarray


@dataclass(frozen=True)
class Episode:
    """Some games of one task.

    Attributes:
        support: batches that adapt the model, one inner step on each, in order.
        query: batches that evaluate the adapted model.
    """

    support: tuple[TransitionTensors, ...]
    query: tuple[TransitionTensors, ...]


def load_task(agent: str, recipe: MamlRecipe, data: Path) -> Task:
    """Read the games of an agent, or of its imitator if the recipe's source says so.

    Raises:
        HoadError: there are none.
    """
    logs = find_games(data, name_in(recipe.source, agent))
    games = split_games(logs)
    return Task(agent, logs, games["train"], games["validation"])


def load_training_tasks(recipe: MamlRecipe, held_out: str, data: Path) -> list[Task]:
    """Read the games of all agents of the recipe except the held-out one.

    Raises:
        HoadError: too few agents remain, or one has no games.
    """
    agents = agents_without(recipe.agents, held_out)
    if len(agents) < recipe.tasks:
        raise HoadError(
            f"tasks = {recipe.tasks}: without {held_out} only {len(agents)} agents remain "
            f"({', '.join(agents)}); name more agents in the recipe or lower tasks"
        )
    return [load_task(agent, recipe, data) for agent in agents]


def draw_episode(
    task: Task, unseen: bool, recipe: MamlRecipe, seed: int, number: int, device: torch.device
) -> Episode:
    """Draw support and query of one task, disjoint, as a function of ``seed`` and ``number``.

    Args:
        task: the agent's games.
        unseen: draw from the validation games instead of the training games.
        recipe: sets whether whole games or single transitions are drawn, and how many.
        seed: of the draws of this task.
        number: of this draw.
        device: of the tensors.

    Raises:
        HoadError: there are too few games.
    """
    games = task.validation if unseen else task.train
    if recipe.episode == "games":
        halves = sample_games(task.logs, games, recipe.games, seed, number)
        size = None
    else:
        count, size = recipe.batches, recipe.batch_size
        halves = sample_transitions(task.logs, games, count, size, seed, number)
    support, query = (_split(half, size, device) for half in halves)
    return Episode(support, query)


def _split(
    half: Transitions, size: int | None, device: torch.device
) -> tuple[TransitionTensors, ...]:
    tensors = to_device(half, device)
    return tuple(tensors.split(size or len(tensors)))
