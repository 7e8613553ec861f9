"""Agents: everything that can play Hanabi.

The names below are loaded when they are first used, so that importing this package is quick.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from hoad.agents.agent import Agent, Batch
    from hoad.agents.play import play
    from hoad.agents.python_agent import MOVE_NAMES, PlainAgent, SeenCard, View
    from hoad.agents.registry import (
        agent_descriptions,
        agent_names,
        get_agent,
        get_fair_agent,
        same_agent,
    )

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
    **dict.fromkeys(__all__, "registry"),
    **dict.fromkeys(("Agent", "Batch"), "agent"),
    **dict.fromkeys(("MOVE_NAMES", "PlainAgent", "SeenCard", "View"), "python_agent"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


class _Package(ModuleType):
    """This package, in which ``play`` is the function and not the module of that name."""

    @property
    def play(self) -> Any:
        return import_module("hoad.agents.play").play

    @play.setter
    def play(self, module: ModuleType) -> None:
        """Ignore the module, which Python sets here when it is imported."""


sys.modules[__name__].__class__ = _Package
