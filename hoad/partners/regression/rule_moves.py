"""What each rule of the catalogue would do at each decision of a partner, in compiled code."""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.agent import see
from hoad.agents.rules.conditions import requirements_met
from hoad.agents.rules.soft_list import add_move, ask_rule
from hoad.agents.situation import NO_MOVE, count_cards, situation_of
from hoad.game.moves import MOVES
from hoad.game.rules import legal_moves
from hoad.partners.program.firing import ROWS

RULES: Final = len(ROWS)
"""The number of rules: the different rows of the catalogue that can fire."""


def rule_moves(states: np.ndarray) -> np.ndarray:
    """Return the weight of each legal move under each rule; 0 for all where it does not fire.

    Float32, shape ``(legal moves, RULES)``: all legal moves, by decision, then by id.
    The states, dtype ``STATE``, are of two players, one for each decision.
    """
    weights = np.zeros((len(states) * MOVES, RULES), np.float32)
    rows = _ask(states, np.array(ROWS), weights)
    return weights[:rows]


@njit(cache=True, nogil=True)
def _ask(states: np.ndarray, rows: np.ndarray, weights: np.ndarray) -> int:
    """Fill the first rows of the weights; return how many."""
    hands, filled = np.zeros((5, 5), np.uint8), 0
    spread, expected = np.zeros(MOVES), np.zeros(MOVES)
    for state in states:
        me = int(state.table.current)
        see(state, me, hands)
        legal = legal_moves(state.table, hands)
        situation, met = situation_of(state.table, hands, me), requirements_met(state.table, me)
        for rule in range(len(rows)):
            move = ask_rule(rows[rule], situation, met, legal, spread)
            if move != NO_MOVE:
                expected[:] = 0.0
                add_move(expected, 1.0, move, spread)
                row = filled
                for allowed in range(MOVES):
                    if legal >> allowed & 1:
                        weights[row, rule] = expected[allowed]
                        row += 1
        filled += count_cards(legal)
    return filled
