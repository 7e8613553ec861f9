"""Match-ups on disk: played once, found again by whoever needs the same.

A file is named for the identities of the agents, the number of games, the seed, and `VERSION`: a
population that has changed, or a network that was trained again, has other match-ups; the same
agents under other names have the same. An unfinished file lies beside, under another name.
"""

import hashlib
import io
import json
import time
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from hoad.adhoc.matchups import GAMES, MatchUps, join_rows, play_match_ups, play_rows
from hoad.adhoc.pool import agents_of
from hoad.adhoc.seeds import POOL_SEED
from hoad.core.errors import HoadError
from hoad.core.files import make_folder, only_writer, write_atomically
from hoad.core.paths import checkpoint_root

FOLDER: Final = "match-ups"

_SECONDS_BETWEEN_SAVES: Final = 20

VERSION: Final = "fb2eaca08daa868a"
"""Of the rules and of all agents: change it when any of them plays differently."""


def match_ups_path(agents: Sequence[str], games: int = GAMES, seed: int = POOL_SEED) -> Path:
    """Return where the match-ups of these agents are, or would be.

    Raises:
        HoadError: an agent is unknown.
    """
    about = [VERSION, *(repr(agent.identity) for agent in agents_of(agents))]
    digest = hashlib.sha256(json.dumps([about, games, seed]).encode()).hexdigest()[:12]
    return checkpoint_root() / FOLDER / f"{len(agents)}-agents-{games}-games-{digest}.npz"


def known_match_ups(agents: Sequence[str], games: int = GAMES, seed: int = POOL_SEED) -> MatchUps:
    """Return saved match-ups; where there are none, play them, once, and save nothing.

    Raises:
        HoadError: an agent is unknown, or the file cannot be read.
    """
    return _known(tuple(agents), games, seed, match_ups_path(agents, games, seed))


@lru_cache(maxsize=4)
def _known(agents: tuple[str, ...], games: int, seed: int, path: Path) -> MatchUps:
    if path.is_file():
        return replace(load_match_ups(path), agents=agents)
    return play_match_ups(agents, games, seed)


def saved_match_ups(agents: Sequence[str], games: int, seed: int, threads: int = 1) -> MatchUps:
    """Return saved match-ups; where there are none, play and save them.

    Whoever is stopped loses little: the next call goes on.

    Args:
        agents: as in :func:`~hoad.adhoc.matchups.play_match_ups`.
        games: likewise.
        seed: likewise.
        threads: likewise.

    Raises:
        HoadError: as there; or nothing can be saved, or another program is about it.
    """
    path = match_ups_path(agents, games, seed)
    make_folder(path.parent)
    if not path.is_file():
        with only_writer(path.parent):
            _play_and_save(path, agents, games, seed, threads)
    return replace(load_match_ups(path), agents=tuple(agents))


def _play_and_save(path: Path, agents: Sequence[str], games: int, seed: int, threads: int) -> None:
    unfinished = path.with_suffix(".unfinished")
    rows = np.full((len(agents), len(agents), 6), np.nan)
    if unfinished.is_file():
        found = load_match_ups(unfinished)
        rows[..., 0], rows[..., 1] = found.lenient, found.strict
        rows[..., 2:] = found.features.reshape(*rows.shape[:2], 4)
    missing = np.flatnonzero(np.isnan(rows[:, 0, 0]))
    saved = time.monotonic()
    try:
        for first, row in play_rows(agents, missing.tolist(), games, seed, threads):
            rows[first] = row
            if time.monotonic() > saved + _SECONDS_BETWEEN_SAVES:
                save_match_ups(unfinished, join_rows(agents, rows))
                saved = time.monotonic()
    except BaseException:
        save_match_ups(unfinished, join_rows(agents, rows))
        raise
    save_match_ups(path, join_rows(agents, rows))
    unfinished.unlink(missing_ok=True)


def save_match_ups(path: Path, match_ups: MatchUps) -> None:
    """Write match-ups as a numpy archive (.npz); the file is complete or untouched.

    Raises:
        HoadError: nothing can be written there.
    """
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        agents=np.array(match_ups.agents, dtype=np.str_),
        lenient=match_ups.lenient,
        strict=match_ups.strict,
        features=match_ups.features,
    )
    with write_atomically(path) as file:
        file.write(buffer.getvalue())


def load_match_ups(path: Path) -> MatchUps:
    """Read what :func:`save_match_ups` wrote.

    Raises:
        HoadError: the file cannot be read or holds something else.
    """
    try:
        with np.load(path, allow_pickle=False) as stored:
            match_ups = MatchUps(
                tuple(stored["agents"].tolist()),
                stored["lenient"],
                stored["strict"],
                stored["features"],
            )
    except OSError as error:
        raise HoadError(
            f"{path}: cannot read these match-ups: {error.strerror or error}"
        ) from error
    except (
        KeyError,
        ValueError,
        AttributeError,
        EOFError,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise HoadError(
            f"{path}: not a file of match-ups; remove it and play them again"
        ) from error
    size = len(match_ups.agents)
    shapes = match_ups.lenient.shape, match_ups.strict.shape, match_ups.features.shape
    if shapes != ((size, size), (size, size), (size, size, 2, 2)):
        raise HoadError(f"{path}: match-ups of {size} agents with arrays of shapes {shapes}")
    return match_ups
