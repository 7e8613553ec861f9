"""How often each move follows each move of the partner, which shows conventions.

As in Bard et al., "The Hanabi challenge" (2020), appendix.
"""

from typing import Final

import numpy as np

from hoad.game.log import GameLogs
from hoad.game.state import full_game

_VARIANT: Final = full_game(2)


def move_table(logs: GameLogs) -> np.ndarray:
    """Return the probability of each move given the move before it in the game.

    Float64, shape ``(moves, moves)``: a row for each previous move, NaN if it never occurred.
    """
    moves = _VARIANT.moves
    later = np.ones(len(logs.actions), np.bool_)
    later[logs.offsets[:-1]] = False
    turns = np.flatnonzero(later)
    pairs = logs.actions[turns - 1].astype(np.int64) * moves + logs.actions[turns]
    counts = np.bincount(pairs, minlength=moves * moves).reshape(moves, moves)
    with np.errstate(invalid="ignore"):
        return counts / counts.sum(axis=1, keepdims=True)


def hint_shares(logs: GameLogs) -> tuple[float, float]:
    """Return the shares of colour hints and of rank hints among all moves."""
    first_colour = 2 * _VARIANT.hand_size
    first_rank = first_colour + _VARIANT.colours
    ranks = float((logs.actions >= first_rank).mean())
    return float((logs.actions >= first_colour).mean()) - ranks, ranks
