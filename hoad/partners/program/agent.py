"""The agent that draws its moves from what weighted lists of rules expect, in compiled code."""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.agent import (
    MOVES,
    SPREAD,
    CompiledAgent,
    Hands,
    Memory,
    Parameters,
    Table,
    Weights,
    remember_nothing,
)
from hoad.agents.rules.catalogue import COLUMNS
from hoad.partners.program.prediction import WeightedLists, mix_lists

CODE: Final = ("choose_by_lists", "hoad.adhoc.program")  # an identity, not a path

_HEAD: Final = 3


def lists_agent(name: str, programs: WeightedLists) -> CompiledAgent:
    """Return an agent with the mean of the distributions of the lists."""
    sizes = [len(programs.rows), *programs.lists.shape]
    shares = (programs.skips, programs.strays, programs.shares)
    parts = [programs.rows, programs.lists, *(part.view(np.int64) for part in shares)]
    parameters = np.concatenate([sizes, *(part.ravel() for part in parts)])
    return CompiledAgent(name, CODE, choose_by_lists, remember_nothing, parameters)


@njit(cache=True, nogil=True)
def choose_by_lists(
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, weights: Weights
) -> int:
    """Write the weights of all moves that some list makes; return ``SPREAD``."""
    rules, lists, places = parameters[0], parameters[1], parameters[2]
    rows_end = _HEAD + rules * COLUMNS
    lists_end = rows_end + lists * places
    skips_end = lists_end + lists * places
    strays_end = skips_end + lists
    programs = WeightedLists(
        parameters[_HEAD:rows_end].reshape(rules, COLUMNS),
        parameters[rows_end:lists_end].reshape(lists, places),
        parameters[lists_end:skips_end].view(np.float64).reshape(lists, places),
        parameters[skips_end:strays_end].view(np.float64),
        parameters[strays_end:].view(np.float64),
    )
    moves, spreads = np.zeros(rules, np.int64), np.zeros((rules + 1, MOVES))
    weights[:] = 0.0
    mix_lists(table, hands, me, programs, moves, spreads, weights)
    return SPREAD
