"""A sum tree: draws items by priority, and changes priorities, in logarithmic time."""

import numpy as np
from numba import njit

from hoad.game.stream import next_unit


class SumTree:
    """Draws items with probability proportional to their priorities, all 0 at first.

    Schaul et al. (2016), appendix B.2.1. The tree is an array, ``nodes`` (float64): node 1 is the
    root, node ``k`` has children ``2 k`` and ``2 k + 1``, the first ``size`` leaves are the
    priorities. Each node is the sum of its children, computed again whenever one changes, so errors
    cannot add up.
    """

    def __init__(self, size: int) -> None:
        leaves = 1 << (size - 1).bit_length()
        self.nodes = np.zeros(2 * leaves)
        self._size = size

    @property
    def priorities(self) -> np.ndarray:
        """The priorities, float64, shape ``(size,)``: a view, to read only."""
        leaves = len(self.nodes) // 2
        return self.nodes[leaves : leaves + self._size]

    def set(self, items: np.ndarray, priorities: np.ndarray) -> None:
        """Set priorities (float64, not negative); of an item named twice, the last one counts."""
        _set(self.nodes, items, priorities)

    def draw(self, count: int, seed: int) -> np.ndarray:
        """Draw items (int64), one from each of ``count`` equal parts of the sum, which is not 0."""
        items = np.empty(count, np.int64)
        _draw(self.nodes, np.array([seed], np.uint64), items)
        return items


@njit(cache=True, nogil=True)
def _set(nodes: np.ndarray, items: np.ndarray, priorities: np.ndarray) -> None:
    leaves = len(nodes) // 2
    for index in range(len(items)):
        node = leaves + items[index]
        nodes[node] = priorities[index]
        while node > 1:
            node //= 2
            nodes[node] = nodes[2 * node] + nodes[2 * node + 1]


@njit(cache=True, nogil=True)
def _draw(nodes: np.ndarray, streams: np.ndarray, items: np.ndarray) -> None:
    leaves = len(nodes) // 2
    for index in range(len(items)):
        rest = (index + next_unit(streams, 0)) / len(items) * nodes[1]
        node = 1
        while node < leaves:
            node *= 2
            # Rounding may leave a rest although nothing lies to the right.
            if rest >= nodes[node] and nodes[node + 1] > 0.0:
                rest -= nodes[node]
                node += 1
        items[index] = node - leaves
