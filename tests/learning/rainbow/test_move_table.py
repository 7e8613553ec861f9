import numpy as np
import pytest

from hoad.game.log import GameLogs, logs_of
from hoad.game.state import full_game
from hoad.learning.rainbow.move_table import draw_move_table, hint_shares, move_table
from tests.game.examples import random_logs

DECK = full_game(2).full_deck()


def games_of(*actions: list[int]) -> GameLogs:
    return logs_of(2, [DECK] * len(actions), actions)


def test_moves_are_counted_by_the_move_before_them_in_their_game() -> None:
    table = move_table(games_of([10, 5, 10, 5, 10], [15, 10, 6], [15]))
    assert table[10, 5] == pytest.approx(2 / 3)
    assert table[10, 6] == pytest.approx(1 / 3)
    assert table[5, 10] == 1
    assert table[15, 10] == 1  # the third game's 15 follows nothing
    assert np.isnan(table[6]).all()


def test_rows_of_real_games_sum_to_one() -> None:
    np.testing.assert_allclose(move_table(random_logs(2, 200, 1)).sum(axis=1), 1)


def test_hints_are_shares_of_all_moves() -> None:
    assert hint_shares(games_of([10, 14, 15, 0], [19, 9, 4, 5])) == (2 / 8, 2 / 8)


def test_the_table_is_drawn_with_unknown_rows() -> None:
    picture = draw_move_table(move_table(games_of([10, 5])))
    assert picture.dtype == np.uint8
    assert picture.shape[2] == 3
    assert picture.std() > 0
