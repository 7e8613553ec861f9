"""Agents ``process:COMMAND``: bots in other programs, which play one game after another.

Idle children wait for the next game, and all end with the program.
"""

import atexit
import os
import shlex
import shutil
from collections.abc import Hashable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from threading import Condition, local
from typing import Final
from weakref import WeakSet

import numpy as np

from hoad.agents.agent import MOVES, Agent, Batch, new_view, see
from hoad.agents.process import protocol
from hoad.agents.process.child import Child, quote
from hoad.core.errors import HoadError
from hoad.core.workers import forget_between_programs, number_setting
from hoad.game.moves import listed_moves
from hoad.game.rules import apply, deal_deck, legal_moves
from hoad.game.state import full_game

_Place = tuple[str, ...]

_changed: Final = Condition()  # guards all that follows
_idle: dict[_Place, list["Bot"]] = {}
_started: "WeakSet[Child]" = WeakSet()
_games = 0


class Bot:
    """A child that has said who it is (``version``, and its name), and plays game after game."""

    def __init__(self, name: str, command: Sequence[str]) -> None:
        self.child = Child(f"agent {name}", command)
        with _changed:
            _started.add(self.child)
        self._place = _place(command)
        answer = self.child.ask(protocol.hello())
        try:
            self.version = protocol.read_hello(answer)
        except ValueError as error:
            self.child.fail(f"answered {quote(answer)} to hello: {error}")

    def release(self) -> None:
        """Let the next game have it."""
        with _changed:
            _idle.setdefault(self._place, []).append(self)


def take_bot(name: str, command: Sequence[str]) -> Bot:
    """Return an idle child with this command, or start one.

    Raises:
        HoadError: it cannot be started, or does not say who it is; ``name`` is in the message.
    """
    with _changed:
        idle = _idle.get(_place(command))
        if idle:
            return idle.pop()
    return Bot(name, command)


@contextmanager
def one_game() -> Iterator[None]:
    """Wait until fewer games than ``--children`` are being played, and then play one."""
    global _games
    most = number_setting("children")
    with _changed:
        _changed.wait_for(lambda: most is None or _games < most)
        _games += 1
    try:
        yield
    finally:
        with _changed:
            _games -= 1
            _changed.notify()


def _place(command: Sequence[str]) -> _Place:
    """Return what children have in common that are the same program: they share their folder."""
    return (os.getcwd(), *command)


def stop_idle() -> None:
    """Stop the children that play no game."""
    with _changed:
        bots = [bot for each in _idle.values() for bot in each]
        _idle.clear()
    for bot in bots:
        bot.child.stop()


@atexit.register
def _stop_all() -> None:
    stop_idle()
    with _changed:
        left = list(_started)
    for child in left:  # in games of threads that nobody waits for
        child.stop(seconds=0.0)


def _forget_all() -> None:
    """In a fork, which has started none of them."""
    _idle.clear()
    _started.clear()


forget_between_programs(stop_idle)
os.register_at_fork(after_in_child=_forget_all)


class ProcessAgent(Agent):
    """Makes the moves that a child process, the program and arguments ``command``, answers.

    Nothing is started before the agent is asked for a move or for its identity. The child is told
    of the game as it goes on, so an agent that is asked about another game begins it from the deal.
    """

    one_game_at_a_time = True
    games_at_once = 10

    def __init__(self, name: str, command: tuple[str, ...]) -> None:
        self.name = name
        self._command = command
        self._games = local()  # by seat: threads play different games

    def weights(self, batch: Batch) -> np.ndarray:
        """Give all weight to the move that is answered (see :meth:`Agent.weights`)."""
        weights = np.zeros((len(batch.states), MOVES))
        for row, state in zip(weights, batch.states, strict=True):
            game = self._game(state, batch.seat)
            try:
                row[game.ask(state)] = 1.0
            except BaseException:
                # The child is stopped, or may answer later: it plays no other game.
                del self._games.__dict__[str(batch.seat)]
                raise
        return weights

    def observe(
        self, states: np.ndarray, seat: int, memory: np.ndarray, actions: np.ndarray
    ) -> None:
        """Report the moves to the child, and the end of the game."""
        for state, action in zip(states, actions.tolist(), strict=True):
            if self._game(state, seat).report(state, action):
                del self._games.__dict__[str(seat)]

    def playing(self) -> AbstractContextManager[None]:
        """See :meth:`Agent.playing`: there are as many children as games at a time."""
        return one_game()

    @cached_property
    def identity(self) -> Hashable:
        """The command, and the name and version that the program answers."""
        bot = take_bot(self.name, self._command)
        bot.release()
        return "process", self._command, *bot.version

    def _game(self, state: np.record, seat: int) -> "_Game":
        """Return the game that a state is in, as the child knows it; perhaps a new one."""
        games = self._games.__dict__
        game = games.get(str(seat))
        if game is None or not game.is_at(state):
            if game is not None:
                game.give_up()
            game = games[str(seat)] = _Game(take_bot(self.name, self._command), state, seat)
        return game


class _Game:
    """A game that a child plays in one seat, up to a state."""

    def __init__(self, bot: Bot, state: np.record, seat: int) -> None:
        self._bot, self._seat = bot, seat
        self._deck, self._actions = state.deck.tobytes(), b""
        self._now = full_game(2).new_states(1)
        deal_deck(self._now[0], state.deck)
        bot.child.say(protocol.deal(self._now[0], seat))
        for action in state.table.actions[: state.table.turn].tolist():
            self.report(self._now[0], action)

    def is_at(self, state: np.record) -> bool:
        """Return whether the child has been told of the game up to this state, no more or less."""
        made = state.table.actions[: state.table.turn].tobytes()
        return made == self._actions and state.deck.tobytes() == self._deck

    def ask(self, state: np.record) -> int:
        """Return the move that the child answers; a HoadError if it is no legal move."""
        child, hands = self._bot.child, new_view()
        answer = child.ask(protocol.ACT)
        try:
            move = protocol.read_move(answer)
            see(state, self._seat, hands)
            if move not in listed_moves(legal_moves(state.table, hands)):
                raise ValueError("this move is not legal")
        except ValueError as error:
            child.fail(f"answered {quote(answer)} in turn {state.table.turn}: {error}")
        return move

    def report(self, state: np.record, action: int) -> bool:
        """Report an action that is about to be made; return whether it ends the game."""
        say = self._bot.child.say
        say(protocol.move(state, action, self._seat))
        self._actions += bytes([action])
        apply(self._now[0], action)
        if self._now[0].table.over:
            say(protocol.end(self._now[0]))
            self._bot.release()
            return True
        return False

    def give_up(self) -> None:
        """End a game that does not go on, as recorded games may be cut short."""
        self._bot.child.say(protocol.end(self._now[0]))
        self._bot.release()


def load_process_agent(argument: str) -> ProcessAgent:
    """Return the agent ``process:COMMAND``, which is split as a shell would split it.

    Raises:
        HoadError: the command is empty, has an open quotation, or its program is not there.
    """
    name = f"process:{argument}"
    try:
        command = tuple(shlex.split(argument))
    except ValueError as error:
        raise HoadError(f"agent {name}: {error}; quote the command as in a shell") from error
    if not command:
        raise HoadError(f"agent {name}: no command; write process:PROGRAM ARGUMENTS...")
    if shutil.which(command[0]) is None:
        raise HoadError(f"agent {name}: no program {command[0]!r}; install it, or give its path")
    return ProcessAgent(name, command)
