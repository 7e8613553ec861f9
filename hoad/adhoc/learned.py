"""Players with a network that learns from the support: low-shot and naive.

Each trial is a new start: fresh self-play games of the partner, and a network adapted to, or
trained on, the transitions of both seats (Sarmasi 2022, section 3.6.2).
"""

from collections.abc import Sequence

from hoad.adhoc.player import TrialPlayer
from hoad.adhoc.support import Support
from hoad.agents.agent import Agent
from hoad.game.log import GameLogs
from hoad.learning.naive import train_naive
from hoad.learning.policies import LowShotModel, PolicyAgent
from hoad.learning.recipes import NaiveRecipe


class LowShot(TrialPlayer):
    """The meta-model that was trained without the partner, adapted to the partner's games.

    It adapts with the inner rate of its meta-training: with the number of steps on all games that
    was best on unseen games of the training agents, or with one step on each game if its support
    was one mini-batch after another (published code).

    Args:
        name, support: as in :class:`~hoad.adhoc.player.TrialPlayer`.
        held_out: names of meta-models, as in ``maml:HELD_OUT``, that take the trials in turn.
        steps, rate: as in :class:`~hoad.learning.policies.LowShotModel`, with the same errors.
    """

    def __init__(
        self,
        name: str,
        support: Support,
        held_out: Sequence[str],
        steps: int | None = None,
        rate: float | None = None,
    ) -> None:
        super().__init__(name, support)
        self._models = [LowShotModel(name, steps, rate) for name in held_out]

    def learn(self, logs: GameLogs, seed: int, trial: int) -> Agent:
        return self._models[trial % len(self._models)].adapt(logs, self.name)


class Naive(TrialPlayer):
    """A network that is trained, as a recipe says, on the partner's games of the trial only."""

    def __init__(self, name: str, support: Support, recipe: NaiveRecipe) -> None:
        super().__init__(name, support)
        self._recipe = recipe

    def learn(self, logs: GameLogs, seed: int, trial: int) -> Agent:
        return PolicyAgent(self.name, train_naive(logs, self._recipe, seed))
