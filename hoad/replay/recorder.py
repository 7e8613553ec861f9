"""Recording: agents play, and their games are written in blocks that are complete or absent.

The blocks of ``FILE`` are small datasets in the folder ``FILE.parts``. When all are complete, they
are joined and the folder is removed.
"""

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

from tqdm import tqdm

from hoad.agents.agent import Agent
from hoad.agents.games import check_players, play
from hoad.agents.registry import get_agent, shown_name
from hoad.core.capacity import require_disk, require_memory
from hoad.core.errors import HoadError
from hoad.core.files import make_folder, only_writer, remove_unfinished
from hoad.core.identity import identity_of
from hoad.core.progress import progress
from hoad.core.run_log import write_log_to
from hoad.core.workers import work
from hoad.game.log import GameLogs, join_logs
from hoad.replay.dataset import (
    Dataset,
    make_dataset,
    read_metadata,
    read_unchecked,
    write_blocks,
    write_dataset,
)
from hoad.replay.recipe import PlayRecipe, file_name, parts_of, refuse_existing

BLOCK: Final = 16_384
"""Games of a block; a complete block is kept."""

_AHEAD: Final = 8  # blocks that are played at a time: an interrupted recording loses at most these

PIECE: Final = 2_048
"""Games that one thread or worker plays at a time; a block consists of several pieces."""

_SLOW_PIECES: Final = 10  # pieces of a block of agents that play fewer games at a time


_GAME_BYTES: Final = 66  # of a compressed game of iggi; other agents' have about the same length


@dataclass(frozen=True)
class Recording:
    """One file to record: its agents by seat, seed and number of games."""

    path: Path
    agents: tuple[str, ...]
    seed: int
    games: int

    @property
    def parts(self) -> Path:
        """The folder of the blocks."""
        return parts_of(self.path)

    @property
    def blocks(self) -> list["RecordedBlock"]:
        """All blocks, complete or not; small ones for agents that play a few games at a time."""
        piece, size = PIECE, BLOCK
        fewest = min(get_agent(name).games_at_once for name in self.agents)
        if fewest < Agent.games_at_once:
            piece, size = fewest, fewest * _SLOW_PIECES
        cuts = _cut(0, self.games, size)
        return [
            RecordedBlock(self.parts / f"{first:010}.h5", first, games, piece)
            for first, games in cuts
        ]

    @property
    def whole(self) -> "RecordedBlock":
        """The file as one block."""
        return RecordedBlock(self.path, 0, self.games, self.games)

    @property
    def missing_games(self) -> int:
        """Games of blocks that are not complete."""
        kept = (b.games for b in self.blocks if b.path.exists()) if self.parts.exists() else ()
        return self.games - sum(kept)

    def metadata(self, first_game: int) -> dict[str, Any]:
        """Return metadata of the file or of a block, with a recipe that records this file alone."""
        is_self_play = len(set(self.agents)) == 1
        names = json.dumps(self.agents[:1] if is_self_play else self.agents, ensure_ascii=False)
        agents = f"agents = {names}" if is_self_play else f"pairs = [{{ seats = {names} }}]"
        players = f"players = {len(self.agents)}\n" if len(self.agents) > 2 else ""
        titles = tuple(map(shown_name, self.agents))
        return {
            "recipe": f"seed = {self.seed}\ngames = {self.games}\n{players}{agents}\n",
            "seed": self.seed,
            "first_game": first_game,
            "agents_digest": self.agents_identity,
            **({"titles": titles} if titles != self.agents else {}),
        }

    @cached_property
    def agents_identity(self) -> str:
        """The identity of the agents (`identity_of_agents`)."""
        return identity_of_agents(self.agents)


@dataclass(frozen=True)
class RecordedBlock:
    """Consecutive games of a recording, in a file of their own; ``piece`` is the size of pieces."""

    path: Path
    first_game: int
    games: int
    piece: int

    @property
    def pieces(self) -> list[tuple[int, int]]:
        """The first game and the number of games of each piece."""
        return _cut(self.first_game, self.games, self.piece)


def _cut(start: int, games: int, size: int) -> list[tuple[int, int]]:
    """Return the first game and the number of games of each part of consecutive games."""
    end = start + games
    return [(first, min(size, end - first)) for first in range(start, end, size)]


def record(recipe: PlayRecipe, out: str | Path, resume: bool, threads: int) -> list[Path]:
    """Play and record all games of a recipe; return the files in ``out``, in its order.

    Game ``i`` has the same deck in all files, so that agents can be compared game by game. The
    games do not depend on ``threads``. With ``resume``, complete files and blocks are kept, and
    only the missing games are played.

    Raises:
        HoadError: An agent is unknown, or does not play with so many players; a file or block
            exists (without ``resume``), or exists with other agents, games or seed (with
            ``resume``); another program records the same file; a file cannot be written.
        KeyboardInterrupt: The message says what was kept and how to continue.
    """
    if not resume:
        refuse_existing(recipe, Path(out))
    recordings = plan(recipe, out)
    _refuse_too_many([new for new in recordings if not new.path.exists()], Path(out))
    for recording in recordings:
        check_players([get_agent(name) for name in recording.agents])
        _check_existing(recording)
    make_folder(Path(out))
    write_log_to(Path(out))
    try:
        for recording in recordings:
            _record_one(recording, threads)
    except KeyboardInterrupt as interrupt:
        kept = recording.games
        if not recording.path.exists():
            kept = sum(block.games for block in recording.blocks if block.path.exists())
        raise KeyboardInterrupt(
            f"interrupted while recording {recording.path}; {kept:,} of its {recording.games:,} "
            "games are kept, give the same command with --resume to continue"
        ) from interrupt
    return [recording.path for recording in recordings]


def _refuse_too_many(recordings: Sequence[Recording], out: Path) -> None:
    """Refuse games that do not fit on the disk, or into the memory where blocks are joined.

    Blocks are removed when they have been joined, and those of an earlier part are there.
    """
    counts = [recording.games for recording in recordings]
    missing = [recording.missing_games for recording in recordings]
    for games, require in (
        (sum(counts) + max(missing, default=0), partial(require_disk, out)),
        (max(counts, default=0), require_memory),
    ):
        what = f"recording {games:,} games (counting blocks and joined files)"
        require(games * _GAME_BYTES, what, "record fewer with --games")


def plan(recipe: PlayRecipe, out: str | Path) -> list[Recording]:
    """Return the recordings of a recipe; a HoadError if two of them would have the same file."""
    recordings = [
        Recording(Path(out) / file_name(agents), agents, recipe.seed, recipe.games)
        for agents in recipe.pairings
    ]
    path, times = Counter(recording.path for recording in recordings).most_common(1)[0]
    if times > 1:
        raise HoadError(f"{path}: {times} recordings of the recipe have this file name")
    return recordings


def identity_of_agents(names: Sequence[str]) -> str:
    """Return the identity of some agents, 12 hexadecimal digits; a HoadError if unknown.

    It differs for other agents of the same names, such as a network that was trained again.
    """
    return identity_of([repr(get_agent(name).identity) for name in names])


def _check_existing(recording: Recording) -> None:
    """Refuse to resume a recording of other games."""
    if recording.parts.exists():
        with only_writer(recording.parts):
            pass
    existing = [block for block in recording.blocks if block.path.exists()]
    if recording.path.exists():
        existing.append(recording.whole)
    for block in existing:
        _check_same(recording, block)


def _check_same(recording: Recording, block: RecordedBlock) -> None:
    """Refuse an existing file or block with other agents or other games."""
    metadata = read_metadata(block.path)
    wanted = {
        "agents": (recording.agents,),
        "seed": recording.seed,
        "first_game": block.first_game,
        "total_episodes": block.games,
    }
    for key, value in wanted.items():
        if metadata.get(key) != value:
            raise HoadError(
                f"{block.path}: another recording ({key} is {metadata.get(key)}, the recipe says "
                f"{value}); remove it or choose another folder with --out"
            )
    if metadata.get("agents_digest", recording.agents_identity) != recording.agents_identity:
        raise HoadError(
            f"{block.path}: recorded with another {' or '.join(dict.fromkeys(recording.agents))} "
            "than the present one; remove it or choose another folder with --out"
        )


def _record_one(recording: Recording, threads: int) -> None:
    """Play the missing blocks, join all blocks, and remove them."""
    name = " + ".join(dict.fromkeys(recording.agents))
    with progress(recording.games, name, unit="games") as bar:
        if not recording.path.exists():
            make_folder(recording.parts)
            with only_writer(recording.parts):
                _play_and_join(recording, threads, bar)
    _check_same(recording, recording.whole)
    _remove_blocks(recording)


def _remove_blocks(recording: Recording) -> None:
    """Remove the blocks, and their folder unless it holds anything else."""
    with suppress(OSError):
        for block in recording.blocks:
            block.path.unlink(missing_ok=True)
            remove_unfinished(block.path)
        recording.parts.rmdir()


def _play_and_join(recording: Recording, threads: int, bar: tqdm) -> None:
    """Play the missing blocks and join all; the caller holds the lock of the folder."""
    if recording.path.exists():  # another program completed it before this one took the lock
        return
    missing = [block for block in recording.blocks if not block.path.exists()]
    bar.update(recording.games - sum(block.games for block in missing))
    for start in range(0, len(missing), _AHEAD):
        _play_blocks(recording, missing[start : start + _AHEAD], threads, bar)
    write_blocks(recording.path, map(_read_block, recording.blocks), recording.metadata(0))


def _play_blocks(
    recording: Recording, blocks: Sequence[RecordedBlock], threads: int, bar: tqdm
) -> None:
    """Play and write blocks; games are played while complete blocks are written."""
    items = (
        (recording.agents, games, recording.seed, first_game)
        for block in blocks
        for first_game, games in block.pieces
    )
    pieces = work(_play_piece, items, threads)
    for block in blocks:
        logs = []
        for piece in islice(pieces, len(block.pieces)):
            logs.append(piece)
            bar.update(len(piece))
        metadata, source = recording.metadata(block.first_game), " + ".join(recording.agents)
        dataset = make_dataset(join_logs(logs), [recording.agents], metadata, source)
        write_dataset(block.path, dataset)


def _play_piece(names: Sequence[str], games: int, seed: int, first_game: int) -> GameLogs:
    return play([get_agent(name) for name in names], games, seed, first_game)


def _read_block(block: RecordedBlock) -> Dataset:
    try:
        return read_unchecked(block.path)
    except HoadError as error:
        raise HoadError(
            f"{block.path}: damaged; remove it with `record.py verify --repair "
            f"{block.path.parent}`, then continue with --resume"
        ) from error
