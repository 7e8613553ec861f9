"""Belief from behaviour: which hypothesis behaves as the partner does?

The partner's behaviour is compared with that of each hypothesis with the same response in the same
seat (Canaan et al. 2022, section VI).
"""

from typing import Final

import numpy as np

from hoad.agents.behaviour import COUNTS, count_behaviour, features_of
from hoad.bayes.belief import PartnerBelief
from hoad.bayes.matchups import Matchups
from hoad.bayes.settings import Evidence
from hoad.game.log import GameLogs

SIGMA: Final = 0.1
"""Standard deviation of a partner's features around the expected ones (Canaan et al. 2022)."""


class BehaviourBelief(PartnerBelief):
    """Weighs hypotheses by the communicativeness and IPP that the partner shows.

    Naive Bayes with Gaussian features (eqs. 4 to 6): the density of N(expected, sigma²) at the
    observed value, where the expected value depends on the response and on the seats.
    """

    def __init__(self, matchups: Matchups, evidence: Evidence = "last_game") -> None:
        self.hypotheses = len(matchups.hypotheses)
        self._matchups = matchups
        self._evidence = evidence
        self.begin(0)

    def begin(self, episodes: int) -> None:
        self._counts = np.zeros((episodes, COUNTS), np.int64)
        self._log_beliefs = np.full((episodes, self.hypotheses), -np.log(self.hypotheses))

    def update(self, logs: GameLogs, seat: int, responses: np.ndarray) -> None:
        expected = self._matchups.expected_features(seat)[responses]
        if self._evidence == "as_published":
            self._counts = self._counts + behaviour_between_moves(logs, seat)
            observed = np.nan_to_num(features_of(self._counts))
            expected = np.where(np.isnan(expected), np.inf, expected)
        else:
            counts = count_behaviour(logs)[:, 1 - seat]
            self._counts = counts if self._evidence == "last_game" else self._counts + counts
            observed = features_of(self._counts)
        self._log_beliefs = update_log_beliefs(self._log_beliefs, observed, expected)

    @property
    def probabilities(self) -> np.ndarray:
        return np.exp(self._log_beliefs)


def update_log_beliefs(
    log_beliefs: np.ndarray, observed: np.ndarray, expected: np.ndarray
) -> np.ndarray:
    """Return the logarithms of the beliefs after an observation (eqs. 4 and 6), normalised.

    A feature that is undefined, as observed or as expected, is no evidence for or against. An
    observation that rules out every hypothesis that is left changes nothing.

    Args:
        log_beliefs: float64, shape ``(episodes, hypotheses)``; -inf for what is ruled out.
        observed: features, shape ``(episodes, 2)``.
        expected: features by hypothesis, shape ``(episodes, hypotheses, 2)``; infinite where
            whatever is observed rules the hypothesis out.
    """
    distances = (observed[:, None, :] - expected) / SIGMA
    evidence = -0.5 * np.where(np.isnan(distances), 0.0, distances**2).sum(2)
    unnormalised = log_beliefs + evidence
    highest = unnormalised.max(1, keepdims=True)
    unnormalised = np.where(np.isneginf(highest), log_beliefs, unnormalised)
    unnormalised = unnormalised - unnormalised.max(1, keepdims=True)
    return unnormalised - np.log(np.exp(unnormalised).sum(1, keepdims=True))


def behaviour_between_moves(logs: GameLogs, seat: int) -> np.ndarray:
    """Count what the partner did in each game between the first and the last move of ``seat``.

    A player that looks at the partner's move when it is to move itself sees no others. Int64, shape
    ``(games, COUNTS)`` (see :func:`hoad.agents.behaviour.count_behaviour`).
    """
    lengths = np.diff(logs.offsets)
    partner_moved_last = (lengths - 1) % 2 == 1 - seat
    counts = count_behaviour(_beginnings(logs, lengths - partner_moved_last))
    if seat == 1:
        counts = counts - count_behaviour(_beginnings(logs, np.minimum(lengths, 1)))
    return counts[:, 1 - seat]


def _beginnings(logs: GameLogs, lengths: np.ndarray) -> GameLogs:
    """Return the first turns of each game, as many as ``lengths`` says."""
    turns = np.arange(len(logs.actions)) - np.repeat(logs.offsets[:-1], np.diff(logs.offsets))
    kept = turns < np.repeat(lengths, np.diff(logs.offsets))
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return GameLogs(logs.players, logs.decks, logs.actions[kept], offsets)
