"""Names of imitators, and of the families of agents that are held out together."""

from typing import Final, Literal

IMITATOR: Final = "imitator:"

Source = Literal["originals", "imitators"]
"""Whose games are played and learned from: those of the agents or of their imitators."""

HoldOut = Literal["agent", "family"]
"""What is held out with a partner: the agent itself, or all agents of its family."""

Family = Literal["odwyer", "walton-rivers", "rainbow"]

FAMILIES: Final[dict[Family, tuple[str, ...]]] = {
    "odwyer": ("simplebot", "valuebot", "holmesbot", "smartbot", "infobot", "cheatbot"),
    "walton-rivers": ("outer", "iggi", "piers", "van-den-bergh"),
    "rainbow": ("rainbow",),
}
"""Agents with the same conventions, by the name of the family.

With a family of rule lists, all named rule lists are held out, and rule lists such as elites that
hold at least half of the rules of one of its members.
"""


def original_name(agent: str) -> str:
    """Return the agent that an imitator imitates; any other name, such as a file's, as it is."""
    while agent.startswith(IMITATOR) and not agent.endswith(".safetensors"):
        agent = agent.removeprefix(IMITATOR)
    return agent


def name_in(source: Source, agent: str) -> str:
    """Return the name of the agent itself, or of its imitator, as ``source`` says."""
    imitates = agent.startswith(IMITATOR)
    return agent if source == "originals" or imitates else IMITATOR + agent
