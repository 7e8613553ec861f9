"""Which rules fire at each decision of a partner, and whether they make its move.

Computed once for a game; the likelihood of any list of rules follows from it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numba import njit

from hoad.agents.agent import SPREAD, see
from hoad.agents.rules.catalogue import CATALOGUE, Row
from hoad.agents.rules.conditions import requirements_met
from hoad.agents.rules.play import NEVER_FIRES
from hoad.agents.rules.several_partners import (
    Sight,
    ask_with_several,
    count_moves,
    is_for_several,
    row_for_several,
)
from hoad.agents.rules.soft_list import ask_rule
from hoad.agents.situation import NO_MOVE, count_cards, situation_of
from hoad.game.moves import MOVES
from hoad.game.rules import legal_moves
from hoad.game.state import MAX_MOVES, signed
from hoad.partners.choices import Seen

SILENT: Final = -1.0
"""In place of a weight: the rule does not fire."""


def _distinct_rules(rows: Mapping[int, Row]) -> dict[Row, int]:
    """Return the different rows, of rules by number, that can fire, with their first number."""
    numbers: dict[Row, int] = {}
    for number, row in rows.items():
        if row.function != NEVER_FIRES:
            numbers.setdefault(row, number)
    return numbers


_RULES: Final = _distinct_rules({number: rule.row for number, rule in CATALOGUE.items()})
_RULES_FOR_SEVERAL: Final = _distinct_rules(
    {number: row for number in CATALOGUE if is_for_several(row := row_for_several(number))}
)


def rules_for(players: int) -> Mapping[Row, int]:
    """Return the rules that programs of games of so many players are made of, and their numbers.

    With several players these are the rules that are defined for them, finesses included.
    """
    return _RULES if players == 2 else _RULES_FOR_SEVERAL


ROWS: Final = tuple(_RULES)
"""The rules that programs of two players are made of: each row of the catalogue once."""

NUMBERS: Final = tuple(_RULES.values())
"""The number of each of them in the catalogue."""


@dataclass(frozen=True)
class FiringTable:
    """Decisions of a partner as each rule sees them."""

    # weight of each rule on the move made, SILENT where it does not fire; float32, shape
    # (rules, decisions)
    weights: np.ndarray
    legal: np.ndarray  # how many moves were legal, int64, shape (decisions,)

    @property
    def alike(self) -> np.ndarray:
        """Return for each rule the number of its group: rules that look the same here."""
        groups: np.ndarray = np.unique(self.weights, axis=0, return_inverse=True)[1].reshape(-1)
        return groups

    def extend(self, further: "FiringTable") -> "FiringTable":
        """Return the decisions of this table and of a further one."""
        weights = np.concatenate([self.weights, further.weights], axis=1)
        return FiringTable(weights, np.concatenate([self.legal, further.legal]))


def firing_table(games: Seen) -> FiringTable:
    """Return how the rules of :func:`rules_for` see the decisions of the partner."""
    players, states, made = games.logs.players, games.states, games.choices.actions
    rows = np.array([*rules_for(players)])
    weights = np.empty((len(states), len(rows)), np.float32)
    legal = np.empty(len(states), np.int64)
    fill = _fill if players == 2 else fill_with_several
    fill(states, made, rows, weights, legal)
    return FiringTable(np.ascontiguousarray(weights.T), legal)


@njit(cache=True, nogil=True)
def _fill(
    states: np.ndarray, made: np.ndarray, rows: np.ndarray, weights: np.ndarray, legal: np.ndarray
) -> None:
    """Fill the weights, by decision and rule, and how many moves are legal."""
    hands, spread = np.zeros((5, 5), np.uint8), np.zeros(MOVES)
    for decision, state in enumerate(states):
        me, actual = int(state.table.current), int(made[decision])
        see(state, me, hands)
        situation, met = situation_of(state.table, hands, me), requirements_met(state.table, me)
        moves = legal_moves(state.table, hands)
        legal[decision] = count_cards(moves)
        _weigh_rules(ask_rule, situation, met, moves, rows, actual, spread, weights[decision])


@njit(cache=True, nogil=True)
def fill_with_several(
    states: np.ndarray, made: np.ndarray, rows: np.ndarray, weights: np.ndarray, legal: np.ndarray
) -> None:
    """Fill the same for games of several players; ``rows`` are rules that are defined for them."""
    hands, spread, of_two = np.zeros((5, 5), np.uint8), np.zeros(MAX_MOVES), np.zeros(MOVES)
    for decision, state in enumerate(states):
        me, actual = signed(state.table.current), int(made[decision])
        see(state, me, hands)
        sight, met = Sight(state.table, hands, me, of_two), requirements_met(state.table, me)
        moves = legal_moves(state.table, hands)
        legal[decision] = count_moves(moves)
        _weigh_rules(ask_with_several, sight, met, moves, rows, actual, spread, weights[decision])


@njit(cache=True, nogil=True, inline="always")
def _weigh_rules(
    ask: Callable[..., int],
    sight: Any,
    met: int,
    legal: int,
    rows: np.ndarray,
    actual: int,
    spread: np.ndarray,
    weights: np.ndarray,
) -> None:
    """Write the weight of each rule on the move made; ``ask`` as ``add_lists`` takes it."""
    for rule in range(len(rows)):
        move = ask(rows[rule], sight, met, legal, spread)
        weight = 1.0 if move == actual else spread[actual] if move == SPREAD else 0.0
        weights[rule] = SILENT if move == NO_MOVE else weight
