"""The report on Rainbow: how it learned, how it scores, what it answers to what.

Page, figures, JSON and CSV.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from hoad.agents import get_agent, play
from hoad.core.errors import HoadError
from hoad.core.files import make_folder
from hoad.core.paths import find_checkpoint
from hoad.evaluation.crossplay import CrossPlay, cross_play
from hoad.evaluation.rainbow_figures import draw_learning_curves, draw_move_tables
from hoad.evaluation.report.output import csv_text, how_it_was_made, write_report
from hoad.evaluation.report.page import Block, Figure, Heading, Paragraph, Table
from hoad.evaluation.statistics import Estimate, estimate
from hoad.game.log import replay
from hoad.learning.rainbow.curve import CPU_HOURS, CURVE, HOURS, STEPS, Line, read_curve
from hoad.learning.rainbow.move_table import hint_shares, move_table

PUBLISHED: Final = (
    ("Sarmasi 2022, table 2.1: the thesis's Rainbow", 18.5),
    ("Bard et al. 2020, table 2: Rainbow, 100 million moves", 20.64),
)
"""Strict scores in self-play of two players."""


@dataclass(frozen=True)
class SelfTaught:
    """One Rainbow: how it learned and how it plays with itself.

    Attributes:
        name: of the agent.
        curve: lines of its learning curve, the newest last.
        strict: mean strict score.
        lenient: mean lenient score.
        lost: share of games in which the last life was lost.
        colour_hints: share of its moves.
        rank_hints: share of its moves.
        moves: how often each move follows each move, as of :func:`move_table`.
    """

    name: str
    curve: Sequence[Line]
    strict: Estimate
    lenient: Estimate
    lost: float
    colour_hints: float
    rank_hints: float
    moves: np.ndarray


@dataclass(frozen=True)
class RainbowTable:
    """All that there is to tell: each Rainbow, and all of them with each other.

    Attributes:
        players: by seed.
        pairs: each with each.
        games: of each player with itself, and of each ordered pair.
        seed: of these games.
        seconds: wall time of them.
    """

    players: Sequence[SelfTaught]
    pairs: CrossPlay
    games: int
    seed: int
    seconds: float


def rainbow_table(seeds: Sequence[int], games: int, seed: int, threads: int) -> RainbowTable:
    """Let Rainbows that were trained with these seeds play, and read how they learned.

    Raises:
        HoadError: one of them, or its learning curve, is missing.
    """
    start = time.monotonic()
    names = [f"rainbow:{one}" for one in seeds]
    players = [_self_taught(name, games, seed) for name in names]
    pairs = cross_play(names, games, seed, threads)
    return RainbowTable(players, pairs, games, seed, time.monotonic() - start)


def _self_taught(name: str, games: int, seed: int) -> SelfTaught:
    agent = get_agent(name)
    curve = find_checkpoint(*name.split(":")).with_name(CURVE)
    if not curve.exists():
        raise HoadError(f"{curve}: no learning curve; train {name} with train_rainbow.py")
    logs = play((agent, agent), games, seed)
    outcomes = replay(logs)
    return SelfTaught(
        name,
        read_curve(curve),
        estimate(outcomes.strict.astype(float)),
        estimate(outcomes.scores.astype(float)),
        float((outcomes.lives == 0).mean()),
        *hint_shares(logs),
        move_table(logs),
    )


def write_rainbow_report(
    table: RainbowTable, made_with: Mapping[str, str | int], folder: Path
) -> Path:
    """Write page, figures, JSON and CSV into a folder; return the page.

    Raises:
        HoadError: nothing can be written there.
    """
    make_folder(folder)
    curves, moves = folder / "learning_curves.png", folder / "moves_after_moves.png"
    draw_learning_curves({one.name: one.curve for one in table.players}, curves)
    draw_move_tables({one.name: one.moves for one in table.players}, moves)
    page = [
        *rainbow_page(table),
        Heading("Learning curves"),
        Figure(curves, "Greedy self-play while training, against moves and against hours."),
        Heading("Conventions"),
        Figure(moves, "How often each move (column) follows each move of the partner (row)."),
        *how_it_was_made(made_with, table.seed, {"games": table.seconds}),
    ]
    numbers = as_mapping(table) | {"made_with": made_with}
    return write_report(folder, page, numbers, as_csv(table))


def rainbow_page(table: RainbowTable) -> Iterator[Block]:
    """Yield the page without its figures, which a terminal shows too."""
    yield Heading("Rainbow, trained in self-play", level=1)
    yield Paragraph(
        f"{table.games:,} games of each with itself and of each ordered pair, all on the same "
        f"decks (seed {table.seed}); means ± 95 % interval. Moves and hours are those of the "
        "whole training; of its checkpoints, the one with the best strict score in other games "
        "plays. Hints are shares of all moves."
    )
    heading = ["agent", "moves", "hours", "processor hours", "strict", "lenient", "lost"]
    heading += ["colour hints", "rank hints"]
    yield Table([heading, *map(_row, table.players)])
    yield Table([["published, strict", "mean"], *([who, f"{mean}"] for who, mean in PUBLISHED)])
    if len(table.players) > 1:
        yield Heading("Trained apart, playing together")
        yield Paragraph("Mean strict score ± standard error; row = first player.")
        yield Table(table.pairs.rows("strict"))


def _row(player: SelfTaught) -> list[str]:
    last = player.curve[-1]
    scores = [f"{one.mean:.2f} ± {one.half_width:.2f}" for one in (player.strict, player.lenient)]
    shares = (player.lost, player.colour_hints, player.rank_hints)
    return [
        player.name,
        f"{last[STEPS]:,.0f}",
        f"{last[HOURS]:.2f}",
        f"{last[CPU_HOURS]:.2f}",
        *scores,
        *(f"{share:.1%}" for share in shares),
    ]


def as_mapping(table: RainbowTable) -> dict[str, Any]:
    """Return what is written as JSON."""
    return {
        "games": table.games,
        "seed": table.seed,
        "players": [asdict(player) for player in table.players],
        "cross_play": table.pairs.as_mapping(),
    }


def as_csv(table: RainbowTable) -> str:
    """Return the learning curves, a line for each validation of each player."""
    columns = ["agent", *table.players[0].curve[0]]
    rows = [[player.name, *line.values()] for player in table.players for line in player.curve]
    return csv_text(columns, rows)
