"""Cross-play: every agent with every agent, in both seats, on the same decks.

Besides scores, it counts the behaviour of each seat by which Canaan et al. 2022 describe agents.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, Final

import numpy as np

from hoad.agents import Agent, get_agent, play
from hoad.agents.behaviour import COUNTS, count_behaviour
from hoad.agents.games import check_players
from hoad.agents.registry import shown_name
from hoad.core.capacity import require_memory
from hoad.core.errors import HoadError, refuse_outside
from hoad.core.progress import counted
from hoad.core.workers import work
from hoad.game.log import replay
from hoad.game.state import PERFECT_SCORE
from hoad.reports.output import Result, Started, six_digits
from hoad.reports.page import Block, Figure, Heading, Paragraph, Report, Table, numbered_matrix
from hoad.reports.plots import draw_matrices
from hoad.reports.statistics import SCORES, Estimate, half_width, show

NOT_FAIR: Final = "* sees its own hand: not a fair player"
"""The meaning of the mark in :attr:`CrossPlay.labels`."""

_GAME_BYTES: Final = 40  # memory for both scores of a game, in parts and joined


@dataclass(frozen=True, repr=False)
class CrossPlay:
    """Scores of all ordered pairs; in the arrays, row = first player, column = second player.

    Attributes:
        agents: names.
        fair: whether each agent sees only what its player may see.
        games: of each pair.
        lenient: mean scores, float64, shape ``(agents, agents)``; likewise ``strict``.
        lenient_sem: standard errors of those means; NaN for a single game.
        behaviour: sums over the games of :func:`hoad.agents.behaviour.count_behaviour`, int64,
            shape ``(agents, agents, 2, COUNTS)``: first player, second player, seat, count. Zeros
            with more than two players.
        players: of a game; all players but the first are the second agent.
    """

    agents: tuple[str, ...]
    fair: tuple[bool, ...]
    games: int
    lenient: np.ndarray
    strict: np.ndarray
    lenient_sem: np.ndarray
    strict_sem: np.ndarray
    behaviour: np.ndarray
    players: int = 2

    def __repr__(self) -> str:
        return f"<CrossPlay of {', '.join(self.agents)}: {self.games:,} games per pair>"

    @property
    def labels(self) -> tuple[str, ...]:
        """The agents' names for tables, with a star after those that are not fair."""
        pairs = zip(map(shown_name, self.agents), self.fair, strict=True)
        return tuple(name if fair else f"{name}*" for name, fair in pairs)

    def as_mapping(self) -> dict[str, Any]:
        """Return the names, the number of games and the four matrices, for JSON."""
        hidden = ("behaviour", "fair")
        return {key: value for key, value in vars(self).items() if key not in hidden}

    def tidy_rows(self) -> list[dict[str, object]]:
        """Return a row for each ordered pair: names, mean scores, standard errors, games."""
        return [
            {"first": first, "second": second, **self.scores(one, other)}
            for (one, first), (other, second) in product(enumerate(self.agents), repeat=2)
        ]

    def scores(self, first: int, second: int) -> dict[str, object]:
        """Return mean scores, standard errors and number of games of one pair by index."""
        keys = [key for score in SCORES for key in (score, f"{score}_sem")]
        means = {key: six_digits(getattr(self, key)[first, second]) for key in keys}
        return {**means, "games": self.games}

    def cell(self, score: str, first: int, second: int) -> str:
        """Return ``mean ± half width`` of the lenient or strict score of one pair."""
        mean = getattr(self, score)[first, second]
        width = half_width(getattr(self, f"{score}_sem")[first, second], self.games)
        return show(Estimate(mean, width, self.games))

    def table(self, score: str) -> Table:
        """Return the matrix of lenient or strict scores."""
        indices = range(len(self.agents))
        cells = [[self.cell(score, row, column) for column in indices] for row in indices]
        corner = "first \\ second" if self.players == 2 else "first \\ others"
        return numbered_matrix(corner, self.labels, cells)

    def sections(self, title: str, text: str) -> list[Block]:
        """Return a section with the matrix of each score; ``text`` explains the cells."""
        blocks: list[Block] = []
        for score in SCORES:
            blocks += [Heading(f"{title}: {score} scores"), Paragraph(text), self.table(score)]
        return blocks

    def heat_maps(self, caption: str = "") -> Figure:
        """Return both matrices as a figure, ``cross_play.png``."""
        columns = "second player" if self.players == 2 else f"the {self.players - 1} others"
        caption = caption or f"Mean scores; row: first player, column: {columns}."
        panels = {f"{key}, {self.games:,} games per pair": getattr(self, key) for key in SCORES}
        labels = self.labels, self.labels
        sides = "first player", "second player" if self.players == 2 else "other players"
        draw = partial(draw_matrices, panels, labels, sides, PERFECT_SCORE, decimals=1)
        return Figure("cross_play.png", caption, draw)


def cross_play_page(
    agents: Sequence[str], games: int, seed: int, threads: int, players: int
) -> Report:
    """Return the report on :func:`cross_play`, with heat maps and how it was made."""
    started = Started(seed)
    pairs = cross_play(agents, games, seed, threads, players)
    result, plain = Result(**started.ended()), report(pairs)
    blocks = [*plain.blocks, pairs.heat_maps()]
    return result.report(plain.title, blocks, plain.rows, plain.facts)


def report(pairs: CrossPlay) -> Report:
    """Return both matrices of scores."""
    blocks: list[Block] = []
    for score in SCORES:
        text = f"Mean {score} score of {pairs.games:,} games ± 95 % interval; row = first player"
        text += f", column = the {pairs.players - 1} others." if pairs.players > 2 else "."
        blocks += [Paragraph(text), pairs.table(score)]
    if not all(pairs.fair):
        blocks.append(Paragraph(NOT_FAIR))
    return Report("Cross-play", blocks, pairs.tidy_rows(), pairs.as_mapping())


def cross_play(
    agents: Sequence[str | Agent], games: int, seed: int, threads: int = 1, players: int = 2
) -> CrossPlay:
    """Play every agent with every agent, itself included; all pairs have the same decks.

    ``agents`` are names, or agents themselves. ``games`` are those of each ordered pair; the result
    does not depend on ``threads``. With more ``players`` than two, the others are copies of the
    second.

    Raises:
        HoadError: an agent is unknown or does not play with so many players, there are no agents
            or games, or memory is short.
    """
    if not agents:
        raise HoadError("no agents; name at least one")
    refuse_outside("games", games, 1)
    what = f"the scores of {games:,} games of each of {len(agents) ** 2:,} pairs"
    require_memory(_GAME_BYTES * games * len(agents) ** 2, what, "play fewer with --games")
    made = [_made(agent) for agent in agents]
    for agent in made:
        check_players([agent] * players)
    block = min(agent.games_at_once for agent in made)
    blocks = product(product(agents, repeat=2), range(0, games, block))
    items = [
        ((first, *[second] * (players - 1)), min(block, games - start), seed, start)
        for (first, second), start in blocks
    ]
    sizes = [item[1] for item in items]
    parts = counted(work(_play_block, items, threads), sizes, "cross-play", "games")
    score_blocks, counts = zip(*parts, strict=True)
    # Shape (score, first, second, game).
    scores = np.concatenate(score_blocks, axis=1).reshape(2, len(agents), len(agents), games)
    behaviour = np.stack(counts).reshape(len(agents), len(agents), -1, 2, COUNTS).sum(axis=2)
    fair = tuple(agent.fair for agent in made)
    errors = np.full(scores.shape[:-1], np.nan)
    if games > 1:
        errors = scores.std(axis=3, ddof=1) / np.sqrt(games)
    lenient, strict = scores.mean(axis=3)
    names, means = tuple(agent.name for agent in made), (lenient, strict, errors[0], errors[1])
    return CrossPlay(names, fair, games, *means, behaviour, players)


def _made(agent: str | Agent) -> Agent:
    return get_agent(agent) if isinstance(agent, str) else agent


def _play_block(
    seats: Sequence[str | Agent], games: int, seed: int, first_game: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return both scores, ``(2, games)``, and the sums of the behaviour of each of two players."""
    logs = play([_made(agent) for agent in seats], games, seed, first_game)
    outcomes = replay(logs)
    scores, no_counts = np.stack([outcomes.scores, outcomes.strict]), np.zeros((2, COUNTS), int)
    return scores, count_behaviour(logs).sum(0) if len(seats) == 2 else no_counts
