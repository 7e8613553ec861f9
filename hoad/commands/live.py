"""The command that seats an agent at tables of a hanabi-live server."""

import os
import sys
from collections.abc import Callable
from getpass import getpass
from typing import Annotated, Final

from hoad.agents.registry import AgentName
from hoad.core import cli
from hoad.core.errors import HoadError
from hoad.core.recipe import Seed

# Before torch is loaded, for networks that play: see hoad.commands.evaluate.
os.environ.setdefault("OMP_NUM_THREADS", "1")

NAME: Final = "HANAB_LIVE_NAME"
PASSWORD: Final = "HANAB_LIVE_PASSWORD"


def live(
    agent: Annotated[AgentName, cli.Positional("AGENT")], *, site: str, seed: Seed = 0
) -> None:
    """Let an agent play at tables of a server of hanab.live's program, when it is invited.

    The player's name, which begins with Bot-, and its password come from the environment variables
    HANAB_LIVE_NAME and HANAB_LIVE_PASSWORD, or are asked for. It plays games of two players with
    the variant "No Variant", at any number of tables; invite it with the private message /join.
    Ctrl-C ends it.

    Args:
        agent: Name of the agent.
        site: Address at which a browser opens the server, such as https://HOST.
        seed: Seed of the agent's random numbers; a table's number is that of the game.
    """
    import asyncio

    from hoad.agents import get_fair_agent
    from hoad.game.deck import shuffled_deck
    from hoad.game.state import full_game
    from hoad.live.seat import Seat
    from hoad.live.site import Account, Site

    try:
        from hoad.live.client import Client
    except ModuleNotFoundError as error:
        raise HoadError("live needs the package websockets; pip install 'hoad[live]'") from error

    server = Site(site)
    account = Account(_secret(NAME, input), _secret(PASSWORD, getpass))
    player = get_fair_agent(agent)
    Seat(player, 0, 0, 0).choose(shuffled_deck(full_game().full_deck(), 0, 0), [])  # compile it
    client = Client(server, account, player, seed, lambda line: print(line, flush=True))
    try:
        asyncio.run(client.run())
    except KeyboardInterrupt:
        message = "interrupted; games wait for the agent until it connects again"
        raise KeyboardInterrupt(message) from None


def _secret(variable: str, ask: Callable[[str], str]) -> str:
    """Return an environment variable, which is removed, or what the user types."""
    value = os.environ.pop(variable, None)  # no child process is to see it
    if value:
        return value
    if not sys.stdin.isatty():
        raise HoadError(f"no {variable} in the environment, and no terminal to ask for it")
    try:
        return ask(f"{variable}: ")
    except EOFError:
        raise HoadError(f"no {variable} was typed; set it in the environment, or type it") from None
