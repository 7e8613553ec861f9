"""Agents within a compiled agent: rule lists and the bots that share O'Dwyer's conventions.

Compiled code cannot take functions from its parameters, so the functions that it calls are named
here. Other agents are no members: those whose hints are numbers of their own, and FireFlower, which
takes longer than all others together.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

from numba import njit

from hoad.agents.agent import Agent, CompiledAgent, Event, Hands, Memory, Parameters, Table, Weights
from hoad.agents.bots import holmesbot, make_bot, simplebot, smartbot, valuebot
from hoad.agents.rules.rule_list import choose_by_rules, rule_list_agent

_BOTS: Final = ("simplebot", "valuebot", "holmesbot", "smartbot")

_RULES, _SIMPLEBOT, _VALUEBOT, _HOLMESBOT, _SMARTBOT = range(5)

_KINDS: Final = {
    choose_by_rules: _RULES,
    simplebot.choose: _SIMPLEBOT,
    valuebot.choose: _VALUEBOT,
    holmesbot.choose: _HOLMESBOT,
    smartbot.choose: _SMARTBOT,
}

HEAD: Final = 3
"""Numbers of a member before its parameters: its kind, its bytes of memory, its parameters."""


def can_be_member(agent: Agent) -> bool:
    """Return whether an agent can be asked within a compiled agent."""
    return isinstance(agent, CompiledAgent) and agent.fair and agent.choose in _KINDS


def pack_members(agents: Sequence[Agent]) -> list[int]:
    """Return the numbers of some members (:func:`can_be_member`), one after another."""
    _compile_all()
    numbers: list[int] = []
    for agent in agents:
        assert isinstance(agent, CompiledAgent)
        parameters = agent.parameters.tolist()
        numbers += [_KINDS[agent.choose], agent.memory_size, len(parameters), *parameters]
    return numbers


@cache
def _compile_all() -> None:
    """Compile all that :func:`ask_member` calls, as agents are: once for both."""
    for agent in (rule_list_agent("rules", ()), *(make_bot(name, name) for name in _BOTS)):
        agent.compile()


@njit(cache=True, nogil=True, inline="always")
def ask_member(
    kind: int,
    parameters: Parameters,
    table: Table,
    hands: Hands,
    me: int,
    memory: Memory,
    weights: Weights,
) -> int:
    """Return what ``choose`` of a member returns."""
    if kind == _RULES:
        return choose_by_rules(parameters, table, hands, me, memory, weights)
    if kind == _SIMPLEBOT:
        return simplebot.choose(parameters, table, hands, me, memory, weights)
    if kind == _VALUEBOT:
        return valuebot.choose(parameters, table, hands, me, memory, weights)
    if kind == _HOLMESBOT:
        return holmesbot.choose(parameters, table, hands, me, memory, weights)
    return smartbot.choose(parameters, table, hands, me, memory, weights)


@njit(cache=True, nogil=True, inline="always")
def let_observe(
    kind: int,
    parameters: Parameters,
    table: Table,
    hands: Hands,
    me: int,
    memory: Memory,
    event: Event,
) -> None:
    """Let a member observe an action."""
    if kind == _SIMPLEBOT:
        simplebot.observe(parameters, table, hands, me, memory, event)
    elif kind == _VALUEBOT:
        valuebot.observe(parameters, table, hands, me, memory, event)
    elif kind == _HOLMESBOT:
        holmesbot.observe(parameters, table, hands, me, memory, event)
    elif kind == _SMARTBOT:
        smartbot.observe(parameters, table, hands, me, memory, event)
