"""Random play: reproducible, uniform over legal moves, the same with and without observations."""

import numpy as np
import pytest
from scipy.stats import chisquare

from hoad.game.log import encode_turns
from hoad.game.random_play import pick_move
from hoad.game.state import full_game
from tests.game.examples import observed_random_play, random_logs


def test_every_move_of_a_set_is_picked_equally_often() -> None:
    moves = [0, 3, 4, 19, 47]
    streams = np.array([9], np.uint64)

    picked = [pick_move(sum(1 << move for move in moves), streams, 0) for _ in range(5_000)]

    values, counts = np.unique(picked, return_counts=True)
    assert values.tolist() == moves
    assert chisquare(counts).pvalue > 1e-4


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_observed_play_is_the_play_of_the_logs(players: int) -> None:
    logs = random_logs(players, games=20, seed=6)

    actions, observations = observed_random_play(full_game(players), games=20, seed=6)

    assert np.array_equal(actions, logs.actions)
    assert np.array_equal(observations, encode_turns(logs).observations)


def test_a_game_depends_on_seed_and_number_alone() -> None:
    few, many = random_logs(2, games=5, seed=2), random_logs(2, games=50, seed=2)

    assert np.array_equal(few.decks, many.decks[:5])
    assert np.array_equal(few.actions, many.actions[: len(few.actions)])
    assert not np.array_equal(few.decks, random_logs(2, games=5, seed=3).decks)
