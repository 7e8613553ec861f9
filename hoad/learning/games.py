"""Recorded games for training: by agent, and as a torch dataset."""

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch.utils.data import Dataset

from hoad.agents.follow import turns_of_seats
from hoad.core.errors import HoadError
from hoad.core.identity import checksum
from hoad.game.log import GameLogs, Transitions, encode_turns, refuse_other_games
from hoad.learning.network_inputs import legal_mask, unpack
from hoad.learning.transitions import to_device
from hoad.replay.dataset import Dataset as Recorded
from hoad.replay.dataset import read_dataset
from hoad.replay.formats.convert import read_games
from hoad.replay.recipe import file_name
from hoad.replay.recorder import identity_of_agents

_LEAST_GAMES: Final = 5
"""Games of a person that can be split."""

Item = tuple[torch.Tensor, torch.Tensor, torch.Tensor]
"""Observations, legal moves and the moves made."""


class RecordedGames(Dataset[Item]):
    """Games as a map-style dataset of PyTorch: an item is all turns of one game.

    An item has the observations of the player to move, float32, shape ``(turns, 658)``; legal
    moves, bool, shape ``(turns, 20)``; and the moves made, int64, shape ``(turns,)``. Read them
    with ``DataLoader(games, batch_size=None, shuffle=True)``, because games differ in length, or
    join those of a batch with ``collate_fn=RecordedGames.collate``.

    ``games`` is what was recorded, or the path of an HDF5 file.

    Raises:
        HoadError: the file cannot be read; or the games are not those of two players.
    """

    def __init__(self, games: Recorded | GameLogs | str | Path) -> None:
        if isinstance(games, str | Path):
            games = read_dataset(games)
        self._logs = games.logs if isinstance(games, Recorded) else games
        refuse_other_games(self._logs)

    def __repr__(self) -> str:
        return f"<RecordedGames: {len(self):,} games, {len(self._logs.actions):,} turns>"

    def __len__(self) -> int:
        """Return the number of games."""
        return len(self._logs)

    def __getitem__(self, game: int) -> Item:
        """Return observations, legal moves and actions of a game."""
        game = range(len(self))[game]  # raises IndexError if there is no such game
        encoded = encode_turns(self._logs.select(np.array([game])))
        turns = to_device(encoded, torch.device("cpu"))
        return unpack(turns.observations), legal_mask(turns.legal), turns.actions

    @staticmethod
    def collate(games: Sequence[Item]) -> Item:
        """Join the turns of several items, in order."""
        observations, legal, actions = (torch.cat(parts) for parts in zip(*games, strict=True))
        return observations, legal, actions


def find_games(folder: str | Path, agent: str) -> GameLogs:
    """Return the recorded self-play games of an agent; every game is replayed and checked.

    Raises:
        HoadError: there are none in this folder, the file is damaged, or the agent of this name
            has changed since (for example, a network was trained again).
    """
    path = games_file(folder, agent)
    if not path.exists():
        remedy = "record them with record.py play, or give their folder with --data"
        raise HoadError(f"{path}: no recorded games of {agent}; {remedy}")
    dataset = read_dataset(path)
    if (players := dataset.logs.players) != 2:
        raise HoadError(f"{path}: games of {players} players; networks learn games of two players")
    if dataset.agents != (agent, agent):
        names = " and ".join(dataset.agents)
        raise HoadError(f"{path}: games of {names}, not of {agent} with itself; record them again")
    then = dataset.metadata.get("agents_digest")
    now = then
    with suppress(HoadError):  # the agent is not here
        now = identity_of_agents((agent, agent))
    if then and now and then != now:
        raise HoadError(
            f"{path}: games of another {agent} than the present one; remove the file and record "
            "them again, or give another folder with --data"
        )
    return dataset.logs


@dataclass(frozen=True)
class PersonGames:
    """Games of one player of a file, and moves that are added to its own in a training."""

    logs: GameLogs  # the player's games, in the order of the file
    seats: np.ndarray  # where it sits, bool, shape (games, 2)
    # moves of other people who sit where it sits, not of programs that it plays with; or, in
    # their place, moves of the player's logit
    added: Transitions
    others_checksum: str  # of all other games of the file, and of who sits where

    def split(self) -> dict[str, np.ndarray]:
        """Return the indices of games by use: of five in turn, three, one and one."""
        fold = np.arange(len(self.logs)) % 5
        parts = {"train": fold < 3, "validation": fold == 3, "test": fold == 4}
        return {name: np.flatnonzero(part) for name, part in parts.items()}

    def turns(self, games: np.ndarray) -> Transitions:
        """Return the player's turns in some games."""
        return turns_of_seats(self.logs.select(games), self.seats[games])


@dataclass(frozen=True)
class Taught:
    """Moves that a person's logit made, for a network to learn."""

    moves: Transitions
    asked: tuple[str, ...]  # names of the agents that are inputs of the logit


def person_games(file: Path, name: str) -> PersonGames:
    """Return the games of a player of a file, HDF5 or JSON Lines.

    Raises:
        HoadError: the file cannot be read, or holds fewer than five games of this player.
    """
    games = read_games(file)
    refuse_other_games(games.logs)
    seats = games.names == name
    own = seats.any(axis=1)
    if own.sum() < _LEAST_GAMES:
        raise HoadError(f"{file}: {own.sum()} games of {name}, expected at least {_LEAST_GAMES}")
    partners = np.unique(games.names[own][~seats[own]])
    added = turns_of_seats(games.logs, ~seats & ~np.isin(games.names, partners))
    rest = checksum_of_logs(games.logs.select(np.flatnonzero(~own)))
    others = checksum([rest, games.names.tolist()])
    return PersonGames(games.logs.select(np.flatnonzero(own)), seats[own], added, others)


def games_file(folder: str | Path, agent: str) -> Path:
    """Return the file of an agent's recorded self-play games."""
    return Path(folder) / file_name((agent, agent))


def checksum_of_logs(logs: GameLogs) -> str:
    """Return a checksum of the games."""
    hashed = hashlib.blake2b(digest_size=16)
    for array in (logs.decks, logs.actions, logs.offsets):
        hashed.update(array.tobytes())
    return hashed.hexdigest()
