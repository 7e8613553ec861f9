"""When a rule of the catalogue is asked at all."""

import pytest

from hoad.agents.rules.catalogue import CATALOGUE
from hoad.agents.rules.conditions import condition_bits, requirements_met
from hoad.game.game import Game


def _asked(rule: int, lives: int = 3, tokens: int = 8, deck_left: int = 40, seat: int = 0) -> bool:
    table = Game().state.table
    table.lives, table.tokens, table.deck_left = lives, tokens, deck_left
    return not CATALOGUE[rule].row.condition & ~requirements_met(table, seat)


@pytest.mark.parametrize(
    ("rule", "table", "asked"),
    [
        (43, {"lives": 2}, True),
        (43, {"lives": 1}, False),
        (48, {"tokens": 3}, True),
        (48, {"tokens": 4}, False),
        (83, {"seat": 0}, True),
        (104, {"seat": 1}, False),
        (108, {"lives": 3}, True),
        (108, {"lives": 2}, False),
        (109, {"lives": 1}, True),
        (109, {"lives": 2}, False),
        (110, {"deck_left": 0}, True),
        (110, {"deck_left": 1}, False),
        (110, {"deck_left": 0, "lives": 1}, False),
        (111, {"deck_left": 10}, True),
        (111, {"deck_left": 11}, False),
        (112, {"tokens": 8}, True),
        (112, {"tokens": 7}, False),
        (130, {"tokens": 4}, True),
        (130, {"tokens": 3}, False),
    ],
)
def test_rules_are_asked_under_their_conditions(
    rule: int, table: dict[str, int], asked: bool
) -> None:
    assert _asked(rule, **table) == asked


def test_conditions_are_written_in_words() -> None:
    assert condition_bits("lives>1 and tokens=8") == CATALOGUE[112].row.condition
    assert CATALOGUE[112].name.startswith("If(lives>1 and tokens=8) ")
