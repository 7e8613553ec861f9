"""The choices of a partner in recorded games, and systematic resampling."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hoad.agents import get_agent, play
from hoad.agents.follow import follow, in_order
from hoad.partners.choices import Seen, choices_of, join_choices
from hoad.partners.resampling import systematic

IGGI = get_agent("iggi")
LOGS = play([IGGI, get_agent("piers")], 5, seed=3)
FIRST = np.tile([True, False], (5, 1))
BOTH = np.ones((5, 2), np.bool_)


def test_choices_are_those_of_the_followed_seats_in_the_order_of_the_log() -> None:
    first, both = choices_of(LOGS, FIRST), choices_of(LOGS, BOTH)

    assert both.actions.tolist() == LOGS.actions.tolist()
    assert first.actions.tolist() == both.actions[both.turns % 2 == 0].tolist()
    assert (first.turns % 2 == 0).all()
    assert first.legal[np.arange(len(first)), first.actions].all()
    np.testing.assert_allclose(first.uniform.sum(1), 1)
    joined = join_choices([first, both])
    assert sorted(set(joined.games.tolist())) == list(range(10))  # they number their games on
    assert len(joined) == len(first) + len(both)


def test_every_game_is_left_out_once() -> None:
    seen = Seen(LOGS, FIRST)

    folds = list(seen.folds(2))

    decks = [deck.tobytes() for _, left_out in folds for deck in left_out.logs.decks]
    assert sorted(decks) == sorted(deck.tobytes() for deck in LOGS.decks)
    for learned, left_out in folds:
        assert len(learned.logs) + len(left_out.logs) == 5


def test_each_seat_of_a_single_game_is_left_out_once() -> None:
    game = Seen(LOGS, BOTH).select(np.array([0]))

    folds = list(game.folds(5))

    assert [(learned.seats.tolist(), out.seats.tolist()) for learned, out in folds] == [
        ([[False, True]], [[True, False]]),
        ([[True, False]], [[False, True]]),
    ]
    decisions = sum(len(out.choices) for _, out in folds)
    assert decisions == sum(len(learned.choices) for learned, _ in folds) == len(game.choices)


def test_distributions_come_in_the_order_of_choices_and_are_computed_once() -> None:
    seen, choices = Seen(LOGS, FIRST), choices_of(LOGS, FIRST)

    weights = in_order(follow(IGGI, LOGS, FIRST), LOGS, FIRST)

    np.testing.assert_allclose(weights.sum(1), 1)
    assert (choices.made(weights) > 0).all()  # it is iggi who made these moves
    assert (weights[~choices.legal] == 0).all()
    np.testing.assert_array_equal(seen.weights_of(IGGI), weights)
    assert seen.weights_of(IGGI) is seen.weights_of(IGGI)
    assert seen.saved > 0


@given(
    weights=st.lists(st.integers(0, 50), min_size=1, max_size=20).filter(any),
    count=st.integers(1, 100),
    offset=st.floats(0, 1, exclude_min=True, exclude_max=True),
)
def test_each_index_is_drawn_as_often_as_its_probability_says(weights, count, offset):
    probabilities = np.array(weights) / sum(weights)

    drawn = systematic(probabilities, count, offset)

    assert len(drawn) == count
    assert (np.diff(drawn) >= 0).all()
    times = np.bincount(drawn, minlength=len(weights))
    assert (abs(times - count * probabilities) < 1 + 1e-9).all()
