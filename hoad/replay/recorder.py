"""Recording: agents play, their games go to disk in blocks that are complete or absent.

The blocks of ``FILE`` are small datasets of their own in the folder ``FILE.parts``. When the
last one is there they are joined and the folder is removed.
"""

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Final, Self

from pydantic import Field, model_validator
from tqdm import tqdm

from hoad.agents.play import play
from hoad.agents.registry import get_agent
from hoad.core.errors import HoadError
from hoad.core.files import PARTS, make_folder, only_writer, safe_name
from hoad.core.progress import progress
from hoad.core.recipe import Recipe
from hoad.core.workers import work
from hoad.game.log import GameLogs, join_logs
from hoad.replay.dataset import (
    Dataset,
    make_dataset,
    read_card,
    read_unchecked,
    write_blocks,
    write_dataset,
)

BLOCK: Final = 16_384
"""Games of a block, which is kept once it is complete."""

_AHEAD: Final = 8
"""Blocks that are played at a time: what an interrupted recording loses at most."""

PIECE: Final = 2_048
"""Games that one thread or worker plays at a time; several of these are a block."""


class Pair(Recipe):
    """Two agents at one table."""

    seats: tuple[str, ...] = Field(
        min_length=2, max_length=2, description="Who moves first, who moves second."
    )


class PlayRecipe(Recipe):
    """Games to record."""

    seed: int = Field(0, ge=0, lt=2**63, description="Decides all decks and random moves.")
    games: int = Field(ge=1, description="Games of each agent or pair.")
    agents: tuple[str, ...] = Field((), description="Agents that play with themselves.")
    pairs: tuple[Pair, ...] = Field((), description="Agents that play with each other.")

    @model_validator(mode="after")
    def _names_somebody(self) -> Self:
        if not self.tables:
            raise ValueError("agents and pairs are empty, so nobody plays")
        return self

    @property
    def tables(self) -> list[tuple[str, str]]:
        """Return the names of the agents by seat, of each recording."""
        alone = [(name, name) for name in self.agents]
        return alone + [(pair.seats[0], pair.seats[1]) for pair in self.pairs]


@dataclass(frozen=True)
class Recording:
    """One file to be: who plays, how many games of which run.

    Attributes:
        path: The file.
        agents: Names by seat.
        seed: Seed of the run.
        games: How many.
    """

    path: Path
    agents: tuple[str, str]
    seed: int
    games: int

    @property
    def parts(self) -> Path:
        """The folder of the blocks."""
        return self.path.with_name(f"{self.path.name}{PARTS}")

    @property
    def blocks(self) -> list["Block"]:
        """The blocks of this recording."""
        starts = range(0, self.games, BLOCK)
        return [
            Block(self.parts / f"{start:010}.h5", start, min(BLOCK, self.games - start))
            for start in starts
        ]

    def card(self, first_game: int) -> dict[str, Any]:
        """Return what a file says of the run and of the recipe that makes this file alone."""
        first, second = self.agents
        seats = json.dumps([first, second], ensure_ascii=False)
        who = f"agents = {json.dumps([first], ensure_ascii=False)}"
        if first != second:
            who = f"pairs = [{{ seats = {seats} }}]"
        recipe = f"seed = {self.seed}\ngames = {self.games}\n{who}\n"
        return {
            "recipe": recipe,
            "seed": self.seed,
            "first_game": first_game,
            "agents_digest": self.agents_digest,
        }

    @cached_property
    def agents_digest(self) -> str:
        """What tells these agents from others of the same names: 12 hexadecimal digits."""
        return digest_agents(self.agents)


@dataclass(frozen=True)
class Block:
    """Some games of a recording: a file, the first game's index, how many."""

    path: Path
    first_game: int
    games: int

    @property
    def pieces(self) -> list[tuple[int, int]]:
        """The first game and the number of games of each piece."""
        end = self.first_game + self.games
        starts = range(self.first_game, end, PIECE)
        return [(start, min(PIECE, end - start)) for start in starts]


def record(recipe: PlayRecipe, out: Path, resume: bool, threads: int) -> list[Path]:
    """Play and record all that a recipe asks for.

    All recordings are of the same run, so game ``i`` has the same deck in all files: agents can
    be compared in pairs of games.

    Args:
        recipe: What to play.
        out: Folder of the files.
        resume: Keep what is there, and play only what is missing.
        threads: number of threads; the games do not depend on it.

    Returns:
        The files, in the order of the recipe.

    Raises:
        HoadError: An agent is unknown; without ``resume``, something is there already; with it,
            what is there is of other agents, games or seed; another program records the same
            file; a file cannot be written.
        KeyboardInterrupt: Its message says how to go on.
    """
    recordings = plan(recipe, out)
    for recording in recordings:
        for name in recording.agents:
            get_agent(name)
        _check_what_is_there(recording, resume)
    make_folder(out)
    try:
        for recording in recordings:
            _record_one(recording, threads)
    except KeyboardInterrupt as interrupt:
        kept = sum(block.games for block in recording.blocks if block.path.exists())
        raise KeyboardInterrupt(
            f"interrupted while recording {recording.path}; {kept:,} of its {recording.games:,} "
            "games are kept, give the same command with --resume to go on"
        ) from interrupt
    return [recording.path for recording in recordings]


def plan(recipe: PlayRecipe, out: Path) -> list[Recording]:
    """Return the recordings of a recipe.

    Raises:
        HoadError: Two of them would have the same file.
    """
    recordings = [
        Recording(out / file_name(agents), agents, recipe.seed, recipe.games)
        for agents in recipe.tables
    ]
    path, times = Counter(recording.path for recording in recordings).most_common(1)[0]
    if times > 1:
        raise HoadError(f"{path}: {times} recordings of the recipe would have this file name")
    return recordings


def digest_agents(names: Sequence[str]) -> str:
    """Return 12 hexadecimal digits that tell these agents from others of the same names.

    Raises:
        HoadError: One is unknown.
    """
    identities = [repr(get_agent(name).identity) for name in names]
    return hashlib.sha256(json.dumps(identities).encode()).hexdigest()[:12]


def file_name(agents: Sequence[str]) -> str:
    """Return e.g. ``iggi.h5`` or ``iggi+rules_8,13.h5``: safe characters on any system."""
    names = [safe_name(name) for name in dict.fromkeys(agents)]
    return f"{'+'.join(names)}.h5"


def _check_what_is_there(recording: Recording, resume: bool) -> None:
    """Refuse to overwrite anything, and to go on with something else than was begun."""
    if recording.parts.exists():
        with only_writer(recording.parts):
            pass
    existing = [block for block in recording.blocks if block.path.exists()]
    if recording.path.exists():
        existing.append(Block(recording.path, 0, recording.games))
    elif recording.parts.exists() and not resume:
        raise HoadError(
            f"{recording.parts}: holds an interrupted recording; "
            "go on with --resume, or remove the folder"
        )
    if existing and not resume:
        raise HoadError(f"{existing[-1].path}: exists; keep it with --resume, or remove it")
    for block in existing:
        _check_same(recording, block)


def _check_same(recording: Recording, block: Block) -> None:
    card = read_card(block.path)
    wanted = {
        "agents": (recording.agents,),
        "seed": recording.seed,
        "first_game": block.first_game,
        "total_episodes": block.games,
    }
    for key, value in wanted.items():
        if card.get(key) != value:
            raise HoadError(
                f"{block.path}: another recording ({key} is {card.get(key)}, the recipe says "
                f"{value}); remove it or choose another folder with --out"
            )
    if card.get("agents_digest", recording.agents_digest) != recording.agents_digest:
        raise HoadError(
            f"{block.path}: recorded with another {' or '.join(dict.fromkeys(recording.agents))} "
            "than there is now; remove it or choose another folder with --out"
        )


def _record_one(recording: Recording, threads: int) -> None:
    """Play the missing blocks, join all, remove them."""
    name = " + ".join(dict.fromkeys(recording.agents))
    with progress(recording.games, name, unit="games") as bar:
        if not recording.path.exists():
            make_folder(recording.parts)
            with only_writer(recording.parts):
                _play_and_join(recording, threads, bar)
    _check_same(recording, Block(recording.path, 0, recording.games))
    shutil.rmtree(recording.parts, ignore_errors=True)


def _play_and_join(recording: Recording, threads: int, bar: tqdm) -> None:
    """Play what is missing; nobody else writes to this recording meanwhile."""
    if recording.path.exists():  # another program finished it before this one took the lock
        return
    missing = [block for block in recording.blocks if not block.path.exists()]
    bar.update(recording.games - sum(block.games for block in missing))
    for start in range(0, len(missing), _AHEAD):
        _play_blocks(recording, missing[start : start + _AHEAD], threads, bar)
    write_blocks(recording.path, map(_read_block, recording.blocks), recording.card(0))


def _play_blocks(recording: Recording, blocks: Sequence[Block], threads: int, bar: tqdm) -> None:
    """Play and write some blocks; those who play do not wait for who writes."""
    items = [
        (recording.agents, games, recording.seed, first_game)
        for block in blocks
        for first_game, games in block.pieces
    ]
    pieces = work(_play_piece, items, threads)
    for block in blocks:
        logs = []
        for piece in islice(pieces, len(block.pieces)):
            logs.append(piece)
            bar.update(len(piece))
        write_dataset(block.path, _dataset(recording, block, join_logs(logs)))


def _play_piece(names: Sequence[str], games: int, seed: int, first_game: int) -> GameLogs:
    return play([get_agent(name) for name in names], games, seed, first_game)


def _dataset(recording: Recording, block: Block, logs: GameLogs) -> Dataset:
    card = recording.card(block.first_game)
    return make_dataset(logs, [recording.agents], card, source=" + ".join(recording.agents))


def _read_block(block: Block) -> Dataset:
    try:
        return read_unchecked(block.path)
    except HoadError as error:
        raise HoadError(
            f"{block.path}: damaged; `record.py verify --repair {block.path.parent}` "
            "removes it, then go on with --resume"
        ) from error
