"""Commands that record games, check recorded games, and exchange them with other programs."""

import json as json_format
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from pydantic import Field

from hoad.core import cli
from hoad.core.files import check_target, require_present
from hoad.replay.recipe import PlayRecipe, refuse_existing

# Before torch is loaded, for networks that play: see hoad.commands.evaluate.
os.environ.setdefault("OMP_NUM_THREADS", "1")

Files = Annotated[tuple[Path, ...], *cli.at_least_one("FILE...")]
Source = Annotated[Path, cli.Positional("SOURCE")]
Target = Annotated[Path, cli.Positional("TARGET")]


def play(
    recipe: PlayRecipe,
    *,
    out: Path = Path("datasets"),
    resume: bool = False,
    workers: cli.Workers = cli.DEFAULT_WORKERS,
) -> None:
    """Play games between agents and write them to HDF5 files.

    There is one file for each agent in self-play, or for each pair.

    Args:
        recipe: What to play.
        out: Folder of the files.
        resume: Keep the games that are there already, and play the missing ones.
        workers: What plays.
    """
    if not resume:
        refuse_existing(recipe, out)

    from hoad.replay.dataset import read_metadata
    from hoad.replay.recorder import record

    with workers.in_use():
        paths = record(recipe, out, resume, workers.threads)
    for path in paths:
        metadata = read_metadata(path)
        print(
            f"{path}: {metadata['total_episodes']:,} games, {metadata['total_steps']:,} turns, "
            f"mean score {metadata['mean_lenient_score']:.2f} "
            f"(strict {metadata['mean_strict_score']:.2f})"
        )


def verify(files: Files, *, repair: bool = False, json: bool = False) -> int:
    """Replay recorded games under the rules and check everything recorded about them.

    Games that fail are named on standard error, and the exit status is 2. The blocks of an
    interrupted recording are checked as well.

    Args:
        files: Logs, as HDF5 (.h5) or JSON Lines (.jsonl, .jsonl.gz).
        repair: Save the good games of a damaged FILE.h5 to FILE.repaired.h5; remove damaged
            blocks of a recording, so that --resume plays them again.
        json: End with one line of JSON: games, verified, failed, observations_checked.
    """
    from tqdm import tqdm

    from hoad.core.files import printable
    from hoad.core.progress import progress
    from hoad.replay.verify import Verification, verify_files, with_blocks
    from hoad.replay.verify import repair as repair_file

    total = Verification()
    pieces = [piece for path in files for piece in with_blocks(path)]
    for piece in progress(pieces, "verifying", unit="files"):
        verified = verify_files([piece], lambda line: tqdm.write(printable(line), file=sys.stderr))
        if repair and verified.failed:
            tqdm.write(printable(repair_file(piece)))
        total += verified
    if json:
        print(json_format.dumps(asdict(total)))
    else:
        unreadable = " (an unreadable file counts as a game)" if total.failed else ""
        print(
            f"{total.games:,} games: {total.verified:,} verified, {total.failed:,} failed"
            f"{unreadable}; {total.observations_checked:,} observations checked by their hashes"
        )
    return cli.USAGE_ERROR if total.failed else 0


def info(files: Files, *, png: Path | None = None) -> None:
    """Show the metadata of recorded files and the distribution of their scores.

    Args:
        files: Recorded games (.h5).
        png: New file (.png) to which a figure of the scores is written.
    """
    require_present(*files)
    if png:
        check_target(png, (".png",))

    from hoad.replay.summary import draw_scores, format_summary, summarise

    summaries = [summarise(path) for path in files]
    print("\n\n".join(map(format_summary, summaries)))
    if png:
        draw_scores(summaries, png)


def import_(source: Source, target: Target, *, skip: bool = False) -> None:
    """Convert games of other programs to HDF5, after replaying them under the rules.

    From a clone of rocanaan/Hanabi-Map-Elites, convert the populations and matchups of Canaan et
    al. to the files that results/meta-agents*.toml look for in $HOAD_REFERENCE.

    Args:
        source: JSON Lines (.jsonl, .jsonl.gz), hanab.live's JSON (.json, or a folder of such
            files), AH2AC2's games (.safetensors), a folder with JaxMARL's decks.json and
            actions.json, or with the logs of HanabiData; all games of the same number of players.
            Or that clone.
        target: File to write (.h5); a folder for populations and matchups.
        skip: Leave out games that are refused, which are named on standard error, and import the
            others. Refused for HanabiData: its games name each other.
    """
    require_present(source)

    from hoad.core.files import one_line
    from hoad.evolution.published_files import import_published, is_published_clone
    from hoad.replay.formats.convert import import_games

    if is_published_clone(source):
        print("\n".join(map(str, import_published(source, target))))
        return
    left_out: list[str] | None = [] if skip else None
    dataset = import_games(source, target, left_out)
    logs, about = dataset.logs, dataset.metadata
    for reason in left_out or []:
        print(f"left out: {one_line(reason)}", file=sys.stderr)
    without = f"; {len(left_out):,} games left out" if left_out else ""
    print(f"{target}: {len(logs):,} games, {len(logs.actions):,} turns{without}")
    if about.get("cut_games"):
        print(
            f"{about['cut_turns']:,} actions cut from {about['cut_games']:,} games, each from the "
            "first one on that the rules forbid"
        )


def export(
    source: Source, target: Target, *, game: Annotated[int, Field(ge=0)] | None = None
) -> None:
    """Convert games from HDF5 to JSON Lines or to hanab.live's JSON.

    With --game, hanab.live's JSON can be pasted at "Watch specific replay" on that site; the
    link that opens the replay is printed.

    Args:
        source: Games to read (.h5).
        target: File to write: JSON Lines (.jsonl, .jsonl.gz) or for hanab.live (.json).
        game: Export this game only; the first is 0.
    """
    require_present(source)

    from hoad.replay.formats.convert import export_games

    exported = export_games(source, target, game)
    print(f"{target}: {exported.games:,} games, {exported.turns:,} turns")
    if exported.cut_turns:
        print(
            f"{exported.cut_turns:,} surplus actions cut from {exported.cut_games:,} games: "
            "hanab.live ends a game when no more points can be made"
        )
    if exported.link:
        print(exported.link)
