"""The network of the naive player, trained on ten games of its partner and nothing else.

Sarmasi (2022), section 3.6.2; 100 epochs, and the last weights, as in the published code.
"""

from collections.abc import Iterator

import torch

from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, encode_turns
from hoad.learning.compute import TORCH_RANDOM, best_device
from hoad.learning.imitator import ADAM_EPSILON, supervised_step
from hoad.learning.networks import Perceptron
from hoad.learning.recipes import NaiveRecipe
from hoad.learning.training.loop import derive_seed
from hoad.learning.transitions import to_device


def train_naive(logs: GameLogs, recipe: NaiveRecipe, seed: int) -> Perceptron:
    """Return a network trained on all transitions of these games, in evaluation mode.

    Args:
        logs: the partner's games, ten in the thesis.
        recipe: network and training.
        seed: of initial weights, dropout and data order.

    Raises:
        HoadError: the games have fewer transitions than a batch.
    """
    transitions = to_device(encode_turns(logs), best_device())
    if len(transitions) < recipe.batch_size:
        raise HoadError(
            f"{len(logs)} games have {len(transitions)} transitions, fewer than batch_size = "
            f"{recipe.batch_size}; give more games or a smaller batch"
        )
    with TORCH_RANDOM, torch.random.fork_rng():
        torch.manual_seed(derive_seed(seed))
        network = Perceptron(recipe.hidden).to(transitions.actions.device)
        optimiser = torch.optim.Adam(
            network.parameters(), lr=recipe.learning_rate, eps=ADAM_EPSILON, fused=True
        )
        for _ in range(recipe.epochs):
            for rows in _shuffled_batches(len(transitions), recipe.batch_size):
                batch = transitions.rows(rows.to(transitions.actions.device))
                supervised_step(network, optimiser, batch, recipe.precision)
    return network.eval()


def _shuffled_batches(transitions: int, size: int) -> Iterator[torch.Tensor]:
    """Yield the rows of one epoch; the incomplete last batch is dropped."""
    order = torch.randperm(transitions)
    for start in range(0, transitions - size + 1, size):
        yield order[start : start + size]
