"""The table of which rules fire at which decisions."""

import numpy as np

from hoad.agents import get_agent, play
from hoad.agents.follow import move_probabilities
from hoad.agents.rules.catalogue import CATALOGUE
from hoad.partners.program.firing import NUMBERS, ROWS, SILENT, firing_table

BOTH = np.ones((2, 2), np.bool_)


def test_every_rule_that_can_fire_is_there_once() -> None:
    assert len(set(ROWS)) == len(ROWS) == len(NUMBERS)
    assert all(CATALOGUE[number].row == row for number, row in zip(NUMBERS, ROWS, strict=True))


def test_weights_are_those_of_each_rule_alone_which_otherwise_leaves_any_legal_move() -> None:
    iggi, outer = get_agent("iggi"), get_agent("outer")
    logs = play([iggi, outer], 2, seed=1)

    table = firing_table(logs, BOTH)

    for rule in range(0, len(ROWS), 5):
        alone = move_probabilities(get_agent(f"rules:{NUMBERS[rule]}"), logs)
        is_silent = table.weights[rule] == SILENT
        expected = np.where(is_silent, 1 / table.legal, table.weights[rule])
        assert np.allclose(alone, expected), NUMBERS[rule]


def test_only_the_followed_seats_count() -> None:
    logs = play([get_agent("iggi"), get_agent("outer")], 2, seed=1)
    seats = np.array([[True, False], [False, True]])
    turns = np.arange(logs.offsets[1]), np.arange(logs.offsets[2] - logs.offsets[1])
    followed = np.concatenate([turns[0] % 2 == 0, turns[1] % 2 == 1])

    some, every = firing_table(logs, seats), firing_table(logs, BOTH)

    assert np.array_equal(some.weights, every.weights[:, followed])


def test_a_table_is_extended_by_further_games() -> None:
    logs = play([get_agent("iggi")] * 2, 2, seed=1)
    first, second = (logs.select(np.array([game])) for game in range(2))

    extended = firing_table(first, BOTH[:1]).extend(firing_table(second, BOTH[:1]))

    assert np.array_equal(extended.weights, firing_table(logs, BOTH).weights)
    assert np.array_equal(extended.legal, firing_table(logs, BOTH).legal)


def test_rules_that_look_the_same_are_of_one_group() -> None:
    groups = firing_table(play([get_agent("iggi")] * 2, 2, seed=1), BOTH).alike
    index = {number: place for place, number in enumerate(NUMBERS)}

    assert groups[index[13]] != groups[index[119]]
    assert groups[index[35]] == groups[index[38]]  # rule 37 never fired here
