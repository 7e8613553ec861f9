"""Published results and results of the original programs, which ours are compared with."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np


@dataclass(frozen=True)
class Published:
    """One or several published scores of ad-hoc play.

    Attributes:
        values: mean scores.
        score: ``lenient`` or ``strict``.
        seat: which player moved first: ``partner first`` or ``player first``.
        source: publication, table and conditions.
    """

    values: tuple[float, ...]
    score: str
    seat: str
    source: str


@dataclass(frozen=True)
class PublishedMatrix:
    """A published value for each agent with each partner.

    Attributes:
        source: publication, table and conditions.
        rows: agents.
        columns: partners; `SELF` is a separate measurement of each agent with itself.
        values: by row and column.
    """

    source: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]

    def compare(self, names: Sequence[str], ours: np.ndarray) -> "MatrixComparison":
        """Compare our values with the published ones of the same agents and partners.

        Args:
            names: our agents.
            ours: values by agent and partner, shape ``(names, names)``.
        """
        rows = [row for row in self.rows if row in names]
        columns = [column for column in self.columns if column in names or column == SELF]
        here = [
            [
                ours[names.index(row), names.index(row if column == SELF else column)]
                for column in columns
            ]
            for row in rows
        ]
        published = [
            [self.values[self.rows.index(row)][self.columns.index(column)] for column in columns]
            for row in rows
        ]
        shape = (len(rows), len(columns))
        return MatrixComparison(
            self.source,
            tuple(rows),
            tuple(columns),
            np.reshape(here, shape),
            np.reshape(published, shape),
        )


@dataclass(frozen=True)
class MatrixComparison:
    """Our values and published ones of the same pairs.

    Attributes:
        source: of the published values.
        agents: rows.
        partners: columns.
        here: our values, float64, shape ``(agents, partners)``.
        published: values, shape as ``here``.
    """

    source: str
    agents: tuple[str, ...]
    partners: tuple[str, ...]
    here: np.ndarray
    published: np.ndarray

    def cells(self, decimals: int) -> list[list[str]]:
        """Return a table with ``here / published / difference`` in each cell."""
        rows = [
            [
                agent,
                *(
                    f"{ours:.{decimals}f} / {theirs:.{decimals}f} / {ours - theirs:+z.{decimals}f}"
                    for ours, theirs in zip(mine, others, strict=True)
                ),
            ]
            for agent, mine, others in zip(self.agents, self.here, self.published, strict=True)
        ]
        return [["agent", *self.partners], *rows]


SELF: Final = "itself"

_CANAAN_AGENTS: Final = ("iggi", "internal", "outer", "van-den-bergh", "flawed", "piers")

COMMUNICATIVENESS: Final = PublishedMatrix(
    "Canaan et al. 2022, table I, 1,000 games a pair",
    _CANAAN_AGENTS,
    (*_CANAAN_AGENTS, SELF),
    (
        (0.50, 0.36, 0.41, 0.38, 0.46, 0.42, 0.51),
        (0.89, 0.88, 0.83, 0.90, 0.99, 0.87, 0.88),
        (0.89, 0.89, 0.84, 0.91, 0.99, 0.85, 0.84),
        (0.63, 0.36, 0.36, 0.50, 0.52, 0.53, 0.50),
        (0.28, 0.17, 0.17, 0.36, 0.06, 0.26, 0.08),
        (0.64, 0.47, 0.56, 0.53, 0.50, 0.58, 0.58),
    ),
)

INFORMATION_PER_PLAY: Final = PublishedMatrix(
    "Canaan et al. 2022, table II, 1,000 games a pair",
    _CANAAN_AGENTS,
    (*_CANAAN_AGENTS, SELF),
    (
        (0.94, 0.98, 0.97, 0.95, 0.68, 0.95, 0.94),
        (0.92, 0.96, 0.94, 0.92, 0.94, 0.93, 0.95),
        (0.95, 0.96, 0.96, 0.94, 0.96, 0.95, 0.96),
        (0.77, 0.81, 0.79, 0.78, 0.69, 0.80, 0.79),
        (0.45, 0.41, 0.47, 0.46, 0.04, 0.45, 0.04),
        (0.73, 0.74, 0.74, 0.77, 0.77, 0.78, 0.78),
    ),
)

_THESIS_AGENTS: Final = (
    "simplebot",
    "valuebot",
    "holmesbot",
    "outer",
    "iggi",
    "piers",
    "rainbow",
    "van-den-bergh",
)

IMITATOR_CROSS_PLAY: Final = PublishedMatrix(
    "Sarmasi 2022, table 3.2 (the same as 2.2), strict, imitators",
    _THESIS_AGENTS,
    _THESIS_AGENTS,
    (
        (16.8, 15.7, 12.8, 0.0, 4.1, 1.1, 1.7, 0.2),
        (15.2, 18.0, 17.6, 0.0, 3.8, 1.3, 2.0, 0.0),
        (11.2, 18.3, 14.7, 0.0, 1.4, 0.6, 0.5, 0.0),
        (0.0, 0.0, 0.0, 14.1, 1.0, 4.1, 6.2, 9.0),
        (3.9, 3.8, 1.8, 1.8, 16.2, 11.8, 2.7, 6.0),
        (1.8, 0.5, 0.2, 7.2, 10.3, 15.9, 5.5, 9.4),
        (0.3, 2.0, 0.3, 6.6, 4.0, 5.6, 18.1, 2.6),
        (0.0, 0.2, 0.0, 10.6, 4.7, 8.3, 2.7, 10.5),
    ),
)


IMITATOR_ACCURACY: Final = {
    "simplebot": 0.997,
    "valuebot": 0.920,
    "holmesbot": 0.903,
    "outer": 0.667,
    "iggi": 0.909,
    "piers": 0.858,
    "rainbow": 0.775,
    "van-den-bergh": 0.812,
}
"""Sarmasi 2022, table 2.1 (the same as 3.1): of all 20 moves, games split by transition."""


Measures = dict[str, float | None]
"""Measures of a population, see :meth:`hoad.evaluation.populations.PopulationScores.measures`."""


@dataclass(frozen=True)
class PublishedRun:
    """The published results of one run of MAP-Elites.

    Attributes:
        run: publication, table and number.
        grid: niches of each feature.
        coverage: number of niches with an elite.
        best: score of the best elite.
        mean: mean score of the elites.
        pairwise: mean score of all pairs; None if not published.
        correlations: of self-play with the pairwise score as r and as h; None if not published.
    """

    run: str
    grid: tuple[int, int]
    coverage: int
    best: float
    mean: float
    pairwise: float | None = None
    correlations: tuple[float, float] | None = None

    def measures(self) -> Measures:
        """Return the measures; the QD score is coverage times mean."""
        first, second = self.correlations or (None, None)
        return {
            "coverage": self.coverage,
            "best": self.best,
            "mean": self.mean,
            "qd_score": self.coverage * self.mean,
            "pairwise_mean": self.pairwise,
            "correlation_moving_first": first,
            "correlation_moving_second": second,
        }


PUBLISHED_RUNS: Final = (
    PublishedRun("Canaan et al. 2022, table III, 1", (5, 5), 22, 19.54, 11.36, 8.71, (0.95, 0.92)),
    PublishedRun("Canaan et al. 2022, table III, 2", (5, 5), 22, 19.95, 11.66, 8.14, (0.96, 0.97)),
    PublishedRun("Canaan et al. 2022, table III, 3", (5, 5), 22, 20.00, 11.59, 9.52, (0.97, 0.91)),
    PublishedRun("Canaan et al. 2020, table I, 1", (20, 20), 311, 20.43, 10.02),
    PublishedRun("Canaan et al. 2020, table I, 2", (20, 20), 311, 19.99, 9.99),
    PublishedRun("Canaan et al. 2020, table I, 3", (20, 20), 310, 20.31, 10.11),
)
"""Runs of 1,000,000 candidates. Correlations as h are as published; those as r are computed from
the published match-up tables, because the papers do not say which of the two they report."""

PUBLISHED_FEATURES: Final = ("communicativeness", "information_per_play")
"""The axes of all published grids."""

PUBLISHED_CROSS_PLAY: Final = ((10.02, 9.95, 10.02), (9.95, 9.99, 10.10), (10.02, 10.10, 10.11))
"""Canaan et al. 2020, table II: mean score of elites of the same niche of two runs, 20 x 20."""

PUBLISHED_HAMMING: Final = {(0, 1): 14.35, (0, 2): 14.18, (1, 2): 14.27}
"""Mean Hamming distance of the 20 x 20 chromosomes that Canaan et al. published, of the same niche
of two runs, computed from their files; their paper reports 14.26 overall."""

PUBLISHED_AGREEMENT: Final = 0.62
"""Canaan et al. 2020, section V-B: how often elites of the same niche make the same move, over 310
common niches. All three runs have 310 niches in common, in which all three published elites make
the same move in 62 % of the decisions, and any two in 72 to 73 %. The paper does not say which of
the two it reports."""


@dataclass(frozen=True)
class OriginalSelfPlay:
    """Mean scores of an original program in self-play, measured by running it.

    Attributes:
        lenient: mean lenient score.
        strict: mean strict score.
        games: number of games.
    """

    lenient: float
    strict: float
    games: int


ORIGINAL_SELF_PLAY: Final = {
    "simplebot": OriginalSelfPlay(16.918, 16.918, 100_000),
    "valuebot": OriginalSelfPlay(19.790, 19.790, 100_000),
    "holmesbot": OriginalSelfPlay(20.740, 19.493, 100_000),
    "smartbot": OriginalSelfPlay(23.107, 23.004, 100_000),
    "infobot": OriginalSelfPlay(20.002, 20.002, 100_000),
    "cheatbot": OriginalSelfPlay(24.904, 24.904, 100_000),
    "iggi": OriginalSelfPlay(17.138, 17.138, 20_000),
    "piers": OriginalSelfPlay(17.301, 17.301, 20_000),
    "outer": OriginalSelfPlay(14.504, 14.504, 20_000),
    "internal": OriginalSelfPlay(11.161, 11.161, 20_000),
    "cautious": OriginalSelfPlay(16.708, 16.708, 20_000),
    "van-den-bergh": OriginalSelfPlay(13.767, 13.767, 20_000),
    "flawed": OriginalSelfPlay(1.461, 0.0, 20_000),
}
"""O'Dwyer's bots and the agents of Walton-Rivers et al."""

_TABLE_3_3: Final = {
    ("random-partner", ""): (5.1, 5.7, 4.6, 2.9, 4.5, 5.0, 3.1, 3.8, 4.3),
    ("naive", ""): (1.1, 1.5, 0.5, 2.5, 2.5, 2.0, 1.8, 2.2, 1.8),
    ("zero-shot", "2 epochs"): (4.2, 5.3, 6.2, 3.0, 5.9, 9.3, 2.9, 4.5, 5.2),
    ("low-shot", "2 epochs"): (5.3, 7.6, 6.8, 3.6, 11.1, 8.3, 1.8, 4.7, 6.2),
    ("zero-shot", "5 epochs"): (4.6, 8.4, 9.4, 3.4, 6.2, 11.0, 3.1, 6.7, 6.6),
    ("low-shot", "5 epochs"): (3.8, 8.9, 7.9, 3.9, 8.1, 10.2, 2.6, 5.4, 6.3),
}


@dataclass(frozen=True)
class PublishedMetaAgents:
    """Published mean lenient scores of meta-agents.

    Attributes:
        source: publication and table.
        scores: by player: rows = training population, columns = population of the partners.
    """

    source: str
    scores: dict[str, tuple[tuple[float, float, float], ...]]


PUBLISHED_META_AGENTS: Final = {
    "canaan-2022": PublishedMetaAgents(
        "Canaan et al. 2022, table IV",
        {
            "oracle": ((13.42, 12.83, 13.39), (12.40, 12.80, 13.04), (13.18, 12.50, 14.00)),
            "adaptive": ((13.16, 12.58, 13.49), (12.32, 12.23, 13.07), (13.04, 12.35, 13.99)),
            "generalist": ((12.94, 12.49, 13.67), (12.52, 11.90, 13.11), (13.06, 12.41, 13.91)),
            "random-response": ((8.85, 8.48, 9.17), (8.27, 8.02, 8.75), (9.02, 8.81, 9.58)),
        },
    ),
    "canaan-2020": PublishedMetaAgents(
        "Canaan et al. 2020, table III",
        {
            "oracle": ((12.84, 12.60, 12.48), (12.60, 13.11, 12.68), (12.49, 12.71, 13.01)),
            "generalist": ((12.12, 12.26, 12.19), (11.75, 12.16, 11.94), (11.68, 11.77, 12.48)),
            "niche": ((10.08, 9.98, 9.85), (10.51, 10.47, 10.42), (10.67, 10.62, 10.57)),
        },
    ),
}

ACT_DIFFERENTLY: Final = frozenset(range(78, 83))
"""Rules with which the published program gives an impossible hint, which ends the game there."""

ESTIMATION_ERRORS: Final = ((0.11, 0.27), (-0.07, -0.20))
"""Mean absolute and mean signed error of the two features that Adaptive 1 of 2020 estimates."""

RAINBOW_SELF_PLAY: Final = (
    ("Sarmasi 2022, table 2.1: the thesis's Rainbow", 18.5),
    ("Bard et al. 2020, table 2: Rainbow, 100 million moves", 20.64),
)
"""Mean strict scores in self-play with two players."""

_STEPS: Final = {"": "", "2 epochs": "@30000", "5 epochs": "@71000"}
"""Meta-steps that correspond to the thesis's numbers of epochs."""


def published(partners: Sequence[str], player: str) -> list[Published]:
    """Return the published scores of a player with a partner, or its means over several.

    A meta-model that is named without its step is compared with all meta-models of the thesis.
    """
    found = []
    for (column, epochs), values in _TABLE_3_3.items():
        if player in (column, column + _STEPS[epochs]) and set(partners) <= set(_THESIS_AGENTS):
            source = "Sarmasi 2022, table 3.3" + (f", {epochs}" if epochs else "")
            value = _mean_of_rows(partners, values)
            found.append(Published((value,), "strict", "partner first", source))
    imitators = imitator_self_play(partners[0]) if len(partners) == 1 else None
    if player == "self-play" and imitators is not None:
        source = "Sarmasi 2022, table 3.2, imitators"
        found.append(Published((imitators,), "strict", "partner first", source))
    table_4 = PUBLISHED_META_AGENTS["canaan-2022"]
    if len(partners) > 1 and player in table_4.scores:
        matrix = np.array(table_4.scores[player])
        others = tuple(matrix[~np.eye(len(matrix), dtype=np.bool_)].tolist())
        source = f"{table_4.source}, partners from another population"
        found.append(Published(others, "lenient", "player first", source))
    return found


def _mean_of_rows(partners: Sequence[str], values: Sequence[float]) -> float:
    """Return the mean over partners; the table's last value is that over all."""
    if len(partners) == len(_THESIS_AGENTS):
        return values[-1]
    return round(sum(values[_THESIS_AGENTS.index(p)] for p in partners) / len(partners), 1)


def imitator_self_play(agent: str) -> float | None:
    """Return the strict self-play score of the thesis's imitator of an agent, if there is one."""
    if agent not in _THESIS_AGENTS:
        return None
    index = _THESIS_AGENTS.index(agent)
    return IMITATOR_CROSS_PLAY.values[index][index]
