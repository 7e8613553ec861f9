"""The replay buffer: transitions, and which of them are drawn."""

import numpy as np
import pytest
import torch

from hoad.game.moves import listed_moves
from hoad.learning.rainbow.buffer import ReplayBuffer
from tests.learning.columns import GAMES, Turn, play_randomly, replay_columns

CPU = torch.device("cpu")
DISCOUNT = 0.9


def transition(column: list[Turn], row: int) -> tuple[float, float, Turn | None]:
    """Return a transition, slowly: return, discount, and the turn that it leads to."""
    total = 0.0
    for turn in column[row : row + 2]:  # the player's, its partner's
        total += turn.reward
        if turn.ended:
            return total, 0.0, None
    return total, DISCOUNT, column[row + 2]


@pytest.mark.parametrize("kept", [200, 64])
def test_transitions_are_those_of_the_plain_game(kept):
    rows = 150
    buffer = ReplayBuffer(kept, GAMES, DISCOUNT, beta=0.5)
    columns = replay_columns(play_randomly(rows, buffer)[0])
    known = range(max(0, rows - kept), rows - 2)
    items = np.array([row % kept * GAMES + place for row in known for place in range(GAMES)])

    taken = buffer.take(items, CPU)

    ends = 0
    by_item = {row % kept * GAMES + place: (row, place) for row in known for place in range(GAMES)}
    for index, item in enumerate(taken.items.tolist()):
        row, place = by_item[item]
        turn = columns[place][row]
        wanted_return, wanted_discount, after = transition(columns[place], row)
        assert taken.observations[index].tolist() == turn.observation
        assert taken.actions[index] == turn.action
        assert taken.statuses[index].tolist() == turn.statuses
        assert taken.returns[index].item() == pytest.approx(wanted_return)
        assert taken.discounts[index].item() == pytest.approx(wanted_discount)
        if after is None:
            ends += 1
        else:
            assert taken.next_observations[index].tolist() == after.observation
            assert listed_moves(int(taken.next_legal[index])) == after.legal
    assert ends > 5


@pytest.mark.parametrize("rows", [7, 20, 21, 150])
def test_only_turns_whose_outcome_is_known_are_drawn(rows):
    kept = 20
    buffer = ReplayBuffer(kept, GAMES, DISCOUNT, beta=0.5)
    play_randomly(rows, buffer)
    drawn = set((buffer.draw(2000, 1, CPU).items // GAMES).tolist())
    assert drawn == {row % kept for row in range(max(0, rows - kept), rows - 2)}


def test_priorities_say_what_is_drawn_and_weights_make_up_for_it():
    buffer = ReplayBuffer(20, GAMES, DISCOUNT, beta=0.5)
    play_randomly(12, buffer)
    items = np.arange(10 * GAMES)
    buffer.set_priorities(items, np.where(items == 4, 9.0, np.where(items < 15, 1.0, 1e-12)))
    drawn = buffer.draw(2400, 1, CPU)
    shares = np.bincount(drawn.items, minlength=15) / len(drawn.items)
    np.testing.assert_allclose(
        shares, [9 / 23 if item == 4 else 1 / 23 for item in range(15)], atol=0.001
    )
    weights = dict(zip(drawn.items.tolist(), drawn.weights.tolist(), strict=True))
    assert weights[4] == pytest.approx(1 / 3)
    assert weights[0] == 1.0


def test_new_turns_have_the_highest_priority_there_was():
    buffer = ReplayBuffer(20, GAMES, DISCOUNT, beta=0.5)
    play_randomly(10, buffer)
    buffer.set_priorities(np.array([0]), np.array([7.0]))
    buffer.set_priorities(np.array([0]), np.array([2.0]))
    zeros = np.zeros(GAMES, np.uint8)
    buffer.begin(np.zeros((GAMES, 83), np.uint8), np.ones(GAMES), zeros, np.zeros((GAMES, 5)))
    buffer.finish(np.zeros(GAMES, np.int8), np.zeros(GAMES, np.bool_))
    leaves = buffer.arrays()["tree"][-64:]
    assert leaves[8 * GAMES : 9 * GAMES].tolist() == [7.0] * GAMES
