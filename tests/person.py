"""A person without a browser, who plays one game on the page of ``play.py``."""

import json
import os
import re
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect
from websockets.typing import Origin


def play_one_game(server: int, printed: Path) -> None:
    """Play one game on a server to its end; then end the server by Ctrl-C.

    The moves depend on the position only. If the server is killed, this ends too.

    Args:
        server: its process.
        printed: what it has printed so far, its address above all.
    """
    while _runs(server):
        address = re.search(r"http://\S+", printed.read_text())
        # A server that still loads the game refuses, and so does one that was killed.
        with suppress(OSError, EOFError, WebSocketException, TimeoutError):
            if address:
                _play(address[0])
                os.kill(server, signal.SIGINT)
                return
        time.sleep(0.05)


def _play(address: str) -> None:
    url, origin = address.replace("http:", "ws:") + "table", "/".join(address.split("/")[:3])
    with connect(url, proxy=None, origin=Origin(origin)) as socket:
        turn = -1
        while not (told := _state(socket))["games"]:
            position = told["position"]
            if position and position["current"] == told["seat"] and position["turn"] > turn:
                turn = position["turn"]
                legal = [choice["move"] for choice in position["choices"] if not choice["refused"]]
                move = legal[turn * 7 % len(legal)]
                socket.send(json.dumps({"do": "move", "move": move, "turn": turn}))


def _runs(process: int) -> bool:
    with suppress(psutil.Error):
        return psutil.Process(process).status() != psutil.STATUS_ZOMBIE
    return False


def _state(socket: Any) -> dict[str, Any]:
    while True:
        told: dict[str, Any] = json.loads(socket.recv(timeout=60))
        if told["type"] == "state":
            return told
