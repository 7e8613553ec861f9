"""A little script, for test_cli.py."""

import time
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from hoad.core import cli
from hoad.core.errors import HoadError
from hoad.core.progress import progress
from hoad.core.recipe import Recipe


class Network(Recipe):
    """The network."""

    width: int = Field(512, ge=1, description="Units of each hidden layer.")


class Play(Recipe):
    """What to play."""

    agents: tuple[str, ...] = Field(min_length=1, description="Agents that play.")
    games: int = Field(100, ge=1, le=1000, description="Games of each agent.")
    source: Literal["originals", "imitators"] = Field("originals", description="Games to play.")
    colour_ties: bool = Field(True, description="Whether ties go by colour.")
    network: Network = Field(Network(), description="The network.")

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.source == "imitators" and self.games > 50:
            raise ValueError(f"games = {self.games} is more than imitators play")
        return self


def play(recipe: Play, *, out: Path = Path("here"), resume: bool = False) -> None:
    """Play games and record them.

    Args:
        recipe: What to play.
        out: Folder of the recordings.
        resume: Go on after an interruption.
    """
    print(*recipe.agents, recipe.games, recipe.network.width, recipe.colour_ties, out, resume)


def crossplay(
    agents: Annotated[tuple[str, ...], *cli.at_least_one("AGENT...")],
    games: Annotated[int, Field(ge=1)] = 10,
    json: bool = False,
) -> int:
    """Play every pair of agents.

    Args:
        agents: Names of agents.
        games: Games of each pair.
        json: End with one JSON object.
    """
    print(agents, games, json)
    return 3


def dig(depth: int = 1, workers: cli.Workers = cli.DEFAULT_WORKERS) -> None:
    """Dig.

    Args:
        depth: How deep.
        workers: What digs.
    """
    with workers.in_use():
        print(workers.threads, workers.backend)


@cli.one_of("one", "other")
def choose(one: int | None = None, other: int | None = None) -> None:
    """Choose.

    Args:
        one: One.
        other: The other.
    """
    print(one, other)


Failure = Literal[
    "hoad", "missing", "no_space", "pipe", "sleep", "serve", "bar", "bug", "memory", "torch_memory"
]


def fail(how: Failure) -> None:
    """Fail in one of many ways.

    Args:
        how: In which way.
    """
    if how == "hoad":
        raise HoadError("game 7, turn 3: action 12\nis not legal")
    if how == "missing":
        Path("/no/such/file").read_text()
    if how == "no_space":
        Path("/dev/full").write_text("full")
    if how == "pipe":
        for line in range(100_000):
            print(line)
    if how == "sleep":
        print("asleep", flush=True)
        time.sleep(60)
    if how == "serve":
        with suppress(KeyboardInterrupt):
            exec("print('serving', flush=True); time.sleep(60)")
    if how == "bar":
        for _ in progress(range(3), "counting"):
            pass
        with progress(3, "counting", unit="games") as bar:
            bar.update(3)
    if how == "bug":
        raise ZeroDivisionError
    if how == "memory":
        raise MemoryError
    if how == "torch_memory":
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 4 EB")


def place(function: str) -> str:
    return f"{__name__}:{function}"


GROUP = cli.CommandGroup(
    "Do things.",
    {
        "play": cli.Command(place("play"), "Play games and record them."),
        "crossplay": cli.Command(place("crossplay"), "Play every pair of agents."),
        "work": cli.CommandGroup("Work.", {"dig": cli.Command(place("dig"), "Dig.")}),
        "choose": cli.Command(place("choose"), "Choose."),
        "fail": cli.Command(place("fail"), "Fail in one of many ways."),
        "absent": cli.Command("no.such.module:absent", "Never imported."),
    },
)

if __name__ == "__main__":
    cli.run(GROUP)
