"""A vectorised environment as Stable-Baselines3 asks for it; it needs the package."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from hoad.environments.vector import HanabiVectorEnv


class SB3VecEnv(VecEnv):
    """A ``HanabiVectorEnv`` for Stable-Baselines3, and for the masks of sb3-contrib's MaskablePPO.

    The seed of the learner is the seed of the games. ``infos`` of a game that has ended have its
    ``terminal_observation``, ``score`` (lenient) and ``lives``.

    Args:
        env: the games.
    """

    def __init__(self, env: HanabiVectorEnv) -> None:
        self.env = env
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)

    def reset(self) -> Any:
        """Begin the games of the seed that :meth:`seed` was called with, or the next games."""
        observations, infos = self.env.reset(seed=self._seeds[0])
        self._masks = infos["action_mask"].astype(np.bool_)
        self._reset_seeds()
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        """Keep the actions for :meth:`step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Make the moves; return observations, rewards (float32), ends and infos."""
        observations, rewards, ended, _, told = self.env.step(self._actions)
        self._masks = told["action_mask"].astype(np.bool_)
        infos: list[dict[str, Any]] = [{} for _ in ended]
        for place in np.flatnonzero(ended):
            final = told["final_info"]
            infos[place] = {
                "terminal_observation": told["final_obs"][place],
                "TimeLimit.truncated": False,
                "score": int(final["score"][place]),
                "lives": int(final["lives"][place]),
            }
        return observations, rewards.astype(np.float32), ended, infos

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list:
        """Return what ``action_masks`` of each game returns: the legal actions, bool, (20,)."""
        self._refuse_other(method_name, ("action_masks",))
        return list(self._masks[self._places(indices)])

    def get_attr(self, attr_name: str, indices: Any = None) -> list:
        """Return an attribute of each game: ``action_masks``, a function, or ``render_mode``."""
        self._refuse_other(attr_name, ("action_masks", "render_mode"))
        if attr_name == "render_mode":
            return [None for _ in self._places(indices)]
        return [lambda place=place: self._masks[place] for place in self._places(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refuse: the games have no attributes of their own."""
        self._refuse_other(attr_name, ())

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """Return that no game is wrapped."""
        return [False for _ in self._places(indices)]

    def close(self) -> None:
        """Close the games."""
        self.env.close()

    def _places(self, indices: Any) -> Sequence[int]:
        return list(self._get_indices(indices))

    def _refuse_other(self, name: str, known: tuple[str, ...]) -> None:
        if name not in known:
            raise AttributeError(f"{type(self).__name__}: games have no attribute {name!r}")
