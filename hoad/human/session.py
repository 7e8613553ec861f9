"""A person's games with agents, one after another, and the agent at the table.

A session has the rules, the records, and what was played before; a :class:`Partner` follows the
game, and says what it thinks.
"""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from hoad.agents.agent import Agent, Batch
from hoad.agents.registry import refuse_code
from hoad.bayes.moves import BayesMovesAgent
from hoad.core.errors import HoadError
from hoad.game.deck import shuffled_deck
from hoad.game.game import Game
from hoad.game.rules import apply_all, deal_all
from hoad.game.state import full_game
from hoad.game.stream import start_stream
from hoad.game.view import View
from hoad.human.journal import UNFINISHED, Journal, Move, Note, Start
from hoad.partners.strangers import PERSON
from hoad.replay.formats.jsonl import Record, logs_of_records
from hoad.search.agent import SearchAgent
from hoad.watch.story import Thought, thought_of, thought_of_search

_NO_RESPONSES: Final = np.zeros(0, np.int64)

Progress = Callable[[float], None]
"""Is called with the share of the thinking that is done, 0 to 1."""


@dataclass(frozen=True)
class Answer:
    """A move of the agent, and what it thought before."""

    move: int  # its id
    stream: int  # the agent's random stream after the move
    turn: int  # the turn of the game
    thought: Thought  # what it thought


class Partner:
    """An agent in its seat in one game on a deck, uint8, shape ``(50,)``.

    An agent that infers its partner starts from what ``earlier`` games with the person show.
    """

    def __init__(
        self, agent: Agent, seat: int, deck: np.ndarray, earlier: Sequence[Record] = ()
    ) -> None:
        self._agent, self._seat = agent.in_seat(seat), seat
        self._states = full_game(2).new_states(1)
        deal_all(self._states, deck[None])
        self._memory = self._agent.new_memory(1)
        if isinstance(self._agent, BayesMovesAgent):
            belief = self._agent.new_belief()
            belief.begin(1)
            for game in earlier:
                own_seat = 1 - game.players.index(PERSON)
                belief.update(logs_of_records([game], PERSON), own_seat, _NO_RESPONSES)
            self._memory = self._agent.memory_with(belief.knowledge)

    def think(self, actions: Sequence[int], stream: int, progress: Progress) -> Answer:
        """Return the agent's move after these actions, all of the game; a HoadError if it fails."""
        for action in actions[int(self._states["table"]["turn"][0]) :]:
            moves = np.array([action], np.uint8)
            self._agent.observe(self._states, self._seat, self._memory, moves)
            apply_all(self._states, moves)
        batch, turn = self.batch(stream), len(actions)
        if isinstance(self._agent, SearchAgent):
            decision = self._agent.decide(self._states, self._seat, progress)
            return Answer(decision.move, stream, turn, thought_of_search(decision, batch))
        move = int(self._agent.act(batch)[0])
        return Answer(move, int(batch.streams[0]), turn, thought_of(self._agent, batch))

    def batch(self, stream: int) -> Batch:
        """Return the game as the agent is asked about it, with its random stream."""
        return Batch(self._states.copy(), self._seat, self._memory, np.array([stream], np.uint64))


class Session:
    """A person's game, and the finished ones, in a folder.

    A game that was being played when the program ended is taken up again. The person moves first
    in even games.

    Args:
        folder: where the games are (see :mod:`hoad.human.journal`).
        seed: seed of the games; a new one each time if it is None.
        agent: the agent that the person has named; an unfinished game may load no other code.

    Attributes:
        game: the present game; a finished one until the next begins; None before the first.

    Raises:
        HoadError: the folder cannot be used, or its unfinished game breaks the rules, or names a
            program of the user's own that is not ``agent``.
    """

    def __init__(self, folder: Path, seed: int | None = None, agent: str | None = None) -> None:
        self._journal = Journal(folder)
        self._seed = secrets.randbelow(2**31) if seed is None else seed
        self.game: Game | None = None
        self._last: Start | None = None
        if self._journal.start:
            if self._journal.start.agent != agent:
                refuse_code(self._journal.start.agent, folder / UNFINISHED)
            self._deal(self._journal.start)
            try:
                for line in self._journal.moves:
                    self.at_table.step(line.move)
            except HoadError as error:
                raise HoadError(f"{folder / UNFINISHED}: {error}; remove this file") from error
            self._finish_if_over()

    @property
    def games(self) -> list[Record]:
        """The finished games; those that were given up are marked ``aborted``."""
        return self._journal.games

    @property
    def played_before(self) -> bool | None:
        """Whether the person had played Hanabi before; None before it was asked."""
        told = self._journal.experience
        return None if told is None else told.played_before

    def record_experience(self, played_before: bool) -> None:
        """Record, once, whether the person had played Hanabi before."""
        self._journal.record_experience(played_before)

    @property
    def start(self) -> Start:
        """The start of the present game; a HoadError if there is none."""
        if self._last is None:
            raise HoadError("no game has begun; choose an agent first")
        return self._last

    @property
    def at_table(self) -> Game:
        """The present game; a HoadError if there is none."""
        if self.game is None:
            raise HoadError("no game has begun; choose an agent first")
        return self.game

    @property
    def is_playing(self) -> bool:
        """Whether a game is being played."""
        return self.game is not None and self._journal.start is not None

    @property
    def waits_for_agent(self) -> bool:
        """Whether it is the agent's turn."""
        is_playing = self.is_playing and not self.at_table.is_over
        return is_playing and self.at_table.current_player != self.start.seat

    @property
    def actions(self) -> list[int]:
        """The moves of the present game so far."""
        table = self.at_table.state.table
        return table.actions[: table.turn].tolist()

    @property
    def deck(self) -> np.ndarray:
        """The deck of the present game, uint8, shape ``(50,)``."""
        return self.at_table.state.deck.copy()

    @property
    def stream(self) -> int:
        """The random stream of the agent."""
        moves = self._journal.moves
        return moves[-1].stream if moves else self.start.stream

    def view(self) -> View:
        """Return what the person sees; once the game is over, everything."""
        return self.at_table.view(self.start.seat if self.is_playing else None)

    def begin(self, agent: str) -> None:
        """Begin a game with an agent, known to exist; a HoadError if one is being played."""
        if self.is_playing:
            raise HoadError("a game is being played; finish it or give it up first")
        number = len(self.games)
        seat = number % 2
        stream = int(start_stream(self._seed, number, 1 - seat))
        start = Start(agent=agent, seat=seat, seed=self._seed, game=number, stream=stream)
        self._journal.begin(start)
        self._deal(start)

    def move(self, move: int, turn: int) -> None:
        """Make the person's move in this turn.

        Raises:
            HoadError: it is not the person's turn, or not this turn, or the move is illegal.
        """
        self._check_turn(turn, self.start.seat)
        self._make(move, self.stream)

    def answer(self, answer: Answer) -> None:
        """Make the agent's move (raises what :meth:`move` raises)."""
        self._check_turn(answer.turn, 1 - self.start.seat)
        if answer.move not in self.at_table.legal_moves:
            raise HoadError(f"agent {self.start.agent}: illegal move in turn {answer.turn}")
        self._make(answer.move, answer.stream)

    @property
    def notes(self) -> dict[int, str]:
        """The person's notes on cards of the present game, by index in the deck."""
        return self._journal.notes

    def write_note(self, note: Note) -> None:
        """Write a note on a card; a HoadError if no game is being played."""
        if not self.is_playing:
            raise HoadError("the game is over")
        self._journal.write_note(note)

    def record_shown(self) -> None:
        """Record that the person was shown what the agent thought, while the game was played."""
        if self.is_playing:
            self._journal.record_shown()

    def give_up(self) -> None:
        """End the game; it is recorded as aborted, unless the person has made no move."""
        if self.is_playing:
            own = [a for turn, a in enumerate(self.actions) if turn % 2 == self.start.seat]
            aborted = None if self.at_table.is_over else True  # its record could not be written
            self._journal.finish(self._record(aborted) if own else None)
            self.game = self.game if own else None

    def _deal(self, start: Start) -> None:
        deck = shuffled_deck(full_game(2).full_deck(), start.seed, start.game)
        self.game, self._last = Game(deck=deck), start

    def _check_turn(self, turn: int, seat: int) -> None:
        if not self.is_playing:
            raise HoadError("the game is over")
        now = self.at_table.state.table
        if (now.turn, now.current) != (turn, seat):
            raise HoadError(f"turn {turn} is over, or it is the other player's")

    def _make(self, move: int, stream: int) -> None:
        if move not in self.at_table.legal_moves:
            self.at_table.step(move)  # says what is wrong
        self._journal.add(Move(move=move, stream=stream))
        self.at_table.step(move)
        self._finish_if_over()

    def _finish_if_over(self) -> None:
        if self.at_table.is_over:
            self._journal.finish(self._record())

    def _record(self, aborted: bool | None = None) -> Record:
        game, start = self.at_table, self.start
        names = [PERSON, start.agent] if start.seat == 0 else [start.agent, PERSON]
        return Record(
            players=names,
            seed=start.seed,
            deck=self.deck.tolist(),
            actions=self.actions,
            score=game.score,
            hle_score=game.strict_score,
            lives=int(game.state.table.lives),
            turns=len(self.actions),
            aborted=aborted,
            thoughts_shown=self._journal.shown or None,
            card_notes={str(card): note for card, note in self.notes.items()} or None,
        )
