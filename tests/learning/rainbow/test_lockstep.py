import numpy as np

from hoad.game.moves import listed_moves
from hoad.learning.rainbow.buffer import ReplayBuffer
from hoad.learning.rainbow.lockstep import Lockstep
from tests.learning.columns import GAMES, SEED, play_randomly, replay_columns

ROWS = 150


def buffer_of(rows: int) -> ReplayBuffer:
    return ReplayBuffer(rows, GAMES, discount=1.0, beta=0.5)


def test_games_in_lockstep_are_those_of_the_plain_game() -> None:
    buffer = buffer_of(ROWS)
    moves, _ = play_randomly(ROWS, buffer)
    columns = replay_columns(moves)
    seen = buffer.arrays()
    for place, column in enumerate(columns):
        for row, turn in enumerate(column):
            assert seen["observations"][row, place].tolist() == turn.observation
            assert listed_moves(seen["legal"][row, place]) == turn.legal
            assert seen["statuses"][row, place].tolist() == turn.statuses
            assert seen["rewards"][row, place] == turn.reward
            assert seen["ended"][row, place] == turn.ended
    assert sum(turn.ended for column in columns for turn in column) > 10


def test_losing_the_last_life_costs_all_that_was_on_the_fireworks() -> None:
    _, lost = play_randomly(ROWS, buffer := buffer_of(ROWS))
    seen = buffer.arrays()
    totals = [
        game.sum()
        for rewards, ends in zip(seen["rewards"].T, seen["ended"].T, strict=True)
        for game in np.split(rewards, np.flatnonzero(ends) + 1)[:-1]
        if game[-1] < 0
    ]
    assert 0 < len(totals) <= lost <= seen["ended"].sum()
    assert not any(totals)


def test_games_go_on_from_where_they_stood() -> None:
    first, second = Lockstep(GAMES, SEED), Lockstep(GAMES, SEED)
    for _ in range(40):
        first.step(np.array([int(legal).bit_length() - 1 for legal in first.legal], np.uint8))

    for name, array in second.arrays().items():
        array[:] = first.arrays()[name]
    second.look()

    for _ in range(100):
        np.testing.assert_array_equal(second.observations, first.observations)
        np.testing.assert_array_equal(second.legal, first.legal)
        moves = np.array([int(legal).bit_length() - 1 for legal in first.legal], np.uint8)
        assert second.step(moves) == first.step(moves)
