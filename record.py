#!/usr/bin/env python
"""Record games, check recorded games, exchange them with other programs."""

# First, for the other imports take a while and Ctrl-C may come.

# isort: split

import json as json_format
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from pydantic import Field
from tqdm import tqdm

from hoad.core import cli
from hoad.core.progress import progress
from hoad.replay.dataset import read_card
from hoad.replay.formats.convert import export_games, import_games
from hoad.replay.recorder import PlayRecipe, record
from hoad.replay.repair import repair as repair_file
from hoad.replay.summary import draw_scores, load_card, write_card
from hoad.replay.verify import Verdict, verify_files, with_blocks

Files = Annotated[
    tuple[Path, ...],
    cli.Positional,
    cli.arg(metavar="FILE...", help_behavior_hint="(at least one)"),
    Field(min_length=1),
]
File = Annotated[Path, cli.Positional]


def play_games(
    recipe: PlayRecipe,
    *,
    out: Path = Path("datasets"),
    resume: bool = False,
    crew: cli.Crew = cli.DEFAULT_CREW,
) -> None:
    """Let agents play, and write their games to HDF5 files, one for each agent or pair.

    Args:
        recipe: What to play.
        out: Folder that the files are written to.
        resume: Keep what is there already, and play only what is missing.
        crew: Who plays.
    """
    with crew.at_work():
        paths = record(recipe, out, resume, crew.threads)
    for path in paths:
        card = read_card(path)
        print(
            f"{path}: {card['total_episodes']:,} games, {card['total_steps']:,} turns, mean score "
            f"{card['mean_lenient_score']:.2f} (strict {card['mean_strict_score']:.2f})"
        )


def verify(files: Files, *, repair: bool = False, json: bool = False) -> int:
    """Replay recorded games under the rules and check everything that was recorded of them.

    Each game that fails is named on standard error; the exit status is 2 if there is one. The
    blocks of an interrupted recording are checked as well.

    Args:
        files: Logs, as HDF5 (.h5) or JSON Lines (.jsonl, .jsonl.gz).
        repair: Save what is left of damaged HDF5 files: the good games of FILE.h5 go to
            FILE.repaired.h5; damaged blocks of a recording are removed, for --resume to play
            them again.
        json: End with one line of JSON: games, verified, failed, observations_checked.
    """
    verdict = Verdict()
    pieces = [piece for path in files for piece in with_blocks(path)]
    for piece in progress(pieces, "verifying", unit="files"):
        found = verify_files([piece], lambda line: tqdm.write(line, file=sys.stderr))
        if repair and found.failed:
            tqdm.write(repair_file(piece))
        verdict += found
    if json:
        print(json_format.dumps(asdict(verdict)))
    else:
        unreadable = " (an unreadable file counts as a game)" if verdict.failed else ""
        print(
            f"{verdict.games:,} games: {verdict.verified:,} verified, {verdict.failed:,} failed"
            f"{unreadable}; {verdict.observations_checked:,} observations checked by their hashes"
        )
    return cli.USAGE_ERROR if verdict.failed else 0


def info(files: Files, *, png: Path | None = None) -> None:
    """Show what made recorded files, and how their games' scores spread.

    Args:
        files: Recorded games (.h5).
        png: Draw the scores as well, to this file.
    """
    cards = [load_card(path) for path in files]
    print("\n\n".join(map(write_card, cards)))
    if png:
        draw_scores(cards, png)


def import_file(source: File, target: File) -> None:
    """Convert games of other programs to HDF5, after replaying them under the rules.

    Args:
        source: JSON Lines (.jsonl, .jsonl.gz), hanab.live's JSON (.json, or a folder of such
            files), AH2AC2's games (.safetensors), or a folder with JaxMARL's decks.json and
            actions.json; all games of the same number of players.
        target: File to write (.h5).
    """
    logs = import_games(source, target).logs
    print(f"{target}: {len(logs):,} games, {len(logs.actions):,} turns")


def export_file(
    source: File, target: File, *, game: Annotated[int, Field(ge=0)] | None = None
) -> None:
    """Convert games from HDF5 to JSON Lines or to hanab.live's JSON.

    With --game, hanab.live's JSON can be pasted at "Watch specific replay" on that site; the
    link that opens the replay is printed.

    Args:
        source: Games to read (.h5).
        target: File to write: JSON Lines (.jsonl, .jsonl.gz) or for hanab.live (.json).
        game: Export this game only; the first is 0.
    """
    exported = export_games(source, target, game)
    print(f"{target}: {exported.games:,} games, {exported.turns:,} turns")
    if exported.cut_turns:
        print(
            f"{exported.cut_turns:,} surplus actions cut from {exported.cut_games:,} games: "
            "hanab.live ends a game when no more points can be made"
        )
    if exported.link:
        print(exported.link)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # as evaluate.py has it, for networks that play
    cli.run(
        {
            "play": play_games,
            "verify": verify,
            "info": info,
            "import": import_file,
            "export": export_file,
        },
        "Record games, check recorded games, exchange them with other programs.",
    )
