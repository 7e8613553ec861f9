"""Speed of the vectorised environment: one core, by processor time, after compilation."""

import time

import numpy as np

from hoad.environments import HanabiVectorEnv

_GAMES = 4_096
_STEPS = 150


def environment_decisions_per_s() -> float:
    """Return decisions of a learner per second, random legal ones, with iggi as its partner.

    A decision is the learner's move, the partner's answer and the next observation and mask of the
    learner, and a new game where one has ended. Choosing the random moves is not counted.
    """
    env, rng = HanabiVectorEnv(_GAMES, "iggi"), np.random.default_rng(0)
    _, infos = env.reset(seed=1)
    spent = 0.0
    for step in range(-1, _STEPS):  # the first one compiles
        masks = infos["action_mask"]
        actions = (rng.random(masks.shape, dtype=np.float32) * masks).argmax(1)
        start = time.process_time()
        *_, infos = env.step(actions)
        spent += (time.process_time() - start) * (step >= 0)
    return _GAMES * _STEPS / spent
