"""The game to watch: one that is played now, or one from a file."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path

from hoad.agents.agent import Agent
from hoad.agents.games import play
from hoad.agents.registry import get_agent, refuse_code
from hoad.core.errors import HoadError
from hoad.game.view import Turn, turns_of
from hoad.replay.formats.convert import read_games_of_two
from hoad.replay.formats.jsonl import is_json_lines
from hoad.studies.watch.thoughts import Thought, thoughts_of

Told = tuple[Turn, Thought | None]
"""A turn, and what the player to move thinks."""


@dataclass(frozen=True)
class Story:
    """A two-player game and its players.

    Attributes:
        players: the names, by seat.
        source: which game it is, as in ``game 3, seed 1``.
        turns: all turns, and the end.
        agents: by seat; None if no agent has the recorded name.
    """

    players: tuple[str, str]
    source: str
    turns: Sequence[Turn]
    agents: tuple[Agent | None, Agent | None]

    def told(self) -> Iterator[Told]:
        """Yield each turn with what the player to move thinks, if its agent is here."""
        seats = [
            repeat(None, len(self.turns)) if agent is None else thoughts_of(agent, seat, self.turns)
            for seat, agent in enumerate(self.agents)
        ]
        for turn, *thoughts in zip(self.turns, *seats, strict=True):
            yield turn, thoughts[turn.view.player]


def story_of(words: Sequence[str], seed: int, game: int) -> Story:
    """Return the game between two agents, or the game of a file, by its number.

    ``words`` are two agents, which play in the run with ``seed``, or one file (``.h5``, ``.jsonl``,
    ``.jsonl.gz``).

    Raises:
        HoadError: no such agent, file or game; an agent made an illegal move.
    """
    if len(words) == 1 and (is_json_lines(path := Path(words[0])) or path.suffix == ".h5"):
        return _recorded(path, game)
    if len(words) != 2:
        expected = "expected two agents, or one file (.h5, .jsonl, .jsonl.gz)"
        raise HoadError(f"watch {' '.join(words)}: {expected}")
    agents = get_agent(words[0]), get_agent(words[1])
    logs = play(agents, 1, seed, first_game=game)
    turns = list(turns_of(logs.decks[0], logs.actions))
    return Story((words[0], words[1]), f"game {game}, seed {seed}", turns, agents)


def _recorded(path: Path, game: int) -> Story:
    games = read_games_of_two(path, "watch")
    if game >= len(games.logs):
        count = f"{len(games.logs)} games"
        raise HoadError(f"{path}: no game {game} among {count}, which count from 0")
    first, second = map(str, games.names[game])
    turns = list(turns_of(games.logs.decks[game], games.logs.actions_of(game)))
    agents = _recorded_agent(first, path), _recorded_agent(second, path)
    return Story((first, second), f"game {game} of {path}", turns, agents)


def _recorded_agent(name: str, path: Path) -> Agent | None:
    try:
        refuse_code(name, path)
        return get_agent(name)
    except HoadError:  # a person, an agent of another machine, or a program that data may not start
        return None
