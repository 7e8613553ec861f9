"""Rainbow's network, and how its learner plays: lockstep, renamed moves and colours."""

import math
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
from hoad.learning.rainbow.network import RainbowNetwork, project
from hoad.learning.rainbow.recipe import RainbowRecipe
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


def test_games_in_lockstep_are_those_of_the_plain_game():
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


def test_losing_the_last_life_costs_all_that_was_on_the_fireworks():
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


def test_games_go_on_from_where_they_stood():
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


def test_moves_are_counted_by_the_move_before_them_in_their_game():
    table = move_table(games_of([10, 5, 10, 5, 10], [15, 10, 6], [15]))
    assert table[10, 5] == pytest.approx(2 / 3)
    assert table[10, 6] == pytest.approx(1 / 3)
    assert table[5, 10] == 1
    assert table[15, 10] == 1  # the third game's 15 follows nothing
    assert np.isnan(table[6]).all()


def test_rows_of_real_games_sum_to_one_and_hints_are_shares_of_all_moves():
    np.testing.assert_allclose(move_table(random_logs(2, 200, 1)).sum(axis=1), 1)
    assert hint_shares(games_of([10, 14, 15, 0], [19, 9, 4, 5])) == (2 / 8, 2 / 8)


def test_the_table_is_drawn_with_unknown_rows():
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
def test_observations_of_a_recoloured_game_are_recoloured(colouring):
    turns, others = encode_turns(LOGS), encode_turns(recoloured(LOGS, colouring))

    bits = unpack(torch.from_numpy(turns.observations))[:, recoloured_bits(colouring)]

    assert torch.equal(bits, unpack(torch.from_numpy(others.observations)))


@given(colourings)
def test_recoloured_transitions_are_those_of_a_recoloured_game(colouring):
    turns, others = encode_turns(LOGS), encode_turns(recoloured(LOGS, colouring))

    found = recolour_transitions(turns, colouring)

    for name, column in vars(others).items():
        assert np.array_equal(vars(found)[name], column), name


@given(colourings)
def test_moves_and_bits_are_exchanged_one_for_one(colouring):
    for exchanged in (recoloured_bits(colouring), recoloured_moves(colouring)):
        assert sorted(exchanged.tolist()) == list(range(len(exchanged)))


def test_nothing_is_exchanged_where_each_colour_stays():
    same = np.arange(COLOURS)

    assert (recoloured_bits(same) == np.arange(658)).all()
    assert (recoloured_moves(same) == np.arange(20)).all()


# The network.


ATOMS = 11
SUPPORT = torch.linspace(-5, 5, ATOMS)


def recipe(**settings: object) -> RainbowRecipe:
    small = {"steps": 1, "validate_every": 1, "hidden": (8, 6), "atoms": ATOMS}
    return RainbowRecipe.model_validate(small | settings)


def observations(count: int) -> torch.Tensor:
    return torch.randint(0, 2, (count, 658)).float()


def project_slowly(probabilities: list[float], earned: float, discount: float) -> list[float]:
    """Bellemare et al. 2017, algorithm 1, an atom at a time."""
    projected = [0.0] * ATOMS
    for atom in range(ATOMS):
        value = min(5.0, max(-5.0, earned + discount * (atom - 5)))
        place = value + 5
        lower, upper = math.floor(place), math.ceil(place)
        if lower == upper:
            projected[lower] += probabilities[atom]
        else:
            projected[lower] += probabilities[atom] * (upper - place)
            projected[upper] += probabilities[atom] * (place - lower)
    return projected


@given(
    st.lists(st.floats(0.01, 1), min_size=ATOMS, max_size=ATOMS),
    st.floats(-7, 7) | st.integers(-7, 7).map(float),
    st.sampled_from([0.0, 0.5, 0.99, 1.0]),
)
def test_the_projection_is_that_of_the_slow_algorithm(heights, earned, discount):
    probabilities = [height / sum(heights) for height in heights]
    projected = project(
        SUPPORT, torch.tensor([probabilities]), torch.tensor([earned]), torch.tensor([discount])
    )
    np.testing.assert_allclose(
        projected[0], project_slowly(probabilities, earned, discount), atol=1e-5
    )


def test_the_projection_keeps_the_mean_within_the_support():
    probabilities = torch.rand(50, ATOMS).softmax(dim=1)
    returns, discounts = torch.rand(50) * 2 - 1, torch.full((50,), 0.8)
    projected = project(SUPPORT, probabilities, returns, discounts)
    torch.testing.assert_close(projected.sum(dim=1), torch.ones(50))
    torch.testing.assert_close(
        projected @ SUPPORT, returns + discounts * (probabilities @ SUPPORT), atol=1e-4, rtol=0
    )


def test_the_logits_of_made_moves_are_those_among_all_moves():
    network = RainbowNetwork(recipe())
    moves = torch.tensor([7, 0, 3, 7, 19, 0, 7])
    x = observations(len(moves))
    torch.testing.assert_close(
        network.logits_of(network.features(x), moves),
        network.logits(x)[torch.arange(len(moves)), moves],
    )


def test_values_are_the_means_of_the_distributions():
    network = RainbowNetwork(recipe(v_min=-2, v_max=3))
    x = observations(4)
    probabilities = network.logits(x).softmax(dim=2)
    torch.testing.assert_close(
        network(x), (probabilities * torch.linspace(-2, 3, ATOMS)).sum(dim=2)
    )
