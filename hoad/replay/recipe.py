"""What can be set about a recording: the keys of ``datasets/*.toml``."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Final, Self

from pydantic import Field, model_validator

from hoad.agents.registry import AgentName
from hoad.core.errors import HoadError
from hoad.core.files import only_writer, safe_name
from hoad.core.recipe import Count, Recipe

PARTS: Final = ".parts"
"""Suffix of the folder with the blocks of a file that is being recorded."""


class Pair(Recipe):
    """Two agents that play together, or as many as there are players."""

    seats: tuple[AgentName, ...] = Field(
        min_length=2,
        max_length=5,
        description="The agent that moves first, the agent that moves second, ...",
    )


class PlayRecipe(Recipe):
    """Games to record."""

    folder: ClassVar = "datasets"

    seed: int = Field(0, ge=0, lt=2**63, description="Seed of all decks and random moves.")
    games: Count = Field(description="Games of each agent or pair.")
    players: int = Field(
        2, ge=2, le=5, description="Players of a game; with 3 to 5, agents are rule lists."
    )
    agents: tuple[AgentName, ...] = Field((), description="Agents that play in self-play.")
    pairs: tuple[Pair, ...] = Field((), description="Agents that play in cross-play.")

    @model_validator(mode="after")
    def _name_agents(self) -> Self:
        if not self.pairings:
            raise ValueError("agents and pairs are empty; name at least one agent or pair")
        for pair in self.pairs:
            if len(pair.seats) != self.players:
                raise ValueError(
                    f"pairs has {len(pair.seats)} seats ({', '.join(pair.seats)}) for players = "
                    f"{self.players}; name an agent for each player"
                )
        return self

    @property
    def pairings(self) -> list[tuple[str, ...]]:
        """Names of the agents by seat, for each file."""
        return [(name,) * self.players for name in self.agents] + [p.seats for p in self.pairs]


def file_name(agents: Sequence[str]) -> str:
    """Return e.g. ``iggi.h5`` or ``iggi+rules_8,13.h5``, with characters safe on any system.

    With three or more players each seat is named: ``iggi+iggi+iggi.h5``.
    """
    named = dict.fromkeys(agents) if len(agents) == 2 else agents
    return f"{'+'.join(map(safe_name, named))}.h5"


def parts_of(path: Path) -> Path:
    """Return the folder with the blocks of a file while it is being recorded."""
    return path.with_name(f"{path.name}{PARTS}")


def refuse_existing(recipe: PlayRecipe, out: Path) -> None:
    """Raise a HoadError if a file of a recipe exists, was begun, or is written at the moment."""
    for agents in recipe.pairings:
        path = out / file_name(agents)
        parts = parts_of(path)
        if parts.exists():
            with only_writer(parts):
                pass
        if path.exists():
            raise HoadError(f"{path}: exists; keep it with --resume, or remove it")
        if parts.exists():
            problem = "holds an interrupted recording; continue with --resume, or remove the folder"
            raise HoadError(f"{parts}: {problem}")
