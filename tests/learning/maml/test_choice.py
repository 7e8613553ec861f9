"""The choice of a meta-model during its training, and its scores."""

import copy
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from hoad.agents import get_agent, play
from hoad.game.log import GameLogs, join_logs, replay
from hoad.knowledge import HeldOut
from hoad.learning.compute import derive_seed
from hoad.learning.maml.choice import choose_inner_steps
from hoad.learning.maml.inner_loop import adapt_to_batches
from hoad.learning.maml.learner import MamlLearner, adhoc_scores
from hoad.learning.maml.recipe import MamlRecipe
from hoad.learning.maml.tasks import draw_episode, load_training_tasks
from hoad.learning.measures import measure
from hoad.learning.policies import PolicyAgent
from hoad.learning.transitions import join_tensors

AGENTS = ("iggi", "piers", "outer", "simplebot")
SIZES = {"games": {"games": 3}, "transitions": {"batches": 2, "batch_size": 20}}


def train(data: Path, episode: str) -> MamlLearner:
    """Return a model of two blocks after a few steps without iggi."""
    keys = {"agents": AGENTS, "steps": 20, "validate_every": 20, "hidden": (48, 24), "tasks": 3}
    keys |= {"inner_lrs": (1e-2,), "learning_rate": 3e-3, "validation_games": 0}
    recipe = MamlRecipe.model_validate(keys | SIZES[episode] | {"episode": episode})
    learner = MamlLearner(load_training_tasks(recipe, HeldOut("iggi"), data), (), recipe, 1e-2)
    for step in range(recipe.steps):
        learner.step(step)
    return learner


@pytest.fixture(scope="module")
def learners(data: Path) -> dict[str, MamlLearner]:
    """Learners after a few steps, by what their episodes hold."""
    return {episode: train(data, episode) for episode in SIZES}


@pytest.fixture
def trained(learners: dict[str, MamlLearner]) -> MamlLearner:
    return learners["games"]


def choose(
    trained: MamlLearner, play_steps: tuple[int, ...], lr: float, episodes: int
) -> tuple[int, dict[str, dict[str, float]]]:
    changes = {"play_steps": play_steps, "choice_episodes": episodes}
    recipe = trained.recipe.model_copy(update=changes)
    chosen = choose_inner_steps(trained.network, trained.tasks, recipe, lr)
    return chosen["play_steps"], chosen["play_steps_candidates"]


def losses_by_hand(trained: MamlLearner, play_steps: int, lr: float, episodes: int) -> np.ndarray:
    losses = np.empty((episodes, len(trained.tasks)))
    for (number, index), _ in np.ndenumerate(losses):
        seed = derive_seed(5, trained.recipe.seed, index)
        task = trained.tasks[index]
        episode = draw_episode(task, True, trained.recipe, seed, number, trained.device)
        adapted = adapt_to_batches(trained.network, episode.support, lr, play_steps, "float32")
        losses[number, index] = measure(adapted, join_tensors(episode.query), "float32").loss
    return losses


@pytest.mark.parametrize("episode", ["games", "transitions"])
def test_candidates_are_compared_in_the_same_episodes_of_the_training_agents(learners, episode):
    trained, candidates, episodes = learners[episode], (1, 2, 5), 3
    losses = {steps: losses_by_hand(trained, steps, 0.05, episodes) for steps in candidates}
    best = min(candidates, key=lambda steps: losses[steps].mean())

    chosen, measured = choose(trained, candidates, 0.05, episodes)

    def standard_error(values: np.ndarray) -> float:
        return float(np.sqrt(np.mean([np.var(one, ddof=1) for one in values.T]) / values.size))

    within = []
    for steps in candidates:
        worse = losses[steps] - losses[best]
        means = losses[steps].mean(), worse.mean()
        errors = standard_error(losses[steps]), standard_error(worse)
        expected = (means[0], errors[0], means[1], errors[1], episodes)
        assert list(measured[str(steps)].values()) == pytest.approx(expected, abs=1e-6)
        within += [steps] if means[1] <= standard_error(losses[best]) else []
    assert chosen == min(within)


def test_more_steps_are_chosen_if_they_are_better_by_a_standard_error(trained):
    chosen, measured = choose(trained, (1, 8), 0.03, 10)

    assert chosen == 8
    assert measured["1"]["worse_by"] > measured["8"]["loss_error"] > measured["1"]["worse_by_error"]


def test_fewer_steps_are_chosen_within_a_standard_error_of_the_lowest_loss(trained):
    chosen, measured = choose(trained, (1, 2, 8), 0.001, 10)

    assert chosen == 1
    for steps in ("1", "2"):  # surely worse in the same games
        assert measured[steps]["worse_by"] > 3 * measured[steps]["worse_by_error"] > 0
    assert measured["1"]["worse_by"] < measured["8"]["loss_error"]


def test_more_steps_that_are_clearly_worse_are_dropped_and_diverged_ones_do_not_win(trained):
    chosen, measured = choose(trained, (1, 2, 5), 1.0, 10)

    assert chosen == 1
    assert measured["1"]["episodes"] == 10
    assert measured["5"]["episodes"] < 10
    for candidates in ((1, 30), (20, 30)):
        chosen, measured = choose(trained, candidates, 1e4, 2)
        assert chosen == min(candidates)
        assert measured["30"]["loss"] > 10 or np.isinf(measured["30"]["loss"])


def test_a_single_candidate_is_not_tried_and_the_model_stays_as_it_is(trained):
    before = copy.deepcopy(trained.network.state_dict())
    assert choose(trained, (7,), 0.1, 2) == (7, {})
    choose(trained, (1, 2), 0.1, 2)
    for name, weights in trained.network.state_dict().items():
        assert torch.equal(weights, before[name]), name


SEED = 9
PLAY, COLOUR_HINT, RANK_HINT = 5, 10, 15


class Stubborn(torch.nn.Module):
    """Prefers one move, then the next higher one, and so on round, whatever it sees."""

    def __init__(self, favourite: int) -> None:
        super().__init__()
        self.logits = torch.nn.Parameter(torch.arange(20.0, 0.0, -1.0).roll(favourite))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.logits.expand(len(x), 20)


def in_both_seats(network: torch.nn.Module, game: int) -> Iterator[GameLogs]:
    """Play one game of the run twice, the second time with the seats exchanged."""
    player, partner = PolicyAgent("player", network), get_agent("iggi")
    yield play([partner, player], 1, SEED, first_game=game)
    yield play([player, partner], 1, SEED, first_game=game)


@pytest.mark.parametrize(
    ("favourites", "games", "players"),  # the players of games in both seats on the same deck
    [
        ([RANK_HINT], 40, [0] * 20),
        # They share the games evenly, and each has a game in each seat however few are wanted.
        ([PLAY, COLOUR_HINT, RANK_HINT], 24, [game // 4 for game in range(12)]),
        *(([PLAY, COLOUR_HINT, RANK_HINT], games, [0, 1, 2]) for games in (0, 5, 11)),
    ],
)
def test_scores_are_those_of_plain_play(favourites, games, players):
    networks = [Stubborn(favourite) for favourite in favourites]
    by_hand = [
        logs for game, who in enumerate(players) for logs in in_both_seats(networks[who], game)
    ]

    scores = adhoc_scores(get_agent("iggi"), networks, games, SEED)

    outcomes = replay(join_logs(by_hand))
    expected = {"lenient": np.mean(outcomes.scores), "strict": np.mean(outcomes.strict)}
    assert scores == pytest.approx(expected)
    assert scores["strict"] < scores["lenient"] or PLAY not in favourites  # which loses its lives
