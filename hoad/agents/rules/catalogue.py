"""The rules by number, read from ``catalogue.csv``. A chromosome is a list of these numbers.

0 to 49 are those of Canaan et al. 2018, 50 to 104 those that their public rule base has since, 105
to 134 our own. Those from 200 on follow conventions of human players; their arguments are written
as names of :mod:`.conventions` and :mod:`.by_convention` with ``+`` between.

The published program of rules 78 to 82 aborts the game where it finds no hint; here these rules
then do not fire. Rules 83 to 104 work in the first seat only, as in their program.
"""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from hoad.agents.rules import by_convention, conventions, discard, play, tell
from hoad.agents.rules.conditions import ALWAYS, condition_bits, condition_in_words
from hoad.core.errors import HoadError


class Row(NamedTuple):
    """What the compiled code needs of a rule."""

    function: int  # number of a function of the rule modules
    first: int = 0  # its first argument, if any; often a probability in thousandths
    second: int = 0  # its second argument, if any
    condition: int = ALWAYS  # when it is asked (:mod:`hoad.agents.rules.conditions`)


COLUMNS: Final = len(Row._fields)
"""How many numbers describe one rule to the compiled code."""


class Rule(NamedTuple):
    """One rule of the catalogue."""

    number: int  # its number in chromosomes
    name: str  # its published name, or one of the same form
    words: str  # what it does, in one line
    row: Row  # what the compiled code needs of it


_FUNCTIONS: Final = {**vars(play), **vars(tell), **vars(discard), **vars(by_convention)}
_ARGUMENTS: Final = {**vars(conventions), **vars(by_convention)}


def _read_rule(line: dict[str, str]) -> Rule:
    condition, name, words = line["condition"], line["name"], line["words"]
    if condition:
        name, words = f"If({condition}) {name}", f"{words}, {condition_in_words(condition)}"
    first, second = _argument(line["first"]), _argument(line["second"])
    row = Row(_FUNCTIONS[line["function"]], first, second, condition_bits(condition))
    return Rule(int(line["number"]), name, words, row)


def _argument(text: str) -> int:
    if text.lstrip("-").isdigit():
        return int(text)
    return sum(_ARGUMENTS[name] for name in text.split("+"))


with Path(__file__).with_name("catalogue.csv").open(encoding="utf-8", newline="") as _file:
    CATALOGUE: Final = {rule.number: rule for rule in map(_read_rule, csv.DictReader(_file))}
    """Every rule by its number."""


def find_rule(number: int) -> Rule:
    """Return the rule with this number; a HoadError if the catalogue has no such number."""
    if number not in CATALOGUE:
        raise HoadError(
            f"unknown rule {number}; the catalogue has 0 to 134 and 200 to {max(CATALOGUE)}"
        )
    return CATALOGUE[number]


def rule_parameters(rules: Sequence[int | Row]) -> np.ndarray:
    """Return what the compiled code needs of a list of rules, int64, flat.

    Rules that never fire are left out; rows stand for rules without a number in the catalogue. It
    raises a HoadError for a number that is not there.
    """
    rows = [rule if isinstance(rule, Row) else find_rule(rule).row for rule in rules]
    alive = [row for row in rows if row.function != play.NEVER_FIRES]
    return np.array(alive, dtype=np.int64).reshape(-1)
