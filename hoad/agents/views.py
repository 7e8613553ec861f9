"""What players see in many games at once, as packed observations."""

import numpy as np
from numba import njit

from hoad.agents.agent import new_view, see
from hoad.game.observation import encode, observation_bytes
from hoad.game.rules import legal_moves
from hoad.game.state import full_game


def encode_views(states: np.ndarray, seat: int) -> tuple[np.ndarray, np.ndarray]:
    """Return what ``seat`` sees in games (dtype ``STATE``) in which it is to move.

    Returns:
        Packed observations, uint8, shape ``(games, 83)``; legal moves as bit sets, int64.
    """
    observations = np.empty((len(states), observation_bytes(full_game(2))), np.uint8)
    legal = np.empty(len(states), np.int64)
    _encode_views(states, seat, new_view(), observations, legal)
    return observations, legal


@njit(cache=True, nogil=True)
def _encode_views(
    states: np.ndarray, seat: int, hands: np.ndarray, observations: np.ndarray, legal: np.ndarray
) -> None:
    for game in range(len(states)):
        see(states[game], seat, hands)
        encode(states[game].table, hands, seat, observations[game])
        legal[game] = legal_moves(states[game].table, hands)
