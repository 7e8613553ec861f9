"""The Gymnasium environment: one game at a time of a learner with a partner, or with itself."""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete

from hoad.agents.agent import Agent
from hoad.environments.games import LearnerGames, Score
from hoad.environments.observations import Observation, observed, space_of
from hoad.environments.rendering import RENDER_MODES, check_render_mode, show
from hoad.game.game import render
from hoad.game.moves import MOVES
from hoad.game.state import full_game
from hoad.game.view import view_of


class HanabiEnv(gymnasium.Env[Observation, np.int64]):
    """A game of two players between a learner and a partner, always at the learner's turn.

    ``gymnasium.make("hoad/Hanabi-v0", partner="iggi")`` makes it once ``hoad.environments`` is
    imported.

    The games are those of :class:`hoad.environments.vector.HanabiVectorEnv`, one after the other.
    Observations are HLE's canonical ones, 0 or 1, uint8, shape ``(658,)``. ``info`` holds
    ``action_mask`` (int8, shape ``(20,)``), ``score`` (lenient), ``lives`` and ``seat``, the
    learner's.

    Args:
        partner: an agent, or its name; None for self-play, in which each step is one move and
            observations are of the player to move.
        seat: the learner's seat; None for both in turn.
        score: what the rewards of a game sum to, ``"strict"`` or ``"lenient"``.
        render_mode: ``"ansi"`` to let :meth:`render` return the table as text, ``"human"`` to
            print it after each step, or None.
        keys: two names, to get each observation as a mapping with the observation (float32, which
            RLlib's networks need) and the action mask under them.

    Raises:
        HoadError: an argument is out of range, or no fair agent has this name.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        partner: str | Agent | None = "iggi",
        seat: int | None = None,
        score: Score = "strict",
        render_mode: str | None = None,
        keys: Sequence[str] | None = None,
    ) -> None:
        check_render_mode(render_mode)
        self.observation_space = space_of(keys)
        self._games = LearnerGames(partner, 1, seat, score)
        self._keys = keys
        self.action_space = Discrete(MOVES)
        self.render_mode = render_mode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin game 0 of the run with this seed; without one, the next game of the run.

        Before any seed is given, the run has a random one. ``options`` are not used.
        """
        super().reset(seed=seed)
        self._games.restart(seed)
        if self.render_mode == "human":
            self.render()
        return self._observation(), self._info()

    def step(self, action: int | np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make a move; return observation, reward, terminated, truncated (never) and info."""
        games = self._games
        games.step(np.array([action]))
        if self.render_mode == "human":
            self.render()
        ended = bool(games.ended[0])
        return self._observation(), float(games.rewards[0]), ended, False, self._info()

    def action_masks(self) -> np.ndarray:
        """Return the legal actions, bool, shape ``(20,)``, under the name that sb3-contrib asks."""
        return self._games.masks[0].astype(np.bool_)

    def render(self) -> str | None:
        """Return or print the table as text: everything, the learner's own cards too."""
        return show(render(view_of(full_game(2), self._games.states[0])), self.render_mode)

    def _observation(self) -> Observation:
        return observed(self._games.observations()[0], self._games.masks[0], self._keys)

    def _info(self) -> dict[str, Any]:
        games = self._games
        table = games.states[0].table
        return {
            "action_mask": games.masks[0].copy(),
            "score": int(table.score),
            "lives": int(table.lives),
            "seat": int(games.seats[0]),
        }
