"""The command with which a person plays with an agent."""

import os
import sys
import webbrowser
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from hoad.agents.registry import AgentName
from hoad.core.errors import HoadError
from hoad.core.program.signals import is_interrupt

if TYPE_CHECKING:
    from hoad.human.session import Session

# Before torch is loaded, for networks that play: see hoad.commands.evaluate.
os.environ.setdefault("OMP_NUM_THREADS", "1")

PORT = 8421


def play(
    *,
    agent: AgentName | None = None,
    out: Path = Path("datasets/person"),
    seed: Annotated[int, Field(ge=0, lt=2**62)] | None = None,
    port: Annotated[int, Field(ge=0, lt=2**16)] = PORT,
    open: bool = False,
) -> None:
    """Play with an agent yourself, on a page in the browser.

    The page's address is printed; only this machine can open it. Ctrl-C ends the server. A game
    that is not finished then goes on when the command is given again.

    Args:
        agent: Begin a game with this agent; without it, choose one on the page.
        out: Folder of your games: games.jsonl has the finished ones, for record.py import.
        seed: Seed of the decks and of the agent's chance; without it, a new one.
        port: Port of the server; 0 takes a free one.
        open: Open the page in the browser.
    """
    for package in ("starlette", "uvicorn", "websockets"):
        if find_spec(package) is None:
            raise HoadError(f"{package} is not installed: pip install 'hoad[play]'")
    from hoad.core.files import make_folder, only_writer
    from hoad.human.door import address_of, listen, new_token
    from hoad.human.preparing import preparing

    make_folder(out)
    token, session = new_token(), None
    with only_writer(out), listen(port) as listening:
        try:
            with preparing(listening, token):
                address = address_of(listening, token)
                print(f"Play at {address} (Ctrl-C ends the server)", flush=True)
                if open:
                    webbrowser.open(address)
                session = _prepared(out, seed, agent)
                from hoad.human.server import make_server
            make_server(session, listening, token, agent).run(sockets=[listening])
        except (Exception, KeyboardInterrupt) as error:
            if not is_interrupt(error):
                raise
            left = (
                " The game goes on when you start again." if session and session.is_playing else ""
            )
            print(f"Stopped.{left} Games: {out}", file=sys.stderr)


def _prepared(out: Path, seed: int | None, agent: str | None) -> "Session":
    """Import and compile what the page needs, and return the games of a folder."""
    from hoad.agents.registry import get_agent
    from hoad.human.session import Session
    from hoad.human.warm_up import warm_up

    if agent is not None:
        get_agent(agent)
    session = Session(out, seed, agent)
    warm_up()
    return session
