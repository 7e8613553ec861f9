from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from hoad.core.errors import HoadError
from hoad.learning.maml.recipe import MamlRecipe
from hoad.learning.maml.tasks import (
    draw_episode,
    load_task,
    load_training_tasks,
    task_of_person,
)
from tests.game.examples import random_logs

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


def test_episodes_of_a_person_hold_the_moves_of_its_seat_in_half_of_its_games() -> None:
    logs, seats = random_logs(2, 6, seed=1), np.tile([False, True], (6, 1))
    task = task_of_person("P001", logs, seats)

    episode = draw_episode(task, False, recipe(games=10), seed=1, number=0, device=CPU)

    moves = np.concatenate([logs.actions_of(game)[1::2] for game in range(6)])
    drawn = np.concatenate([episode.support[0].actions, episode.query[0].actions])
    assert sorted(drawn.tolist()) == sorted(moves.tolist())  # three games each
    assert len(task.validation) == 0


def test_a_person_with_many_games_has_some_for_validation() -> None:
    logs, seats = random_logs(2, 9, seed=1), np.tile([True, False], (9, 1))

    task = task_of_person("P001", logs, seats)

    assert task.train.tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert task.validation.tolist() == [7, 8]


def test_games_without_a_move_of_the_person_do_not_count() -> None:
    logs = random_logs(2, 3, seed=1)
    cut = replace(
        logs, actions=logs.actions[: logs.offsets[2] + 1], offsets=logs.offsets[[0, 1, 2, 2]]
    )
    cut.offsets[3] += 1

    task = task_of_person("P001", cut, np.tile([False, True], (3, 1)))

    assert task.train.tolist() == [0, 1]
