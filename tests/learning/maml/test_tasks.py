from pathlib import Path

import numpy as np
import pytest
import torch

from hoad.core.errors import HoadError
from hoad.learning.maml.recipe import MamlRecipe
from hoad.learning.maml.tasks import draw_episode, load_task, load_training_tasks

CPU = torch.device("cpu")


def recipe(**keys: object) -> MamlRecipe:
    values = {"agents": ("iggi", "piers", "outer"), "steps": 1, "validate_every": 1, "tasks": 2}
    sizes = {"games": 4} if "episode" not in keys else {"batches": 3, "batch_size": 20}
    return MamlRecipe.model_validate(values | sizes | keys)


def test_too_few_remaining_agents_are_refused(data: Path) -> None:
    with pytest.raises(HoadError, match="tasks = 3: without iggi only 2"):
        load_training_tasks(recipe(tasks=3), "iggi", data)


def test_an_agent_without_games_is_named(data: Path) -> None:
    with pytest.raises(HoadError, match="no recorded games of flawed"):
        load_training_tasks(recipe(agents=("iggi", "flawed", "outer")), "iggi", data)


def test_imitators_as_source_have_games_of_their_own(data: Path) -> None:
    with pytest.raises(HoadError, match="no recorded games of imitator:piers"):
        load_task("piers", recipe(source="imitators"), data)


def test_episodes_of_games_are_one_batch_of_whole_games(data: Path) -> None:
    task = load_task("iggi", recipe(), data)
    episode = draw_episode(task, False, recipe(), seed=1, number=0, device=CPU)
    assert len(episode.support) == len(episode.query) == 1
    lengths = np.diff(task.logs.offsets)
    assert 4 * lengths.min() <= len(episode.support[0]) <= 4 * lengths.max()


def test_episodes_of_transitions_are_mini_batches(data: Path) -> None:
    published = recipe(episode="transitions")
    task = load_task("iggi", published, data)
    episode = draw_episode(task, False, published, seed=1, number=0, device=CPU)
    assert [len(batch) for batch in (*episode.support, *episode.query)] == [20] * 6


def test_episodes_depend_on_seed_and_number_alone(data: Path) -> None:
    task = load_task("iggi", recipe(), data)

    def actions(seed: int, number: int, unseen: bool = False) -> list[int]:
        drawn = draw_episode(task, unseen, recipe(), seed, number, CPU)
        return drawn.support[0].actions.tolist()

    assert actions(1, 2) == actions(1, 2)
    assert actions(1, 2) != actions(1, 3)
    assert actions(1, 2) != actions(2, 2)
    assert actions(1, 2) != actions(1, 2, unseen=True)
