"""Agents that play as the stranger of recorded games would: ``program:FILE``, ``low-shot:FILE``.

They are the partner models of these names (:mod:`.kinds`) after all games of the stranger in the
file (:mod:`.strangers`). Where the games do not tell which player that is, ``FILE:PLAYER`` does.
The program draws each move from what it predicts. The network, like all networks, makes the move
that it predicts with the highest probability.
"""

from collections.abc import Callable, Hashable
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeVar

import numpy as np

from hoad.agents.agent import MOVES, Agent, Batch
from hoad.core.digest import digest
from hoad.core.errors import HoadError
from hoad.game.log import join_logs
from hoad.learning.games import digest as digest_of_logs
from hoad.learning.policies import PolicyAgent, network_file
from hoad.partners.kinds import META_MODEL
from hoad.partners.meta_model import LowShot, SoftmaxAgent
from hoad.partners.model import PartnerModel
from hoad.partners.program.agent import lists_agent
from hoad.partners.program.posterior import ProgramPosterior
from hoad.partners.strangers import read_strangers
from hoad.replay.formats.jsonl import split_games_file

MOST_GAMES: Final = 200
"""The posterior over programs is meant for few games, and takes a minute for so many."""

_Stamp = tuple[str, str, int, int]
"""A file, the player that is the stranger (empty where the games tell), and the file's version."""

ModelT = TypeVar("ModelT", bound=PartnerModel)


def make_program(argument: str) -> Agent:
    """Return ``program:FILE``, the posterior over programs after the games in a file.

    ``program:FILE:PLAYER`` names the stranger, which sits in all games.

    Raises:
        HoadError: see :func:`~.strangers.read_strangers`, or more than ``MOST_GAMES`` games.
    """
    name = f"program:{argument}"
    model, stranger, _ = _program(_stamp(name, *_file_and_player(argument)))
    agent = lists_agent(name, model.weighted_lists())
    agent.trained_on = (stranger,)
    return agent


def make_low_shot(argument: str) -> Agent:
    """Return ``low-shot:FILE``, the meta-model ``maml:rainbow`` adapted to the games in a file.

    ``low-shot:NAME:FILE`` adapts ``maml:NAME``. ``low-shot:FILE:PLAYER`` names the stranger.

    Raises:
        HoadError: see :func:`~.strangers.read_strangers`, or there is no such meta-model.
    """
    name = f"low-shot:{argument}"
    named, player = _file_and_player(argument)
    held_out, _, file = named.rpartition(":")
    held_out = held_out or META_MODEL
    network = network_file("maml", held_out)
    network_time = network.stat().st_mtime_ns if network.exists() else 0  # it may be trained again
    stamp = _stamp(name, file, player)
    model, stranger, games = _low_shot(held_out, network, network_time, stamp)
    return _LowShotAgent(name, model, held_out, stranger, games)


class _LowShotAgent(SoftmaxAgent):
    """Makes the likeliest move of an adapted meta-model.

    Its identity is that of meta-model and games: adapting rounds differently on other machines.
    """

    def __init__(self, name: str, model: LowShot, held_out: str, stranger: str, games: str) -> None:
        super().__init__(name, model.network(), model.temperature)
        self.trained_on = (stranger,)
        self.plays_as = (f"maml:{held_out}",)
        self._games = games
        self._start = PolicyAgent(name, model.start)

    def weights(self, batch: Batch) -> np.ndarray:
        return np.eye(MOVES)[self.masked_probabilities(batch).argmax(axis=1)]

    def masked_probabilities(self, batch: Batch) -> np.ndarray:
        """Return what it predicts, float64, shape ``(games, MOVES)``."""
        return super().weights(batch)

    @property
    def identity(self) -> Hashable:
        """The meta-model, and a digest of the games that it is adapted to."""
        return "low-shot", self._start.identity, self._games


@lru_cache(maxsize=8)
def _program(file: _Stamp) -> tuple[ProgramPosterior, str, str]:
    return _learn(ProgramPosterior, file, MOST_GAMES)


@lru_cache(maxsize=8)
def _low_shot(held_out: str, network: Path, time: int, file: _Stamp) -> tuple[LowShot, str, str]:
    return _learn(lambda: LowShot(held_out), file)


def _learn(
    make: Callable[[], ModelT], file: _Stamp, most: int | None = None
) -> tuple[ModelT, str, str]:
    """Return a model of the stranger in a file, the name of the stranger, a digest of its games."""
    path, player = Path(file[0]), file[1]
    [games] = read_strangers([path], player or None)
    logs = join_logs([games.alone.logs, games.with_others.logs])
    if most is not None and len(logs) > most:
        problem = f"{len(logs):,} games, expected at most {most}"
        raise HoadError(f"{path}: {problem}; imitate an agent with so many (train_imitator.py)")
    seen = games.alone.and_further(games.with_others.logs, games.with_others.seats)
    model = make()
    model.learn(seen.logs, seen.seats)
    return model, games.stranger, digest([digest_of_logs(logs), seen.seats.tolist()])


def _file_and_player(argument: str) -> tuple[str, str]:
    return split_games_file(argument) or (argument, "")


def _stamp(name: str, file: str, player: str) -> _Stamp:
    """Return what tells whether a file is still the one that was read, and the player."""
    path = Path(file)
    if not (split_games_file(file) and path.is_file()):
        raise HoadError(f"agent {name}: no file of games {file!r} (*.h5, *.jsonl or *.jsonl.gz)")
    about = path.stat()
    return str(path), player, about.st_mtime_ns, about.st_size
