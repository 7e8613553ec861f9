"""Agents: everything that can play Hanabi.

The names below are loaded when they are first used, so that importing this package is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from hoad.agents.agent import Agent, Batch
    from hoad.agents.games import play
    from hoad.agents.python_agent import MOVE_NAMES, PlainAgent
    from hoad.agents.registry import (
        agent_descriptions,
        agent_names,
        get_agent,
        get_fair_agent,
        same_agent,
    )
    from hoad.game.view import SeenCard, View

__all__ = [
    "MOVE_NAMES",
    "Agent",
    "Batch",
    "PlainAgent",
    "SeenCard",
    "View",
    "agent_descriptions",
    "agent_names",
    "get_agent",
    "get_fair_agent",
    "play",
    "same_agent",
]

_HOMES: Final = {
    "hoad.agents.agent": ("Agent", "Batch"),
    "hoad.agents.games": ("play",),
    "hoad.agents.python_agent": ("MOVE_NAMES", "PlainAgent"),
    "hoad.game.view": ("SeenCard", "View"),
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    homes = (module for module, names in _HOMES.items() if name in names)
    return getattr(import_module(next(homes, "hoad.agents.registry")), name)
