"""The likelihood of lists of rules, and random changes of lists."""

from math import lgamma

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.partners.program.firing import SILENT, FiringTable
from hoad.partners.program.prior import (
    LONGEST,
    SKIP_A,
    SKIP_B,
    STRAY_AB,
    draw_lists,
)
from hoad.partners.program.sampler import (
    change_lists,
    count_bits,
    pack_table,
    redraw_alike,
    weigh_lists,
)

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
