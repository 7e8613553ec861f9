"""One name for every agent: what recipes, logs, tables and the command line use.

A name is plain (``iggi``) or a prefix with an argument (``rules:8,13,38,27``). This module knows
no agent; :mod:`hoad.agents` registers its own, upper layers register a loader for their prefix.
"""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

import numpy as np

from hoad.agents.agent import Agent, CompiledAgent, require_fair
from hoad.agents.play import play
from hoad.core.errors import HoadError

GAMES_TO_COMPARE: Final = 500
"""Two agents that play these games of self-play alike are taken for the same."""


@dataclass(frozen=True)
class _Entry:
    make: Callable[..., Agent]
    description: str


_agents: dict[str, _Entry] = {}
_prefixes: dict[str, _Entry] = {}


def register(name: str, make: Callable[[], Agent], description: str) -> None:
    """Let ``get_agent(name)`` return ``make()``."""
    _agents[name] = _Entry(make, description)


def register_prefix(prefix: str, make: Callable[[str], Agent], description: str) -> None:
    """Let ``get_agent("prefix:argument")`` return ``make(argument)``."""
    _prefixes[prefix] = _Entry(make, description)


def get_agent(name: str) -> Agent:
    """Return the agent of this name.

    Raises:
        HoadError: no agent has this name, or its loader refuses the argument.
    """
    prefix, colon, argument = name.partition(":")
    if colon and prefix in _prefixes:
        return _prefixes[prefix].make(argument)
    if name in _agents:
        return _agents[name].make()
    known = [*agent_names(), *(f"{known}:..." for known in sorted(_prefixes))]
    nearest = get_close_matches(name, known, n=3)
    remedy = f"did you mean {' or '.join(nearest)}?" if nearest else "evaluate.py agents lists all"
    raise HoadError(f"unknown agent {name!r}; {remedy}")


def get_fair_agent(name: str) -> Agent:
    """Return the agent of this name if it sees only what its player may see.

    Raises:
        HoadError: as :func:`get_agent`, or the agent sees more.
    """
    agent = get_agent(name)
    require_fair(agent)
    return agent


def agent_names() -> list[str]:
    """Return all plain names, sorted."""
    return sorted(_agents)


def agent_descriptions() -> dict[str, str]:
    """Return a description for every name and every prefix (as ``prefix:``), sorted."""
    named = {name: entry.description for name, entry in sorted(_agents.items())}
    return named | {f"{name}:": entry.description for name, entry in sorted(_prefixes.items())}


def same_agent(name: str, other: str) -> bool:
    """Return whether two names mean agents that behave the same.

    That is one rule list under two names, or compiled agents that play the same
    ``GAMES_TO_COMPARE`` games: rule lists may differ in rules that never get their turn.
    """
    if name == other:
        return True
    agents = get_agent(name), get_agent(other)
    if agents[0].identity == agents[1].identity:
        return True
    if not all(isinstance(agent, CompiledAgent) for agent in agents):
        return False
    first, second = (play([agent, agent], GAMES_TO_COMPARE, seed=0) for agent in agents)
    return np.array_equal(first.actions, second.actions)
