"""Names of imitators, of families that are held out together, and of files of games."""

import re
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
    """Return the agent that an imitator of any seed imitates; other names, as of files, stay."""
    while agent.startswith(IMITATOR) and not agent.endswith(".safetensors"):
        agent = re.sub(r"\.\d+$", "", agent.removeprefix(IMITATOR))
    return agent


def seeded_name(name: str, seed: int) -> str:
    """Return the name of a network of a training's seed: ``iggi.1``, but ``iggi`` for seed 0."""
    return name + (f".{seed}" if seed else "")


def name_in(source: Source, agent: str) -> str:
    """Return the name of the agent itself, or of its imitator, as ``source`` says."""
    imitates = agent.startswith(IMITATOR)
    return agent if source == "originals" or imitates else IMITATOR + agent


def split_games_file(name: str) -> tuple[str, str] | None:
    """Return the parts of ``FILE`` or ``FILE:PLAYER``, a file of games that agents learn from.

    The player is empty where none is named. None for a name that is no such file's.
    """
    matched = re.fullmatch(r"(.+?\.(?:h5|jsonl|jsonl\.gz))(?::(.+))?", name)
    return (matched[1], matched[2] or "") if matched else None
