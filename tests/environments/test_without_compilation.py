"""The compiled functions are plain Python: without numba they give the same games."""

from tests.compilation import prints_the_same_without_compilation

PROGRAM = """
import hashlib
import numpy as np
from hoad.environments.games import LearnerGames
digest = hashlib.sha1()
for partner in "van-den-bergh", "holmesbot", "noisy:0.3:iggi":
    games, rng = LearnerGames(partner, 3), np.random.default_rng(0)
    games.restart(8)
    for step in range(12):
        games.step((rng.random(games.masks.shape) * games.masks).argmax(1))
        games.renew()
        digest.update(games.states.tobytes() + games.packed.tobytes() + games.rewards.tobytes())
print(digest.hexdigest())
"""


def test_games_are_the_same_without_compilation() -> None:
    assert prints_the_same_without_compilation(PROGRAM)
