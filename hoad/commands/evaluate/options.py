"""Types of options that several commands have."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from hoad.agents.registry import AgentName
from hoad.core import cli
from hoad.core.capacity import MOST_GAMES

Agents = Annotated[tuple[AgentName, ...], *cli.at_least_one("AGENT...")]
Files = Annotated[tuple[Path, ...], *cli.at_least_one("FILE...")]
Folders = Annotated[tuple[Path, ...], *cli.at_least_one("FOLDER...")]
Populations = Annotated[tuple[str, ...], *cli.at_least_one("POPULATION...")]
Count = Annotated[int, Field(ge=1, le=MOST_GAMES)]
Several = Annotated[int, Field(ge=2, le=MOST_GAMES)]
Seed = Annotated[int, Field(ge=0, lt=2**62)]
