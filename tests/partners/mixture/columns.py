"""Traits and relations of moves as values by name, and a program that prints some of them."""

from collections.abc import Callable, Mapping

import numpy as np

from hoad.agents.follow import states_at
from hoad.game.log import GameLogs
from hoad.partners.choices import choices_of

_PROGRAM = """
import numpy as np
from hoad.partners.mixture.{module} import {function}
from hoad.agents import get_agent, play
from hoad.agents.follow import states_at
from hoad.game.log import GameLogs
game = play([get_agent("iggi")] * 2, 1, seed=4)
begun = GameLogs(2, game.decks, game.actions[:12], np.array([0, 12]))
print(np.flatnonzero({function}(states_at(begun, np.ones((1, 2), bool)))).tolist())
"""


def program_of(module: str, function: str) -> str:
    """Return a program that prints the columns of moves that a compiled function sets."""
    return _PROGRAM.format(module=module, function=function)


def values_of(
    logs: GameLogs, measure: Callable[[np.ndarray], np.ndarray], sizes: Mapping[str, int]
) -> dict[str, np.ndarray]:
    """Return the value of each group of columns, -1 for none; int64, shape ``(decisions, 20)``."""
    choices = choices_of(logs, np.ones((len(logs), 2), np.bool_))
    columns = measure(states_at(logs, np.ones((len(logs), 2), np.bool_)))
    assert columns.shape == (choices.legal.sum(), sum(sizes.values()))
    values = {}
    for name, end in zip(sizes, np.cumsum(list(sizes.values())), strict=True):
        group = columns[:, end - sizes[name] : end]
        assert (group.sum(1) <= 1).all(), name
        values[name] = np.full(choices.legal.shape, -1)
        values[name][choices.legal] = np.where(group.any(1), group.argmax(1), -1)
    return values
