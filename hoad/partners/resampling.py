"""Systematic resampling: indices drawn by their probabilities, as evenly as possible."""

import numpy as np


def systematic(probabilities: np.ndarray, count: int, offset: float = 0.5) -> np.ndarray:
    """Return ``count`` indices, int64, ascending; each about as often as its probability says.

    Args:
        probabilities: float64, shape ``(n,)``, sum 1.
        count: how many indices.
        offset: above 0, below 1; drawn by the caller where the indices are to be random.
    """
    points = (np.arange(count) + offset) / count
    return np.searchsorted(np.cumsum(probabilities), points).clip(max=len(probabilities) - 1)
