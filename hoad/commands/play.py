"""The command with which a person plays with an agent."""

import atexit
import os
import sys
import tempfile
import webbrowser
from importlib.util import find_spec
from pathlib import Path
from secrets import randbelow
from socket import socket
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from hoad.agents.registry import AgentName
from hoad.core.errors import HoadError
from hoad.core.program.signals import is_interrupt
from hoad.core.recipe import Seed

if TYPE_CHECKING:
    from hoad.human.session import Session

# Before torch is loaded, for networks that play: see hoad.commands.evaluate.
os.environ.setdefault("OMP_NUM_THREADS", "1")

PORT = 8421


def play(
    *,
    agent: AgentName | None = None,
    watch: tuple[AgentName, ...] = (),
    out: Path = Path("datasets/person"),
    seed: Seed | None = None,
    port: Annotated[int, Field(ge=0, lt=2**16)] = PORT,
    open: bool = False,
) -> None:
    """Play with an agent yourself, on a page in the browser.

    The page's address is printed; only this machine can open it. Ctrl-C ends the server. A game
    that is not finished then goes on when the command is given again, and so does an open page.

    Args:
        agent: Begin a game with this agent; without it, choose one on the page.
        watch: Two agents, which play games with each other while you watch; nothing is recorded.
        out: Folder of your games: games.jsonl has the finished ones, for record.py import.
        seed: Seed of the decks and of the agent's chance; without it, a new one.
        port: Port of the server; 0 takes a free one.
        open: Open the page in the browser.
    """
    for package in ("starlette", "uvicorn", "websockets"):
        if find_spec(package) is None:
            raise HoadError(f"{package} is not installed: pip install 'hoad[play]'")
    if watch:
        if agent is not None or len(watch) != 2:
            raise HoadError("--watch takes two agents, and no --agent beside them")
        _watch(watch, out, seed, port, open)
    else:
        _play(agent, out, seed, port, open)


def _watch(agents: tuple[str, ...], out: Path, seed: int | None, port: int, open: bool) -> None:
    from hoad.human.door import listen, new_token
    from hoad.human.preparing import preparing

    token = new_token()
    with listen(port) as listening:
        try:
            with preparing(listening, token):
                _announce("Watch", listening, token, out if open else None)
                from hoad.human.server import WatchedGames, make_watching_server

                games = WatchedGames(agents, randbelow(2**31) if seed is None else seed)
                games.page(0)
            make_watching_server(games, listening, token).run(sockets=[listening])
        except (Exception, KeyboardInterrupt) as error:
            if not is_interrupt(error):
                raise
            print("Stopped.", file=sys.stderr)


def _play(agent: str | None, out: Path, seed: int | None, port: int, open: bool) -> None:
    from hoad.core.files import make_folder, only_writer
    from hoad.human.door import kept_token, listen
    from hoad.human.preparing import preparing

    make_folder(out)
    session = None
    with only_writer(out), listen(port) as listening:
        token = kept_token(out)
        try:
            with preparing(listening, token):
                _announce("Play", listening, token, out if open else None)
                session = _prepared(out, seed, agent)
                if agent is not None and session.is_playing and session.start.agent != agent:
                    print(
                        f"A game with {session.start.agent} is not finished and goes on; finish it "
                        f"or give it up, then choose {agent} on the page",
                        flush=True,
                    )
                from hoad.human.server import make_server
            make_server(session, listening, token, agent).run(sockets=[listening])
        except (Exception, KeyboardInterrupt) as error:
            if not is_interrupt(error):
                raise
            left = (
                " The game goes on when you start again." if session and session.is_playing else ""
            )
            print(f"Stopped.{left} Games: {out}", file=sys.stderr)


def _announce(what: str, listening: socket, token: str, folder: Path | None) -> None:
    """Print the address of the page, and open it through a file in a folder, if one is given."""
    from hoad.human.door import address_of

    address = address_of(listening, token)
    print(f"{what} at {address} (Ctrl-C ends the server)", flush=True)
    if folder is not None:
        webbrowser.open(_redirect(address, folder).as_uri())


def _redirect(address: str, folder: Path) -> Path:
    """Write a page that leads to an address; only the user may read it, and it goes at the end.

    The command line of a browser, which any user of the machine can read, then shows no token. The
    folder is that of the games, because some browsers may not read temporary folders.
    """
    from hoad.core.files import make_folder, reporting

    make_folder(folder)
    with reporting(folder, "cannot write to this folder"):
        descriptor, name = tempfile.mkstemp(".html", "hoad-", folder)
        page = Path(name)
        atexit.register(page.unlink, missing_ok=True)
        with os.fdopen(descriptor, "w") as file:
            file.write(f'<!doctype html><meta http-equiv="refresh" content="0; url={address}">\n')
    return page


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
