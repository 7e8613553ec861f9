"""A stand-in for the person, and games that it plays."""

from pathlib import Path

from hoad.agents.registry import get_agent
from hoad.human.journal import games_with
from hoad.human.partner import Answer, Partner
from hoad.human.session import Session


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
