"""Tasks of meta-training: recipe, episodes, and colours that are renamed."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from hoad.agents import get_agent, play
from hoad.core.errors import HoadError
from hoad.core.recipe import check_recipe
from hoad.game.log import Transitions, encode_turns
from hoad.game.moves import legal_flags
from hoad.knowledge import HeldOut
from hoad.learning.maml.all_colours import adapt_recoloured, recoloured_probabilities
from hoad.learning.maml.recipe import MamlRecipe
from hoad.learning.maml.tasks import (
    Episode,
    draw_episode,
    load_task,
    load_training_tasks,
    task_of_person,
)
from hoad.learning.networks import MetaModel
from hoad.learning.recolour import recoloured_moves
from tests.game.examples import random_logs
from tests.learning.columns import recoloured

LEAST = {"steps": 1, "validate_every": 1, "agents": ["iggi", "piers"]}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"inner_lr_half_life": 0}, "inner_lr_half_life = 0"),
        ({"query_gradient": "last"}, "query_gradient has no effect"),
        ({"batches": 2}, "batches has no effect"),
        ({"episode": "transitions", "games": 5}, "games has no effect"),
        ({"batch_norm": "frozen", "bn_momentum": 0.1}, "bn_momentum has no effect"),
        ({"low_shot_weight": 0.0}, "nothing to train with"),
        ({"low_shot_weight": 0.0, "zero_shot_weight": 1.0, "fomaml_steps": 1}, "no fomaml_steps"),
        ({"agents": ["iggi", "outer", "outer"]}, "agents names outer twice"),
    ],
)
def test_wrong_keys_and_values_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(HoadError, match=message):
        check_recipe(LEAST | wrong, MamlRecipe, "my.toml")


CPU = torch.device("cpu")


def recipe(**keys: object) -> MamlRecipe:
    values = {"agents": ("iggi", "piers", "outer"), "steps": 1, "validate_every": 1, "tasks": 2}
    sizes = {"games": 4} if "episode" not in keys else {"batches": 3, "batch_size": 20}
    return MamlRecipe.model_validate(values | sizes | keys)


def test_games_of_enough_agents_of_the_source_are_needed(data: Path) -> None:
    with pytest.raises(HoadError, match="tasks = 3: without iggi only 2"):
        load_training_tasks(recipe(tasks=3), HeldOut("iggi"), data)
    with pytest.raises(HoadError, match="no recorded games of flawed"):
        load_training_tasks(recipe(agents=("iggi", "flawed", "outer")), HeldOut("iggi"), data)
    with pytest.raises(HoadError, match="no recorded games of imitator:piers"):
        load_task("piers", recipe(source="imitators"), data)


def test_episodes_are_whole_games_or_mini_batches_that_depend_on_seed_and_number_alone(data):
    task = load_task("iggi", recipe(), data)

    def draw(seed: int, number: int, unseen: bool = False, **keys: object) -> Episode:
        return draw_episode(task, unseen, recipe(**keys), seed, number, CPU)

    def actions(*which: Any) -> list[int]:
        return draw(*which).support[0].actions.tolist()

    games, transitions = draw(1, 2), draw(1, 2, episode="transitions")
    lengths = np.diff(task.logs.offsets)
    assert len(games.support) == len(games.query) == 1
    assert 4 * lengths.min() <= len(games.support[0]) <= 4 * lengths.max()
    assert [len(batch) for batch in (*transitions.support, *transitions.query)] == [20] * 6
    assert actions(1, 2) == actions(1, 2)
    for other in ((1, 3), (2, 2), (1, 2, True)):
        assert actions(1, 2) != actions(*other)


def test_episodes_of_a_person_hold_the_moves_of_its_seat_in_half_of_its_games() -> None:
    logs, seats = random_logs(2, 6, seed=1), np.tile([False, True], (6, 1))
    task = task_of_person("P001", logs, seats)

    episode = draw_episode(task, False, recipe(games=10), seed=1, number=0, device=CPU)

    drawn = np.concatenate([episode.support[0].actions, episode.query[0].actions])
    moves = np.concatenate([logs.actions_of(game)[1::2] for game in range(6)])
    assert sorted(drawn.tolist()) == sorted(moves.tolist())  # three games each
    assert len(task.validation) == 0


def test_a_person_with_many_games_has_some_for_validation() -> None:
    logs, seats = random_logs(2, 9, seed=1), np.tile([True, False], (9, 1))
    ends = logs.offsets[[0, 1, 2, 2]]
    ends[3] += 1  # a third game without a move of the second seat
    cut = replace(logs.select(np.arange(3)), actions=logs.actions[: ends[3]], offsets=ends)

    task = task_of_person("P001", logs, seats)
    of_second_seat = task_of_person("P001", cut, ~seats[:3])

    assert task.train.tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert task.validation.tolist() == [7, 8]
    assert of_second_seat.train.tolist() == [0, 1]


LOGS = play([get_agent("iggi")] * 2, 4, seed=2)
GAMES = encode_turns(LOGS)
LEGAL = legal_flags(GAMES.legal)


@pytest.fixture
def model() -> MetaModel:
    torch.manual_seed(3)
    return MetaModel([16, 16]).eval()


def probabilities(
    model: MetaModel, temperature: float = 1.0, turns: Transitions = GAMES
) -> np.ndarray:
    legal = legal_flags(turns.legal)
    return recoloured_probabilities(model, turns.observations, legal, temperature)


def test_predictions_are_distributions_over_legal_moves_whatever_colour_comes_first(model):
    averaged, cycle = probabilities(model), np.array([1, 2, 3, 4, 0])

    np.testing.assert_allclose(averaged.sum(1), 1)
    assert ((averaged > 0) == LEGAL).all()
    less_certain = probabilities(model, temperature=3.0)
    assert (less_certain.max(1) <= averaged.max(1) + 1e-12).all()
    found = probabilities(model, turns=encode_turns(recoloured(LOGS, cycle)))
    np.testing.assert_allclose(found[:, recoloured_moves(cycle)], averaged, atol=1e-6)


def test_adapting_raises_the_likelihood_by_its_seed_and_leaves_the_model(model: MetaModel) -> None:
    before, made = probabilities(model), (np.arange(len(LEGAL)), GAMES.actions)

    adapted, again = (adapt_recoloured(model, GAMES, lr=0.1, steps=10, seed=1) for _ in range(2))

    assert np.log(probabilities(adapted)[made]).mean() > np.log(before[made]).mean() + 0.1
    np.testing.assert_array_equal(probabilities(adapted), probabilities(again))
    np.testing.assert_array_equal(probabilities(model), before)
