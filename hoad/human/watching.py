"""The server of games that two agents play while a person watches: ``play.py --watch``."""

import re
import socket
from collections.abc import Sequence
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from hoad.core.errors import HoadError
from hoad.human.door import HEADERS, server_of
from hoad.human.thinking import Worker
from hoad.studies.watch.page import page_of, policy
from hoad.studies.watch.story import story_of

_HEADERS: Final = HEADERS | {
    "Content-Security-Policy": f"{policy()}; frame-ancestors 'none'; base-uri 'none'"
}


class WatchedGames:
    """Games of two agents, by name, as pages; each game is played when it is asked for."""

    def __init__(self, players: Sequence[str], seed: int) -> None:
        self._players, self._seed = players, seed
        self._pages: dict[int, str] = {}

    def page(self, game: int) -> str:
        """Return the page of a game by its number; a HoadError if an agent fails."""
        if game not in self._pages:
            story = story_of(self._players, self._seed, game)
            others = {"Previous game": f"?game={game - 1}"} if game else {}
            others["Next game"] = f"?game={game + 1}"
            self._pages[game] = page_of(story, story.told(), others)
        return self._pages[game]


def make_watching_server(
    games: WatchedGames, listening: socket.socket, token: str
) -> uvicorn.Server:
    """Return the server; its ``run(sockets=[listening])`` ends with Ctrl-C.

    ``?game=N`` shows the game with the number N, without it 0. The socket is that of
    :func:`hoad.human.door.listen`.
    """
    worker = Worker()

    async def show(request: Request) -> Response:
        asked = request.query_params.get("game", "0")
        if not re.fullmatch("[0-9]{1,9}", asked):
            return PlainTextResponse("There is no such game.", 404, HEADERS)
        try:
            page = await worker.do(games.page, int(asked))
        except HoadError as error:
            return PlainTextResponse(str(error), 500, HEADERS)
        return HTMLResponse(page, headers=_HEADERS)

    return server_of(Starlette(routes=[Route("/{token}/", show)]), listening, token)
