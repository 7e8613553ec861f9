"""Names of trained networks, of imitators and of the agents that training leaves out."""

from collections.abc import Iterable
from typing import Final, Literal

from hoad.agents.registry import same_agent

IMITATOR: Final = "imitator:"

Source = Literal["originals", "imitators"]
"""Whose games are played and learned from: those of the agents or of their imitators."""


def original_name(agent: str) -> str:
    """Return the agent that an imitator imitates; any other name, such as a file's, as it is."""
    return agent if agent.endswith(".safetensors") else agent.removeprefix(IMITATOR)


def name_in(source: Source, agent: str) -> str:
    """Return the name of the agent itself, or of its imitator, as ``source`` says."""
    imitates = agent.startswith(IMITATOR)
    return agent if source == "originals" or imitates else IMITATOR + agent


def agents_without(agents: Iterable[str], held_out: str) -> list[str]:
    """Return the agents that training may use when ``held_out`` is the held-out partner.

    Left out are the held-out agent, agents that behave the same under another name, such as
    ``rules:2,8,13,38,27,22`` for ``iggi``, and imitators of these.
    """
    partner = original_name(held_out)
    return [agent for agent in agents if not same_agent(original_name(agent), partner)]
