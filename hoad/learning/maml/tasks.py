"""Tasks of meta-learning: the agents to learn from, and episodes of their games."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, Transitions
from hoad.learning.games import find_games
from hoad.learning.leave_one_out import agents_without
from hoad.learning.maml.adapt import Episode
from hoad.learning.names import name_in
from hoad.learning.recipes import MamlRecipe
from hoad.learning.transitions import TransitionTensors, to_device
from hoad.replay.sampler import sample_games, sample_transitions
from hoad.replay.split import split_games


@dataclass(frozen=True)
class Task:
    """One agent's recorded games, split by game.

    Attributes:
        agent: name of the agent.
        logs: all its games.
        train: indices of the games to learn from.
        validation: indices of games that are never learned from.
    """

    agent: str
    logs: GameLogs
    train: np.ndarray
    validation: np.ndarray


def load_task(agent: str, recipe: MamlRecipe, data: Path) -> Task:
    """Read the games of an agent, or of its imitator if the recipe's source says so.

    Raises:
        HoadError: there are none.
    """
    logs = find_games(data, name_in(recipe.source, agent))
    games = split_games(logs)
    return Task(agent, logs, games["train"], games["validation"])


def load_training_tasks(recipe: MamlRecipe, held_out: str, data: Path) -> list[Task]:
    """Read the games of all agents of the recipe but the held-out one.

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
        recipe: says whether whole games or single transitions are drawn, and how many.
        seed: of this task's draws.
        number: of this draw.
        device: where the tensors are to be.

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
