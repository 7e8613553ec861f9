"""The names of trained networks in the registry of agents."""

from typing import Final, Literal

from hoad.agents.agent import Agent
from hoad.agents.registry import register, register_prefix

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
