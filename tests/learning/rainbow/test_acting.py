"""How Rainbow's learner plays: games in lockstep, moves and colours that are renamed."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.game.log import GameLogs, encode_turns, logs_of
from hoad.game.moves import listed_moves
from hoad.game.state import full_game
from hoad.learning.observations import unpack
from hoad.learning.rainbow.buffer import ReplayBuffer
from hoad.learning.rainbow.lockstep import Lockstep
from hoad.learning.rainbow.move_table import draw_move_table, hint_shares, move_table
from hoad.learning.rainbow.recolour import (
    COLOURS,
    recolour_transitions,
    recoloured_bits,
    recoloured_moves,
)
from tests.game.examples import random_logs
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


def test_rows_of_real_games_sum_to_one_and_hints_are_shares_of_all_moves() -> None:
    np.testing.assert_allclose(move_table(random_logs(2, 200, 1)).sum(axis=1), 1)
    assert hint_shares(games_of([10, 14, 15, 0], [19, 9, 4, 5])) == (2 / 8, 2 / 8)


def test_the_table_is_drawn_with_unknown_rows() -> None:
    picture = draw_move_table(move_table(games_of([10, 5])))
    assert picture.dtype == np.uint8
    assert picture.shape[2] == 3
    assert picture.std() > 0


RANKS = 5
LOGS = random_logs(2, 4, seed=3)

colourings = st.permutations(range(COLOURS)).map(np.array)


def recoloured(logs: GameLogs, colouring: np.ndarray) -> GameLogs:
    """The same games with other cards: of each, another colour."""
    decks = colouring[logs.decks // RANKS] * RANKS + logs.decks % RANKS
    actions = recoloured_moves(colouring)[logs.actions]
    return replace(logs, decks=decks.astype(np.uint8), actions=actions.astype(np.uint8))


@settings(deadline=None)  # the first example waits for the compiler
@given(colourings)
def test_observations_of_a_recoloured_game_are_recoloured(colouring: np.ndarray) -> None:
    turns, others = encode_turns(LOGS), encode_turns(recoloured(LOGS, colouring))

    bits = unpack(torch.from_numpy(turns.observations))[:, recoloured_bits(colouring)]

    assert torch.equal(bits, unpack(torch.from_numpy(others.observations)))


@given(colourings)
def test_recoloured_transitions_are_those_of_a_recoloured_game(colouring: np.ndarray) -> None:
    turns, others = encode_turns(LOGS), encode_turns(recoloured(LOGS, colouring))

    found = recolour_transitions(turns, colouring)

    for name, column in vars(others).items():
        assert np.array_equal(vars(found)[name], column), name


@given(colourings)
def test_moves_and_bits_are_exchanged_one_for_one(colouring: np.ndarray) -> None:
    for exchanged in (recoloured_bits(colouring), recoloured_moves(colouring)):
        assert sorted(exchanged.tolist()) == list(range(len(exchanged)))


def test_nothing_is_exchanged_where_each_colour_stays() -> None:
    same = np.arange(COLOURS)

    assert (recoloured_bits(same) == np.arange(658)).all()
    assert (recoloured_moves(same) == np.arange(20)).all()
