"""Behaviour of players in recorded games: people, other programs' bots, agents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from hoad.agents.behaviour import (
    HINTS,
    KNOWN,
    OBSERVABLE,
    OPPORTUNITIES,
    PLAYS,
    count_behaviour,
    features_of,
)
from hoad.evolution.map_elites import niches_of
from hoad.replay.dataset import Dataset
from hoad.replay.formats.convert import read_games_of_two
from hoad.reports.output import Result, Started, six_digits
from hoad.reports.page import Block, Paragraph, Report, Table
from hoad.reports.statistics import Estimate, half_width, ratio_of_sums, show
from hoad.studies.behaviour import FEATURE_LABELS

GRIDS: Final = ((5, 5), (20, 20))
"""The grids of niches of Canaan et al. 2022 and 2020."""


@dataclass(frozen=True)
class Shown:
    """What a player showed in its games of a file, over both seats.

    Attributes:
        games: how many there are; one with itself counts once.
        turns: its own turns in them.
        mean_score, score_sd: of the games' lenient scores.
        features: communicativeness and information per play, float64, shape ``(2,)``; NaN where
            undefined.
        errors: their standard errors over games, likewise.
    """

    games: int
    turns: int
    mean_score: float
    score_sd: float
    features: np.ndarray
    errors: np.ndarray

    def niche(self, grid: tuple[int, int]) -> str:
        """Return the niche that it falls into, as in ``2,3``; ``-`` with an undefined feature."""
        if np.isnan(self.features).any():
            return "-"
        row, column = divmod(int(niches_of(self.features[None], grid)[0]), grid[1])
        return f"{row},{column}"


@dataclass(frozen=True)
class RecordedBehaviour(Result):
    """What each player of each file showed, by file and name."""

    shown: Mapping[tuple[str, str], Shown]


def measure_recorded(files: Sequence[Path]) -> RecordedBehaviour:
    """Measure how the players of recorded games of two players behave.

    It raises a HoadError if a file cannot be read, holds games that break the rules, or has games
    of more players.
    """
    started = Started(None)
    shown: dict[tuple[str, str], Shown] = {}
    for path in files:
        games = read_games_of_two(path, "behaviour")
        shown |= {(str(path), name): _shown(games, name) for name in np.unique(games.names)}
    return RecordedBehaviour(shown, **started.ended())


def _shown(games: Dataset, name: str) -> Shown:
    seated = games.names == name  # shape (games, seats)
    own = seated.any(axis=1)
    counts = (count_behaviour(games.logs) * seated[..., None]).sum(axis=1)[own].astype(np.float64)
    turns = np.diff(games.logs.offsets)
    turns_of_seats = np.stack([(turns + 1) // 2, turns // 2], axis=1)
    hinting = ratio_of_sums(counts[:, HINTS], counts[:, OPPORTUNITIES])
    knowing = ratio_of_sums(counts[:, KNOWN], 2 * counts[:, PLAYS])
    scores = games.scores[own].astype(np.float64)
    return Shown(
        games=int(own.sum()),
        turns=int((turns_of_seats * seated).sum()),
        mean_score=float(scores.mean()),
        score_sd=float(scores.std(ddof=1)) if len(scores) > 1 else float("nan"),
        features=features_of(counts.sum(axis=0)),
        errors=np.array([hinting[1], knowing[1]]),
    )


def report(result: RecordedBehaviour) -> Report:
    """Return a row for each file and player: scores, features, and the niches of both grids."""
    grids = [f"niche of {rows} × {columns}" for rows, columns in GRIDS]
    table = [["file", "player", "games", "turns", "mean score", "SD", *FEATURE_LABELS, *grids]]
    rows = []
    for (file, name), shown in result.shown.items():
        widths = [half_width(error, shown.games) for error in shown.errors]
        features = shown.features.tolist()
        estimates = [Estimate(*both, shown.games) for both in zip(features, widths, strict=True)]
        cells = ["-" if np.isnan(each.mean) else show(each, 3) for each in estimates]
        niches = [shown.niche(grid) for grid in GRIDS]
        counts = [f"{shown.games:,}", f"{shown.turns:,}"]
        deviation = "-" if np.isnan(shown.score_sd) else f"{shown.score_sd:.2f}"
        scores = [f"{shown.mean_score:.2f}", deviation]
        table.append([file, name, *counts, *scores, *cells, *niches])
        keys = [*OBSERVABLE, *(f"{feature}_half_width" for feature in OBSERVABLE)]
        row = {"file": file, "player": name, "games": shown.games, "turns": shown.turns}
        row |= {"mean_score": shown.mean_score, "score_sd": shown.score_sd}
        row |= dict(zip(keys, map(six_digits, (*features, *widths)), strict=True))
        rows.append(row | dict(zip(("niche_5x5", "niche_20x20"), niches, strict=True)))
    explained = Paragraph(
        "Communicativeness: hints given as a share of the player's turns that began with a hint "
        "token. Information per play: known attributes of the cards that it played, as a share of "
        "all their attributes (Canaan et al. 2022). ± 95 % interval over games; scores are "
        "lenient. A niche is communicativeness, information per play, each counted from 0."
    )
    blocks: list[Block] = [explained, Table(table, numbers=False)]
    return result.report("Behaviour in recorded games", blocks, rows, {"players": rows})
