"""What a meta-agent believed while it played."""

from typing import NamedTuple

import numpy as np

from hoad.adhoc.bayes.response import Response


class Beliefs(NamedTuple):
    """What the adaptive meta-agent believed about a partner.

    Attributes:
        hypotheses: names.
        means: mean belief before each game of an episode, shape ``(games, hypotheses)``.
    """

    hypotheses: tuple[str, ...]
    means: np.ndarray


class BeliefDiary(Response):
    """Writes down the beliefs that a response is asked about.

    Args:
        response: who answers.
        hypotheses: names of the hypotheses.
        partner: index of the hypothesis that is the partner; None if there is none.
    """

    def __init__(
        self, response: Response, hypotheses: tuple[str, ...], partner: int | None = None
    ) -> None:
        self.hypotheses = hypotheses
        self._response = response
        self._partner = partner
        self._means: list[np.ndarray] = []
        self._of_first: list[np.ndarray] = []
        self._in_partner: list[np.ndarray] = []
        self._found: list[np.ndarray] = []

    def begin(self, episodes: int, seed: int) -> None:
        """Prepare (see :meth:`Response.begin`)."""
        self._means, self._of_first, self._in_partner, self._found = [], [], [], []
        self._response.begin(episodes, seed)

    def choose(self, beliefs: np.ndarray, seat: int) -> np.ndarray:
        """Ask the response (see :meth:`Response.choose`)."""
        self._means.append(beliefs.mean(axis=0))
        self._of_first.append(beliefs[0])
        if self._partner is not None:
            self._in_partner.append(beliefs[:, self._partner])
            others = np.delete(beliefs, self._partner, axis=1)
            self._found.append(beliefs[:, self._partner] > others.max(axis=1, initial=0))
        return self._response.choose(beliefs, seat)

    @property
    def means(self) -> np.ndarray:
        """Mean belief before each game of an episode, shape ``(games, hypotheses)``."""
        return np.array(self._means)

    @property
    def of_first_episode(self) -> np.ndarray:
        """Belief before each game of the first episode, shape ``(games, hypotheses)``."""
        return np.array(self._of_first)

    @property
    def in_partner(self) -> np.ndarray:
        """Belief in the partner before each game, shape ``(episodes, games)``."""
        return np.array(self._in_partner).T

    @property
    def found(self) -> np.ndarray:
        """Whether nobody else was as likely before each game, shape ``(episodes, games)``."""
        return np.array(self._found).T
