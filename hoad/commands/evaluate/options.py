"""Types of options that several commands have."""

from pathlib import Path
from typing import Annotated

from hoad.agents.registry import AgentName
from hoad.core import cli

Agents = Annotated[tuple[AgentName, ...], *cli.at_least_one("AGENT...")]
Files = Annotated[tuple[Path, ...], *cli.at_least_one("FILE...")]
Folders = Annotated[tuple[Path, ...], *cli.at_least_one("FOLDER...")]
Populations = Annotated[tuple[str, ...], *cli.at_least_one("POPULATION...")]
