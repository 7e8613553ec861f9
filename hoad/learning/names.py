"""The names of trained networks in the registry of agents."""

from typing import Final, Literal

IMITATOR: Final = "imitator:"

Source = Literal["originals", "imitators"]
"""Whether agents themselves are met and learned from, or their imitators."""


def original_name(agent: str) -> str:
    """Return the name of the agent that an imitator imitates.

    Other names, that of an imitator's file among them, are returned as they are.
    """
    return agent if agent.endswith(".safetensors") else agent.removeprefix(IMITATOR)


def name_in(source: Source, agent: str) -> str:
    """Return the name of who plays for an agent: itself, or its imitator."""
    imitates = agent.startswith(IMITATOR)
    return agent if source == "originals" or imitates else IMITATOR + agent
