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
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, encode_turns
from hoad.learning.maml.adapt import adapt
from hoad.learning.naive import train_naive
from hoad.learning.policies import PolicyAgent, load_meta_model
from hoad.learning.recipes import NaiveRecipe


class TrialPlayer(AdhocPlayer):
    """Learns from fresh games of the partner in each trial, and plays the trial's episodes.

    Args:
        name: its name in tables.
        partner: the agent whose self-play games it learns from.
        trials: number of trials, at most the number of episodes.
        games: self-play games of the partner in each trial.
    """

    def __init__(self, name: str, partner: Agent, trials: int, games: int) -> None:
        self.name = name
        self._partner = partner
        self._trials = trials
        self._games = games
        self._agents: list[Agent] = []

    def begin(self, episodes: int, seed: int) -> None:
        """Learn from new games in each trial (see :meth:`AdhocPlayer.begin`)."""
        learned = [
            self._learn_from_games(other_seed(seed, SUPPORT, trial))
            for trial in range(self._trials)
        ]
        self._agents = [learned[trial] for trial in trials_of(episodes, self._trials)]

    def agents(self, game: int, seat: int) -> Sequence[Agent]:
        """Return the agent of each episode's trial (see :meth:`AdhocPlayer.agents`)."""
        return self._agents

    def repetitions(self, episodes: int) -> np.ndarray:
        """Return the trial of each episode (see :meth:`AdhocPlayer.repetitions`)."""
        return trials_of(episodes, self._trials)

    def _learn_from_games(self, seed: int) -> Agent:
        return self.learn(play([self._partner, self._partner], self._games, seed), seed)

    @abstractmethod
    def learn(self, logs: GameLogs, seed: int) -> Agent:
        """Return the agent to play as after these self-play games of the partner."""


class LowShot(TrialPlayer):
    """The meta-model that was trained without the partner, adapted to the partner's games.

    It adapts with the inner rate of its meta-training: with the number of steps on all games that
    was best on unseen games of the training agents, or with one step on each game if its support
    was one mini-batch after another (published code).

    Args:
        name: its name in tables.
        held_out: agent that meta-training held out, as in ``maml:HELD_OUT``.
        partner: the agent whose games it adapts to.
        trials: number of trials.
        games: games of each trial.
        steps: inner steps, on all games or on each; None for the number that did best on unseen
            games of the agents of meta-training.
        rate: inner rate; None for the one of meta-training.

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
        self._model, about = load_meta_model(held_out)
        if steps is None and "play_steps" not in about:
            raise HoadError(
                f"maml:{held_out}: its training has not chosen inner steps for play yet; train to "
                "the end with --resume, use a milestone (low-shot@STEP), or set --low-shot.steps"
            )
        self._steps = about["play_steps"] if steps is None else steps
        self._rate = about["facts"]["inner_rate"] if rate is None else rate
        self._precision = about["recipe"].get("precision", "float32")
        self._each_game = about["recipe"]["episode"] == "transitions"

    def learn(self, logs: GameLogs, seed: int) -> Agent:
        """Adapt a copy of the meta-model (see :meth:`TrialPlayer.learn`)."""
        games = encode_turns(logs)
        adapted = adapt(
            self._model, games, self._rate, self._steps, self._each_game, self._precision
        )
        return PolicyAgent(self.name, adapted)


class Naive(TrialPlayer):
    """A network that is trained on the partner's games of the trial only.

    Args:
        name: its name in tables.
        partner: the agent whose games it is trained on.
        trials: number of trials.
        games: games of each trial.
        recipe: network and training.
    """

    def __init__(
        self, name: str, partner: Agent, trials: int, games: int, recipe: NaiveRecipe
    ) -> None:
        super().__init__(name, partner, trials, games)
        self._recipe = recipe

    def learn(self, logs: GameLogs, seed: int) -> Agent:
        """Train a new network (see :meth:`TrialPlayer.learn`)."""
        return PolicyAgent(self.name, train_naive(logs, self._recipe, seed))
