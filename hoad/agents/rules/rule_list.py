"""Agents with a list of rules, of which the first that fires makes the move.

Walton-Rivers et al. 2017 and, for chromosomes, Canaan et al. 2018. If no rule fires, the
move is drawn from all legal ones (Canaan et al.). A rule without a legal move does not fire.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

import numpy as np
from numba import njit

from hoad.agents.agent import (
    CompiledAgent,
    Hands,
    Memory,
    Parameters,
    Table,
    Weights,
    remember_nothing,
)
from hoad.agents.rules.by_convention import PLAY_MEANT, fire_convention
from hoad.agents.rules.catalogue import COLUMNS, Row, rule_parameters
from hoad.agents.rules.conditions import LIVES_1, LIVES_ABOVE_1, requirements_met
from hoad.agents.rules.discard import (
    DISCARD_HIGHEST,
    DISCARD_PROBABLY_USELESS_CARD,
    LEGAL_RANDOM,
    fire_discard,
)
from hoad.agents.rules.play import PLAY_PROBABLY_SAFE_CARD, PLAY_SAFE_CARD, fire_play
from hoad.agents.rules.tell import COMPLETE_TELL_USEFUL_CARD, fire_tell
from hoad.agents.situation import CERTAIN, NO_MOVE, Situation, situation_of, spread_evenly
from hoad.core.errors import HoadError
from hoad.game.rules import legal_moves

CODE: Final = ("choose_by_rules", "hoad.agents.rule_list")  # an identity, not a path

# The choices of van den Bergh et al.'s player, in rules of the catalogue.
_HINTS: Final = {
    "RANDOM": (22,),
    "MOST_CARDS": (19,),
    "NEXT_USEFUL_THEN_MOST_CARDS": (13, 125),
    "NEXT_USEFUL_THEN_NEXT_USELESS_THEN_MOST_CARDS": (13, 14, 125),
}

_DISCARDS: Final = {
    "RANDOM": (34,),
    "LONGEST_HELD": (27,),
    "LEAST_LIKELY_TO_BE_NECESSARY": (26,),
    "MOST_CERTAIN_IS_USELESS": (29,),
}

_EXAMPLE: Final = "van-den-bergh:0.6:1.0:NEXT_USEFUL_THEN_MOST_CARDS:MOST_CERTAIN_IS_USELESS"


class RuleList(CompiledAgent):
    """The agent with some rules.

    Attributes:
        rules: numbers of the catalogue, or rows for rules without a number, in order.
    """

    def __init__(self, name: str, rules: Sequence[int | Row]) -> None:
        super().__init__(name, CODE, choose_by_rules, remember_nothing, rule_parameters(rules))
        self.rules = tuple(rules)


def rule_list_agent(name: str, rules: Sequence[int | Row]) -> RuleList:
    """Return the agent with these rules, in order (raises what :func:`rule_parameters` raises)."""
    return RuleList(name, rules)


def chromosome(argument: str) -> RuleList:
    """Return the agent of ``rules:8,13,38,27``; a HoadError for anything but rule numbers."""
    try:
        numbers = tuple(int(part) for part in argument.split(","))
    except ValueError:
        raise HoadError(
            f"rules:{argument}: expected rule numbers with commas between, as in rules:8,13,38,27"
        ) from None
    return rule_list_agent(f"rules:{argument}", numbers)


def risky(argument: str) -> RuleList:
    """Return iggi that plays cards which are only probably safe: ``risky:0.75``.

    Raises:
        HoadError: ``argument`` is not a probability of at most three decimals.
    """
    name = f"risky:{argument}"
    row = Row(PLAY_PROBABLY_SAFE_CARD, _threshold(name, argument))
    return rule_list_agent(name, [2, row, 13, 38, 27])


def van_den_bergh(argument: str) -> RuleList:
    """Return van den Bergh et al.'s player: ``van-den-bergh:WP:WD:HINT:DISCARD``.

    The choices are those of the constructor of Walton-Rivers et al.: the least probability for a
    play, and for a discard as useless; then how it hints (the keys of ``_HINTS``), and how it
    discards otherwise (the keys of ``_DISCARDS``).

    Raises:
        HoadError: there are not four parts, or one of them is none of the above.
    """
    name = f"van-den-bergh:{argument}"
    parts = argument.split(":")
    if len(parts) != 4:
        raise HoadError(f"{name}: expected van-den-bergh:WP:WD:HINT:DISCARD, as in {_EXAMPLE}")
    play, discard, hint, other_discard = parts
    rows = [
        Row(PLAY_PROBABLY_SAFE_CARD, _threshold(name, play), condition=LIVES_ABOVE_1),
        Row(PLAY_SAFE_CARD, condition=LIVES_1),
        Row(DISCARD_PROBABLY_USELESS_CARD, _threshold(name, discard)),
    ]
    numbers = _choice(name, hint, _HINTS) + _choice(name, other_discard, _DISCARDS)
    return rule_list_agent(name, [*rows, *numbers])


def _threshold(name: str, text: str) -> int:
    try:
        threshold = Fraction(text) * CERTAIN
    except (ValueError, ZeroDivisionError):
        threshold = Fraction(-1)
    if not 0 <= threshold <= CERTAIN or threshold.denominator != 1:
        raise HoadError(
            f"{name}: {text!r} should be a probability from 0 to 1 of at most three decimals"
        )
    return int(threshold)


def _choice(name: str, text: str, choices: Mapping[str, tuple[int, ...]]) -> tuple[int, ...]:
    if text not in choices:
        raise HoadError(f"{name}: {text!r} should be one of {', '.join(choices)}")
    return choices[text]


@njit(cache=True, nogil=True)
def choose_by_rules(
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, weights: Weights
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
        move = fire_rule(function, parameters[row + 1], parameters[row + 2], situation, weights)
        if move != NO_MOVE:
            return move
    return spread_evenly(legal_moves(table, hands), weights)


@njit(cache=True, nogil=True, inline="always")
def fire_rule(
    function: int, first: int, second: int, situation: Situation, weights: np.ndarray
) -> int:
    """Return the move of one rule; functions of a kind have adjacent numbers.

    This and the functions it calls only dispatch. They are inlined, because passing the situation
    on takes as long as many a rule.
    """
    if function < COMPLETE_TELL_USEFUL_CARD:
        return fire_play(function, first, second, situation)
    if function < DISCARD_HIGHEST:
        if situation.table.tokens == 0:
            return NO_MOVE
        return fire_tell(function, first, second, situation, weights)
    if function >= PLAY_MEANT:
        return fire_convention(function, first, second, situation, weights)
    if situation.table.tokens == situation.table.max_tokens:
        return NO_MOVE
    return fire_discard(function, first, situation, weights)
