"""A stand-in for the person, games that it plays, and the server in a thread of this process."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from socket import socket
from threading import Thread

import uvicorn

from hoad.agents.registry import get_agent
from hoad.human.door import address_of, listen, new_token
from hoad.human.journal import games_with
from hoad.human.server import WatchedGames, make_server, make_watching_server
from hoad.human.session import Answer, Partner, Session
from hoad.human.warm_up import warm_up


def silent(done: float) -> None:
    """Take no notice of how far the thinking is."""


class Table:
    """A session in which two agents play: one as the person, one as its partner."""

    def __init__(self, folder: Path, seed: int = 3) -> None:
        self.session = Session(folder, seed)
        self.answers: list[Answer] = []

    def begin(self, agent: str, person: str = "piers") -> None:
        self.session.begin(agent)
        self.sit(agent, person)

    def sit(self, agent: str, person: str = "piers") -> None:
        """Give both seats of the present game to agents, which follow it from the deal."""
        start, deck = self.session.start, self.session.deck
        earlier = games_with(self.session.games, agent)
        self.partner = Partner(get_agent(agent), 1 - start.seat, deck, earlier)
        self.person = Partner(get_agent(person), start.seat, deck)

    def turn(self) -> None:
        session = self.session
        if session.waits_for_agent:
            self.answers.append(self.partner.think(session.actions, session.stream, silent))
            session.answer(self.answers[-1])
        else:
            turn = len(session.actions)
            session.move(self.person.think(session.actions, turn, silent).move, turn)

    def turns(self, count: int) -> None:
        for _ in range(count):
            self.turn()

    def finish(self) -> None:
        while self.session.is_playing:
            self.turn()


_warm_up = cache(warm_up)


@contextmanager
def served(folder: Path, agent: str | None = None) -> Iterator[str]:
    """Serve the games of a folder; yield the address of the page."""
    _warm_up()
    token = new_token()
    with listen(0) as listening:
        server = make_server(Session(folder, seed=3), listening, token, agent)
        with _running(server, listening):
            yield address_of(listening, token)


@contextmanager
def watching(*players: str, seed: int) -> Iterator[str]:
    """Serve games of two agents; yield the address of the page."""
    token = new_token()
    with listen(0) as listening:
        server = make_watching_server(WatchedGames(players, seed), listening, token)
        with _running(server, listening):
            yield address_of(listening, token)


@contextmanager
def _running(server: uvicorn.Server, listening: socket) -> Iterator[None]:
    thread = Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join()


def port_of(address: str) -> int:
    """The port of an address."""
    return int(address.split(":")[2].partition("/")[0])
