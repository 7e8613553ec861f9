"""Rainbow: a network that learns Hanabi by playing with itself.

Distributional Q-learning with prioritised replay: Hessel et al., "Rainbow" (2018), as used by
Bard et al., "The Hanabi challenge" (2020), appendix. There one game is played, and 32 transitions
are learned from after every four moves. Here many games are played in lockstep, and an update
learns from more transitions at once: large matrices are what computers multiply fast.
"""

import copy
import time
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numba import njit
from torch.nn import functional

from hoad.agents.play import play
from hoad.game.log import Outcomes, replay
from hoad.game.random_play import pick_move
from hoad.game.stream import next_unit
from hoad.learning.compute import autocast, best_device
from hoad.learning.folders import checkpoint_folder
from hoad.learning.observations import mask_illegal, unpack
from hoad.learning.policies import NetworkAgent
from hoad.learning.rainbow.buffer import Experience, ReplayBuffer
from hoad.learning.rainbow.curve import CURVE, LearningCurve
from hoad.learning.rainbow.lockstep import Lockstep
from hoad.learning.rainbow.move_table import draw_move_table, hint_shares, move_table
from hoad.learning.rainbow.network import RainbowNetwork, project
from hoad.learning.rainbow.own_cards import ABSENT, STATUSES
from hoad.learning.rainbow.recolour import COLOURS, recoloured_bits, recoloured_moves
from hoad.learning.recipes import RainbowRecipe
from hoad.learning.training.checkpoints import load_checkpoint, load_weights
from hoad.learning.training.loop import (
    LOSS,
    VALIDATION_LOSS,
    Learner,
    Run,
    Scalars,
    claim_folder,
    derive_seed,
    train,
)
from hoad.learning.training.metadata import finished_measures, write_card

# What seeds are derived for.
_DECKS, _VALIDATION, _TEST, _EXPLORATION, _DRAWS, _COLOURINGS = range(1, 7)

_PERFECT: Final = 25
TEST_GAMES: Final = 10_000
_SMALL: Final = 1e-3
"""Added to what priorities are made of, in nats: what is known well is drawn now and then too."""


class RainbowLearner(Learner):
    """Plays games in lockstep with its network, and learns from what it remembers of them.

    Args:
        recipe: network and training.
        curve: where its scores are written.
    """

    network: RainbowNetwork
    recipe: RainbowRecipe

    def __init__(self, recipe: RainbowRecipe, curve: LearningCurve) -> None:
        torch.manual_seed(derive_seed(recipe.seed))
        self.recipe = recipe
        self.curve = curve
        self.device = best_device()
        self.network = RainbowNetwork(recipe).to(self.device)
        self.target = copy.deepcopy(self.network).requires_grad_(False)
        self.average = copy.deepcopy(self.network).requires_grad_(False)
        self.optimiser = torch.optim.Adam(
            self.network.parameters(), lr=recipe.learning_rate, eps=recipe.adam_epsilon, fused=True
        )
        self.lockstep = Lockstep(recipe.games, derive_seed(recipe.seed, _DECKS))
        self.buffer = ReplayBuffer(
            recipe.history, recipe.games, recipe.n_step, recipe.discount, recipe.importance
        )
        self._pictures: dict[str, np.ndarray] = {}

    def step(self, step: int) -> Scalars:
        """Make a move in each game, then update the weights several times."""
        recipe = self.recipe
        start = time.monotonic()
        scalars = self.play_on(step)
        if step < recipe.first_update:
            return scalars
        scalars |= self.learn(step)
        speed = recipe.games / (time.monotonic() - start)
        return scalars | {"training/moves per second": speed}

    def play_on(self, step: int) -> Scalars:
        """Make a move in each game, and remember it."""
        lockstep = self.lockstep
        values, actions = self._choose()
        epsilons = self.epsilons(step)
        seed = derive_seed(self.recipe.seed, _EXPLORATION, step)
        _explore(actions, lockstep.legal, epsilons, np.array([seed], np.uint64))
        self.buffer.begin(lockstep.observations, lockstep.legal, actions, lockstep.statuses)
        ended = lockstep.step(actions)
        self.buffer.finish(lockstep.rewards, lockstep.ended)
        scalars = {"training/value": values, "training/random moves": float(epsilons.mean())}
        return scalars | {"training/lost": ended.lost / ended.games} if ended.games else scalars

    @torch.no_grad()
    def _choose(self) -> tuple[float, np.ndarray]:
        """Return the mean value of the best moves, and these moves, uint8."""
        observations = torch.from_numpy(self.lockstep.observations).to(self.device)
        legal = torch.from_numpy(self.lockstep.legal).to(self.device)
        with autocast(self.device, self.recipe.precision):
            values = self.network(unpack(observations))
        best = mask_illegal(values, legal).max(dim=1)
        return best.values.mean().item(), best.indices.to(torch.uint8).cpu().numpy()

    def epsilons(self, step: int) -> np.ndarray:
        """Return the share of random moves in a step, by game.

        Some games explore much and others hardly (Horgan et al., "Distributed prioritized
        experience replay", 2018).
        """
        recipe = self.recipe
        last = recipe.epsilon ** np.linspace(1, 1 + recipe.epsilon_power, recipe.games)
        left = 1 - (step - recipe.first_update) / recipe.epsilon_decay
        return last + (1 - last) * min(max(left, 0.0), 1.0)

    def rate(self, step: int) -> float:
        """Return Adam's learning rate in a step."""
        recipe = self.recipe
        if step < recipe.aided_steps:
            return recipe.learning_rate * 0.5 ** (step / recipe.halving)
        unaided = step - recipe.aided_steps
        return recipe.unaided_rate * 0.5 ** (unaided / recipe.unaided_halving)

    def learn(self, step: int) -> Scalars:
        """Take a step's updates; return the mean losses of what they are made of.

        All transitions are drawn at once, and their targets computed in large matrices. As they are
        drawn in the order of the buffer, each update gets every so-many-th.
        """
        recipe = self.recipe
        if (step - recipe.first_update) % recipe.target_every == 0:
            self.target.load_state_dict(self.network.state_dict())
        aided = step < recipe.aided_steps
        self.set_rate(self.rate(step))
        status_weight = recipe.status_weight if aided else 0.0
        seed = derive_seed(recipe.seed, _DRAWS, step)
        experience = self.buffer.draw(recipe.updates * recipe.batch_size, seed, self.device)
        targets = self._targets(experience)
        losses = torch.empty(len(targets), device=self.device)
        status_losses = torch.empty(recipe.updates, device=self.device)
        colourings = np.random.default_rng(derive_seed(recipe.seed, _COLOURINGS, step))
        for index in range(recipe.updates):
            rows = torch.arange(index, len(targets), recipe.updates, device=self.device)
            exchanged = recipe.recolour and aided
            colouring = colourings.permutation(COLOURS) if exchanged else np.arange(COLOURS)
            losses[rows], status_losses[index] = self._update(
                experience, targets, rows, colouring, status_weight
            )
        self._average(step)
        # What a network cannot know, the spread of its targets, is no reason to draw them again.
        surprise = (losses - torch.special.entr(targets).sum(dim=1)).clamp(min=0) + _SMALL
        priorities = surprise.double().cpu().numpy() ** recipe.priority
        self.buffer.set_priorities(experience.items, priorities)
        scalars = {LOSS: losses.mean().item(), "training/learning rate": self.rate(step)}
        if status_weight:
            scalars["training/status loss"] = status_losses.mean().item()
        return scalars

    def _update(
        self,
        experience: Experience,
        targets: torch.Tensor,
        rows: torch.Tensor,
        colouring: np.ndarray,
        status_weight: float,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Take one step of Adam on these rows, with the colours exchanged.

        Returns:
            Before it, the losses of the returns' distributions, float32, shape ``(batch,)``, and
            the mean loss of telling what the player's own cards are good for.
        """
        bits = torch.from_numpy(recoloured_bits(colouring)).to(self.device)
        moves = torch.from_numpy(recoloured_moves(colouring)).to(self.device)
        observations = unpack(experience.observations[rows])[:, bits]
        with autocast(self.device, self.recipe.precision):
            features = self.network.features(observations)
            logits = self.network.logits_of(features, moves[experience.actions[rows]])
            status_loss = torch.zeros((), device=self.device)
            if status_weight:
                status_loss = self._status_loss(features, experience.statuses[rows])
        losses = -(targets[rows] * logits.float().log_softmax(dim=1)).sum(dim=1)
        self.optimiser.zero_grad()
        loss = (losses * experience.weights[rows]).mean()
        (loss + status_weight * status_loss).backward()
        self.optimiser.step()
        return losses.detach(), status_loss.detach()

    def _status_loss(self, features: torch.Tensor, statuses: torch.Tensor) -> torch.Tensor:
        """Return the mean loss of telling what the player's own cards are good for."""
        if self.network.statuses is None:
            raise RuntimeError("a network without statuses was asked for them")
        logits = self.network.statuses(features).float().view(-1, STATUSES)
        return functional.cross_entropy(logits, statuses.flatten(), ignore_index=ABSENT)

    @torch.no_grad()
    def _average(self, step: int) -> None:
        """Let the newest weights into the averaged ones, equally at first, then by their share."""
        share = max(self.recipe.averaging, 1 / (step - self.recipe.first_update + 1))
        newest = self.network.parameters()
        for mean, weight in zip(self.average.parameters(), newest, strict=True):
            mean.lerp_(weight, share)

    def kept_network(self) -> RainbowNetwork:
        """Return the network of averaged weights, which plays better than the newest ones."""
        return self.average

    @torch.no_grad()
    def _targets(self, experience: Experience) -> torch.Tensor:
        """Return the distributions that the network is to learn, shape ``(batch, atoms)``."""
        unpacked = unpack(experience.next_observations)
        chooser = self.network if self.recipe.double else self.target
        with autocast(self.device, self.recipe.precision):
            best = mask_illegal(chooser(unpacked), experience.next_legal).argmax(dim=1)
            logits = self.target.logits_of(self.target.features(unpacked), best)
        return project(
            self.target.support,
            logits.float().softmax(dim=1),
            experience.returns,
            experience.discounts,
        )

    def validate(self) -> Scalars:
        """Play greedily with itself; the loss is what is missing to a perfect strict score."""
        agent = NetworkAgent("rainbow", self.average)
        seed = derive_seed(self.recipe.seed, _VALIDATION)
        with autocast(self.device, self.recipe.precision):
            logs = play((agent, agent), self.recipe.validation_games, seed)
        colours, ranks = hint_shares(logs)
        measures = _scores(replay(logs)) | {"colour_hints": colours, "rank_hints": ranks}
        self._pictures = {"validation/moves after moves": draw_move_table(move_table(logs))}
        self.curve.add(self.buffer.rows_written * self.recipe.games, measures)
        named = {f"validation/{name.replace('_', ' ')}": one for name, one in measures.items()}
        return named | {VALIDATION_LOSS: _PERFECT - measures["strict"]}

    def pictures(self) -> dict[str, np.ndarray]:
        """Return how moves follow moves in the last validation's games."""
        return self._pictures

    def memory(self) -> dict[str, torch.Tensor]:
        """Return the other networks, the replay buffer and the games that are being played."""
        weights = {
            f"{kind}.{name}": tensor
            for kind, network in self._others().items()
            for name, tensor in network.state_dict().items()
        }
        return weights | {name: torch.from_numpy(array) for name, array in self._arrays().items()}

    def remember(self, memory: dict[str, torch.Tensor]) -> None:
        """Take them back; the learning curve goes on from there."""
        for name, array in self._arrays().items():
            array[:] = memory[name].numpy()
        for kind, network in self._others().items():
            weights = {name: memory[f"{kind}.{name}"] for name in network.state_dict()}
            network.load_state_dict(weights)
        self.lockstep.look()
        self.curve.go_on(self.buffer.rows_written * self.recipe.games)

    def _others(self) -> dict[str, RainbowNetwork]:
        return {"target": self.target, "average": self.average}

    def _arrays(self) -> dict[str, np.ndarray]:
        """Return views of all that the games and the buffer are made of, by name."""
        return {
            **{f"buffer.{name}": array for name, array in self.buffer.arrays().items()},
            **{f"lockstep.{name}": array for name, array in self.lockstep.arrays().items()},
        }


@njit(cache=True, nogil=True)
def _explore(
    actions: np.ndarray, legal: np.ndarray, epsilons: np.ndarray, streams: np.ndarray
) -> None:
    """Replace each game's share of the actions by random legal ones."""
    for game in range(len(actions)):
        if next_unit(streams, 0) < epsilons[game]:
            actions[game] = pick_move(legal[game], streams, 0)


def _scores(outcomes: Outcomes) -> dict[str, float]:
    return {
        "strict": float(outcomes.strict.mean()),
        "lenient": float(outcomes.scores.mean()),
        "lost": float((outcomes.lives == 0).mean()),
    }


def train_rainbow(
    recipe: RainbowRecipe, out: Path, resume: bool, test_games: int = TEST_GAMES
) -> dict[str, float]:
    """Train Rainbow in self-play and write its checkpoints, learning curve and card.

    Args:
        recipe: network and training.
        out: folder of all checkpoints; this one's is ``rainbow/SEED`` in it.
        resume: go on where a stopped training left off.
        test_games: games of self-play that the best checkpoint is tested with.

    Returns:
        How the best checkpoint scores in self-play on decks that nothing was chosen by:
        ``self_play_games``, ``lenient_score``, ``strict_score`` and ``lost``.

    Raises:
        HoadError: see :func:`hoad.learning.training.loop.train`.
    """
    name = str(recipe.seed)
    folder = checkpoint_folder("rainbow", name, out)
    run = Run("rainbow", name, folder, recipe, games={}, may_change=frozenset(("steps",)))
    claim_folder(run, resume)
    known = finished_measures(run)
    if known:
        return known
    learner = RainbowLearner(recipe, LearningCurve(run.folder / CURVE, run.clock))
    train(learner, run, resume)
    weights, about = load_checkpoint(run.best)
    load_weights(learner.network, weights, run.best)
    agent = NetworkAgent("rainbow", learner.network)
    logs = play((agent, agent), test_games, derive_seed(recipe.seed, _TEST))
    scores = _scores(replay(logs))
    measures = {
        "self_play_games": test_games,
        "lenient_score": scores["lenient"],
        "strict_score": scores["strict"],
        "lost": scores["lost"],
    }
    write_card(run, about, measures)
    return measures
