"""The Gymnasium environment: one game at a time between a learner and a partner."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

from hoad.agents.agent import Agent
from hoad.environments.games import OBSERVATION_BITS, LearnerGames, Score
from hoad.game.moves import MOVES
from hoad.game.state import full_game
from hoad.game.text import render
from hoad.game.view import view_of


class HanabiEnv(gymnasium.Env[np.ndarray, np.int64]):
    """A game of two players between a learner and a partner, always at the learner's turn.

    The games are those of :class:`hoad.environments.vector.HanabiVectorEnv`, one after the other.
    Observations are HLE's canonical ones, 0 or 1, uint8, shape ``(658,)``. ``info`` holds
    ``action_mask`` (int8, shape ``(20,)``), ``score`` (lenient) and ``lives``.

    Args:
        partner: an agent, or its name.
        seat: the learner's seat; None for both in turn.
        score: what the rewards of a game sum to, ``"strict"`` or ``"lenient"``.
        render_mode: ``"ansi"`` to let :meth:`render` return the table as text, or None.

    Raises:
        HoadError: an argument is out of range, or no fair agent has this name.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        partner: str | Agent = "iggi",
        seat: int | None = None,
        score: Score = "strict",
        render_mode: str | None = None,
    ) -> None:
        self._games = LearnerGames(partner, 1, seat, score)
        self.observation_space = Box(0, 1, (OBSERVATION_BITS,), np.uint8)
        self.action_space = Discrete(MOVES)
        self.render_mode = render_mode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin game 0 of the run with this seed; without one, the next game of the run.

        The first reset without a seed draws one. ``options`` are not used.
        """
        if seed is None and self._np_random is None:
            seed = int(self.np_random.integers(2**63))
        else:
            super().reset(seed=seed)
        self._games.restart(seed)
        return self._games.observations()[0], self._info()

    def step(self, action: int | np.int64) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Make a move; return observation, reward, terminated, truncated (never) and info."""
        games = self._games
        games.step(np.array([action]))
        ended = bool(games.ended[0])
        return games.observations()[0], float(games.rewards[0]), ended, False, self._info()

    def action_masks(self) -> np.ndarray:
        """Return the legal actions, bool, shape ``(20,)``, under the name that sb3-contrib asks."""
        return self._games.masks[0].astype(np.bool_)

    def render(self) -> str:
        """Return the table as text: everything, the learner's own cards too."""
        return render(view_of(full_game(2), self._games.states[0]))

    def _info(self) -> dict[str, Any]:
        table = self._games.states[0].table
        mask = self._games.masks[0].copy()
        return {"action_mask": mask, "score": int(table.score), "lives": int(table.lives)}
