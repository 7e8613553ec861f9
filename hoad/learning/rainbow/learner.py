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
from typing import Any, Final

import numpy as np
import torch
from numba import njit
from torch.nn import functional

from hoad.agents.games import play
from hoad.core.paths import CURVE, checkpoint_folder
from hoad.game.log import GameLogs, replay
from hoad.game.random_play import pick_move
from hoad.game.state import PERFECT_SCORE
from hoad.game.stream import next_unit
from hoad.learning.compute import autocast, derive_seed
from hoad.learning.network_inputs import mask_illegal, unpack
from hoad.learning.networks import update_average
from hoad.learning.pictures import draw_move_table
from hoad.learning.policies import NetworkAgent
from hoad.learning.rainbow.buffer import Experience, ReplayBuffer
from hoad.learning.rainbow.curve import LearningCurve
from hoad.learning.rainbow.lockstep import Lockstep
from hoad.learning.rainbow.move_table import hint_shares, move_table
from hoad.learning.rainbow.network import RainbowNetwork, project
from hoad.learning.rainbow.own_cards import ABSENT, STATUSES
from hoad.learning.rainbow.recipe import RainbowRecipe
from hoad.learning.recolour import COLOURS, recolouring_tensors
from hoad.learning.training.loop import LOSS, VALIDATION_LOSS, Learner, Scalars, train_and_test
from hoad.learning.training.run import TrainingRun

# Purposes of seeds.
_DECKS, _VALIDATION, _TEST, _EXPLORATION, _DRAWS, _COLOURINGS = range(1, 7)

_SMALL: Final = 1e-3
"""Added to the divergence of priorities, in nats, so that no transition is never drawn."""


class RainbowLearner(Learner):
    """Plays games in lockstep with its network, and learns from its replay buffer.

    Scores are written to a learning curve.
    """

    network: RainbowNetwork
    recipe: RainbowRecipe

    def __init__(self, recipe: RainbowRecipe, curve: LearningCurve) -> None:
        super().__init__(recipe)
        self.curve = curve
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
        return scalars | {"training/moves per second": recipe.games / (time.monotonic() - start)}

    def play_on(self, step: int) -> Scalars:
        """Make a move in each game, epsilon-greedily, and store it in the replay buffer."""
        lockstep = self.lockstep
        values, actions = self._greedy_moves()
        epsilons = self.epsilons(step)
        seed = derive_seed(self.recipe.seed, _EXPLORATION, step)
        _explore(actions, lockstep.legal, epsilons, np.array([seed], np.uint64))
        self.buffer.begin(lockstep.observations, lockstep.legal, actions, lockstep.statuses)
        lost, ended = lockstep.step(actions), int(lockstep.ended.sum())
        self.buffer.finish(lockstep.rewards, lockstep.ended)
        scalars = {"training/value": values, "training/random moves": float(epsilons.mean())}
        return scalars | {"training/lost": lost / ended} if ended else scalars

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
        """Return the share of random moves in a step by game, large to small.

        Horgan et al., "Distributed prioritized experience replay" (2018).
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
        own_cards_weight = recipe.own_cards_weight if has_auxiliary else 0.0
        lr = self.lr(step)
        self.set_lr(lr)
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
        update_average(self.average, self.network, recipe.ema, step - recipe.learning_starts)
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
        x, target = unpack(experience.next_observations), self.target
        chooser = self.network if self.recipe.double else target
        with autocast(self.device, self.recipe.precision):
            best = mask_illegal(chooser(x), experience.next_legal).argmax(dim=1)
            logits = target.logits_of(target.features(x), best)
        probabilities = logits.float().softmax(dim=1)
        return project(target.support, probabilities, experience.returns, experience.discounts)

    def _update(
        self,
        experience: Experience,
        targets: torch.Tensor,
        rows: torch.Tensor,
        colouring: np.ndarray,
        own_cards_weight: float,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Take one step of Adam on these rows, with permuted colours; return losses before it.

        They are the cross entropies of the distributions of returns, shape ``(batch,)``, and the
        mean of the auxiliary loss of the player's own cards.
        """
        bits, moves = recolouring_tensors(colouring, self.device)
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

    def kept_network(self) -> RainbowNetwork:
        """Return the network of averaged weights, which plays better than the newest ones."""
        return self.average

    def validate(self) -> Scalars:
        """Play greedily in self-play; the loss is 25 minus the mean strict score."""
        with autocast(self.device, self.recipe.precision):
            logs = self._self_play(self.recipe.validation_games, _VALIDATION)
        colours, ranks = hint_shares(logs)
        measures = _scores(logs) | {"colour_hints": colours, "rank_hints": ranks}
        self._pictures = {"validation/moves after moves": draw_move_table(move_table(logs))}
        self.curve.add(self.buffer.rows_written * self.recipe.games, measures)
        named = {f"validation/{name.replace('_', ' ')}": value for name, value in measures.items()}
        return named | {VALIDATION_LOSS: PERFECT_SCORE - measures["strict"]}

    def test(self) -> dict[str, float]:
        """Play greedily in self-play, on decks that no choice depended on."""
        games = self.recipe.test_games
        scores = _scores(self._self_play(games, _TEST))
        means = {"lenient_score": scores["lenient"], "strict_score": scores["strict"]}
        return {"self_play_games": games, **means, "lost": scores["lost"]}

    def _self_play(self, games: int, purpose: int) -> GameLogs:
        agent = NetworkAgent("rainbow", self.average)
        return play((agent, agent), games, derive_seed(self.recipe.seed, purpose))

    def pictures(self) -> dict[str, np.ndarray]:
        """Return the table of moves after moves in the last validation's games."""
        return self._pictures

    def state_dict(self) -> dict[str, torch.Tensor]:
        """Return views of the other networks, the replay buffer and the games in lockstep."""
        parts: dict[str, Mapping[str, Any]] = {
            "target": self.target.state_dict(),
            "average": self.average.state_dict(),
            "buffer": self.buffer.arrays(),
            "lockstep": self.lockstep.arrays(),
        }
        return {
            f"{part}.{name}": torch.as_tensor(values)
            for part, arrays in parts.items()
            for name, values in arrays.items()
        }

    def load_state_dict(self, state: Mapping[str, torch.Tensor]) -> None:
        """Restore them; the learning curve continues from there."""
        for name, view in self.state_dict().items():
            view.copy_(state[name])
        self.lockstep.look()
        self.curve.resume(self.buffer.rows_written * self.recipe.games)


@njit(cache=True, nogil=True)
def _explore(
    actions: np.ndarray, legal: np.ndarray, epsilons: np.ndarray, streams: np.ndarray
) -> None:
    """Replace each game's share of the actions by random legal moves."""
    for game in range(len(actions)):
        if next_unit(streams, 0) < epsilons[game]:
            actions[game] = pick_move(legal[game], streams, 0)


def _scores(logs: GameLogs) -> dict[str, float]:
    outcomes = replay(logs)
    scores = {"strict": outcomes.strict, "lenient": outcomes.scores, "lost": outcomes.lives == 0}
    return {name: float(values.mean()) for name, values in scores.items()}


def train_rainbow(recipe: RainbowRecipe, out: Path, resume: bool) -> dict[str, float]:
    """Train Rainbow in self-play; write to ``rainbow/SEED`` in ``out``.

    Return scores of the best checkpoint in self-play on decks that no choice depended on:
    ``self_play_games``, ``lenient_score``, ``strict_score`` and ``lost``.

    Raises:
        HoadError: see :func:`hoad.learning.training.loop.train`.
    """
    name = str(recipe.seed)
    folder = checkpoint_folder("rainbow", name, out)
    run = TrainingRun("rainbow", name, folder, recipe, games={}, may_change=frozenset(("steps",)))
    run.claim(resume)
    if known := run.finished_measures():
        return known
    learner = RainbowLearner(recipe, LearningCurve(folder / CURVE, run.clock))
    return train_and_test(learner, run, resume)
