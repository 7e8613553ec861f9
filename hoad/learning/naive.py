"""The network of the naive player, trained on ten games of its partner and nothing else.

Sarmasi (2022), section 3.6.2; 100 epochs, and the last weights, as in the published code.
"""

import torch

from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, encode_turns
from hoad.learning.compute import TORCH_RANDOM, best_device, derive_seed, one_thread
from hoad.learning.imitator import ADAM_EPSILON, supervised_step
from hoad.learning.networks import Perceptron
from hoad.learning.recipes import NaiveRecipe
from hoad.learning.transitions import to_device


def train_naive(logs: GameLogs, recipe: NaiveRecipe, seed: int) -> Perceptron:
    """Return a network trained on all transitions of these games, in evaluation mode.

    On a CPU it takes one thread, so that the weights do not depend on the number of threads.

    Raises:
        HoadError: the games have fewer transitions than a batch.
    """
    transitions = to_device(encode_turns(logs), best_device())
    batches = len(transitions) // recipe.batch_size
    if not batches:
        raise HoadError(
            f"{len(logs)} games have {len(transitions)} transitions, fewer than batch_size = "
            f"{recipe.batch_size}; give more games or a smaller batch"
        )
    device = transitions.actions.device
    with TORCH_RANDOM, torch.random.fork_rng(), one_thread():
        torch.manual_seed(derive_seed(seed))
        network = Perceptron(recipe.hidden).to(device)
        optimiser = torch.optim.Adam(
            network.parameters(), lr=recipe.learning_rate, eps=ADAM_EPSILON, fused=True
        )
        for _ in range(recipe.epochs):
            order = torch.randperm(len(transitions))
            for rows in order.split(recipe.batch_size)[:batches]:  # without an incomplete last one
                batch = transitions.rows(rows.to(device))
                supervised_step(network, optimiser, batch, recipe.precision)
    return network.eval()
