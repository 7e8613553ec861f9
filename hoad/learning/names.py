"""Names of trained networks, of imitators and of the agents that training leaves out."""

from collections.abc import Iterable
from typing import Final, Literal

from hoad.agents.agent import Agent
from hoad.agents.registry import register, register_prefix, same_agent

IMITATOR: Final = "imitator:"

Source = Literal["originals", "imitators"]
"""Whose games are played and learned from: those of the agents or of their imitators."""


def original_name(agent: str) -> str:
    """Return the name of the agent that an imitator imitates.

    Any other name, such as the file of an imitator, is returned as it is.
    """
    return agent if agent.endswith(".safetensors") else agent.removeprefix(IMITATOR)


def name_in(source: Source, agent: str) -> str:
    """Return the name of the agent itself, or of its imitator, as ``source`` says."""
    imitates = agent.startswith(IMITATOR)
    return agent if source == "originals" or imitates else IMITATOR + agent


def agents_without(agents: Iterable[str], held_out: str) -> list[str]:
    """Return the agents that training may use when ``held_out`` is the held-out partner.

    Left out are the held-out agent, its imitator, and agents that behave the same under another
    name, such as ``rules:2,8,13,38,27,22`` for ``iggi``; and the imitators of those agents.

    Raises:
        HoadError: an agent is unknown.
    """
    partner = original_name(held_out)
    return [agent for agent in agents if not same_agent(original_name(agent), partner)]


def register_all() -> None:
    """Register ``imitator:NAME``, ``maml:HELD_OUT``, ``rainbow:SEED`` and ``rainbow``."""
    register("rainbow", _first_rainbow, "Rainbow, which learned in self-play: rainbow:1")
    register_prefix("imitator", _imitator, "a network trained to imitate an agent, or its file")
    register_prefix("maml", _zero_shot, "the meta-model that never saw an agent, or its file")
    register_prefix("rainbow", _rainbow, "the network of Rainbow trained with a seed, or its file")


def _imitator(name: str) -> Agent:
    from hoad.learning.policies import load_imitator  # torch takes seconds: only where it is used

    return load_imitator(name)


def _zero_shot(name: str) -> Agent:
    from hoad.learning.policies import load_zero_shot

    return load_zero_shot(name)


def _first_rainbow() -> Agent:
    agent = _rainbow("1")
    agent.name = "rainbow"
    return agent


def _rainbow(name: str) -> Agent:
    from hoad.learning.policies import load_rainbow

    return load_rainbow(name)
