"""Agents with a list of rules, of which the first that fires makes the move.

Walton-Rivers et al. 2017 and, for chromosomes, Canaan et al. 2018. If no rule fires, the
move is drawn from all legal ones (Canaan et al.). A rule without a legal move does not fire.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numba import njit

from hoad.agents.agent import CompiledAgent, remember_nothing
from hoad.agents.rules.catalogue import COLUMNS, Row, rule_parameters
from hoad.agents.rules.comparing import TELL_MOST_INFORMATION, fire_comparing
from hoad.agents.rules.conditions import requirements_met
from hoad.agents.rules.discard import DISCARD_HIGHEST, fire_discard
from hoad.agents.rules.hinted import PLAY_UNIQUE_POSSIBLE_CARD, fire_hinted
from hoad.agents.rules.other import LEGAL_RANDOM, TRY_TO_UNBLOCK, legal_random, try_to_unblock
from hoad.agents.rules.play import fire_play
from hoad.agents.rules.tell import COMPLETE_TELL_USEFUL_CARD, fire_tell
from hoad.agents.situation import NO_MOVE, Situation, situation_of

CODE: Final = ("choose_by_rules", "hoad.agents.rule_list")  # an identity, not a path


def rule_list_agent(name: str, rules: Sequence[int | Row]) -> CompiledAgent:
    """Return the agent with these rules, in this order.

    Args:
        name: its name.
        rules: numbers of the catalogue, or rows for rules that have no number.

    Raises:
        HoadError: a number is not in the catalogue.
    """
    return CompiledAgent(name, CODE, choose_by_rules, remember_nothing, rule_parameters(rules))


@njit(cache=True, nogil=True)
def choose_by_rules(
    parameters: np.ndarray,
    table: np.record,
    hands: np.ndarray,
    me: int,
    memory: np.ndarray,
    weights: np.ndarray,
) -> int:
    """Return the move of the first rule that fires, or ``SPREAD``."""
    situation = situation_of(table, hands, me)
    met = requirements_met(table, me)
    for row in range(0, len(parameters), COLUMNS):
        if parameters[row + 3] & ~met:
            continue
        function = parameters[row]
        if function == LEGAL_RANDOM:
            break
        move = _fire(function, parameters[row + 1], parameters[row + 2], situation, weights)
        if move != NO_MOVE:
            return move
    return legal_random(table, hands, weights)


@njit(cache=True, nogil=True, inline="always")
def _fire(function: int, first: int, second: int, situation: Situation, weights: np.ndarray) -> int:
    """Return the move of one rule; functions of a kind have adjacent numbers.

    This and the functions it calls only dispatch. They are inlined, because passing the situation
    on takes as long as many a rule.
    """
    if function < PLAY_UNIQUE_POSSIBLE_CARD:
        return fire_play(function, first, situation)
    if function < COMPLETE_TELL_USEFUL_CARD:
        return fire_hinted(function, first, second, situation)
    if function == TRY_TO_UNBLOCK:
        return try_to_unblock(situation)
    if function >= DISCARD_HIGHEST:
        if situation.table.tokens == situation.table.max_tokens:
            return NO_MOVE
        return fire_discard(function, first, situation, weights)
    if situation.table.tokens == 0:
        return NO_MOVE
    if function >= TELL_MOST_INFORMATION:
        return fire_comparing(function, first, second, situation, weights)
    return fire_tell(function, first, situation, weights)
