"""The last turns of games in lockstep, from which transitions are drawn by priority.

A turn is stored once, with its packed observation; the next turns of its game are in the next rows
of the same column. A transition leads from a player's turn to that player's next turn, with the
rewards of both players' moves between; it is assembled when it is drawn.
"""

from dataclasses import dataclass

import numpy as np
import torch
from numba import njit

from hoad.game.observation import observation_bytes
from hoad.game.state import full_game
from hoad.learning.rainbow.sum_tree import SumTree

_PLAYERS = 2


@dataclass(frozen=True)
class Experience:
    """Transitions that were drawn."""

    items: np.ndarray  # their places in the buffer, int64, shape (batch,)
    weights: torch.Tensor  # importance-sampling weights, float32, at most 1, shape (batch,)
    observations: torch.Tensor  # packed, uint8, shape (batch, 83)
    actions: torch.Tensor  # the moves made, int64, shape (batch,)
    statuses: torch.Tensor  # of the player's own cards, int64, shape (batch, 5)
    returns: torch.Tensor  # sums of the two rewards, float32, shape (batch,)
    discounts: torch.Tensor  # of the value after, float32, (batch,); 0 where the game ended before
    # packed, uint8, shape (batch, 83); without meaning at discount 0
    next_observations: torch.Tensor
    next_legal: torch.Tensor  # legal moves then, as bit sets, int64, shape (batch,)


class ReplayBuffer:
    """A ring of rows (more than 2); a row is a turn of each of the games in lockstep.

    A turn can be drawn once the player's next turn is known; it then has the highest priority that
    any turn had (Schaul et al. 2016). ``discount`` is that of one turn of a player, ``beta`` the
    exponent of the importance-sampling weights.
    """

    def __init__(self, rows: int, games: int, discount: float, beta: float) -> None:
        self._discount = discount
        self._beta = beta
        self._shape = rows, games
        variant = full_game(2)
        self._turns: dict[str, np.ndarray] = {
            "observations": np.zeros((rows, games, observation_bytes(variant)), np.uint8),
            "legal": np.zeros((rows, games), np.int32),
            "actions": np.zeros((rows, games), np.uint8),
            "statuses": np.zeros((rows, games, variant.hand_size), np.uint8),
            "rewards": np.zeros((rows, games), np.int8),
            "ended": np.zeros((rows, games), np.bool_),
        }
        self._tree = SumTree(rows * games)
        self._written = np.zeros(1, np.int64)
        self._max_priority = np.ones(1)

    @property
    def rows_written(self) -> int:
        """The number of finished rows, including those that were overwritten."""
        return int(self._written[0])

    def begin(
        self, observations: np.ndarray, legal: np.ndarray, actions: np.ndarray, statuses: np.ndarray
    ) -> None:
        """Begin a row with what :class:`hoad.learning.rainbow.lockstep.Lockstep` has."""
        self._write(observations=observations, legal=legal, actions=actions, statuses=statuses)

    def finish(self, rewards: np.ndarray, ended: np.ndarray) -> None:
        """Finish the row with the rewards of the moves, and whether they ended their games."""
        self._write(rewards=rewards, ended=ended)
        self._set_row(self.rows_written, 0.0)
        known = self.rows_written - _PLAYERS
        if known >= 0:
            self._set_row(known, self._max_priority[0])
        self._written[0] += 1

    def _write(self, **columns: np.ndarray) -> None:
        for name, column in columns.items():
            self._turns[name][self.rows_written % self._shape[0]] = column

    def _set_row(self, row: int, priority: float) -> None:
        rows, games = self._shape
        items = row % rows * games + np.arange(games)
        self._tree.set(items, np.full(games, priority))

    def draw(self, count: int, seed: int, device: torch.device) -> Experience:
        """Draw transitions with probability proportional to their priorities."""
        return self.take(self._tree.draw(count, seed), device)

    def take(self, items: np.ndarray, device: torch.device) -> Experience:
        """Return the transitions that begin with these turns, ``row * games + game``, int64."""
        turns = {name: rows.reshape(-1, *rows.shape[2:]) for name, rows in self._turns.items()}
        weights = self._tree.priorities[items] ** -self._beta
        rewards, ended = self._turns["rewards"], self._turns["ended"]
        returns, discounts, following = _look_ahead(rewards, ended, items, self._discount)
        arrays = (
            (weights / weights.max()).astype(np.float32),
            turns["observations"][items],
            turns["actions"][items].astype(np.int64),
            turns["statuses"][items].astype(np.int64),
            returns,
            discounts,
            turns["observations"][following],
            turns["legal"][following].astype(np.int64),
        )
        return Experience(items, *(torch.from_numpy(array).to(device) for array in arrays))

    def set_priorities(self, items: np.ndarray, priorities: np.ndarray) -> None:
        """Set the priorities (positive) of turns that were drawn and not overwritten since."""
        self._tree.set(items, priorities)
        self._max_priority[0] = max(self._max_priority[0], priorities.max())

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the content by name, as views, through which it can be restored."""
        others = {"written": self._written, "highest": self._max_priority}
        return {**self._turns, "tree": self._tree.nodes, **others}


@njit(cache=True, nogil=True)
def _look_ahead(
    rewards: np.ndarray, ended: np.ndarray, items: np.ndarray, discount: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the returns, the discounts and the items of the players' next turns."""
    rows, games = rewards.shape
    returns, discounts = np.empty(len(items), np.float32), np.empty(len(items), np.float32)
    following = np.empty(len(items), np.int64)
    for index in range(len(items)):
        row, game = items[index] // games, items[index] % games
        returns[index], discounts[index] = 0.0, discount
        for _ in range(_PLAYERS):
            returns[index] += rewards[row, game]
            if ended[row, game]:
                discounts[index] = 0.0
                break
            row = (row + 1) % rows
        following[index] = row * games + game
    return returns, discounts, following
