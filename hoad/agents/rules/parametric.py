"""Rule lists whose names hold their parameters, after a colon.

Those of Walton-Rivers et al. 2017 have the rules of the catalogue, but with any threshold.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from hoad.agents.agent import CompiledAgent
from hoad.agents.rules.catalogue import Row
from hoad.agents.rules.conditions import LIVES_1, LIVES_ABOVE_1
from hoad.agents.rules.discard import DISCARD_PROBABLY_USELESS_CARD
from hoad.agents.rules.play import PLAY_PROBABLY_SAFE_CARD, PLAY_SAFE_CARD
from hoad.agents.rules.rule_list import rule_list_agent
from hoad.agents.situation import CERTAIN
from hoad.core.errors import HoadError

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


def chromosome(argument: str) -> CompiledAgent:
    """Return the agent of a list of rule numbers: ``rules:8,13,38,27``.

    Raises:
        HoadError: something between the commas is no number of the catalogue.
    """
    try:
        numbers = tuple(int(part) for part in argument.split(","))
    except ValueError:
        raise HoadError(
            f"rules:{argument}: expected rule numbers with commas between, as in rules:8,13,38,27"
        ) from None
    return rule_list_agent(f"rules:{argument}", numbers)


def risky(argument: str) -> CompiledAgent:
    """Return iggi that plays cards which are only probably safe: ``risky:0.75``.

    Raises:
        HoadError: ``argument`` is not a probability of at most three decimals.
    """
    name = f"risky:{argument}"
    row = Row(PLAY_PROBABLY_SAFE_CARD, _threshold(name, argument))
    return rule_list_agent(name, [2, row, 13, 38, 27])


def van_den_bergh(argument: str) -> CompiledAgent:
    """Return van den Bergh et al.'s player: ``van-den-bergh:WP:WD:HINT:DISCARD``.

    Args:
        argument: the least probability for a play, and for a discard as useless; then how it hints
            (``RANDOM``, ``MOST_CARDS``, ``NEXT_USEFUL_THEN_MOST_CARDS`` or
            ``NEXT_USEFUL_THEN_NEXT_USELESS_THEN_MOST_CARDS``) and how it discards otherwise
            (``RANDOM``, ``LONGEST_HELD``, ``LEAST_LIKELY_TO_BE_NECESSARY`` or
            ``MOST_CERTAIN_IS_USELESS``), as in the constructor of Walton-Rivers et al.

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


_EXAMPLE: Final = "van-den-bergh:0.6:1.0:NEXT_USEFUL_THEN_MOST_CARDS:MOST_CERTAIN_IS_USELESS"


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
