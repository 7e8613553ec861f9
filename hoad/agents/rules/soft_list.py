"""Rule lists that skip a rule at times: what a program looks like that is known from games.

The first rule that fires makes the move, unless it is skipped. Then the player strays and makes any
legal move, or the next rule that fires makes it, unless that one is skipped too. What no rule
makes is any legal move. With no skips it is the agent of a rule list.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numba import njit

from hoad.agents.agent import (
    SPREAD,
    CompiledAgent,
    Hands,
    Memory,
    Parameters,
    Table,
    Weights,
    remember_nothing,
)
from hoad.agents.rules.catalogue import COLUMNS, Row
from hoad.agents.rules.conditions import requirements_met
from hoad.agents.rules.discard import LEGAL_RANDOM
from hoad.agents.rules.rule_list import fire_rule
from hoad.agents.situation import NO_MOVE, Situation, situation_of, spread_evenly
from hoad.game.moves import MOVES
from hoad.game.rules import legal_moves

CODE: Final = ("choose_softly", "hoad.agents.soft_list")  # an identity, not a path

UNIT: Final = 1_000_000
"""Shares of skips are given to the compiled code in millionths."""

NEGLIGIBLE: Final = 0.002
"""If a smaller share of the moves is left to a second rule, none is asked."""

_SOFT_COLUMNS: Final = COLUMNS + 1


def soft_list_agent(
    name: str, rows: Sequence[Row], skips: Sequence[float], strays: float
) -> CompiledAgent:
    """Return the agent with these rules, in order.

    ``skips`` says how often each of them is skipped where it fires, ``strays`` how often a skip
    leads to any legal move, and not to the next rule, 0 to 1.
    """
    parameters = [round(strays * UNIT)]
    for row, skip in zip(rows, skips, strict=True):
        parameters += [*row, round(skip * UNIT)]
    return CompiledAgent(name, CODE, choose_softly, remember_nothing, parameters)


@njit(cache=True, nogil=True)
def choose_softly(
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, weights: Weights
) -> int:
    """Write the weights of all moves that some rule makes; return ``SPREAD``."""
    situation = situation_of(table, hands, me)
    met, legal = requirements_met(table, me), legal_moves(table, hands)
    spread, left, any_legal, asked = np.zeros(MOVES), 1.0, 0.0, 0
    weights[:] = 0.0
    for row in range(1, len(parameters), _SOFT_COLUMNS):
        move = ask_rule(parameters[row : row + COLUMNS], situation, met, legal, spread)
        if move == NO_MOVE:
            continue
        skipped = left * parameters[row + COLUMNS] / UNIT
        add_move(weights, left - skipped, move, spread)
        strayed = skipped * parameters[0] / UNIT
        left, any_legal, asked = skipped - strayed, any_legal + strayed, asked + 1
        if asked == 2 or left < NEGLIGIBLE:
            break
    add_move(weights, any_legal + left, spread_evenly(legal, spread), spread)
    return SPREAD


@njit(cache=True, nogil=True)
def ask_rule(
    rule: np.ndarray, situation: Situation, met: int, legal: int, spread: np.ndarray
) -> int:
    """Return the move of one rule (a row of parameters), ``NO_MOVE``, or ``SPREAD``.

    ``met`` are the requirements that hold, ``legal`` the legal moves.
    """
    if rule[3] & ~met:
        return NO_MOVE
    if rule[0] == LEGAL_RANDOM:
        return spread_evenly(legal, spread)
    return fire_rule(rule[0], rule[1], rule[2], situation, spread)


@njit(cache=True, nogil=True)
def add_move(weights: np.ndarray, share: float, move: int, spread: np.ndarray) -> None:
    """Add a share of a move, or of the ``spread`` for ``SPREAD``, to the weights."""
    if move == SPREAD:
        for other in range(len(weights)):
            weights[other] += share * spread[other]
    else:
        weights[move] += share
