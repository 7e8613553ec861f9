"""What an update of Rainbow learns, held against sums done by hand."""

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from hoad.learning.observations import unpack
from hoad.learning.rainbow.buffer import Experience
from hoad.learning.rainbow.curve import LearningCurve
from hoad.learning.rainbow.learner import RainbowLearner
from hoad.learning.rainbow.network import RainbowNetwork
from hoad.learning.rainbow.recipe import RainbowRecipe
from hoad.learning.rainbow.recolour import recoloured_moves
from hoad.learning.training.clock import Clock

RECIPE = RainbowRecipe(
    steps=100,
    validate_every=100,
    games=8,
    hidden=(16,),
    history=16,
    learning_starts=8,
    batch_size=16,
    updates=2,
    target_every=3,
    learning_rate=1e-2,
    auxiliary_steps=0,
    recolour=False,
    own_cards_weight=0.0,
    per_beta=0.6,
    per_alpha=0.7,
    precision="float32",
)
pytestmark = pytest.mark.usefixtures("without_gpu")  # the sums by hand are on the CPU
PLAY, DISCARD, HINT_RED, HINT_GREEN = 5, 1, 10, 12
KEEP_COLOURS = np.arange(5)


def learner_that_has_played(folder: Path, **options: object) -> RainbowLearner:
    """Return a learner just before its first update."""
    recipe = RECIPE.model_copy(update=options)
    curve = LearningCurve(folder / "curve.csv", Clock(folder / "clock.json"))
    learner = RainbowLearner(recipe, curve)
    for step in range(recipe.learning_starts):
        learner.play_on(step)
    return learner


def expect_returns(network: RainbowNetwork, returns: Mapping[int, float]) -> None:
    """Let the network be sure of a return for each move, whatever it sees; 0 where not said."""
    wanted = [returns.get(move, 0.0) for move in range(20)]
    sure = torch.stack([50.0 * (network.support == value) for value in wanted])
    with torch.no_grad():
        network.moves.weight.zero_()
        network.moves.bias.copy_(sure.flatten())


def experience_of(learner: RainbowLearner, **fields: Any) -> Experience:
    """Return two transitions that were drawn, with some of their fields replaced."""
    experience = learner.buffer.take(np.array([3, 9]), torch.device("cpu"))
    return dataclasses.replace(experience, **fields)


@pytest.mark.parametrize(("double", "value"), [(True, 4.0), (False, 9.0)])
def test_a_target_is_the_return_and_the_discounted_value_of_the_best_legal_move(
    tmp_path: Path, double: bool, value: float
) -> None:
    learner = learner_that_has_played(tmp_path, double=double)
    expect_returns(learner.network, {PLAY: 20, DISCARD: 8, HINT_RED: 7})
    expect_returns(learner.target, {PLAY: 20, DISCARD: 4, HINT_RED: 9})
    without_play = 1 << DISCARD | 1 << HINT_RED
    experience = experience_of(
        learner,
        returns=torch.tensor([2.0, -3.0]),
        discounts=torch.tensor([0.99, 0.0]),
        next_legal=torch.tensor([without_play, without_play]),
    )

    targets = learner._targets(experience)

    means = targets @ learner.target.support
    torch.testing.assert_close(means, torch.tensor([2 + 0.99 * value, -3.0]))
    torch.testing.assert_close(targets.sum(dim=1), torch.ones(2))


def test_an_update_follows_the_weighted_gradient_of_the_moves_made(tmp_path: Path) -> None:
    learner = learner_that_has_played(tmp_path)
    expect_returns(learner.network, {})
    targets = torch.zeros(2, 51)
    targets[0, 30], targets[1, 10] = 1.0, 1.0
    weights = torch.tensor([1.0, 0.25])
    experience = experience_of(learner, actions=torch.tensor([PLAY, HINT_RED]), weights=weights)
    before = learner.network.moves.bias.view(20, 51).detach().clone()

    losses, _ = learner._update(experience, targets, torch.arange(2), KEEP_COLOURS, 0.0)

    wanted = torch.zeros(20, 51)
    for row, move in enumerate((PLAY, HINT_RED)):
        wanted[move] = (before[move].softmax(dim=0) - targets[row]) * weights[row] / 2
    assert learner.network.moves.bias.grad is not None
    torch.testing.assert_close(learner.network.moves.bias.grad.view(20, 51), wanted)
    torch.testing.assert_close(losses, torch.full((2,), 50.0))
    # Adam's first step is by the rate against the sign of each gradient that counts.
    moved = learner.network.moves.bias.view(20, 51).detach() - before
    assert (moved[wanted.abs() > 0.1].sign() == -wanted[wanted.abs() > 0.1].sign()).all()


def test_colours_of_hints_are_exchanged_with_those_of_what_is_seen(tmp_path: Path) -> None:
    learner = learner_that_has_played(tmp_path)
    expect_returns(learner.network, {})
    red_to_green = np.array([2, 1, 0, 3, 4])
    assert recoloured_moves(red_to_green)[HINT_RED] == HINT_GREEN
    experience = experience_of(learner, actions=torch.tensor([PLAY, HINT_RED]))
    targets = torch.zeros(2, 51)
    targets[:, 0] = 1.0

    learner._update(experience, targets, torch.arange(2), red_to_green, 0.0)

    assert learner.network.moves.bias.grad is not None
    learned = learner.network.moves.bias.grad.view(20, 51).abs().sum(dim=1)
    assert set(learned.nonzero().flatten().tolist()) == {PLAY, HINT_GREEN}


def test_priorities_are_powers_of_how_far_distributions_are_from_their_targets(
    tmp_path: Path,
) -> None:
    learner = learner_that_has_played(tmp_path, learning_rate=1e-30, late_learning_rate=1e-30)
    drawn: list[Experience] = []
    draw = learner.buffer.draw

    def noted(count: int, seed: int, device: torch.device) -> Experience:
        drawn.append(draw(count, seed, device))
        return drawn[-1]

    learner.buffer.draw = noted  # type: ignore[method-assign]

    learner.learn(RECIPE.learning_starts)

    (experience,) = drawn
    assert len(experience.items) == 32
    targets = learner._targets(experience)
    network = learner.network
    with torch.no_grad():
        features = network.features(unpack(experience.observations))
        found = network.logits_of(features, experience.actions).log_softmax(dim=1)
    divergence = (targets * (targets.clamp(min=1e-30).log() - found)).sum(dim=1)
    wanted = (divergence.double().numpy() + 1e-3) ** 0.7
    priorities = learner.buffer._tree.priorities[experience.items]
    np.testing.assert_allclose(priorities, wanted, rtol=1e-4)
    assert priorities.std() > 0.05


def test_the_target_network_is_the_one_of_every_so_many_steps(tmp_path: Path) -> None:
    learner = learner_that_has_played(tmp_path)
    starts, targets = [], []
    for step in range(RECIPE.learning_starts, RECIPE.learning_starts + 7):
        starts.append(learner.network.moves.weight.clone())
        learner.learn(step)
        targets.append(learner.target.moves.weight.clone())

    for step, target in enumerate(targets):
        assert torch.equal(target, starts[step - step % RECIPE.target_every])
    assert not torch.equal(starts[0], starts[3])
