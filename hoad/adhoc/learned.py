"""Players that learn from a few games of the partner before they meet it: low-shot and naive.

Each trial is a new start: fresh self-play games of the partner, and a network adapted to, or
trained on, the transitions of both seats (Sarmasi 2022, section 3.6.2).
"""

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from hoad.adhoc.player import AdhocPlayer, trials_of
from hoad.adhoc.seeds import SUPPORT, other_seed
from hoad.agents.agent import Agent
from hoad.agents.play import play
from hoad.game.log import GameLogs
from hoad.learning.naive import train_naive
from hoad.learning.policies import LowShotModel, PolicyAgent
from hoad.learning.recipes import NaiveRecipe


class TrialPlayer(AdhocPlayer):
    """Learns from ``games`` fresh self-play games of the partner in each trial, and plays.

    There are at most as many trials as episodes.
    """

    def __init__(self, name: str, partner: Agent, trials: int, games: int) -> None:
        self.name = name
        self._partner = partner
        self._trials = trials
        self._games = games
        self._agents: list[Agent] = []

    def begin(self, episodes: int, seed: int) -> None:
        seeds = [other_seed(seed, SUPPORT, trial) for trial in range(self._trials)]
        learned = [self.learn(play([self._partner] * 2, self._games, seed), seed) for seed in seeds]
        self._agents = [learned[trial] for trial in trials_of(episodes, self._trials)]

    def agents(self, game: int, seat: int) -> Sequence[Agent]:
        return self._agents

    def repetitions(self, episodes: int) -> np.ndarray:
        return trials_of(episodes, self._trials)

    @abstractmethod
    def learn(self, logs: GameLogs, seed: int) -> Agent:
        """Return the agent to play as after these self-play games of the partner."""


class LowShot(TrialPlayer):
    """The meta-model that was trained without the partner, adapted to the partner's games.

    It adapts with the inner rate of its meta-training: with the number of steps on all games that
    was best on unseen games of the training agents, or with one step on each game if its support
    was one mini-batch after another (published code).

    Args:
        name, partner, trials, games: as in :class:`TrialPlayer`.
        held_out: agent that meta-training held out, as in ``maml:HELD_OUT``.
        steps, rate: inner steps and inner rate, as in ``LowShotRecipe``.

    Raises:
        HoadError: there is no such meta-model; or no number of steps is given, and none was
            chosen because its training is not complete.
    """

    def __init__(
        self,
        name: str,
        held_out: str,
        partner: Agent,
        trials: int,
        games: int,
        steps: int | None = None,
        rate: float | None = None,
    ) -> None:
        super().__init__(name, partner, trials, games)
        self._model = LowShotModel(held_out, steps, rate)

    def learn(self, logs: GameLogs, seed: int) -> Agent:
        return self._model.adapt(logs, self.name)


class Naive(TrialPlayer):
    """A network that is trained, as a recipe says, on the partner's games of the trial only."""

    def __init__(
        self, name: str, partner: Agent, trials: int, games: int, recipe: NaiveRecipe
    ) -> None:
        super().__init__(name, partner, trials, games)
        self._recipe = recipe

    def learn(self, logs: GameLogs, seed: int) -> Agent:
        return PolicyAgent(self.name, train_naive(logs, self._recipe, seed))
