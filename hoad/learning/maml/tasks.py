"""Tasks of meta-learning: the training agents, or people, and episodes of their games."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch

from hoad.agents.families import name_in
from hoad.agents.follow import turns_of_seats
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs
from hoad.knowledge import HeldOut
from hoad.learning.games import find_games
from hoad.learning.maml.recipe import MamlRecipe
from hoad.learning.recolour import COLOURS, recolour_transitions
from hoad.learning.transitions import TransitionTensors, to_device
from hoad.replay.sampler import sample_games, sample_transitions
from hoad.replay.split import split_games

_VALIDATED: Final = 8
"""Games from which on some of a person's are for validation."""


@dataclass(frozen=True)
class Task:
    """One agent's recorded games, and the indices of those for training and for validation.

    ``seats`` tells where a person sits, bool, shape ``(games, 2)``; None for agents, who have both
    seats. A person with few games has none for validation.
    """

    agent: str
    logs: GameLogs
    train: np.ndarray
    validation: np.ndarray
    seats: np.ndarray | None = None


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


def task_of_person(name: str, logs: GameLogs, seats: np.ndarray) -> Task:
    """Return a person as a task; the last quarter of eight games or more is for validation.

    Games without a move of the person are left out.
    """
    moves = seats & (np.diff(logs.offsets)[:, None] > np.arange(2))
    games = np.flatnonzero(moves.any(axis=1))
    train = len(games) - (len(games) // 4 if len(games) >= _VALIDATED else 0)
    return Task(name, logs, games[:train], games[train:], seats)


def load_training_tasks(recipe: MamlRecipe, held_out: HeldOut, data: Path) -> list[Task]:
    """Read the games of all agents but those held out; a HoadError if too few agents have games."""
    agents = held_out.others(recipe.agents)
    if len(agents) < recipe.tasks:
        raise HoadError(
            f"tasks = {recipe.tasks}: without {held_out.in_words} only {len(agents)} agents remain "
            f"({', '.join(agents)}); name more agents in the recipe or lower tasks"
        )
    return [load_task(agent, recipe, data) for agent in agents]


def draw_episode(
    task: Task, unseen: bool, recipe: MamlRecipe, seed: int, number: int, device: torch.device
) -> Episode:
    """Draw support and query of one task, disjoint, from its training or its unseen games.

    They are a function of ``seed`` and ``number``, the number of the draw. The recipe sets whether
    whole games or single transitions are drawn, and how many. Of a person they are whole games:
    as many as the recipe says, or half of those that there are.

    Raises:
        HoadError: there are too few games.
    """
    games = task.validation if unseen else task.train
    if task.seats is not None:
        return _episode_of_person(task, games, recipe, (seed, number), unseen, device)
    if recipe.episode == "games":
        drawn = sample_games(task.logs, games, recipe.games, seed, number)
        return Episode(*((to_device(half, device),) for half in drawn))
    count, size = recipe.batches, recipe.batch_size
    drawn = sample_transitions(task.logs, games, count, size, seed, number)
    return Episode(*(tuple(to_device(half, device).split(size)) for half in drawn))


def _episode_of_person(
    task: Task,
    games: np.ndarray,
    recipe: MamlRecipe,
    seed: tuple[int, int],
    unseen: bool,
    device: torch.device,
) -> Episode:
    """Draw support and query of a person, of at least two games; colours of unseen ones stay."""
    assert task.seats is not None
    draw = np.random.default_rng(seed)
    count = min(recipe.games, len(games) // 2)
    drawn = draw.permutation(games)
    colouring = draw.permutation(COLOURS) if recipe.recolour and not unseen else None
    parts = []
    for half in (drawn[:count], drawn[count : 2 * count]):
        moves = turns_of_seats(task.logs.select(half), task.seats[half])
        if colouring is not None:
            moves = recolour_transitions(moves, colouring)
        parts.append((to_device(moves, device),))
    return Episode(*parts)
