"""The vectorised Gymnasium environment: thousands of games of a learner, with partner or self."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from hoad.agents.agent import Agent
from hoad.core.errors import HoadError
from hoad.environments.games import LearnerGames, Score
from hoad.environments.observations import observed, space_of
from hoad.game.moves import MOVES
from hoad.game.observation import OBSERVATION_BITS


class HanabiVectorEnv(VectorEnv[Any, np.ndarray, np.ndarray]):
    """Games of two players between a learner and a partner, all at the learner's turn.

    ``gymnasium.make_vec("hoad/Hanabi-v0", num_envs=256, partner="iggi")`` makes it once
    ``hoad.environments`` is imported.

    One step is one decision of the learner in each game, with the partner's answer. Seats, rewards
    and illegal actions are those of :class:`hoad.environments.games.LearnerGames`. In self-play
    (``partner=None``) one step is one move of each game, and observations are of the player to
    move: one network learns both seats.

    Observations are HLE's canonical ones, 0 or 1, uint8, shape ``(num_envs, 658)``. Each ``info``
    holds ``action_mask``, int8, shape ``(num_envs, 20)``, and ``seat``, the seat of the learner,
    int64, shape ``(num_envs,)``.

    Autoreset is Gymnasium's same-step mode: every step is a decision. Where a game ends, the
    observation is the first one of the next game, ``infos["final_obs"]`` holds the last one of
    the game that ended, and ``infos["final_info"]`` its ``score`` (lenient) and ``lives``.

    Args:
        num_envs: games at a time.
        partner: an agent, or its name; None for self-play. A compiled agent is by far the fastest.
        seat: the learner's seat; None for both in turn.
        score: what the rewards of a game sum to, ``"strict"`` or ``"lenient"``.
        render_mode: None; games in lockstep are not rendered.
        keys: two names, to get the observations as a mapping with the observations (float32) and
            the action masks under them.

    Raises:
        HoadError: an argument is out of range, or no fair agent has this name.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1_024,
        partner: str | Agent | None = "iggi",
        seat: int | None = None,
        score: Score = "strict",
        render_mode: str | None = None,
        keys: Sequence[str] | None = None,
    ) -> None:
        if render_mode is not None:
            raise HoadError(
                f"environment: render_mode={render_mode!r}: games in lockstep are not rendered; "
                "leave it out, or make a single game (gymnasium.make, HanabiEnv)"
            )
        self.single_observation_space = space_of(keys)
        self._games = LearnerGames(partner, num_envs, seat, score)
        self._keys = keys
        self.num_envs = num_envs
        self.single_action_space = Discrete(MOVES)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin games 0 to ``num_envs - 1`` of the run with this seed; without one, the next games.

        Before any seed is given, the run has a random one. ``options`` are not used.

        Raises:
            HoadError: the seed is not in 0 to 2**63 - 1.
        """
        super().reset(seed=seed)
        self._games.restart(seed)
        return self._observations(), self._told()

    def step(
        self, actions: np.ndarray
    ) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Make the learner's move in each game.

        Returns:
            Observations, rewards (float64), terminations, truncations (never) and infos.

        Raises:
            HoadError: there is not one action a game, or the partner made an illegal move.
        """
        games = self._games
        games.step(actions)
        rewards, ended, infos = games.rewards.copy(), games.ended.copy(), {}
        if ended.any():
            infos = self._final(ended)
            games.renew()
        never = np.zeros(self.num_envs, np.bool_)
        return self._observations(), rewards, ended, never, infos | self._told()

    def _observations(self) -> Any:
        return observed(self._games.observations(), self._games.masks, self._keys)

    def _told(self) -> dict[str, np.ndarray]:
        """Return the entries of ``infos`` about all games, marked as Gymnasium does."""
        told = {"action_mask": self._games.masks.copy(), "seat": self._games.seats.astype(int)}
        return told | {f"_{name}": np.ones(self.num_envs, np.bool_) for name in tuple(told)}

    def _final(self, ended: np.ndarray) -> dict[str, Any]:
        """Return the entries of ``infos`` about games that have just ended."""
        games, observations = self._games, np.full(self.num_envs, None, object)
        places = np.flatnonzero(ended)
        last = np.unpackbits(games.packed[places], axis=1, count=OBSERVATION_BITS)
        for place, observation in zip(places, last, strict=True):
            observations[place] = observed(observation, games.masks[place], self._keys)
        table = games.states["table"]
        final = {"score": table["score"] * ended, "lives": table["lives"] * ended}
        final |= {f"_{name}": ended for name in tuple(final)}
        told = {"final_obs": observations, "final_info": final}
        return told | {f"_{name}": ended for name in told}
