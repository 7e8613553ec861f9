"""The likelihood of lists of rules, and random changes of lists."""

from math import lgamma

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.agents import get_agent, play
from hoad.agents.follow import move_probabilities
from hoad.agents.rules.catalogue import CATALOGUE
from hoad.partners.choices import Seen
from hoad.partners.program.firing import NUMBERS, ROWS, SILENT, FiringTable, firing_table
from hoad.partners.program.prior import LONGEST, SKIP_A, SKIP_B, STRAY_AB, draw_lists
from hoad.partners.program.sampler import (
    change_lists,
    count_bits,
    pack_table,
    redraw_alike,
    weigh_lists,
)
from tests.scripts import prints_the_same_without_compilation

BOTH = np.ones((2, 2), np.bool_)


def test_every_rule_that_can_fire_is_there_once() -> None:
    assert len(set(ROWS)) == len(ROWS) == len(NUMBERS)
    assert all(CATALOGUE[number].row == row for number, row in zip(NUMBERS, ROWS, strict=True))


def test_weights_are_those_of_each_rule_alone_which_otherwise_leaves_any_legal_move() -> None:
    iggi, outer = get_agent("iggi"), get_agent("outer")
    logs = play([iggi, outer], 2, seed=1)

    table = firing_table(Seen(logs, BOTH))

    for rule in range(0, len(ROWS), 5):
        alone = move_probabilities(get_agent(f"rules:{NUMBERS[rule]}"), logs)
        is_silent = table.weights[rule] == SILENT
        expected = np.where(is_silent, 1 / table.legal, table.weights[rule])
        assert np.allclose(alone, expected), NUMBERS[rule]


def test_only_the_followed_seats_count_and_a_table_is_extended_by_further_games() -> None:
    logs = play([get_agent("iggi"), get_agent("outer")], 2, seed=1)
    first, second = (logs.select(np.array([game])) for game in range(2))
    turns = np.arange(logs.offsets[1]), np.arange(logs.offsets[2] - logs.offsets[1])
    followed = np.concatenate([turns[0] % 2 == 0, turns[1] % 2 == 1])

    in_turn = np.eye(2, dtype=np.bool_)
    some, every = (firing_table(Seen(logs, seats)) for seats in (in_turn, BOTH))
    extended = firing_table(Seen(first, BOTH[:1])).extend(firing_table(Seen(second, BOTH[:1])))

    assert np.array_equal(some.weights, every.weights[:, followed])
    assert np.array_equal(extended.weights, every.weights)
    assert np.array_equal(extended.legal, every.legal)


def test_rules_that_look_the_same_are_of_one_group() -> None:
    groups = firing_table(Seen(play([get_agent("iggi")] * 2, 2, seed=1), BOTH)).alike
    index = {number: place for place, number in enumerate(NUMBERS)}

    assert groups[index[13]] != groups[index[119]]
    assert groups[index[35]] == groups[index[38]]  # rule 37 never fired here


RULES = 6


def _table(seed: int, decisions: int) -> FiringTable:
    generator = np.random.default_rng(seed)
    weights = generator.choice([SILENT, 0.0, 0.25, 1.0], (RULES, decisions)).astype(np.float32)
    return FiringTable(weights, generator.integers(2, 20, decisions))


def _log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)


def _expected(table: FiringTable, rules: list[int]) -> float:
    """The log-likelihood, decision by decision."""
    made, skipped, after_skip, total = np.zeros(len(rules)), np.zeros(len(rules)), [0, 0], 0.0
    for decision, legal in enumerate(table.legal):
        weights = table.weights[rules, decision]
        asked = [place for place, weight in enumerate(weights) if weight != SILENT][:2]
        makes = [place for place in asked if weights[place] > 0]
        if asked and asked[:1] != makes[:1]:
            skipped[asked[0]] += 1
            after_skip[not makes] += 1
        if makes:
            made[makes[0]] += 1
        total += np.log(weights[makes[0]]) if makes else -np.log(legal)
    total += _log_beta(STRAY_AB + after_skip[1], STRAY_AB + after_skip[0])
    total -= _log_beta(STRAY_AB, STRAY_AB)
    for place in range(len(rules)):
        total += _log_beta(SKIP_A + skipped[place], SKIP_B + made[place])
        total -= _log_beta(SKIP_A, SKIP_B)
    return total


def _weighed(table: FiringTable, lists: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    found, counts = np.zeros(len(lists)), np.zeros((len(lists), LONGEST + 1, 2), np.int64)
    weigh_lists(lists, lengths, pack_table(table).arrays, found, counts)
    return found


@given(bits=st.integers(0, 2**64 - 1))
def test_bits_are_counted(bits: int) -> None:
    assert count_bits(np.uint64(bits)) == bits.bit_count()


@settings(max_examples=50, deadline=None)
@given(
    rules=st.lists(st.integers(0, RULES - 1), max_size=LONGEST),
    decisions=st.integers(1, 200),
    seed=st.integers(0, 100),
)
def test_the_likelihood_integrates_over_how_often_rules_are_skipped(
    rules: list[int], decisions: int, seed: int
) -> None:
    table = _table(seed, decisions)
    lists = np.zeros((1, LONGEST), np.int64)
    lists[0, : len(rules)] = rules

    found = _weighed(table, lists, np.array([len(rules)]))[0]

    assert found == pytest.approx(_expected(table, rules), rel=1e-6, abs=1e-6)


def test_changed_lists_keep_their_likelihood_and_become_likelier() -> None:
    table, streams = _table(1, 150), np.arange(50, dtype=np.uint64)
    lists, lengths = draw_lists(50, RULES, streams)
    before = _weighed(table, lists, lengths)
    found = before.copy()

    change_lists(lists, lengths, found, pack_table(table).arrays, 1.0, 0.9, 500, streams)

    assert np.allclose(found, _weighed(table, lists, lengths))
    assert found.mean() > before.mean() + 10
    assert lists.min() >= 0 and lists.max() < RULES and lengths.max() <= LONGEST


def test_without_heat_changes_keep_the_prior() -> None:
    """The chance that a list has no rule is that of its prior."""
    growth, streams = 0.5, np.arange(4_000, dtype=np.uint64)
    lists, lengths = draw_lists(4_000, RULES, streams)
    arrays = pack_table(_table(1, 10)).arrays

    change_lists(lists, lengths, np.zeros(4_000), arrays, 0.0, growth, 300, streams)

    shares = np.bincount(lengths, minlength=4)[:4] / len(lengths)
    assert shares == pytest.approx([0.5, 0.25, 0.125, 0.0625], abs=0.03)


def test_rules_are_redrawn_within_their_group() -> None:
    lists = np.tile(np.arange(4), (500, 1))
    groups = np.array([0, 0, 1, 0])

    redraw_alike(lists, np.full(500, 3), groups, np.arange(500, dtype=np.uint64))

    assert set(lists[:, 0]) == {0, 1, 3}
    assert set(lists[:, 2]) == {2}
    assert set(lists[:, 3]) == {3}  # beyond the length


PROGRAM = """
import numpy as np
from hoad.partners.program.agent import lists_agent
from hoad.partners.program.firing import ROWS, firing_table
from hoad.partners.program.particles import draw_particles, spread_over_alike, weigh
from hoad.partners.program.prediction import WeightedLists, predict_moves
from hoad.partners.program.sampler import change_lists, pack_table
from hoad.agents import get_agent, play
from hoad.agents.follow import states_at
from hoad.game.log import GameLogs
from hoad.partners.choices import Seen
game, seats = play([get_agent("iggi")] * 2, 1, seed=4), np.ones((1, 2), bool)
logs = GameLogs(2, game.decks, game.actions[:20], np.array([0, 20]))
table = firing_table(Seen(logs, seats))
evidence = pack_table(table)
particles = draw_particles(0, len(ROWS), 3)
found, _ = weigh(particles, evidence)
lists, lengths, streams = particles.lists, particles.lengths, particles.streams
change_lists(lists, lengths, found, evidence.arrays, 1.0, 0.9, 20, streams)
spread_over_alike(particles, table.alike)
lists[np.arange(lists.shape[1]) >= lengths[:, None]] = -1
skips = np.full(lists.shape, 0.1)
shares = np.full(3, 1 / 3)
programs = WeightedLists(np.array(ROWS), lists, skips, shares, shares)
weights = predict_moves(states_at(logs, seats), programs)
agent = lists_agent("lists", programs)
print(play([agent, get_agent("iggi")], 1, seed=3).actions.tolist())
print(lists.tolist(), found.round(6).tolist(), weights.round(9).tolist())
"""


def test_lists_are_the_same_without_compilation() -> None:
    assert prints_the_same_without_compilation(PROGRAM)
