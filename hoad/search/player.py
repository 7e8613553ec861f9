"""Players that learn a partner model from a few games, and search with it."""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace

import numpy as np

from hoad.agents.agent import Agent, CompiledAgent
from hoad.agents.player import AdhocPlayer, Support, trials_of
from hoad.bayes.matchups import Score
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs
from hoad.game.seeds import other_seed
from hoad.game.stream import Purpose
from hoad.partners.model import PartnerModel
from hoad.search.effort import LEARNED_EFFORT, Effort
from hoad.search.strategy import Strategy


class SearchPlayer(AdhocPlayer):
    """Learns from the support of each trial, then from each game of an episode, and searches.

    Args:
        name: its name.
        support: the games of the partner that it watches before it plays.
        pool: agents that are hypotheses and blueprints; only those that are compiled count.
        networks: functions that return a new partner model each, which helps to choose how to
            play; rollouts do not ask it.
        margin: points that a move must gain over the blueprint's; None for the way to play that
            scores best, with or without search.
        score: what counts.
        effort: how much to compute for a decision.

    Raises:
        HoadError: no agent of the pool is compiled.
    """

    watches = True

    def __init__(
        self,
        name: str,
        support: Support,
        pool: Sequence[Agent],
        networks: Sequence[Callable[[], PartnerModel]] = (),
        margin: float | None = None,
        score: Score = "strict",
        effort: Effort = LEARNED_EFFORT,
    ) -> None:
        self.name = name
        self._support = support
        self._pool = [agent for agent in pool if isinstance(agent, CompiledAgent)]
        if not self._pool:
            raise HoadError(f"player {name}: needs a rule list or bot in the pool besides networks")
        self._networks, self._margin, self._score, self._effort = networks, margin, score, effort
        self._strategies: list[Strategy] = []

    def begin(self, episodes: int, seed: int) -> None:
        settings = self._pool, self._networks, self._margin, self._score
        seeds = [other_seed(one, Purpose.CHOICE) for one in self._support.seeds(seed)]
        trials = zip(self._support.play(seed), seeds, strict=True)
        learned = [Strategy(logs, *settings, decks) for logs, decks in trials]
        self._strategies = [learned[trial].copy() for trial in self.repetitions(episodes)]

    def agents(self, game: int, seat: int) -> Sequence[Agent]:
        return [strategy.player(self.name, self._effort) for strategy in self._strategies]

    def watch(self, game: int, seat: int, logs: GameLogs) -> None:
        for episode, strategy in enumerate(self._strategies):
            strategy.watch(logs.select(np.array([episode])), seat)

    def in_trial(self, trial: int) -> "SearchPlayer":
        other = copy(self)
        other._support = replace(self._support, trials=1, first=self._support.first + trial)
        return other

    def repetitions(self, episodes: int) -> np.ndarray:
        return trials_of(episodes, self._support.trials)
