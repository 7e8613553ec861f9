"""What tests of agents share: recorded games of the original programs, and games of bots."""

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from hoad.agents import Agent, Batch, get_agent
from hoad.agents.follow import Decisions, follow, memory_at
from hoad.agents.situation import RANKS
from hoad.game.log import logs_of
from hoad.game.moves import COLOUR_HINT, COLOUR_LETTERS, move_name
from tests.agents.positions import position


def recorded_decisions(
    path: Path, agents: set[str] | None = None, colours: str = COLOUR_LETTERS
) -> Iterator[tuple[Decisions, np.ndarray]]:
    """Yield the decisions of each agent of a file, with the index of the rule that was used.

    A game with a chromosome is held against that; ``agents`` restricts to some names. ``colours``
    is the order in which cards and hints of the file count the colours.
    """
    with gzip.open(path) as lines:
        games = [_with_our_colours(json.loads(line), colours) for line in lines]
    seats_of: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for index, game in enumerate(games):
        for seat, name in enumerate(game["players"]):
            if "chromosome" in game:
                name = "rules:" + ",".join(map(str, game["chromosome"]))
            if agents is None or name in agents:
                seats_of[name].append((index, seat))
    logs = logs_of(2, [game["deck"] for game in games], [game["actions"] for game in games])
    for name, pairs in seats_of.items():
        seats = np.zeros((len(games), 2), bool)
        seats[tuple(np.transpose(pairs))] = True
        for decisions in follow(get_agent(name), logs, seats):
            rules = [
                games[game]["rule"][turn] if "rule" in games[game] else 0
                for game, turn in zip(decisions.games, decisions.turns, strict=True)
            ]
            yield decisions, np.array(rules)


def _with_our_colours(game: dict[str, Any], colours: str) -> dict[str, Any]:
    """Return a game whose cards and hints count the colours as ours do."""
    ours = [COLOUR_LETTERS.index(letter) for letter in colours]
    hints = {COLOUR_HINT + theirs: COLOUR_HINT + our for theirs, our in enumerate(ours)}
    deck = [RANKS * ours[card // RANKS] + card % RANKS for card in game["deck"]]
    return game | {"deck": deck, "actions": [hints.get(move, move) for move in game["actions"]]}


def weights_of_recorded(decisions: Decisions) -> np.ndarray:
    """Return the weight that the agent gives each recorded move."""
    return decisions.weights[np.arange(len(decisions.actions)), decisions.actions]


def transformed(decisions: Decisions, generator: np.random.Generator) -> np.ndarray:
    """Return the randomised probability transform of the recorded moves.

    It is uniform on [0, 1] if the moves were drawn from the agent's weights.
    """
    moves = np.arange(decisions.weights.shape[1])
    below = (decisions.weights * (moves < decisions.actions[:, None])).sum(axis=1)
    return below + generator.random(len(below)) * weights_of_recorded(decisions)


def decide(name: str, first: str, second: str, moves: list[str], draws: str = "") -> str:
    """Return what an agent does after ``moves``, both players' told to it from the deal on.

    Args:
        name: the agent.
        first: the hand of the player who starts, oldest card first: ``R1 Y3 ...``.
        second: the other hand.
        moves: the moves so far; the agent has the seat that is to move.
        draws: the first cards of the deck; the others follow in ascending order.
    """
    game, agent = position(f"{first} {second} {draws}", *moves), get_agent(name)
    states = np.array([game.state], game.state.dtype)
    memory = memory_at(agent, states, game.current_player)
    weights = agent.weights(Batch(states, game.current_player, memory))[0]
    assert weights.max() == 1
    return move_name(game.variant, int(weights.argmax()))


class InLockstep(Agent):
    """Another agent, played by the loop for agents that are not compiled."""

    def __init__(self, inner: Agent) -> None:
        self.inner = inner
        self.name, self.fair, self.memory_size = inner.name, inner.fair, inner.memory_size

    def weights(self, batch: Batch) -> np.ndarray:
        return self.inner.weights(batch)

    def observe(
        self, states: np.ndarray, seat: int, memory: np.ndarray, actions: np.ndarray
    ) -> None:
        self.inner.observe(states, seat, memory, actions)
