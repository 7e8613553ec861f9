"""What a meta-agent believed while it played."""

import numpy as np

from hoad.adhoc.response import Response


class BeliefDiary(Response):
    """Writes down the beliefs that a response is asked about.

    Args:
        response: who answers.
        hypotheses: names of the hypotheses.
    """

    def __init__(self, response: Response, hypotheses: tuple[str, ...]) -> None:
        self.hypotheses = hypotheses
        self._response = response
        self._means: list[np.ndarray] = []

    def begin(self, episodes: int, seed: int) -> None:
        """Prepare (see :meth:`Response.begin`)."""
        self._means = []
        self._response.begin(episodes, seed)

    def choose(self, beliefs: np.ndarray, seat: int) -> np.ndarray:
        """Ask the response (see :meth:`Response.choose`)."""
        self._means.append(beliefs.mean(axis=0))
        return self._response.choose(beliefs, seat)

    @property
    def means(self) -> np.ndarray:
        """Mean belief before each game of an episode, shape ``(games, hypotheses)``."""
        return np.array(self._means)
