"""Recorded sessions: games in the site's format, which HOAD's agents played.

``python -m tests.live.record_sessions`` writes ``tests/live/sessions.json`` again.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hoad.agents import get_agent, play
from hoad.game.log import GameLogs
from hoad.replay.formats.hanab_live import game_of
from hoad.replay.formats.jsonl import Record

GAMES = Path(__file__).parent / "sessions.json"
BOT = "Bot-hoad"
PERSON = "Donald"


@dataclass(frozen=True)
class Session:
    """A game of an agent with a person who plays as another agent.

    Attributes:
        agent, partner: names of HOAD's agents.
        seat: where the agent sits.
        seed, table: the game is number ``table`` of the run with this seed.
    """

    name: str
    agent: str
    partner: str
    seat: int
    seed: int
    table: int

    @property
    def game(self) -> dict[str, Any]:
        """The recorded game in the site's format, which ends where the site ends it."""
        return json.loads(GAMES.read_text())[self.name]

    def play(self) -> GameLogs:
        """Play the game in HOAD."""
        names = [self.agent, self.partner][:: -1 if self.seat else 1]
        return play([get_agent(name) for name in names], 1, self.seed, first_game=self.table)

    def record(self) -> dict[str, Any]:
        """Play the game in HOAD, and return it in the site's format."""
        logs = self.play()
        players = [BOT, PERSON][:: -1 if self.seat else 1]
        deck, actions = logs.decks[0].tolist(), logs.actions.tolist()
        return game_of(Record(players=players, deck=deck, actions=actions))


SESSIONS = {
    session.name: session
    for session in (
        Session("first", "noisy:0.3:iggi", "piers", seat=0, seed=4, table=11),
        Session("second", "noisy:0.3:iggi", "valuebot", seat=1, seed=4, table=12),
        Session("strikeout", "iggi", "legal-random", seat=1, seed=4, table=13),
        Session("memory", "bayes-moves:iggi+piers", "outer", seat=1, seed=4, table=14),
    )
}

if __name__ == "__main__":
    games = {name: session.record() for name, session in SESSIONS.items()}
    GAMES.write_text(json.dumps(games, separators=(",", ":")) + "\n")
