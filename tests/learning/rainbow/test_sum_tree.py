"""The sum tree: what it holds, and how it draws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoad.learning.rainbow.sum_tree import SumTree

PRIORITIES = st.lists(st.just(0.0) | st.floats(1e-6, 1e6), min_size=1, max_size=70)


def tree_of(priorities: list[float]) -> SumTree:
    tree = SumTree(len(priorities))
    tree.set(np.arange(len(priorities)), np.array(priorities))
    return tree


@given(PRIORITIES)
def test_it_holds_what_was_set_and_its_sum(priorities):
    tree = tree_of(priorities)
    assert tree.priorities.tolist() == priorities
    assert tree.nodes[1] == pytest.approx(sum(priorities))


@given(PRIORITIES.filter(any), st.integers(1, 50), st.integers(0, 2**63 - 1))
def test_one_item_of_positive_priority_is_drawn_from_each_part_of_the_total(
    priorities, count, seed
):
    items = tree_of(priorities).draw(count, seed)
    assert len(items) == count
    assert all(priorities[item] > 0 for item in items)
    ends = np.cumsum(priorities)
    parts = np.arange(count + 1) / count * ends[-1]
    error = 1e-9 * ends[-1]
    for index, item in enumerate(items):
        assert ends[item] >= parts[index] - error
        assert ends[item] - priorities[item] <= parts[index + 1] + error


@given(PRIORITIES, st.data())
def test_setting_again_leaves_what_a_new_tree_has(priorities, data):
    items = data.draw(st.lists(st.integers(0, len(priorities) - 1), min_size=1))
    changed = data.draw(st.lists(st.floats(0, 1e6), min_size=len(items), max_size=len(items)))
    tree = tree_of(priorities)
    tree.set(np.array(items), np.array(changed))
    for item, priority in zip(items, changed, strict=True):
        priorities[item] = priority
    np.testing.assert_array_equal(tree.nodes, tree_of(priorities).nodes)


def test_items_are_drawn_in_proportion_to_their_priorities():
    tree = tree_of([1.0, 0.0, 3.0, 6.0])
    drawn = np.concatenate([tree.draw(7, seed) for seed in range(2000)])
    shares = np.bincount(drawn, minlength=4) / len(drawn)
    np.testing.assert_allclose(shares, [0.1, 0.0, 0.3, 0.6], atol=0.01)
