"""Systematic resampling."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hoad.partners.resampling import systematic


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
