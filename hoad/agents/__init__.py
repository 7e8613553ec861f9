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
    "Agent": "hoad.agents.agent",
    "Batch": "hoad.agents.agent",
    "MOVE_NAMES": "hoad.agents.python_agent",
    "PlainAgent": "hoad.agents.python_agent",
    "SeenCard": "hoad.game.view",
    "View": "hoad.game.view",
    "agent_descriptions": "hoad.agents.registry",
    "agent_names": "hoad.agents.registry",
    "get_agent": "hoad.agents.registry",
    "get_fair_agent": "hoad.agents.registry",
    "play": "hoad.agents.games",
    "same_agent": "hoad.agents.registry",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
