"""Rainbow: a network that learns Hanabi in self-play.

Distributional double Q-learning with prioritised replay: Hessel et al., "Rainbow" (2018), as used
by Bard et al., "The Hanabi challenge" (2020), appendix. For a transition (x, a, r, gamma, x'), with
the online network theta, the target network theta' and the support z of the returns,

    a*   = argmax over legal a' of  E[Z_theta(x', a')]                     (double Q-learning)
    y    = projection on z of  r + gamma * z  under  p_theta'(x', a*)      (C51)
    loss = w * cross entropy of p_theta(x, a) with y      (w: importance-sampling weight)

and the priority is KL(y || p_theta(x, a)) ** alpha. Bard et al. play one game and learn from 32
transitions after every four moves. Here many games are played in lockstep, and an update learns
from more transitions at once, because computers multiply large matrices fast.
"""

import copy
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numba import njit
from torch.nn import functional

from hoad.agents.play import play
from hoad.core.paths import checkpoint_folder
from hoad.game.log import Outcomes, replay
from hoad.game.random_play import pick_move
from hoad.game.stream import next_unit
from hoad.learning.compute import autocast, best_device
from hoad.learning.observations import mask_illegal, unpack
from hoad.learning.policies import NetworkAgent
from hoad.learning.rainbow.buffer import Experience, ReplayBuffer
from hoad.learning.rainbow.curve import CURVE, LearningCurve
from hoad.learning.rainbow.lockstep import Lockstep
from hoad.learning.rainbow.move_table import draw_move_table, hint_shares, move_table
from hoad.learning.rainbow.network import RainbowNetwork, project
from hoad.learning.rainbow.own_cards import ABSENT, STATUSES
from hoad.learning.rainbow.recipe import RainbowRecipe
from hoad.learning.rainbow.recolour import COLOURS, recoloured_bits, recoloured_moves
from hoad.learning.training.checkpoints import load_checkpoint, load_weights
from hoad.learning.training.loop import (
    LOSS,
    VALIDATION_LOSS,
    Learner,
    Scalars,
    TrainingRun,
    claim_folder,
    derive_seed,
    train,
)
from hoad.learning.training.metadata import finished_measures, write_metadata

# Purposes of seeds.
_DECKS, _VALIDATION, _TEST, _EXPLORATION, _DRAWS, _COLOURINGS = range(1, 7)

_PERFECT: Final = 25
TEST_GAMES: Final = 10_000
_SMALL: Final = 1e-3
"""Added to the divergence of priorities, in nats, so that no transition is never drawn."""


class RainbowLearner(Learner):
    """Plays games in lockstep with its network, and learns from its replay buffer.

    Args:
        recipe: network and training.
        curve: the learning curve, to which scores are written.
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
        self.buffer = ReplayBuffer(recipe.history, recipe.games, recipe.discount, recipe.per_beta)
        self._pictures: dict[str, np.ndarray] = {}

    def step(self, step: int) -> Scalars:
        """Make a move in each game, then update the weights several times."""
        recipe = self.recipe
        start = time.monotonic()
        scalars = self.play_on(step)
        if step < recipe.learning_starts:
            return scalars
        scalars |= self.learn(step)
        speed = recipe.games / (time.monotonic() - start)
        return scalars | {"training/moves per second": speed}

    def play_on(self, step: int) -> Scalars:
        """Make a move in each game, epsilon-greedily, and store it in the replay buffer."""
        lockstep = self.lockstep
        values, actions = self._greedy_moves()
        epsilons = self.epsilons(step)
        seed = derive_seed(self.recipe.seed, _EXPLORATION, step)
        _explore(actions, lockstep.legal, epsilons, np.array([seed], np.uint64))
        self.buffer.begin(lockstep.observations, lockstep.legal, actions, lockstep.statuses)
        ended = lockstep.step(actions)
        self.buffer.finish(lockstep.rewards, lockstep.ended)
        scalars = {"training/value": values, "training/random moves": float(epsilons.mean())}
        return scalars | {"training/lost": ended.lost / ended.games} if ended.games else scalars

    @torch.no_grad()
    def _greedy_moves(self) -> tuple[float, np.ndarray]:
        """Return the mean value of the best moves, and these moves, uint8, by game."""
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
        left = 1 - (step - recipe.learning_starts) / recipe.epsilon_decay
        return last + (1 - last) * min(max(left, 0.0), 1.0)

    def lr(self, step: int) -> float:
        """Return the learning rate of Adam in a step."""
        recipe = self.recipe
        late = step - recipe.auxiliary_steps
        if late < 0:
            return recipe.learning_rate * 0.5 ** (step / recipe.lr_half_life)
        return recipe.late_learning_rate * 0.5 ** (late / recipe.late_lr_half_life)

    def learn(self, step: int) -> Scalars:
        """Take the updates of a step; return the means of their losses.

        All transitions are drawn at once, and their targets computed in large matrices. They are
        drawn in the order of the buffer, so update ``i`` of ``n`` takes every ``n``-th from ``i``.
        """
        recipe = self.recipe
        if (step - recipe.learning_starts) % recipe.target_every == 0:
            self.target.load_state_dict(self.network.state_dict())
        has_auxiliary = step < recipe.auxiliary_steps
        lr = self.lr(step)
        self.set_lr(lr)
        own_cards_weight = recipe.own_cards_weight if has_auxiliary else 0.0
        seed = derive_seed(recipe.seed, _DRAWS, step)
        experience = self.buffer.draw(recipe.updates * recipe.batch_size, seed, self.device)
        targets = self._targets(experience)
        losses = torch.empty(len(targets), device=self.device)
        own_cards_losses = torch.empty(recipe.updates, device=self.device)
        colourings = np.random.default_rng(derive_seed(recipe.seed, _COLOURINGS, step))
        for index in range(recipe.updates):
            rows = torch.arange(index, len(targets), recipe.updates, device=self.device)
            permuted = recipe.recolour and has_auxiliary
            colouring = colourings.permutation(COLOURS) if permuted else np.arange(COLOURS)
            losses[rows], own_cards_losses[index] = self._update(
                experience, targets, rows, colouring, own_cards_weight
            )
        self._update_average(step)
        # KL(y || p) is the cross entropy without the entropy of y, which cannot be learned.
        divergence = (losses - torch.special.entr(targets).sum(dim=1)).clamp(min=0) + _SMALL
        priorities = divergence.double().cpu().numpy() ** recipe.per_alpha
        self.buffer.set_priorities(experience.items, priorities)
        scalars = {LOSS: losses.mean().item(), "training/learning rate": lr}
        if own_cards_weight:
            scalars["training/status loss"] = own_cards_losses.mean().item()
        return scalars

    @torch.no_grad()
    def _targets(self, experience: Experience) -> torch.Tensor:
        """Return the target distributions y, shape ``(batch, atoms)``."""
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

    def _update(
        self,
        experience: Experience,
        targets: torch.Tensor,
        rows: torch.Tensor,
        colouring: np.ndarray,
        own_cards_weight: float,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Take one step of Adam on these rows, with permuted colours.

        Returns:
            The losses before the step: cross entropies of the distributions of returns, float32,
            shape ``(batch,)``, and the mean of the auxiliary loss of the player's own cards.
        """
        bits = torch.from_numpy(recoloured_bits(colouring)).to(self.device)
        moves = torch.from_numpy(recoloured_moves(colouring)).to(self.device)
        observations = unpack(experience.observations[rows])[:, bits]
        own_cards_loss = torch.zeros((), device=self.device)
        with autocast(self.device, self.recipe.precision):
            features = self.network.features(observations)
            logits = self.network.logits_of(features, moves[experience.actions[rows]])
            if own_cards_weight and self.network.statuses is not None:
                status = self.network.statuses(features).float().view(-1, STATUSES)
                truth = experience.statuses[rows].flatten()
                own_cards_loss = functional.cross_entropy(status, truth, ignore_index=ABSENT)
        losses = -(targets[rows] * logits.float().log_softmax(dim=1)).sum(dim=1)
        self.optimiser.zero_grad()
        loss = (losses * experience.weights[rows]).mean()
        (loss + own_cards_weight * own_cards_loss).backward()
        self.optimiser.step()
        return losses.detach(), own_cards_loss.detach()

    @torch.no_grad()
    def _update_average(self, step: int) -> None:
        """Move the averaged weights towards the newest; the first few have equal weight."""
        share = max(self.recipe.ema, 1 / (step - self.recipe.learning_starts + 1))
        newest = self.network.parameters()
        for mean, weight in zip(self.average.parameters(), newest, strict=True):
            mean.lerp_(weight, share)

    def kept_network(self) -> RainbowNetwork:
        """Return the network of averaged weights, which plays better than the newest ones."""
        return self.average

    def validate(self) -> Scalars:
        """Play greedily in self-play; the loss is 25 minus the mean strict score."""
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
        """Return the table of moves after moves in the last validation's games."""
        return self._pictures

    def state_dict(self) -> dict[str, torch.Tensor]:
        """Return the other networks, the replay buffer and the games in lockstep."""
        weights = {
            f"{kind}.{name}": tensor
            for kind, network in self._others().items()
            for name, tensor in network.state_dict().items()
        }
        return weights | {name: torch.from_numpy(array) for name, array in self._arrays().items()}

    def load_state_dict(self, state: Mapping[str, torch.Tensor]) -> None:
        """Restore them; the learning curve continues from there."""
        for name, array in self._arrays().items():
            array[:] = state[name].numpy()
        for kind, network in self._others().items():
            weights = {name: state[f"{kind}.{name}"] for name in network.state_dict()}
            network.load_state_dict(weights)
        self.lockstep.look()
        self.curve.resume(self.buffer.rows_written * self.recipe.games)

    def _others(self) -> dict[str, RainbowNetwork]:
        return {"target": self.target, "average": self.average}

    def _arrays(self) -> dict[str, np.ndarray]:
        """Return views of all arrays of the games and the buffer, by name."""
        return {
            **{f"buffer.{name}": array for name, array in self.buffer.arrays().items()},
            **{f"lockstep.{name}": array for name, array in self.lockstep.arrays().items()},
        }


@njit(cache=True, nogil=True)
def _explore(
    actions: np.ndarray, legal: np.ndarray, epsilons: np.ndarray, streams: np.ndarray
) -> None:
    """Replace each game's share of the actions by random legal moves."""
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
    """Train Rainbow in self-play; write its checkpoints, learning curve and metadata.

    Args:
        recipe: network and training.
        out: folder of all checkpoints; this one's is ``rainbow/SEED`` in it.
        resume: continue a stopped training.
        test_games: games of self-play that test the best checkpoint.

    Returns:
        Scores of the best checkpoint in self-play on decks that no choice depended on:
        ``self_play_games``, ``lenient_score``, ``strict_score`` and ``lost``.

    Raises:
        HoadError: see :func:`hoad.learning.training.loop.train`.
    """
    name = str(recipe.seed)
    folder = checkpoint_folder("rainbow", name, out)
    run = TrainingRun("rainbow", name, folder, recipe, games={}, may_change=frozenset(("steps",)))
    claim_folder(run, resume)
    known = finished_measures(run)
    if known:
        return known
    learner = RainbowLearner(recipe, LearningCurve(run.folder / CURVE, run.clock))
    train(learner, run, resume)
    weights, metadata = load_checkpoint(run.best)
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
    write_metadata(run, metadata, measures)
    return measures
