"""Rainbow agents: learning curves, scores in self-play and cross-play, and conventions."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from hoad.agents import get_agent, play
from hoad.core.errors import HoadError
from hoad.core.paths import CURVE, find_checkpoint
from hoad.game.log import replay
from hoad.game.moves import MOVES, move_name
from hoad.game.state import full_game
from hoad.learning.rainbow.curve import CPU_HOURS, HOURS, STEPS, Line, read_curve
from hoad.learning.rainbow.move_table import hint_shares, move_table
from hoad.reports.output import Result, Started
from hoad.reports.page import Block, Figure, Heading, Paragraph, Report, Table
from hoad.reports.plots import SCORE_RANGE, Panel, Series, draw_lines, draw_matrices
from hoad.reports.published import RAINBOW_SELF_PLAY
from hoad.reports.statistics import SCORES, Estimate, estimate, show
from hoad.reports.styles import styles_of
from hoad.studies.crossplay import CrossPlay, cross_play


@dataclass(frozen=True)
class RainbowAgent:
    """One Rainbow agent: its learning curve (newest line last) and its games in self-play.

    Attributes:
        strict: mean score; likewise ``lenient``.
        lost: share of games in which the last life was lost.
        colour_hints: share of its moves; likewise ``rank_hints``.
        moves: how often each move follows each move, see :func:`move_table`.
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
class RainbowResult(Result):
    """Several Rainbow agents, by seed of their training, and their cross-play."""

    players: Sequence[RainbowAgent]
    pairs: CrossPlay


def measure_rainbow(seeds: Sequence[int], games: int, seed: int, threads: int) -> RainbowResult:
    """Play Rainbow agents of these seeds, and read their curves; a HoadError if one is missing."""
    started = Started(seed)
    names = [f"rainbow:{number}" for number in seeds]
    players = [_self_play(name, games, seed) for name in names]
    pairs = cross_play(names, games, seed, threads)
    return RainbowResult(players, pairs, **started.ended())


def _self_play(name: str, games: int, seed: int) -> RainbowAgent:
    agent = get_agent(name)
    curve = find_checkpoint(*name.split(":")).with_name(CURVE)
    if not curve.exists():
        raise HoadError(f"{curve}: no learning curve; train {name} with train_rainbow.py")
    logs = play((agent, agent), games, seed)
    outcomes = replay(logs)
    strict, lenient = (estimate(s.astype(float)) for s in (outcomes.strict, outcomes.scores))
    lost = float((outcomes.lives == 0).mean())
    colour_hints, rank_hints = hint_shares(logs)
    return RainbowAgent(
        name, read_curve(curve), strict, lenient, lost, colour_hints, rank_hints, move_table(logs)
    )


def report(result: RainbowResult) -> Report:
    """Return scores, cross-play, learning curves and conventions.

    A row for each validation of each agent: its learning curve.
    """
    heading = ["agent", "moves", "hours", "processor hours", "strict", "lenient", "lost"]
    heading += ["colour hints", "rank hints"]
    published = [[source, f"{mean}"] for source, mean in RAINBOW_SELF_PLAY.items()]
    text = (
        f"{result.pairs.games:,} games of self-play of each agent and of each ordered pair, "
        f"all on the same decks (seed {result.seed}); means ± 95 % interval. Moves and hours "
        "are those of the whole training. The agent is the checkpoint with the best strict "
        "score in validation games. Hints are shares of all moves."
    )
    blocks: list[Block] = [Paragraph(text), Table([heading, *map(_cells, result.players)])]
    blocks.append(Table([["published, strict", "mean"], *published]))
    if len(result.players) > 1:
        blocks += [
            Heading("Cross-play of independent trainings"),
            Paragraph("Mean strict score ± 95 % interval; row = first player."),
            result.pairs.table("strict"),
        ]
    rows = [{"agent": player.name, **line} for player in result.players for line in player.curve]
    facts = {"games": result.pairs.games, "players": list(map(asdict, result.players))}
    facts |= {"cross_play": result.pairs.as_mapping()}
    blocks += _figures(result)
    return result.report("Rainbow, trained in self-play", blocks, rows, facts)


def _cells(player: RainbowAgent) -> list[str]:
    last = player.curve[-1]
    training = [f"{last[STEPS]:,.0f}", f"{last[HOURS]:.2f}", f"{last[CPU_HOURS]:.2f}"]
    shares = (player.lost, player.colour_hints, player.rank_hints)
    scores = [show(player.strict), show(player.lenient)]
    return [player.name, *training, *scores, *(f"{share:.1%}" for share in shares)]


def _figures(result: RainbowResult) -> list[Block]:
    moves = [move_name(full_game(2), move) for move in range(MOVES)]
    tables = {player.name: player.moves for player in result.players}
    sides = ("the partner's move before it", "move")
    return [
        Heading("Learning curves"),
        Figure(
            "learning_curves.png",
            "Greedy self-play during training, by number of moves and by hours.",
            lambda: draw_lines([_curves(result, *axis) for axis in _AXES]),
        ),
        Heading("Conventions"),
        Figure(
            "moves_after_moves.png",
            "How often each move (column) follows each move of the partner (row).",
            lambda: draw_matrices(tables, (moves, moves), sides, 1, unit="probability"),
        ),
    ]


_AXES = ((STEPS, 1e6, "million moves"), (HOURS, 1.0, "hours"))


def _curves(result: RainbowResult, column: str, unit: float, label: str) -> Panel:
    """Return both scores of all agents against one column of the learning curve."""
    series, styles = [], styles_of(player.name for player in result.players)
    for player in result.players:
        x = [line[column] / unit for line in player.curve]
        without_marker = replace(styles[player.name], marker="")
        for score, line_style in zip(SCORES, (":", "-"), strict=True):
            y = [line[score] for line in player.curve]
            name = f"{player.name}, {score}"
            series.append(Series(name, x, y, line=line_style, style=without_marker))
    return Panel(label, "mean score", series, y_range=SCORE_RANGE)
