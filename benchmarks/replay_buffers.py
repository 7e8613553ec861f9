"""Our replay buffer and cpprb's: `pip install cpprb`, `python benchmarks/replay_buffers.py`.

cpprb (https://ymd_h.gitlab.io/cpprb) keeps its sum tree in C++. Its draws cannot be seeded and its
priorities cannot be saved, so a training with it could not go on to the last bit.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import torch

from benchmarks.timing import median_seconds
from hoad.core import cli
from hoad.core.errors import HoadError
from hoad.core.recipe import load_recipe
from hoad.game.observation import observation_bytes
from hoad.game.state import full_game
from hoad.learning.rainbow.buffer import ReplayBuffer
from hoad.learning.rainbow.recipe import RainbowRecipe

_RECIPE: Final = load_recipe(Path(__file__).parents[1] / "models" / "rainbow.toml", RainbowRecipe)
_DRAWN: Final = _RECIPE.updates * _RECIPE.batch_size
_TURNS: Final[dict[str, np.ndarray]] = {
    "observations": np.zeros((_RECIPE.games, observation_bytes(full_game(2))), np.uint8),
    "legal": np.ones(_RECIPE.games, np.int64),
    "actions": np.zeros(_RECIPE.games, np.uint8),
    "statuses": np.zeros((_RECIPE.games, full_game(2).hand_size), np.uint8),
    "rewards": np.zeros(_RECIPE.games, np.int8),
    "ended": np.zeros(_RECIPE.games, np.bool_),
}
_PRIORITIES: Final = np.random.default_rng(0).random(_DRAWN)


def our_step() -> Callable[[], None]:
    """Return what does a step of `models/rainbow.toml`: write, draw, set priorities."""
    recipe = _RECIPE
    buffer = ReplayBuffer(recipe.history, recipe.games, recipe.discount, recipe.per_beta)

    def write() -> None:
        buffer.begin(*(_TURNS[key] for key in ("observations", "legal", "actions", "statuses")))
        buffer.finish(_TURNS["rewards"], _TURNS["ended"])

    def step() -> None:
        write()
        drawn = buffer.draw(_DRAWN, 0, torch.device("cpu"))
        buffer.set_priorities(drawn.items, _PRIORITIES)

    for _ in range(recipe.history):
        write()
    return step


def cpprb_step() -> Callable[[], None]:
    """Return what does the same with cpprb, which keeps the observation that follows as well.

    Raises:
        HoadError: cpprb is not installed.
    """
    try:
        from cpprb import PrioritizedReplayBuffer
    except ImportError as error:
        raise HoadError("cpprb is not installed: pip install cpprb") from error
    turns = _TURNS | {"next_observations": _TURNS["observations"]}
    fields = {name: {"shape": a.shape[1:] or 1, "dtype": a.dtype} for name, a in turns.items()}
    buffer = PrioritizedReplayBuffer(_RECIPE.history * _RECIPE.games, fields, alpha=1.0)

    def step() -> None:
        buffer.add(**turns)
        drawn = buffer.sample(_DRAWN, beta=_RECIPE.per_beta)
        buffer.update_priorities(drawn["indexes"], _PRIORITIES)

    for _ in range(_RECIPE.history):
        buffer.add(**turns)
    return step


def compare() -> None:
    """Print how long the replay of one step takes, ours and cpprb's."""
    for name, step in (("hoad", our_step()), ("cpprb", cpprb_step())):
        print(f"{name:8}{median_seconds(step) * 1e3:8.2f} ms a step")


if __name__ == "__main__":
    cli.run(compare)
