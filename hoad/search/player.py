"""Players that learn partner models from a few games, and search with them."""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hoad.adhoc_player import AdhocPlayer, Support, trials_of
from hoad.agents.agent import Agent
from hoad.agents.seeds import other_seed
from hoad.bayes.settings import Score
from hoad.game.log import GameLogs
from hoad.game.stream import Purpose
from hoad.search.strategy import Strategy, compiled_in

if TYPE_CHECKING:  # it imports torch, which takes seconds
    from hoad.partners.kinds import Knowledge


class SearchPlayer(AdhocPlayer):
    """Learns from the support of each trial, then from each game of an episode, and searches.

    Args:
        name: its name.
        support: the games of the partner that it watches before it plays.
        known: what its models of the partner know; search needs an agent that is compiled.
        score: what counts.

    Raises:
        HoadError: no agent of the pool is compiled.
    """

    watches = True

    def __init__(
        self, name: str, support: Support, known: "Knowledge", score: Score = "strict"
    ) -> None:
        compiled_in(known.pool)  # refuses a pool without any
        self.name = name
        self._support = support
        self._known, self._score = known, score
        self._strategies: list[Strategy] = []

    def begin(self, episodes: int, seed: int) -> None:
        seeds = [other_seed(trial_seed, Purpose.CHOICE) for trial_seed in self._support.seeds(seed)]
        trials = zip(self._support.play_seated(seed), seeds, strict=True)
        learned = [
            Strategy(logs, self._known, self._score, decks, seats)
            for (logs, seats), decks in trials
        ]
        self._strategies = [learned[trial].copy() for trial in self.repetitions(episodes)]

    def agents(self, game: int, seat: int) -> Sequence[Agent]:
        return [strategy.player(self.name) for strategy in self._strategies]

    def watch(self, game: int, seat: int, logs: GameLogs) -> None:
        for episode, strategy in enumerate(self._strategies):
            strategy.watch(logs.select(np.array([episode])), seat)

    def in_trial(self, trial: int) -> "SearchPlayer":
        other = copy(self)
        other._support = replace(self._support, trials=1, first=self._support.first + trial)
        return other

    def repetitions(self, episodes: int) -> np.ndarray:
        return trials_of(episodes, self._support.trials)
