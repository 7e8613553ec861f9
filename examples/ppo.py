"""PPO learns to play with one of HOAD's agents: MaskablePPO of sb3-contrib, for about a minute.

pip install 'hoad[environments]' sb3-contrib
python examples/ppo.py --partner iggi
"""

from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Field
from sb3_contrib import MaskablePPO

from hoad.core import cli
from hoad.environments import HanabiVectorEnv, SB3VecEnv
from hoad.reports.statistics import estimate

Count = Annotated[int, Field(ge=1)]
Seed = Annotated[int, Field(ge=0, lt=2**31)]


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


def ppo(
    partner: str = "iggi",
    steps: Count = 300_000,
    games: Count = 500,
    seed: Seed = 0,
    save: Path | None = None,
) -> None:
    """Train PPO with a partner; print its scores before and after, on the same decks.

    Args:
        partner: Name of the agent that it plays with.
        steps: Decisions of the learner.
        games: Games played before and after.
        seed: Seed of the decks and of the network.
        save: File for the network, such as ppo.zip; policy:ppo.zip is then an agent.
    """
    model = MaskablePPO(
        "MlpPolicy",
        SB3VecEnv(HanabiVectorEnv(256, partner, score="lenient")),
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
    if save is not None:
        model.save(save)


if __name__ == "__main__":
    cli.run(ppo)
