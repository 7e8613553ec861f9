"""One table at which an agent plays: from the start of its game to its end."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

from hoad.agents.agent import Agent
from hoad.core.errors import HoadError
from hoad.core.files import one_line
from hoad.core.thinking import Worker
from hoad.live.protocol import Init, Told
from hoad.live.seat import Seat
from hoad.live.transcript import Transcript

Send = Callable[..., Awaitable[None]]
"""``send(command, **fields)``; it does nothing while there is no connection."""

REFUSALS: Final = 3
"""How often the server may refuse one move before the agent leaves the table."""


async def leave(number: int, reason: str, send: Send, say: Callable[[str], None]) -> None:
    """Say why the agent cannot play at a table, and leave it."""
    say(f"table {number}: {reason}; the table is left")
    words = f"I cannot play on: {one_line(reason)}. Sorry!"
    await send("chat", msg=words, room=f"table{number}")
    await send("tableUnattend", tableID=number)


class Table:
    """A game of a fair agent at a table; it outlives connections.

    The agent's random numbers are those of the game with the table's number in the run of ``seed``.

    Attributes:
        number: the server's number of the table.
        started: when the game started, as the server writes it: tables' numbers are used again.
        paused: whether the game is paused.
        left: whether the agent has given up.
    """

    def __init__(
        self, agent: Agent, seed: int, init: Init, send: Send, say: Callable[[str], None]
    ) -> None:
        self.number, self.started = init.number, init.started
        self.paused = init.paused
        self._seat = Seat(agent, init.seat, seed, init.number)
        self._transcript = Transcript(init.seat)
        self._worker = Worker()
        self._send, self._say = send, say
        self._thinking: asyncio.Task[None] | None = None
        self._sent = -1
        self._refused = (-1, 0)
        self.left = False

    @property
    def score(self) -> int:
        """The cards on the fireworks."""
        return self._transcript.score

    def tell_again(self, init: Init) -> None:
        """Forget what was told; the server tells the whole game again."""
        self.paused = init.paused
        self._transcript = Transcript(init.seat)
        self._sent = -1

    def hear(self, told: Told) -> None:
        """Take in what the server tells; a HoadError if it does not fit."""
        self._transcript.add(told)

    def move_if_due(self) -> None:
        """Start to think if it is the agent's turn."""
        due = self._transcript.my_turn and not self.paused
        if due and self._thinking is None and self._sent != len(self._transcript.actions):
            self._thinking = asyncio.create_task(self._move())

    async def refuse(self) -> None:
        """Take in that the server refused something; ask for the game if it may be the move."""
        if self._sent < 0 or not self._transcript.my_turn:
            return
        turn, times = self._refused
        self._refused = (self._sent, times + 1 if turn == self._sent else 1)
        if self._refused[1] >= REFUSALS:
            await self.give_up("the server refuses my move")
        else:
            await self._send("getGameInfo1", tableID=self.number)

    async def give_up(self, reason: str) -> None:
        """Say why the agent cannot play on, and leave."""
        self._transcript.over = self.left = True
        self._worker.end()
        await leave(self.number, reason, self._send, self._say)

    def close(self) -> None:
        """Cancel the move that the agent is choosing, if there is one, and end its thread."""
        if self._thinking is not None:
            self._thinking.cancel()
        self._worker.end()

    async def _move(self) -> None:
        """Think in the thread, then send the move, if what was told still asks for one."""
        try:
            move = await self._think(self._transcript)
        except HoadError as error:
            await self.give_up(str(error))
            return
        except Exception as error:  # of the agent, which may be anybody's program
            await self.give_up(f"{type(error).__name__}: {error}")
            return
        finally:
            self._thinking = None
        if move is not None and not self.paused:
            self._sent = len(self._transcript.actions)
            await self._send("action", tableID=self.number, **move)
        else:
            self.move_if_due()

    async def _think(self, asked: Transcript) -> dict[str, Any] | None:
        """Return the move as the server's fields; None if something else was told meanwhile."""
        deck, actions = asked.deck(), list(asked.actions)
        if asked.over:
            return None
        move = await self._worker.do(self._seat.choose, deck, actions)
        now = self._transcript
        return now.action_of(move) if now.my_turn and now.actions == actions else None
