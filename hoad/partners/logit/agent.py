"""The agent that draws its moves from a conditional logit, in compiled code.

The log-odds of a legal move are a weighted sum: of the moves that rules and other agents would
make, and of the traits of the move (:mod:`~..regression.move_traits`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numba import njit

from hoad.agents.agent import (
    MOVES,
    SPREAD,
    Agent,
    CompiledAgent,
    Event,
    Hands,
    Memory,
    Parameters,
    Table,
    Weights,
)
from hoad.agents.rules.catalogue import COLUMNS, Row
from hoad.agents.rules.conditions import requirements_met
from hoad.agents.rules.soft_list import add_move, ask_rule
from hoad.agents.situation import NO_MOVE, situation_of
from hoad.game.rules import legal_moves
from hoad.partners.logit.members import HEAD, ask_member, let_observe, pack_members
from hoad.partners.regression.move_traits import TRAITS, add_traits

CODE: Final = ("choose_by_logit", "hoad.partners.logit")  # an identity, not a path

_FIRST: Final = 3
"""Numbers before the rules: whether it makes the likeliest move, how many rules, how many members.

After them come the rules, the weights of rules, traits and members, and the members.
"""


@dataclass(frozen=True)
class LogitWeights:
    """What a compiled logit sums up."""

    rules: Sequence[Row]  # rules, rows of the catalogue
    members: Sequence[Agent]  # agents (:func:`~.members.can_be_member`)
    # log-odds that a rule adds to the move that it makes, float64, shape (rules,)
    of_rules: np.ndarray
    of_traits: np.ndarray  # the same of values of traits, float64, shape (TRAITS,)
    of_members: np.ndarray  # the same of members, float64, shape (members,)

    def sharpened(self, power: float) -> "LogitWeights":
        """Return the weights with which probabilities are these to a power, and sum to 1 again."""
        parts = self.of_rules, self.of_traits, self.of_members
        return LogitWeights(self.rules, self.members, *(power * part for part in parts))


def logit_agent(name: str, weights: LogitWeights, greedy: bool = False) -> CompiledAgent:
    """Return the agent of a logit, which draws its moves.

    A ``greedy`` one makes the most probable move; ties go to the first.
    """
    shares = np.concatenate([weights.of_rules, weights.of_traits, weights.of_members])
    parameters = np.concatenate(
        [
            [int(greedy), len(weights.rules), len(weights.members)],
            np.array(weights.rules, np.int64).reshape(-1),
            shares.astype(np.float64).view(np.int64),
            np.array(pack_members(weights.members), np.int64),
        ]
    )
    memory = sum(agent.memory_size for agent in weights.members)
    return CompiledAgent(name, CODE, choose_by_logit, observe_for_members, parameters, memory)


@njit(cache=True, nogil=True)
def choose_by_logit(
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, weights: Weights
) -> int:
    """Write the distribution over the moves and return ``SPREAD``, or return the likeliest."""
    rules, members = parameters[1], parameters[2]
    rows_end = _FIRST + rules * COLUMNS
    shares_end = rows_end + rules + TRAITS + members
    shares = parameters[rows_end:shares_end].view(np.float64)
    odds, expected, spread = np.zeros(MOVES), np.zeros(MOVES), np.zeros(MOVES)
    situation, met = situation_of(table, hands, me), requirements_met(table, me)
    legal = legal_moves(table, hands)
    for rule in range(rules):
        row = parameters[_FIRST + rule * COLUMNS : _FIRST + (rule + 1) * COLUMNS]
        move = ask_rule(row, situation, met, legal, spread)
        if move != NO_MOVE:
            add_move(odds, shares[rule], move, spread)
    add_traits(situation, legal, shares[rules : rules + TRAITS], odds)
    start, remembered = shares_end, 0
    for member in range(members):
        kind, size = parameters[start], parameters[start + 1]
        end = start + HEAD + parameters[start + 2]
        own = memory[remembered : remembered + size]
        expected[:] = 0.0
        move = ask_member(kind, parameters[start + HEAD : end], table, hands, me, own, expected)
        add_move(odds, shares[rules + TRAITS + member], move, expected)
        start, remembered = end, remembered + size
    best = _likeliest(odds, legal)
    if parameters[0]:
        return best
    _write_softmax(odds, legal, odds[best], weights)
    return SPREAD


@njit(cache=True, nogil=True)
def observe_for_members(
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, event: Event
) -> int:
    """Let all members observe an action."""
    rules, members = parameters[1], parameters[2]
    start, remembered = _FIRST + rules * (COLUMNS + 1) + TRAITS + members, 0
    for _ in range(members):
        kind, size = parameters[start], parameters[start + 1]
        end = start + HEAD + parameters[start + 2]
        own = memory[remembered : remembered + size]
        own_parameters = parameters[start + HEAD : end]
        let_observe(kind, own_parameters, table, hands, me, own, event)
        start, remembered = end, remembered + size
    return 0


@njit(cache=True, nogil=True)
def _likeliest(odds: np.ndarray, legal: int) -> int:
    best = NO_MOVE
    for move in range(len(odds)):
        if legal >> move & 1 and (best == NO_MOVE or odds[move] > odds[best]):
            best = move
    return best


@njit(cache=True, nogil=True)
def _write_softmax(odds: np.ndarray, legal: int, highest: float, weights: np.ndarray) -> None:
    total = 0.0
    for move in range(len(odds)):
        weights[move] = np.exp(odds[move] - highest) if legal >> move & 1 else 0.0
        total += weights[move]
    for move in range(len(odds)):
        weights[move] /= total
