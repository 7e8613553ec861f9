"""The recorded games that learners read."""

import hashlib
from pathlib import Path

from hoad.core.errors import HoadError
from hoad.game.log import GameLogs
from hoad.replay.dataset import read_dataset
from hoad.replay.recorder import digest_agents, file_name


def find_games(folder: Path, agent: str) -> GameLogs:
    """Return the recorded self-play games of an agent; every game is replayed and checked.

    Raises:
        HoadError: there are none in this folder, the file is not sound, or the agent of this name
            has changed since (a network was trained anew, say).
    """
    path = games_file(folder, agent)
    if not path.exists():
        raise HoadError(
            f"{path}: no recorded games of {agent}; record them with record.py play, or name "
            "their folder with --data"
        )
    dataset = read_dataset(path)
    if dataset.agents != (agent, agent):
        raise HoadError(
            f"{path}: games of {' and '.join(dataset.agents)}, not of {agent} with itself; "
            "record them again"
        )
    then, now = dataset.metadata.get("agents_digest"), _digest_now(agent)
    if then and now and then != now:
        raise HoadError(
            f"{path}: games of another {agent} than there is now; remove the file and record them "
            "again, or name another folder with --data"
        )
    return dataset.logs


def _digest_now(agent: str) -> str | None:
    """Return the digest of recordings made now; None if only the agent's games are here."""
    try:
        return digest_agents((agent, agent))
    except HoadError:
        return None


def games_file(folder: Path, agent: str) -> Path:
    """Return the file of an agent's recorded self-play games."""
    return folder / file_name((agent, agent))


def digest(logs: GameLogs) -> str:
    """Return a checksum of what the games contain."""
    checksum = hashlib.blake2b(digest_size=16)
    for array in (logs.decks, logs.actions, logs.offsets):
        checksum.update(array.tobytes())
    return checksum.hexdigest()
