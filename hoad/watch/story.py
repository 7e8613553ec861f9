"""The game to watch, played now or from a file, and what its agents think at each move."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path
from typing import Final, TypeVar

import numpy as np

from hoad.agents.agent import Agent, Batch
from hoad.agents.games import play
from hoad.agents.registry import get_agent, refuse_code
from hoad.bayes.hypotheses import GivesProbabilities
from hoad.bayes.moves import BayesMovesAgent
from hoad.core.errors import HoadError
from hoad.game.state import MAX_IDENTITIES
from hoad.game.view import Turn, turns_of
from hoad.replay.formats.convert import read_games_of_two
from hoad.replay.formats.jsonl import is_json_lines
from hoad.search.agent import SearchAgent
from hoad.search.decision import Decision
from hoad.watch.position import card_odds, slots_by_age

T = TypeVar("T")

_LEAST: Final = 0.005  # smaller probabilities are left out
_HALF_WIDTH: Final = 1.96  # of a 95 % interval, in standard errors


@dataclass(frozen=True)
class Candidate:
    """A move that a search tried: its mean score, half of the 95 % interval, and its rollouts.

    ``half_width`` is None for a single rollout.
    """

    move: int
    mean: float
    half_width: float | None
    rollouts: int


@dataclass(frozen=True)
class Thought:
    """What an agent thinks at one of its turns; each list has the greatest value first.

    Attributes:
        moves: move ids with their probabilities; empty where only the move is asked for.
        candidates: the legal moves that a search tried; empty for other agents.
        partner: names with how likely the partner plays as each; empty without such a belief.
        odds: by position, oldest card first, the probability of each of the 25 cards: the belief
            of a search, or the share of the copies that the player does not see.
    """

    moves: tuple[tuple[int, float], ...] = ()
    candidates: tuple[Candidate, ...] = ()
    partner: tuple[tuple[str, float], ...] = ()
    odds: tuple[tuple[float, ...], ...] = ()


def thoughts_of(agent: Agent, seat: int, turns: Iterable[Turn]) -> Iterator[Thought | None]:
    """Yield what an agent in ``seat`` thinks in each turn of a game; None where it does not move.

    The agent follows the game from the deal, so that it remembers what it would in play.
    """
    agent = agent.in_seat(seat)
    memory = agent.new_memory(1)
    for turn in turns:
        moves_now = turn.view.player == seat and not turn.view.over
        batch = Batch(turn.state, seat, memory)
        yield _think(agent, batch) if moves_now else None
        if turn.move is not None:
            agent.observe(turn.state, seat, memory, np.array([turn.move.action], np.uint8))


def _think(agent: Agent, batch: Batch) -> Thought:
    if isinstance(agent, SearchAgent):
        return thought_of_search(agent.decide(batch.states, batch.seat), batch)
    if isinstance(agent, GivesProbabilities):
        weights = agent.masked_probabilities(batch)[0]
    else:
        weights = agent.weights(batch)[0]
    return thought_of(agent, batch, _ranked(dict(enumerate(weights.tolist()))))


def thought_of(agent: Agent, batch: Batch, moves: tuple[tuple[int, float], ...] = ()) -> Thought:
    """Return what an agent that does not search believes, and its moves if they are known."""
    partner: dict[str, float] = {}
    if isinstance(agent, BayesMovesAgent):
        shares = agent.beliefs(batch.memory)[0].tolist()
        names = (hypothesis.name for hypothesis in agent.hypotheses)
        partner = dict(zip(names, shares, strict=True))
    return Thought(moves, partner=_ranked(partner), odds=_odds_without_search(batch))


def thought_of_search(decision: Decision, batch: Batch) -> Thought:
    """Return what a search thinks, of what it decided in the game of a batch."""
    rows = (decision.moves, decision.scores, decision.errors, decision.rollouts)
    candidates = [
        Candidate(int(m), float(mean), None if np.isnan(e) else float(_HALF_WIDTH * e), int(n))
        for m, mean, e, n in zip(*rows, strict=True)
        if not np.isnan(mean)
    ]
    candidates.sort(key=lambda candidate: -candidate.mean)
    odds = _odds_without_search(batch)
    if len(decision.hands):
        slots = slots_by_age(batch.states[0]["table"], batch.seat)
        odds = tuple(_shares(decision.hands[:, slot]) for slot in slots)
    made = ((decision.move, 1.0),)
    return Thought(made, tuple(candidates), odds=odds)


def _odds_without_search(batch: Batch) -> tuple[tuple[float, ...], ...]:
    return tuple(map(tuple, card_odds(batch.states[0], batch.seat, sees_partner=True)))


def _shares(cards: np.ndarray) -> tuple[float, ...]:
    counts = np.bincount(cards, minlength=MAX_IDENTITIES)
    return tuple((counts / len(cards)).tolist())


def _ranked(values: dict[T, float]) -> tuple[tuple[T, float], ...]:
    kept = [(key, value) for key, value in values.items() if value >= _LEAST]
    return tuple(sorted(kept, key=lambda item: -item[1]))


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
        card_notes: what a person wrote on cards, by their index in the deck.
    """

    players: tuple[str, str]
    source: str
    turns: Sequence[Turn]
    agents: tuple[Agent | None, Agent | None]
    card_notes: Mapping[str, str] = field(default_factory=dict)

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
    card_notes = games.notes[game].get("card_notes", {}) if games.notes else {}
    return Story((first, second), f"game {game} of {path}", turns, agents, card_notes)


def _recorded_agent(name: str, path: Path) -> Agent | None:
    try:
        refuse_code(name, path)
        return get_agent(name)
    except HoadError:  # a person, an agent of another machine, or a program that data may not start
        return None
