"""Rainbow's network, games in lockstep, and how often moves follow moves."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from hoad.game.log import GameLogs, logs_of
from hoad.game.moves import listed_moves
from hoad.game.state import full_game
from hoad.learning.pictures import draw_move_table
from hoad.learning.rainbow.buffer import ReplayBuffer
from hoad.learning.rainbow.lockstep import Lockstep
from hoad.learning.rainbow.move_table import hint_shares, move_table
from hoad.learning.rainbow.network import RainbowNetwork, project
from hoad.learning.rainbow.recipe import RainbowRecipe
from tests.game.examples import random_logs
from tests.learning.columns import GAMES, SEED, play_randomly, replay_columns

ROWS = 150


def test_games_in_lockstep_are_those_of_the_plain_game_and_a_lost_one_costs_all_its_score() -> None:
    buffer = ReplayBuffer(ROWS, GAMES, discount=1.0, beta=0.5)
    moves, lost = play_randomly(ROWS, buffer)
    columns, seen = replay_columns(moves), buffer.arrays()
    for place, column in enumerate(columns):
        for row, turn in enumerate(column):
            names = ("observations", "statuses", "rewards", "ended")
            found = [seen[name][row, place].tolist() for name in names]
            assert found == [turn.observation, turn.statuses, turn.reward, turn.ended]
            assert listed_moves(seen["legal"][row, place]) == turn.legal
    assert sum(turn.ended for column in columns for turn in column) > 10
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

    def moves() -> np.ndarray:
        return np.array([int(legal).bit_length() - 1 for legal in first.legal], np.uint8)

    for _ in range(40):
        first.step(moves())
    for name, array in second.arrays().items():
        array[:] = first.arrays()[name]
    second.look()

    for _ in range(100):
        np.testing.assert_array_equal(second.observations, first.observations)
        np.testing.assert_array_equal(second.legal, first.legal)
        made = moves()
        assert second.step(made) == first.step(made)


def games_of(*actions: list[int]) -> GameLogs:
    return logs_of(2, [full_game(2).full_deck()] * len(actions), actions)


def test_moves_are_counted_by_the_move_before_them_in_their_game_and_drawn():
    table = move_table(games_of([10, 5, 10, 5, 10], [15, 10, 6], [15]))
    picture = draw_move_table(table)
    assert [table[10, 5], table[10, 6]] == pytest.approx([2 / 3, 1 / 3])
    assert table[5, 10] == table[15, 10] == 1  # the third game's 15 follows nothing
    assert np.isnan(table[6]).all()
    assert picture.dtype == np.uint8 and picture.shape[2] == 3
    assert picture.std() > 0
    np.testing.assert_allclose(move_table(random_logs(2, 200, 1)).sum(axis=1), 1)
    assert hint_shares(games_of([10, 14, 15, 0], [19, 9, 4, 5])) == (2 / 8, 2 / 8)


ATOMS = 11
SUPPORT = torch.linspace(-5, 5, ATOMS)


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
    rows = (probabilities, earned, discount), (probabilities[::-1], -earned, 1 - discount)
    projected = project(SUPPORT, *map(torch.tensor, zip(*rows, strict=True)))
    np.testing.assert_allclose(projected, [project_slowly(*row) for row in rows], atol=1e-5)


def test_values_are_means_of_distributions_whose_logits_are_those_of_made_moves():
    sizes = {"steps": 1, "validate_every": 1, "hidden": (8, 6), "atoms": ATOMS}
    network = RainbowNetwork(RainbowRecipe(v_min=-2, v_max=3, **sizes))
    moves = torch.tensor([7, 0, 3, 7, 19, 0, 7])
    x = torch.randint(0, 2, (len(moves), 658)).float()
    logits = network.logits(x)
    of_made = network.logits_of(network.features(x), moves)
    torch.testing.assert_close(of_made, logits[torch.arange(len(moves)), moves])
    means = (logits.softmax(dim=2) * torch.linspace(-2, 3, ATOMS)).sum(dim=2)
    torch.testing.assert_close(network(x), means)
