"""Diversity of populations: rules, moves and scores of pairs of elites.

See Canaan et al. 2020, section V-B. Elites of two populations *correspond* if they share a niche.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from itertools import combinations, product
from typing import Any, Final

import numpy as np

from hoad.agents.games import play
from hoad.agents.rules.rule_list import rule_list_agent
from hoad.agents.seeds import other_seed
from hoad.core.errors import HoadError
from hoad.core.progress import counted
from hoad.core.workers import work
from hoad.evolution.fitness import evaluate_pairs
from hoad.evolution.population import Elite, Population, padded_chromosomes
from hoad.evolution.rule_list_agreement import expected_agreement
from hoad.game.stream import Purpose
from hoad.reports.output import Result, Started
from hoad.reports.page import Block, Figure, Heading, Paragraph, Report, Table
from hoad.reports.plots import Panel, Series, draw_lines
from hoad.reports.published import (
    PUBLISHED_AGREEMENT,
    PUBLISHED_CROSS_PLAY,
    PUBLISHED_FEATURES,
    PUBLISHED_HAMMING,
)
from hoad.studies.populations import load_populations, play_all_pairs

_BLOCK: Final = 16  # elites whose recorded games a worker takes at a time

_Sums = tuple[np.ndarray, np.ndarray, int]
"""Agreement of pairs and of groups, and the number of decisions, over some games."""


@dataclass(frozen=True)
class Diversity(Result):
    """Measures of all pairs of elites; matrices are ordered by population, then niche.

    Attributes:
        populations: with grids of the same size and features.
        agreement: expected share of recorded decisions in which both elites make the same move,
            float64, shape ``(elites, elites)``.
        unanimity: expected share of recorded decisions in which the corresponding elites of all
            populations make the same move, by niche that all have, float64, shape ``(niches,)``.
        scores: mean lenient scores, shape as ``agreement``; row = first player.
        decisions: number of recorded decisions, in self-play of the first population.
        corresponding_scores: mean scores of corresponding elites in both orders, by population,
            float64, shape ``(populations, populations)``; self-play on the diagonal.
        games: of each corresponding pair and order.
        pair_games: of each pair in ``scores``.
        state_games: recorded self-play games of each elite.
    """

    populations: tuple[Population, ...]
    agreement: np.ndarray
    unanimity: np.ndarray
    scores: np.ndarray
    decisions: int
    corresponding_scores: np.ndarray
    games: int
    pair_games: int
    state_games: int

    @property
    def names(self) -> list[str]:
        """The names of the populations."""
        return [population.name for population in self.populations]

    @property
    def measures(self) -> dict[str, np.ndarray]:
        """The three matrices by name."""
        return {"hamming": self.hamming, "agreement": self.agreement, "score": self.scores}

    @cached_property
    def hamming(self) -> np.ndarray:
        """The number of positions at which the rules of two elites differ, float64."""
        rules = _all_rules(self.populations)
        return (rules[:, None] != rules).sum(2).astype(np.float64)

    @cached_property
    def members(self) -> np.ndarray:
        """The population of each elite, int64, shape ``(elites,)``."""
        sizes = [len(population.elites) for population in self.populations]
        return np.repeat(np.arange(len(sizes)), sizes)

    @cached_property
    def distances(self) -> np.ndarray:
        """The Manhattan distance of the niches of any two elites, int64."""
        niches = np.array([elite.niche for elite in _all_elites(self.populations)])
        return np.abs(niches[:, None] - niches).sum(2)

    def corresponding(self, first: int, second: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the indices of the corresponding elites of two populations, niche by niche."""
        same = (self.distances == 0) & (self.members[:, None] == first) & (self.members == second)
        candidate, other = np.nonzero(same)
        return candidate, other

    def mean(self, measure: str, first: int, second: int) -> float:
        """Return the mean of a measure over the corresponding elites of two populations."""
        return float(self.measures[measure][self.corresponding(first, second)].mean())

    def pairs(self) -> dict[str, np.ndarray]:
        """Return which pairs are within one population and which between two, bool matrices."""
        same = self.members[:, None] == self.members
        kinds = {"within": same & ~np.eye(len(same), dtype=np.bool_)}
        return kinds | ({"between": ~same} if len(self.populations) > 1 else {})

    def by_distance(self) -> dict[str, dict[str, dict[int, float]]]:
        """Return means by kind of pairs (see :meth:`pairs`), measure and distance of the niches."""
        return {
            kind: {
                measure: _group_means(matrix[pairs], self.distances[pairs])
                for measure, matrix in self.measures.items()
            }
            for kind, pairs in self.pairs().items()
        }


def _group_means(values: np.ndarray, groups: np.ndarray) -> dict[int, float]:
    counts, sums = np.bincount(groups), np.bincount(groups, weights=values)
    return {group: float(sums[group] / counts[group]) for group in np.flatnonzero(counts).tolist()}


def measure_diversity(
    names: Sequence[str], games: int, pair_games: int, state_games: int, seed: int, threads: int
) -> Diversity:
    """Compare the elites of populations (names or files), within each and between them.

    For the numbers of games see :class:`Diversity`; the result does not depend on ``threads``. It
    raises a HoadError if a population cannot be read, or they have no niches in common.
    """
    started = Started(seed)
    populations = load_populations(names)
    _refuse_different_niches(populations)
    agreement, unanimity, decisions = measure_overlap(populations, state_games, seed, threads)
    decks = other_seed(seed, Purpose.POPULATIONS)
    return Diversity(
        populations=tuple(populations),
        agreement=agreement,
        unanimity=unanimity,
        corresponding_scores=_play_corresponding(populations, games, decks, threads),
        scores=play_all_pairs(_all_rules(populations), pair_games, decks, threads),
        decisions=decisions,
        games=games,
        pair_games=pair_games,
        state_games=state_games,
        **started.ended(),
    )


def _refuse_different_niches(populations: Sequence[Population]) -> None:
    first = populations[0]
    for other in populations[1:]:
        if (other.grid, other.features) != (first.grid, first.features):
            raise HoadError(
                f"populations {first.name} and {other.name} have different niches: grids "
                f"{first.grid} and {other.grid} of {', '.join(first.features)} and "
                f"{', '.join(other.features)}; compare populations of the same niches"
            )
    for population, other in combinations(populations, 2):
        if not _common_niches(population, other):
            names = f"{population.name} and {other.name}"
            raise HoadError(f"populations {names} have no niche in common")


def _common_niches(first: Population, other: Population) -> list[tuple[int, int]]:
    return sorted({elite.niche for elite in first.elites} & {elite.niche for elite in other.elites})


def _all_elites(populations: Iterable[Population]) -> list[Elite]:
    return [elite for population in populations for elite in population.elites]


def _all_rules(populations: Iterable[Population]) -> np.ndarray:
    return padded_chromosomes([elite.chromosome for elite in _all_elites(populations)])


def measure_overlap(
    populations: Sequence[Population], games: int, seed: int, threads: int
) -> tuple[np.ndarray, np.ndarray, int]:
    """Return the agreement, the unanimity and the number of decisions of :class:`Diversity`.

    Each elite of the first population plays ``games`` of self-play, which are recorded. The
    result does not depend on ``threads``.
    """
    rules, groups = _all_rules(populations), _groups(populations)
    players = len(populations[0].elites)
    blocks = np.array_split(np.arange(players), -(-players // _BLOCK))
    items = [(rules, groups, block, games, other_seed(seed, Purpose.STATES)) for block in blocks]
    sizes = [len(block) for block in blocks]
    parts = counted(work(_compare_moves, items, threads), sizes, "agreement", "elites")
    of_pairs, of_groups, decisions = reduce(_add, parts)
    return of_pairs / decisions, of_groups / decisions, decisions


def _groups(populations: Sequence[Population]) -> np.ndarray:
    """Return the elites of each niche that all have, int64, shape ``(niches, populations)``."""
    indices: dict[tuple[int, int], list[int]] = {}
    for index, elite in enumerate(_all_elites(populations)):
        indices.setdefault(elite.niche, []).append(index)
    shared = [group for group in indices.values() if len(group) == len(populations)]
    return np.array(shared, np.int64).reshape(-1, len(populations))


def _add(first: _Sums, other: _Sums) -> _Sums:
    return first[0] + other[0], first[1] + other[1], first[2] + other[2]


def _compare_moves(
    rules: np.ndarray, groups: np.ndarray, players: np.ndarray, games: int, seed: int
) -> _Sums:
    """Record self-play of some elites, each on its own decks, and compare the moves of all."""

    def compare(player: int) -> _Sums:
        agent = rule_list_agent(str(player), rules[player].tolist())
        logs = play([agent, agent], games, seed, first_game=player * games)
        return *expected_agreement(rules.tolist(), groups, logs), len(logs.actions)

    return reduce(_add, map(compare, players.tolist()))


def _play_corresponding(
    populations: Sequence[Population], games: int, seed: int, threads: int
) -> np.ndarray:
    """Return the mean score of corresponding elites by population, over both orders."""
    items = []
    for pair in product(populations, repeat=2):
        niches = _common_niches(*pair)
        rules = [[population.elite(niche).chromosome for niche in niches] for population in pair]
        items.append((*map(padded_chromosomes, rules), games, seed))
    scores = work(evaluate_pairs, items, threads)
    pairs = counted(scores, [1] * len(items), "corresponding niches", "pairs of populations")
    ordered = np.reshape([pair.mean() for pair in pairs], (len(populations), len(populations)))
    return (ordered + ordered.T) / 2


_LABELS: Final = {
    "hamming": "rules that differ",
    "agreement": "share of moves alike",
    "score": "mean lenient score",
}
"""The measures in tables and figures."""

_KINDS: Final = {"within": "of one population", "between": "of two populations"}

_PUBLISHED_GRID: Final = (20, 20)

Means = Mapping[str, Mapping[str, Mapping[int, float]]]
"""Means of measures by distance, see :meth:`Diversity.by_distance`."""


def report(result: Diversity) -> Report:
    """Return the measures of corresponding elites and of all pairs by distance of their niches.

    A row for each kind of pairs, distance and measure.
    """
    by_distance, corresponding = result.by_distance(), _corresponding(result)
    text = (
        "Manhattan distance; within: two elites of one population, between: elites of two "
        f"populations. Scores of all ordered pairs, {result.pair_games:,} games each."
    )
    caption = "Measures of pairs of elites by distance of their niches."
    blocks = [
        Paragraph(_introduction(result)),
        *_corresponding_blocks(result, corresponding),
        Heading("By distance of the niches"),
        Paragraph(text),
        Table(_distance_cells(by_distance)),
        Figure("by_distance.png", caption, partial(_draw_by_distance, by_distance)),
    ]
    rows = [
        {"pairs": kind, "distance": distance, "measure": measure, "mean": mean}
        for kind, measures in by_distance.items()
        for measure, means in measures.items()
        for distance, mean in means.items()
    ]
    keys = ("games", "pair_games", "state_games", "decisions", "corresponding_scores")
    niches, unanimity = len(result.unanimity), result.unanimity
    facts = {key: getattr(result, key) for key in keys} | {
        "populations": result.names,
        "unanimity": {"niches": niches, "mean": float(unanimity.mean()) if niches else None},
        "corresponding": corresponding,
        "by_distance": by_distance,
    }
    return result.report("Diversity of populations", blocks, rows, facts)


def _introduction(result: Diversity) -> str:
    length = max(len(e.chromosome) for population in result.populations for e in population.elites)
    return (
        "Corresponding elites are elites of two populations with the same niche. Cross-play: "
        f"{result.games:,} games in each order, lenient. Rules that differ: positions out of "
        f"{length}. Moves alike: expected share of {result.decisions:,} decisions, recorded in "
        f"{result.state_games:,} self-play games of each elite of {result.names[0]}, in which both "
        "elites make the same move; a random rule counts with the probability that both draw the "
        "same move."
    )


def _corresponding(result: Diversity) -> list[dict[str, Any]]:
    """Return the means over the corresponding elites of each pair of populations."""
    means = []
    for a, b in combinations(range(len(result.names)), 2):
        names, pairs = [result.names[a], result.names[b]], len(result.corresponding(a, b)[0])
        measures = {key: result.mean(key, a, b) for key in ("hamming", "agreement")}
        score = result.corresponding_scores[a, b]
        means.append({"populations": names, "pairs": pairs, "score": score, **measures})
    return means


def _corresponding_blocks(result: Diversity, means: Sequence[Mapping[str, Any]]) -> list[Block]:
    names, blocks = result.names, list[Block]()
    if len(names) > 1:
        rows = [["populations", "pairs", "cross-play", "rules that differ", "moves alike"]]
        for pair in means:
            measures = "{pairs} {score:.2f} {hamming:.2f} {agreement:.1%}".format(**pair)
            rows.append([" – ".join(pair["populations"]), *measures.split()])
        blocks += [Heading("Corresponding elites"), Table(rows)]
    if len(names) > 2 and len(result.unanimity):
        text = (
            f"Moves alike in all {len(names)} populations, in the {len(result.unanimity)} niches "
            f"that all have: {result.unanimity.mean():.1%}."
        )
        blocks.append(Paragraph(text))
    niches = (result.populations[0].grid, result.populations[0].features)  # the same in all
    if len(names) > 1 and niches == (_PUBLISHED_GRID, PUBLISHED_FEATURES):
        blocks.append(Paragraph(_published()))
    scores = zip(names, result.corresponding_scores, strict=True)
    cells = [[name, *(f"{score:.2f}" for score in row)] for name, row in scores]
    blocks.append(Heading("Cross-play of corresponding elites"))
    return [*blocks, Table([["population", *names], *cells])]


def _published() -> str:
    scores, runs = PUBLISHED_CROSS_PLAY, range(3)
    return (
        "Canaan et al. 2020, three runs of 20 × 20 niches: cross-play "
        f"{_listed(scores[a][b] for a, b in combinations(runs, 2))} (runs 1-2, 1-3, 2-3), "
        f"self-play {_listed(scores[a][a] for a in runs)}; rules that differ "
        f"{_listed(PUBLISHED_HAMMING.values())} of 15 (computed from the published rules); moves "
        f"alike {PUBLISHED_AGREEMENT:.0%}, which is the value of the published elites when all "
        "three runs are compared at once."
    )


def _listed(values: Iterable[float]) -> str:
    return ", ".join(f"{value:.2f}" for value in values)


def _distance_cells(by_distance: Means) -> list[list[str]]:
    columns = list(product(by_distance, _LABELS))
    means = [by_distance[kind][measure] for kind, measure in columns]
    rows = [["distance", *(f"{kind}: {_LABELS[measure]}" for kind, measure in columns)]]
    for d in sorted({distance for column in means for distance in column}):
        rows.append([str(d), *(f"{column[d]:.2f}" if d in column else "-" for column in means)])
    return rows


def _draw_by_distance(by_distance: Means) -> Any:
    panels = []
    for measure, label in _LABELS.items():
        lines = [
            Series(_KINDS[kind], list(means[measure]), list(means[measure].values()))
            for kind, means in by_distance.items()
            if means[measure]
        ]
        panels.append(Panel("Manhattan distance of the niches", label, lines, y_range=(0, None)))
    return draw_lines(panels)
