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


def resample(log_weights: np.ndarray, count: int, offset: float) -> np.ndarray:
    """Return indices as :func:`systematic`, by weights that need not sum to 1.

    ``log_weights`` are their logarithms, float64, shape ``(n,)``.
    """
    weights = np.exp(log_weights - log_weights.max())
    return systematic(weights / weights.sum(), count, offset)
