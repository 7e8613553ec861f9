"""How a belief becomes a response: the agent of its pool that a meta-agent plays as next."""

from abc import ABC, abstractmethod

import numpy as np

from hoad.adhoc_player import choice_streams, draw
from hoad.agents.seeds import other_seed
from hoad.bayes.matchups import Matchups
from hoad.game.stream import Purpose


class Response(ABC):
    """A way to choose a response, by its index in the pool."""

    def begin(self, episodes: int, seed: int) -> None:  # noqa: B027 (most need nothing)
        """Prepare for episodes of the run with this seed."""

    @abstractmethod
    def choose(self, beliefs: np.ndarray, seat: int) -> np.ndarray:
        """Return a response for ``seat`` in each episode, int64, shape ``(episodes,)``.

        Beliefs are distributions over hypotheses, shape ``(episodes, hypotheses)``.
        """


class ExpectedBest(Response):
    """The response with the best expected score under the belief (Canaan et al. 2022, eq. 7).

    Under a uniform belief this is the generalist (eq. 1). Ties go to the first.
    """

    def __init__(self, matchups: Matchups) -> None:
        self._matchups = matchups

    def choose(self, beliefs: np.ndarray, seat: int) -> np.ndarray:
        return np.argmax(beliefs @ self._matchups.scores(seat).T, axis=1)


def generalists(matchups: Matchups) -> tuple[int, int]:
    """Return the generalist's responses, where it moves first and second, by index."""
    hypotheses, best = len(matchups.hypotheses), ExpectedBest(matchups)
    uniform = np.full((1, hypotheses), 1 / hypotheses)
    first, second = (int(best.choose(uniform, seat)[0]) for seat in range(2))
    return first, second


class MostLikelyBest(ExpectedBest):
    """The best response to the most likely hypothesis, however unlikely; ties go to the first.

    An earlier version of the meta-agent did so (Canaan et al. 2022, section VII).
    """

    def choose(self, beliefs: np.ndarray, seat: int) -> np.ndarray:
        return np.argmax(self._matchups.scores(seat)[:, beliefs.argmax(axis=1)], axis=0)


class BestKnown(Response):
    """One response by seat, whatever the belief: with the oracle's scores, the oracle (eq. 2).

    ``scores`` with the partner have the shape ``(2, responses)``: the response's seat first.
    """

    def __init__(self, scores: np.ndarray) -> None:
        self._best = np.argmax(scores, axis=1)

    def choose(self, beliefs: np.ndarray, seat: int) -> np.ndarray:
        return np.full(len(beliefs), self._best[seat])


class RandomResponse(Response):
    """A uniformly drawn response, a new one for each game (Canaan et al. 2022, section VI).

    Those of different numbers draw different responses in the same run. ``responses`` is how many
    there are.
    """

    def __init__(self, number: int, responses: int) -> None:
        self._number = number
        self._responses = responses

    def begin(self, episodes: int, seed: int) -> None:
        self._streams = choice_streams(episodes, other_seed(seed, Purpose.RESPONSE, self._number))

    def choose(self, beliefs: np.ndarray, seat: int) -> np.ndarray:
        return draw(self._streams, self._responses)
