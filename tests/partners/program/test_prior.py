"""The prior on lists of rules."""

import numpy as np
import pytest

from hoad.partners.program.prior import GROWTH, LONGEST, draw_lists, log_prior

RULES = 6


def test_lists_are_as_long_as_their_prior_says() -> None:
    lists, lengths = draw_lists(4_000, RULES, np.arange(4_000, dtype=np.uint64))

    shares = np.bincount(lengths, minlength=3)[:3] / len(lengths)
    assert shares == pytest.approx((1 - GROWTH) * GROWTH ** np.arange(3), abs=0.02)
    assert lengths.max() == LONGEST
    assert set(np.unique(lists)) == set(range(RULES))


def test_a_further_rule_makes_a_list_less_likely() -> None:
    one, two = log_prior(np.array([3, 4]), RULES)

    assert two - one == pytest.approx(np.log(GROWTH / RULES))
