"""Published results and results of the original programs, which ours are compared with.

The numbers are in ``published.toml``.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from hoad.reports.page import Block, Heading, Paragraph, Table

SELF: Final = "itself"

_DATA: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Published:
    """One or several published mean scores of ad-hoc play, and their source.

    ``score`` is ``lenient`` or ``strict``, ``seat`` is ``partner first`` or ``player first``.
    """

    values: tuple[float, ...]
    score: str
    seat: str
    source: str


@dataclass(frozen=True)
class PublishedMatrix:
    """A published value for each agent (row) with each partner (column), and its source.

    The partner `SELF` is a separate measurement of each agent with itself.
    """

    source: str
    rows: Sequence[str]
    columns: Sequence[str]
    values: Sequence[Sequence[float]]

    def compare(self, names: Sequence[str], ours: np.ndarray) -> "MatrixComparison":
        """Compare our values, shape ``(names, names)``, with those of the same pairs."""
        rows = tuple(row for row in self.rows if row in names)
        columns = tuple(column for column in self.columns if column in names or column == SELF)
        pairs, shape = list(product(rows, columns)), (len(rows), len(columns))
        here = [ours[names.index(a), names.index(a if b == SELF else b)] for a, b in pairs]
        there = [self.values[self.rows.index(a)][self.columns.index(b)] for a, b in pairs]
        both = np.reshape([here, there], (2, *shape))
        return MatrixComparison(self.source, rows, columns, *both)


@dataclass(frozen=True)
class MatrixComparison:
    """Our values (``here``) and published ones, float64, shape ``(agents, partners)``."""

    source: str
    agents: tuple[str, ...]
    partners: tuple[str, ...]
    here: np.ndarray
    published: np.ndarray

    def cells(self, decimals: int) -> list[list[str]]:
        """Return a table with ``here / published / difference`` in each cell."""
        number = f".{decimals}f"
        rows = [
            [f"{a:{number}} / {b:{number}} / {a - b:+z{number}}" for a, b in zip(*row, strict=True)]
            for row in zip(self.here, self.published, strict=True)
        ]
        named = zip(self.agents, rows, strict=True)
        return [["agent", *self.partners], *([agent, *row] for agent, row in named)]

    def summarised(self) -> "MatrixComparison":
        """Return the comparison with the lowest, highest and mean value over the partners too."""
        both = self.here, self.published
        here, published = (
            np.column_stack([m, m.min(axis=1), m.max(axis=1), m.mean(axis=1)]) for m in both
        )
        partners = (*self.partners, "lowest", "highest", "mean")
        return replace(self, partners=partners, here=here, published=published)

    def section(self, heading: str, text: str, decimals: int) -> list[Block]:
        """Return a section, with the source in its heading; nothing if no agent is compared."""
        title = Heading(f"{heading} {self.source}")
        return [title, Paragraph(text), Table(self.cells(decimals))] if self.agents else []


COMMUNICATIVENESS: Final = PublishedMatrix(**_DATA["communicativeness"])
INFORMATION_PER_PLAY: Final = PublishedMatrix(**_DATA["information_per_play"])
IMITATOR_CROSS_PLAY: Final = PublishedMatrix(**_DATA["imitator_cross_play"])

IMITATOR_ACCURACY: Final[Mapping[str, float]] = _DATA["imitator_accuracy"]
"""Sarmasi 2022, table 2.1 (the same as 3.1): of all 20 moves, games split by transition."""

_THESIS: Final[Mapping[str, Sequence[float]]] = _DATA["thesis"]
_THESIS_AGENTS: Final = IMITATOR_CROSS_PLAY.rows

Measures = dict[str, float | None]
"""Measures of a population, see :meth:`hoad.studies.populations.PopulationScores.measures`."""


@dataclass(frozen=True)
class PublishedRun:
    """The published results of one run of MAP-Elites (publication, table, number); None if missing.

    Coverage is the number of niches with an elite, ``pairwise`` the mean score of all pairs;
    correlations are of self-play with the pairwise score as r and as h.
    """

    run: str
    grid: Sequence[int]
    coverage: int
    best: float
    mean: float
    pairwise: float | None = None
    correlations: Sequence[float] | None = None

    def measures(self) -> Measures:
        """Return the measures; the QD score is coverage times mean."""
        moving_first, moving_second = self.correlations or (None, None)
        return {
            "coverage": self.coverage,
            "best": self.best,
            "mean": self.mean,
            "mean_deviation": None,
            "largest_deviation": None,
            "qd_score": self.coverage * self.mean,
            "pairwise_mean": self.pairwise,
            "correlation_moving_first": moving_first,
            "correlation_moving_second": moving_second,
        }


PUBLISHED_RUNS: Final = tuple(PublishedRun(**run) for run in _DATA["runs"])
"""Runs of 1,000,000 candidates. Correlations as h are as published; those as r are computed from
the published matchup tables, because the papers do not say which of the two they report."""

PUBLISHED_DEVIATIONS: Final[Sequence[float]] = _DATA["deviations"]
"""Canaan et al. 2020, section V-A: mean and largest standard deviation of an elite's scores."""

PUBLISHED_FEATURES: Final = ("communicativeness", "information_per_play")
"""The axes of all published grids."""

PUBLISHED_CROSS_PLAY: Final[Sequence[Sequence[float]]] = _DATA["diversity"]["cross_play"]
"""Canaan et al. 2020, table II: mean score of elites of the same niche of two runs, 20 x 20."""

PUBLISHED_HAMMING: Final[Mapping[tuple[int, int], float]] = dict(
    zip(combinations(range(3), 2), _DATA["diversity"]["hamming"], strict=True)
)
"""Mean Hamming distance of the 20 x 20 chromosomes that Canaan et al. published, of the same niche
of two runs, computed from their files; their paper reports 14.26 overall."""

PUBLISHED_AGREEMENT: Final[float] = _DATA["diversity"]["agreement"]
"""Canaan et al. 2020, section V-B: how often elites of the same niche make the same move, over 310
common niches. All three runs have 310 niches in common, in which all three published elites make
the same move in 62 % of the decisions, and any two in 72 to 73 %. The paper does not say which."""


class OriginalSelfPlay(NamedTuple):
    """Mean scores of an original program in self-play, measured by running it for ``games``."""

    lenient: float
    strict: float
    games: int


ORIGINAL_SELF_PLAY: Final = {
    agent: OriginalSelfPlay(*values) for agent, values in _DATA["original_self_play"].items()
}
"""O'Dwyer's bots and the agents of Walton-Rivers et al."""


class PublishedMetaAgents(NamedTuple):
    """Published mean lenient scores of meta-agents, by player, and their source.

    Rows are training populations, columns are populations of the partners.
    """

    source: str
    scores: Mapping[str, Sequence[Sequence[float]]]


PUBLISHED_META_AGENTS: Final = {
    name: PublishedMetaAgents(**table) for name, table in _DATA["meta_agents"].items()
}

ACT_DIFFERENTLY: Final = frozenset(range(78, 83))
"""Rules with which the published program gives an impossible hint, which ends the game there."""

ESTIMATION_ERRORS: Final[Sequence[Sequence[float]]] = _DATA["estimation_errors"]["values"]
"""Mean absolute and mean signed error of the two features that Adaptive 1 of 2020 estimates."""

RAINBOW_SELF_PLAY: Final[Mapping[str, float]] = _DATA["rainbow_self_play"]
"""Mean strict scores in self-play with two players, by source."""

_STEPS: Final = {"": "", "2 epochs": "@30000", "5 epochs": "@71000"}
"""Meta-steps that correspond to the thesis's numbers of epochs."""


def published(partners: Sequence[str], player: str) -> list[Published]:
    """Return the published scores of a player with a partner, or its means over several.

    A meta-model that is named without its step is compared with all meta-models of the thesis.
    """
    figures = []
    for column, values in _THESIS.items():
        name, _, epochs = column.partition(", ")
        if player in (name, name + _STEPS[epochs]) and set(partners) <= set(_THESIS_AGENTS):
            source = "Sarmasi 2022, table 3.3" + (f", {epochs}" if epochs else "")
            mean = values[-1]  # over all partners
            if len(partners) < len(_THESIS_AGENTS):
                mean = sum(values[_THESIS_AGENTS.index(p)] for p in partners) / len(partners)
            figures.append(Published((round(mean, 1),), "strict", "partner first", source))
    imitators = imitator_self_play(partners[0]) if len(partners) == 1 else None
    if player == "self-play" and imitators is not None:
        source = "Sarmasi 2022, table 3.2, imitators"
        figures.append(Published((imitators,), "strict", "partner first", source))
    table_4 = PUBLISHED_META_AGENTS["canaan-2022"]
    if len(partners) > 1 and player in table_4.scores:
        matrix = np.array(table_4.scores[player])
        others = tuple(matrix[~np.eye(len(matrix), dtype=np.bool_)].tolist())
        source = f"{table_4.source}, partners from another population"
        figures.append(Published(others, "lenient", "player first", source))
    return figures


def imitator_self_play(agent: str) -> float | None:
    """Return the strict self-play score of the thesis's imitator of an agent, if there is one."""
    if agent not in _THESIS_AGENTS:
        return None
    index = _THESIS_AGENTS.index(agent)
    return IMITATOR_CROSS_PLAY.values[index][index]
