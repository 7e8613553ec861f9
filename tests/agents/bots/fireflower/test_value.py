"""The value of a position."""

from math import exp

import numpy as np
import pytest

from hoad.agents.bots.fireflower.bot import aim, best_action
from hoad.agents.bots.fireflower.mind import MIND
from hoad.agents.bots.fireflower.value import value_of
from hoad.game.game import Game
from hoad.game.state import full_game
from tests.agents.bots.fireflower.examples import mind_after
from tests.game.examples import random_position

# A game of the original program, and the values that it printed for the moves that it made.
DECK = [0, 7, 23, 4, 10, 14, 23, 2, 22, 6, 5, 15, 16, 12, 24, 9, 19, 18, 5, 10, 18, 10, 20, 17, 16]
DECK += [5, 1, 8, 22, 12, 11, 8, 21, 0, 13, 20, 0, 21, 2, 6, 11, 20, 15, 13, 15, 3, 7, 1, 17, 3]
MOVES = [19, 15, 9, 15, 9, 13, 5, 13, 11, 9, 8, 17, 5, 19, 0, 19, 1, 1, 4, 14, 1, 1, 3, 15, 9, 18]
MOVES += [4, 13, 9, 1, 10, 9, 18, 9, 4, 10, 6, 12, 9, 1, 14, 9, 8, 12, 9, 8, 3, 5, 17, 9, 3, 0, 3]
MOVES += [0, 15, 0, 10, 0, 18, 9, 5, 12, 11, 0, 14, 16, 15, 15, 11, 9, 6, 0]
VALUES = {
    0: 4397.70007860274,
    1: 5441.853359347409,
    2: 4636.80099642385,
    40: 310.2090663096547,
    67: 288.855755156884,
}


@pytest.mark.parametrize("turn", VALUES)
def test_the_values_of_its_moves_are_those_of_the_original_program(turn: int) -> None:
    game = Game(deck=DECK)
    for move in MOVES[:turn]:
        game.step(move)
    minds = np.zeros(3, MIND)
    minds[0] = mind_after(game.state, turn % 2)
    aim(minds[0])

    _, value = best_action(minds)

    assert value == pytest.approx(VALUES[turn], rel=1e-12)


def test_a_finished_game_is_worth_its_points_less_three_for_each_missing_one() -> None:
    mind = mind_after(random_position(full_game(), seed=0, turns=0), seat=0)
    mind.misplays, mind.score = 3, 11

    assert value_of(mind) == exp((11 - 3 * 14) / 2.5)


def test_tokens_are_worth_something() -> None:
    state = random_position(full_game(), seed=0, turns=0)
    rich, poor = (mind_after(state, seat=0) for _ in range(2))
    poor.tokens = 1

    assert value_of(rich) > value_of(poor)


def test_it_is_asked_without_being_changed() -> None:
    mind = mind_after(random_position(full_game(), seed=3, turns=20), seat=0)
    before = mind.tobytes()

    value_of(mind)

    assert mind.tobytes() == before
