"""The moves that weighted lists of rules expect of a partner, in compiled code."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from hoad.agents.agent import see
from hoad.agents.rules.conditions import requirements_met
from hoad.agents.rules.several_partners import Sight, ask_with_several, spread_over_legal
from hoad.agents.rules.soft_list import NEGLIGIBLE, add_move, ask_rule
from hoad.agents.situation import NO_MOVE, situation_of, spread_evenly
from hoad.game.moves import MOVES
from hoad.game.rules import legal_moves
from hoad.game.state import full_game, signed

_NOT_ASKED = -3


class WeightedLists(NamedTuple):
    """Soft lists, which share their rules."""

    rows: np.ndarray  # the rules, int64, shape (rules, 4)
    lists: np.ndarray  # indices of rules, -1 after the last one, int64, shape (lists, places)
    skips: np.ndarray  # how often each rule of a list is skipped, float64, shape (lists, places)
    strays: np.ndarray  # how often a skip leads to any legal move, float64, shape (lists,)
    shares: np.ndarray  # weights of the lists, float64, shape (lists,), sum 1


def predict_moves(states: np.ndarray, programs: WeightedLists, players: int = 2) -> np.ndarray:
    """Return the mean of the distributions of some soft lists at each state.

    Float64, shape ``(states, moves)``. ``states`` are records of dtype ``STATE`` of so many
    ``players``.
    """
    weights = np.zeros((len(states), full_game(players).moves))
    predict = _predict if players == 2 else _predict_with_several
    predict(states, programs, weights)
    return weights


@njit(cache=True, nogil=True)
def _predict(states: np.ndarray, programs: WeightedLists, weights: np.ndarray) -> None:
    hands, rules = np.zeros((5, 5), np.uint8), len(programs.rows)
    moves, spreads = np.zeros(rules, np.int64), np.zeros((rules + 1, MOVES))
    for decision, state in enumerate(states):
        me = int(state.table.current)
        see(state, me, hands)
        mix_lists(state.table, hands, me, programs, moves, spreads, weights[decision])


@njit(cache=True, nogil=True)
def _predict_with_several(states: np.ndarray, programs: WeightedLists, weights: np.ndarray) -> None:
    hands, of_two, rules = np.zeros((5, 5), np.uint8), np.zeros(MOVES), len(programs.rows)
    moves, spreads = np.zeros(rules, np.int64), np.zeros((rules + 1, weights.shape[1]))
    for decision, state in enumerate(states):
        me = signed(state.table.current)
        see(state, me, hands)
        sight, met = Sight(state.table, hands, me, of_two), requirements_met(state.table, me)
        legal = legal_moves(state.table, hands)
        mixed, spread = weights[decision], spreads[rules]
        left = add_lists(ask_with_several, sight, met, legal, programs, moves, spreads, mixed)
        add_move(mixed, left, spread_over_legal(legal, spread), spread)


@njit(cache=True, nogil=True, inline="always")
def mix_lists(
    table: np.record,
    hands: np.ndarray,
    me: int,
    programs: WeightedLists,
    moves: np.ndarray,
    spreads: np.ndarray,
    weights: np.ndarray,
) -> None:
    """Add up the distributions of the lists at one decision; each rule is asked once at most."""
    situation, met = situation_of(table, hands, me), requirements_met(table, me)
    legal, spread = legal_moves(table, hands), spreads[len(programs.rows)]
    left = add_lists(ask_rule, situation, met, legal, programs, moves, spreads, weights)
    add_move(weights, left, spread_evenly(legal, spread), spread)


@njit(cache=True, nogil=True, inline="always")
def add_lists(
    ask: Callable[..., int],
    sight: Any,
    met: int,
    legal: int,
    programs: WeightedLists,
    moves: np.ndarray,
    spreads: np.ndarray,
    weights: np.ndarray,
) -> float:
    """Add up the moves that the lists make by rules; return the share left to any legal move.

    ``ask`` asks a rule with what a player sees, the ``sight``: ``ask_rule`` with a ``Situation``,
    or ``ask_with_several`` with a ``Sight``.
    """
    rows, lists, skips, strays, shares = programs
    moves[:] = _NOT_ASKED
    any_legal = 0.0
    for index in range(len(lists)):
        left, asked = shares[index], 0
        for place in range(lists.shape[1]):
            rule = lists[index, place]
            if rule < 0:
                break
            if moves[rule] == _NOT_ASKED:
                moves[rule] = ask(rows[rule], sight, met, legal, spreads[rule])
            if moves[rule] == NO_MOVE:
                continue
            skipped = left * skips[index, place]
            add_move(weights, left - skipped, moves[rule], spreads[rule])
            any_legal += skipped * strays[index]
            left, asked = skipped * (1.0 - strays[index]), asked + 1
            if asked == 2 or left < NEGLIGIBLE * shares[index]:
                break
        any_legal += left
    return any_legal
