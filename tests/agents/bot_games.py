"""What tests of agents share: recorded games of the original programs, and games of bots."""

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from hoad.agents import Agent, Batch, get_agent, play
from hoad.agents.follow import Decisions, follow
from hoad.agents.situation import RANKS
from hoad.game.game import Game
from hoad.game.log import logs_of, replay
from hoad.game.moves import COLOUR_HINT, COLOUR_LETTERS, move_id, move_name
from hoad.game.state import full_game
from tests.game.examples import deck_from


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


GAMES = 20_000
GAME = full_game(2)


def disagreements(path: Path, name: str, colours: str = COLOUR_LETTERS) -> list[tuple[int, ...]]:
    """Return (game, turn, recorded move) wherever the agent of this name would have moved else.

    ``colours`` is the order in which the file counts the colours.
    """
    found, decided = [], 0
    for decisions, _ in recorded_decisions(path, {name}, colours):
        decided += len(decisions.actions)
        rows = np.flatnonzero(weights_of_recorded(decisions) != 1)
        columns = (decisions.games, decisions.turns, decisions.actions)
        found += [tuple(int(column[row]) for column in columns) for row in rows]
    assert decided, f"{name} plays in no game of {path}"
    return found


def self_play_is_as_published(name: str, lenient: float, strict: float, games: int) -> None:
    """Check that means of self-play are within 3 combined standard errors of those of ``games``."""
    outcomes = replay(play([get_agent(name)] * 2, GAMES, seed=31))

    for scores, published in ((outcomes.scores, lenient), (outcomes.strict, strict)):
        error = scores.std() * (1 / GAMES + 1 / games) ** 0.5
        assert abs(scores.mean() - published) < 3 * error


def decide(name: str, first: str, second: str, moves: list[str], draws: str = "") -> str:
    """Return what an agent does after ``moves``, both players' told to it from the deal on.

    Args:
        name: the agent.
        first: the hand of the player who starts, oldest card first: ``R1 Y3 ...``.
        second: the other hand.
        moves: the moves so far; the agent has the seat that is to move.
        draws: the first cards of the deck; the others follow in ascending order.
    """
    cards = f"{first} {second} {draws}".split()
    game = Game(deck=deck_from([5 * COLOUR_LETTERS.index(c[0]) + int(c[1]) - 1 for c in cards]))
    for move in moves:
        game.step(move)
    actions = [move_id(GAME, move) for move in moves]
    logs = logs_of(2, [game.state.deck], [[*actions, 5]])  # the last move is only asked for
    seats = np.zeros((1, 2), bool)
    seats[0, len(moves) % 2] = True
    *_, last = follow(get_agent(name), logs, seats)
    assert last.weights.max() == 1
    return move_name(GAME, int(last.weights.argmax()))


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


class AskedTwice(InLockstep):
    """An agent that is asked for every distribution twice."""

    def weights(self, batch: Batch) -> np.ndarray:
        self.inner.weights(batch)
        return self.inner.weights(batch)


def asking_twice_changes_nothing(name: str) -> None:
    """Check that games do not depend on how, and how often, an agent is asked."""
    asked_once = play([get_agent(name)] * 2, 200, seed=3)
    asked_twice = play([AskedTwice(get_agent(name))] * 2, 200, seed=3)

    assert (asked_once.actions == asked_twice.actions).all()


def copes_with_anybody(name: str, games: int = 1_000) -> None:
    """Check that an agent moves legally, whatever its partner does."""
    agent = get_agent(name)
    for partner in ("legal-random", "flawed", "iggi", "simplebot"):
        for seats in ([agent, get_agent(partner)], [get_agent(partner), agent]):
            logs = play(seats, games, seed=8)  # which refuses illegal moves
            assert len(logs) == games
