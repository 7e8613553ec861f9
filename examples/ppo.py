"""PPO learns to play with one of HOAD's agents: MaskablePPO of sb3-contrib, for about a minute.

pip install 'hoad[environments]' sb3-contrib
python examples/ppo.py --partner iggi
"""

from typing import Annotated, Any

import numpy as np
from pydantic import Field
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv

from hoad.core import cli
from hoad.environments import HanabiVectorEnv
from hoad.reports.statistics import estimate

Count = Annotated[int, Field(ge=1)]
Seed = Annotated[int, Field(ge=0, lt=2**31)]


class Games(VecEnv):
    """A `HanabiVectorEnv` as Stable-Baselines3 asks for it."""

    def __init__(self, env: HanabiVectorEnv, seed: int) -> None:
        self.env, self.first_seed = env, seed
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)

    def reset(self) -> np.ndarray:
        observations, self.infos = self.env.reset(seed=self.first_seed)
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        self.actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict]]:
        observations, rewards, ended, _, self.infos = self.env.step(self.actions)
        return observations, rewards, ended, [{} for _ in ended]

    def env_method(self, name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list:
        return list(self.infos["action_mask"])  # of all games; only action_masks is ever asked for

    def get_attr(self, name: str, indices: Any = None) -> list:
        if name not in ("action_masks", "render_mode"):
            raise AttributeError(name)
        return [None] * self.num_envs

    def set_attr(self, name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(name)

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        return [False] * self.num_envs

    def close(self) -> None:
        self.env.close()


def scores(model: MaskablePPO, partner: str, games: int, seed: int) -> np.ndarray:
    """Return the scores of many games, both seats in turn: shape (2, games), lenient and strict.

    They are the first games of all places: the first ones to end would be the short ones.
    """
    env = HanabiVectorEnv(games, partner)
    observations, infos = env.reset(seed=seed)
    found = np.full(games, -1)
    lives = np.zeros(games, int)
    while (found < 0).any():
        actions, _ = model.predict(observations, action_masks=infos["action_mask"])
        observations, _, ended, _, infos = env.step(actions)
        first = ended & (found < 0)
        if first.any():
            found[first] = infos["final_info"]["score"][first]
            lives[first] = infos["final_info"]["lives"][first]
    return np.stack([found, np.where(lives > 0, found, 0)])


def show(when: str, both: np.ndarray) -> None:
    """Print the mean scores of games with their 95 % intervals."""
    lenient, strict = map(estimate, both)
    print(
        f"{when:8}lenient {lenient.mean:5.2f} ± {lenient.half_width:.2f}"
        f"   strict {strict.mean:5.2f} ± {strict.half_width:.2f}"
    )


def ppo(partner: str = "iggi", steps: Count = 300_000, games: Count = 500, seed: Seed = 0) -> None:
    """Train PPO with a partner; print its scores before and after, on the same decks.

    Args:
        partner: Name of the agent that it plays with.
        steps: Decisions of the learner.
        games: Games played before and after.
        seed: Seed of the decks and of the network.
    """
    model = MaskablePPO(
        "MlpPolicy",
        Games(HanabiVectorEnv(256, partner, score="lenient"), seed),
        learning_rate=5e-4,
        n_steps=32,
        batch_size=1024,
        n_epochs=4,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [256, 256]},
        seed=seed,
        device="cpu",
    )
    show("before", scores(model, partner, games, seed + 1))
    model.learn(steps)
    show("after", scores(model, partner, games, seed + 1))


if __name__ == "__main__":
    cli.run(ppo)
