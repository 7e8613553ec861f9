"""The room around a game: the open tabs, what they ask for, and what they are shown.

The tab that came first plays, the others watch. Every change is sent to all of them as one message
with the whole state, so that a tab that is loaded again shows the same. The agent and the beliefs
are computed in threads of their own.
"""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel
from starlette.websockets import WebSocket, WebSocketDisconnect

from hoad.agents.agent import Agent
from hoad.agents.registry import get_agent
from hoad.core.errors import HoadError
from hoad.core.thinking import Worker
from hoad.human.beliefs import BeliefInPartner, pool_names
from hoad.human.journal import Note, games_with
from hoad.human.lobby import describe_person, listed_agents
from hoad.human.review import review
from hoad.human.session import Answer, Partner, Session
from hoad.partners.strangers import PERSON
from hoad.replay.formats.jsonl import Record, validate
from hoad.watch.position import card_odds, moves_made, position


class _Asked(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Begin(_Asked):
    """Begin a game with an agent."""

    do: Literal["begin"]
    agent: str


class Make(_Asked):
    """Make a move in a turn."""

    do: Literal["move"]
    move: int
    turn: int


class GiveUp(_Asked):
    """End the game."""

    do: Literal["give up"]


class Review(_Asked):
    """Show a finished game, by its index."""

    do: Literal["review"]
    game: Annotated[int, Field(ge=0)]


class Tell(_Asked):
    """Tell whether the person had played Hanabi before; asked once."""

    do: Literal["experience"]
    played_before: bool


class You(_Asked):
    """Tell what the person's games say of the person."""

    do: Literal["you"]


class Think(_Asked):
    """Tell what the agent thought before its last move, which may give the person's cards away."""

    do: Literal["thought"]


class WriteNote(Note):
    """Write a note on a card."""

    do: Literal["note"]


Asked = Begin | Make | GiveUp | Review | Tell | You | Think | WriteNote


class Request(RootModel[Annotated[Asked, Field(discriminator="do")]]):
    """What a tab may ask for, as JSON."""


class Tab:
    """An open tab: it is sent the state after each change, and what it asked for."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self.changed = asyncio.Event()
        self.answers: list[dict[str, Any]] = []

    def send(self, answer: dict[str, Any]) -> None:
        """Send one message, before the next state."""
        self.answers.append(answer)
        self.changed.set()

    async def keep_informed(self, room: "Room") -> None:
        """Send the latest state whenever it has changed, until the tab is closed."""
        with suppress(WebSocketDisconnect, RuntimeError):
            while await self.changed.wait():
                self.changed.clear()
                answers, self.answers = self.answers, []
                for message in (*answers, room.state(self)):
                    await self.socket.send_json(message)


@dataclass
class _Seated:
    """The agent in its seat in one game, what it thought last, and what the game shows of it."""

    partner: Partner
    belief: BeliefInPartner
    answer: Answer | None = None

    def shown(self) -> dict[str, Any]:
        beliefs = self.belief.beliefs
        return {
            "belief": {"names": pool_names(), "shares": beliefs[-1].tolist()} if beliefs else None,
            "thought": self.answer.turn if self.answer else None,
        }


class Room:
    """The tabs and the session; ``agent`` is one to begin a game with, if none is being played."""

    def __init__(self, session: Session, agent: str | None = None) -> None:
        self._session = session
        self._wanted = session.start.agent if session.game else agent or "iggi"
        self._tabs: list[Tab] = []
        self._playing, self._believing = Worker(), Worker()
        self._task: asyncio.Task[None] | None = None
        self._background: set[asyncio.Task[None]] = set()
        self._busy: str | None = None
        self._done: float | None = None
        self._error: str | None = None
        self._seated: _Seated | None = None
        self._begins = agent is not None and not session.is_playing

    async def open(self) -> None:
        """Take up the game that was being played, or begin the one that was asked for."""
        if self._begins:
            self._start(self._begin(self._wanted))
        elif self._session.is_playing:
            self._start(self._go_on())

    async def visit(self, socket: WebSocket) -> None:
        """Serve a tab until it is closed."""
        tab = Tab(socket)
        self._tabs.append(tab)
        tab.send({"type": "agents", "agents": listed_agents()})
        sending = asyncio.create_task(tab.keep_informed(self))
        if self._session.waits_for_agent and (self._task is None or self._task.done()):
            self._seated = None  # after a failure: the agent is loaded, and follows the game, again
            self._start(self._go_on())
        self._change()
        try:
            while True:
                self._hear(tab, await socket.receive_text())
        except WebSocketDisconnect:
            pass
        finally:
            self._tabs.remove(tab)
            sending.cancel()
            self._change()

    def state(self, tab: Tab) -> dict[str, Any]:
        """Return all that a tab shows; ``thought`` is the turn of which it may ask for the thought.

        Of a game that is being played, nothing depends on the person's own cards.
        """
        session = self._session
        state: dict[str, Any] = {
            "type": "state",
            "plays": self._tabs[:1] == [tab],
            "tabs": len(self._tabs),
            "playing": session.is_playing,
            "busy": self._busy,
            "done": self._done,
            "error": self._error,
            "agent": session.start.agent if session.game else self._wanted,
            "games": [_summary(game) for game in session.games],
            "played_before": session.played_before,
            "position": None,
            "belief": None,
            "thought": None,
        }
        if session.game:
            state |= {"seat": session.start.seat, "notes": session.notes, "odds": self._odds()}
            view = session.view()
            state |= {"position": position(view), "made": moves_made(view)}
            state |= self._seated.shown() if self._seated else {}
        return state

    def _odds(self) -> dict[str, list[list[float]]]:
        """Return what cards may be: the agent's as both know, the person's so, and as it sees."""
        state, seat = self._session.at_table.state, self._session.start.seat
        return {
            "partner": card_odds(state, 1 - seat, sees_partner=False),
            "mine_to_partner": card_odds(state, seat, sees_partner=False),
            "mine": card_odds(state, seat, sees_partner=True),
        }

    def _change(self) -> None:
        for tab in self._tabs:
            tab.changed.set()

    def _hear(self, tab: Tab, text: str) -> None:
        """Do what a tab asks for; what cannot be done is answered with the reason."""
        try:
            asked = validate(Request, text.encode()).root
            if isinstance(asked, Review | You):
                self._later(self._look_back(tab, asked))
                return
            if isinstance(asked, Think):
                tab.send(self._thought())
                return
            if self._tabs[0] is not tab:
                raise HoadError("this tab watches; play in the tab that was opened first")
            if isinstance(asked, Make):
                self._session.move(asked.move, asked.turn)
                self._start(self._go_on())
            elif isinstance(asked, Tell):
                self._session.record_experience(asked.played_before)
            elif isinstance(asked, Begin):
                if self._session.is_playing:
                    raise HoadError("a game is being played; finish it or give it up first")
                self._start(self._begin(asked.agent))
            elif isinstance(asked, WriteNote):
                self._session.write_note(Note(card=asked.card, note=asked.note))
            else:
                self._stop()
                self._session.give_up()
        except HoadError as error:
            tab.send({"type": "refused", "reason": str(error)})
        self._change()

    def _thought(self) -> dict[str, Any]:
        """Return what the agent thought last; the game's record says that it was shown."""
        answer = self._seated.answer if self._seated else None
        if answer is None:
            raise HoadError("the agent has not moved since the server started")
        self._session.record_shown()
        return {"type": "thought", "turn": answer.turn, **asdict(answer.thought)}

    async def _begin(self, name: str) -> None:
        self._wanted, self._busy = name, "loading"
        self._change()
        agent = await self._playing.do(get_agent, name)
        self._session.begin(name)
        self._seated = None
        await self._go_on(agent)

    async def _go_on(self, agent: Agent | None = None) -> None:
        """Let the agent move if it is its turn; find out meanwhile what the game shows of it."""
        session = self._session
        if self._seated is None:
            self._busy = "loading"
            self._change()
            self._seated = await self._playing.do(self._seat, agent)
        seated = self._seated
        self._later(self._believe(seated.belief))
        if session.waits_for_agent:
            self._busy, self._done = "thinking", None
            self._change()
            think, progress = seated.partner.think, self._reporter()
            seated.answer = await self._playing.do(think, session.actions, session.stream, progress)
            session.answer(seated.answer)
            self._later(self._believe(seated.belief))

    def _seat(self, agent: Agent | None) -> "_Seated":
        """Return the agent in its seat in the present game; it is loaded if it is None."""
        start, deck = self._session.start, self._session.deck
        earlier = games_with(self._session.games, start.agent)
        partner = Partner(agent or get_agent(start.agent), 1 - start.seat, deck, earlier)
        return _Seated(partner, BeliefInPartner(start.seat, deck))

    def _reporter(self) -> Any:
        """Return what a thread calls with the share of the thinking that is done.

        The thread may go on after its task has been dropped; it then tells nobody.
        """
        loop, task = asyncio.get_running_loop(), self._task

        def note(done: float) -> None:
            if self._task is task:
                self._done = done
                self._change()

        return lambda done: loop.call_soon_threadsafe(note, done)

    async def _believe(self, belief: BeliefInPartner) -> None:
        await self._believing.do(belief.follow, self._session.actions)
        self._change()

    async def _look_back(self, tab: Tab, asked: Review | You) -> None:
        """Tell a tab what a game, or what all games show of the person."""
        games = self._session.games
        try:
            if isinstance(asked, Review):
                reviewed = await self._believing.do(review, games, asked.game)
                tab.send({"type": "review", **asdict(reviewed)})
            else:
                tab.send({"type": "you", "you": await self._believing.do(describe_person, games)})
        except HoadError as error:
            tab.send({"type": "refused", "reason": str(error)})

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        """Let the agent work; what was going on before is dropped."""
        self._stop()
        self._task = asyncio.create_task(self._guarded(work))
        self._task.add_done_callback(lambda _: work.close())  # it may have been dropped before

    def _stop(self) -> None:
        if self._task and not self._task.done():
            self._task.cancel()
            self._playing.end()  # if it ever comes back
            self._playing = Worker()
        self._task = self._busy = self._done = self._error = None

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        """Show what goes wrong with an agent, which may be anybody's program."""
        try:
            await work
        except HoadError as error:
            self._fail(str(error))
        except Exception as error:
            self._fail(f"{self._wanted} fails with {type(error).__name__}: {error}")
        self._busy = self._done = None
        self._change()

    def _fail(self, problem: str) -> None:
        remedy = "; reload the page to let it try again" if self._session.waits_for_agent else ""
        self._error = problem + remedy

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)


def _summary(game: Record) -> dict[str, Any]:
    seat = game.players.index(PERSON)
    return {
        "agent": game.players[1 - seat],
        "seat": seat,
        "score": game.score,
        "strict": game.hle_score,
        "aborted": bool(game.aborted),
    }
