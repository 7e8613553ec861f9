"""Belief from action likelihood: which hypothesis would have made the partner's moves?

The future work that Canaan et al. 2022 name in section VIII. A game shows two features, but some
thirty moves, so even a partner that is none of the hypotheses looks like one of them for certain.
So there is one more hypothesis, the *stranger*, which plays each move as a random agent of the
pool: what explains the moves no better gets no belief. The belief in the stranger is shared by all
hypotheses, so the best response to it is the generalist's.
"""

from collections.abc import Sequence
from typing import Final, Literal

import numpy as np

from hoad.agents.agent import MOVES, Agent
from hoad.bayes.belief import PartnerBelief
from hoad.bayes.hypotheses import Hypotheses
from hoad.game.log import GameLogs

NOISE: Final = 0.05
"""Assumed share of random moves of a partner: one move rules no hypothesis out."""

SAMPLES: Final = 4
"""Hands imagined for one move."""

UNLIKELY: Final = 1e-4
"""Hypotheses with less belief are weighed with one imagined hand, which takes less time."""

Reveal = Literal["none", "after_game"]
"""Which of its own cards a meta-agent sees when a game is over: none but those that left its hand
before, or all, the table being laid open."""


class LikelihoodBelief(PartnerBelief):
    """Weighs hypotheses by the probability of each move that the partner made.

    For ``reveal``, ``noise`` and ``samples`` see `Reveal`, `NOISE` (above 0) and `SAMPLES`.

    Attributes:
        agents: the hypotheses, which can be asked for weights.
        evidence: sums of log-probabilities of the partner's moves, float64, shape
            ``(episodes, hypotheses + 1)``: the stranger last.
    """

    def __init__(
        self,
        agents: Sequence[Agent],
        reveal: Reveal = "none",
        noise: float = NOISE,
        samples: int = SAMPLES,
    ) -> None:
        self.hypotheses = len(agents)
        self.agents = Hypotheses(agents)
        self._samples = None if reveal == "after_game" else samples
        self._noise = noise
        self.begin(0)

    def begin(self, episodes: int) -> None:
        self.evidence = np.zeros((episodes, self.hypotheses + 1))

    def update(self, logs: GameLogs, seat: int, responses: np.ndarray) -> None:
        weights = self.agents.weights_in_games(logs, seat, self._samples, unlikely(self.evidence))
        games = np.repeat(np.arange(len(logs)), np.diff(logs.offsets))
        turns = np.arange(len(games)) - logs.offsets[games]
        partners = turns % 2 != seat
        np.add.at(self.evidence, games[partners], log_evidence(weights[partners], self._noise))

    @property
    def probabilities(self) -> np.ndarray:
        return beliefs_from(self.evidence)


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

    Float64, ``(hypotheses + 1,)``, as ``LikelihoodBelief.evidence``; all cards are known. ``seats``
    tells where it sits, bool, shape ``(games, 2)``; None for self-play games.
    """
    none = np.zeros((len(logs), hypotheses.size), np.bool_)
    first, second = (hypotheses.weights_in_games(logs, seat, None, none) for seat in range(2))
    evidence = log_evidence(first + second, NOISE)
    if seats is not None:
        games = np.repeat(np.arange(len(logs)), np.diff(logs.offsets))
        turns = np.arange(len(games)) - logs.offsets[games]
        evidence = evidence[seats[games, turns % 2]]
    return evidence.sum(0)


def beliefs_from(evidence: np.ndarray) -> np.ndarray:
    """Return the beliefs from evidence, ``(episodes, hypotheses)``, for a uniform prior.

    Evidence is sums of log-probabilities, shape ``(episodes, hypotheses + 1)``; the belief in the
    stranger is divided evenly.
    """
    beliefs = beliefs_with_stranger(evidence)
    return beliefs[:, :-1] + beliefs[:, -1:] / (evidence.shape[1] - 1)


def unlikely(evidence: np.ndarray) -> np.ndarray:
    """Return which hypotheses have less belief than `UNLIKELY`, ``(episodes, hypotheses)``."""
    return beliefs_with_stranger(evidence)[:, :-1] < UNLIKELY


def beliefs_with_stranger(evidence: np.ndarray) -> np.ndarray:
    """Return the beliefs from evidence with the stranger's last, ``(episodes, hypotheses + 1)``."""
    beliefs = np.exp(evidence - evidence.max(1, keepdims=True))
    return beliefs / beliefs.sum(1, keepdims=True)
