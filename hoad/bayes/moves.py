"""Belief from action likelihood: which hypothesis would have made the partner's moves?

The future work that Canaan et al. 2022 name in section VIII. A game shows two features, but some
thirty moves, so even a partner that is none of the hypotheses looks like one of them for certain.
So there is one more hypothesis, the *stranger*, which plays each move as a random agent of the
pool: what explains the moves no better gets no belief. The belief in the stranger is shared by all
hypotheses, so the best response to it is the generalist's.
"""

from collections.abc import Hashable, Sequence
from typing import Final

import numpy as np

from hoad.adhoc_player import Support, trials_of
from hoad.agents.agent import MOVES, Agent
from hoad.agents.follow import followed_turns
from hoad.bayes.belief import normalised
from hoad.bayes.hypotheses import Hypotheses
from hoad.bayes.in_game import InGameAgent, InGameBelief, InGameMetaAgent
from hoad.bayes.matchups import Matchups, matchups_of_pool
from hoad.bayes.response import ExpectedBest
from hoad.game.log import GameLogs

NOISE: Final = 0.05
"""Assumed share of random moves of a partner, above 0: one move rules no hypothesis out."""

SAMPLES: Final = 4
"""Hands imagined for one move."""

UNLIKELY: Final = 1e-4
"""Hypotheses with less belief are weighed with one imagined hand, which takes less time."""


class LikelihoodBelief(InGameBelief):
    """Weighs hypotheses by the probability of each move that the partner made.

    Args:
        agents: the hypotheses.
        reveal: whether the meta-agent sees all of its own cards when a game is over, the table
            being laid open, or none but those that left its hand before.

    Attributes:
        asked: the hypotheses, which are asked for weights.
        knowledge: sums of log-probabilities of the partner's moves, float64, shape
            ``(episodes, hypotheses + 1)``: the stranger last.
    """

    def __init__(self, agents: Sequence[Agent], reveal: bool = False) -> None:
        self.size = len(agents)
        self.asked = Hypotheses(agents)
        self._samples = None if reveal else SAMPLES
        self.begin(0)

    def begin(self, episodes: int) -> None:
        self.knowledge = np.zeros((episodes, self.size + 1))

    def update(self, logs: GameLogs, seat: int, responses: np.ndarray) -> None:
        weights = self.asked.weights_in_games(logs, seat, self._samples, unlikely(self.knowledge))
        partners = logs.turns % 2 != seat
        np.add.at(self.knowledge, logs.games[partners], log_evidence(weights[partners], NOISE))

    @property
    def probabilities(self) -> np.ndarray:
        return beliefs_from(self.knowledge)


def log_evidence(weights: np.ndarray, noise: float) -> np.ndarray:
    """Return the log-probabilities of moves, shape ``(moves, hypotheses + 1)``: stranger last.

    Weights are those that each hypothesis gives to each move, shape ``(moves, hypotheses)``;
    ``noise`` is the share of moves that are any of the ``MOVES``, above 0.
    """
    all_weights = np.concatenate([weights, weights.mean(1, keepdims=True)], axis=1)
    return np.log((1 - noise) * all_weights + noise / MOVES)


def support_evidence(
    hypotheses: Hypotheses, logs: GameLogs, seats: np.ndarray | None = None
) -> np.ndarray:
    """Return the sums of log-probabilities of the moves of the partner in its games.

    Float64, ``(hypotheses + 1,)``, as ``LikelihoodBelief.knowledge``; all cards are known.
    ``seats`` tells where it sits, bool, shape ``(games, 2)``; None for self-play games.
    """
    none = np.zeros((len(logs), hypotheses.size), np.bool_)
    first, second = (hypotheses.weights_in_games(logs, seat, None, none) for seat in range(2))
    evidence = log_evidence(first + second, NOISE)
    if seats is not None:
        evidence = evidence[followed_turns(logs, seats)]
    return evidence.sum(0)


def beliefs_from(evidence: np.ndarray) -> np.ndarray:
    """Return the beliefs from evidence, ``(episodes, hypotheses)``, for a uniform prior.

    Evidence is sums of log-probabilities, shape ``(episodes, hypotheses + 1)``; the belief in the
    stranger is divided evenly.
    """
    beliefs = normalised(evidence)
    return beliefs[:, :-1] + beliefs[:, -1:] / (evidence.shape[1] - 1)


def unlikely(evidence: np.ndarray) -> np.ndarray:
    """Return which hypotheses have less belief than `UNLIKELY`, ``(episodes, hypotheses)``."""
    return normalised(evidence)[:, :-1] < UNLIKELY


class BayesMovesAgent(InGameAgent):
    """Weighs its hypotheses at every move of the partner.

    It knows what a :class:`LikelihoodBelief` does.
    """

    def __init__(self, name: str, matchups: Matchups) -> None:
        numbers = len(matchups.hypotheses) + 1
        super().__init__(name, matchups, numbers, ExpectedBest(matchups))
        self._hypotheses = Hypotheses(self.hypotheses)

    def new_belief(self) -> LikelihoodBelief:
        return LikelihoodBelief(self.hypotheses)

    def beliefs_from(self, knowledge: np.ndarray) -> np.ndarray:
        return beliefs_from(knowledge)

    def learn(
        self, knowledge: np.ndarray, states: np.ndarray, seat: int, actions: np.ndarray
    ) -> None:
        partners = np.flatnonzero(states["table"]["current"] != seat)
        if len(partners):
            rare = unlikely(knowledge[partners])
            weights = self._hypotheses.weights_of_moves(
                states[partners], actions[partners], seat, SAMPLES, rare
            )
            knowledge[partners] += log_evidence(weights, NOISE)

    @property
    def identity(self) -> Hashable:
        """Its constants, and the identities of its hypotheses and of other responses."""
        kind = "adaptive"  # kept games are found by it, so it stays
        return kind, NOISE, SAMPLES, *self._agents_known


class SupportedMetaAgent(InGameMetaAgent):
    """Plays as a :class:`BayesMovesAgent`, and begins each episode with its trial's support."""

    belief: LikelihoodBelief

    def __init__(
        self, name: str, support: Support, matchups: Matchups, partner: int | None = None
    ) -> None:
        super().__init__(BayesMovesAgent(name, matchups), partner)
        self._support = support

    def begin(self, episodes: int, seed: int) -> None:
        super().begin(episodes, seed)
        asked = self.belief.asked
        evidence = [support_evidence(asked, logs) for logs in self._support.play(seed)]
        self.belief.knowledge += np.array(evidence)[self.repetitions(episodes)]

    def repetitions(self, episodes: int) -> np.ndarray:
        return trials_of(episodes, self._support.trials)


def make_bayes_moves(pool: str) -> Agent:
    """Return the agent ``bayes-moves:POOL``, which learns about its partner during a game.

    For pool and errors see :func:`hoad.bayes.matchups.matchups_of_pool`.
    """
    name = f"bayes-moves:{pool}"
    return BayesMovesAgent(name, matchups_of_pool(name, pool))
