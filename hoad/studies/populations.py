"""Scores of the elites of populations, in self-play and in all pairs of a population."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from hoad.agents.games import play
from hoad.agents.rules.rule_list import RuleList
from hoad.agents.seeds import other_seed
from hoad.core.errors import HoadError
from hoad.core.files import safe_name
from hoad.core.progress import counted
from hoad.core.workers import work
from hoad.evolution.fitness import evaluate_pairs
from hoad.evolution.folders import population_path
from hoad.evolution.heat_map import draw_heat_map
from hoad.evolution.population import Population, load_population
from hoad.game.log import replay
from hoad.game.stream import Purpose
from hoad.reports.output import Result, Started
from hoad.reports.page import Block, Figure, Paragraph, Report, Table
from hoad.reports.plots import SCORE_RANGE, Panel, Series, draw_lines
from hoad.reports.published import (
    PUBLISHED_DEVIATIONS,
    PUBLISHED_FEATURES,
    PUBLISHED_RUNS,
    Measures,
)

_LABELS: Final = {
    "coverage": "coverage",
    "best": "best",
    "mean": "mean",
    "qd_score": "QD score",
    "pairwise_mean": "pairwise",
    "correlation_moving_first": "correlation, first (r)",
    "correlation_moving_second": "correlation, second (h)",
    "mean_deviation": "mean SD",
    "largest_deviation": "largest SD",
}
"""Measures in the table, by key."""


@dataclass(frozen=True)
class PopulationScores:
    """The scores of one population's elites; the population has their new fitness.

    ``pairwise`` holds mean lenient scores of each ordered pair, float64, shape ``(elites,
    elites)``; row = first player. The diagonal is self-play in the games of the pairs.
    ``deviations`` are the standard deviations of each elite's scores in self-play, float64.
    """

    population: Population
    pairwise: np.ndarray
    deviations: np.ndarray

    @property
    def fitness(self) -> np.ndarray:
        """Mean lenient self-play scores of the elites, float64."""
        return np.array([elite.fitness for elite in self.population.elites], np.float64)

    def with_all(self, seat: int) -> np.ndarray:
        """Return each elite's mean score with all elites in one seat, float64.

        In seat 0 it moves first (a response r in Canaan et al.), in 1 second (a hypothesis h).
        """
        return np.asarray(self.pairwise.mean(1 - seat))

    def correlation(self, seat: int) -> float | None:
        """Return the correlation of self-play with :meth:`with_all`; None if either is constant."""
        means = self.with_all(seat)
        if not (np.ptp(self.fitness) and np.ptp(means)):
            return None
        return float(np.corrcoef(self.fitness, means)[0, 1])

    @property
    def best(self) -> tuple[int, int]:
        """The niche of the elite with the highest score in self-play."""
        return self.population.elites[int(self.fitness.argmax())].niche

    @property
    def generalist(self) -> tuple[int, int]:
        """The niche of the elite that scores most with all elites when it moves first."""
        return self.population.elites[int(self.with_all(0).argmax())].niche

    def measures(self) -> Measures:
        """Return the measures of the population.

        Keys: ``coverage``, the number of niches whose elite scores more than 0; ``best``; ``mean``
        over these niches (0 if there are none); ``mean_deviation`` and ``largest_deviation``, of
        the standard deviations of the elites' scores; ``qd_score``, the sum over all niches;
        ``pairwise_mean`` over all ordered pairs, including each elite with itself; and
        ``correlation_moving_first`` and ``correlation_moving_second``, see :meth:`correlation`.
        """
        coverage, total = int((self.fitness > 0).sum()), float(self.fitness.sum())
        return {
            "coverage": coverage,
            "best": float(self.fitness.max()),
            "mean": total / coverage if coverage else 0.0,
            "mean_deviation": float(self.deviations.mean()),
            "largest_deviation": float(self.deviations.max()),
            "qd_score": total,
            "pairwise_mean": float(self.pairwise.mean()),
            "correlation_moving_first": self.correlation(0),
            "correlation_moving_second": self.correlation(1),
        }


@dataclass(frozen=True)
class PopulationsResult(Result):
    """The scores of several populations on the same decks.

    ``games`` are those of self-play of each elite, ``pair_games`` those of each ordered pair.
    """

    populations: tuple[PopulationScores, ...]
    games: int
    pair_games: int


def load_populations(names: Sequence[str]) -> list[Population]:
    """Return populations (names or files); where names in the files repeat, by the given names.

    It raises a HoadError if one cannot be read, is empty, or is named twice.
    """
    for name in names:
        if names.count(name) > 1:
            raise HoadError(f"population {name}: named twice; name it once")
    populations = [load_population(population_path(name)) for name in names]
    for name, population in zip(names, populations, strict=True):
        if not population.elites:
            raise HoadError(f"population {name}: has no elites; name one that has some")
    if len({population.name for population in populations}) == len(populations):
        return populations
    named = zip(populations, names, strict=True)
    return [population.model_copy(update={"name": name}) for population, name in named]


def measure_populations(
    names: Sequence[str], games: int, pair_games: int, seed: int, threads: int
) -> PopulationsResult:
    """Evaluate the elites of populations (names or files) on decks that no evolution has used.

    Each elite plays ``games`` of self-play, each ordered pair of a population ``pair_games``; the
    result does not depend on ``threads``. It raises a HoadError if a population cannot be read, or
    a rule is not in the catalogue.
    """
    started = Started(seed)
    decks = other_seed(seed, Purpose.POPULATIONS)
    scores = tuple(
        _evaluate(population, games, pair_games, decks, threads)
        for population in load_populations(names)
    )
    return PopulationsResult(scores, games, pair_games, **started.ended())


def _evaluate(
    population: Population, games: int, pair_games: int, seed: int, threads: int
) -> PopulationScores:
    rules = population.chromosomes
    items = [(chromosome, games, seed) for chromosome in rules.tolist()]
    fitness, deviations = np.array(list(work(_play_alone, items, threads))).T
    both = zip(population.elites, fitness.tolist(), strict=True)
    elites = tuple(elite.model_copy(update={"fitness": score}) for elite, score in both)
    pairwise = play_all_pairs(rules, pair_games, seed, threads)
    population = population.model_copy(update={"elites": elites})
    return PopulationScores(population, pairwise, deviations)


def _play_alone(chromosome: Sequence[int], games: int, seed: int) -> tuple[float, float]:
    """Return mean and standard deviation of an elite's lenient scores with itself."""
    agent = RuleList("elite", chromosome)
    scores = replay(play([agent, agent], games, seed)).scores
    return float(scores.mean()), float(scores.std())


def play_all_pairs(rules: np.ndarray, games: int, seed: int, threads: int) -> np.ndarray:
    """Play ``games`` of every ordered pair of rule lists, all on the same decks.

    ``rules`` has rule numbers, int64, shape ``(agents, length)``. The result, mean lenient scores,
    float64, shape ``(agents, agents)``, row = first player, does not depend on ``threads``.
    """
    items = [(np.broadcast_to(chromosome, rules.shape), rules, games, seed) for chromosome in rules]
    sizes = [len(rules) * games] * len(rules)
    return np.array(list(counted(work(evaluate_pairs, items, threads), sizes, "pairs", "games")))


def report(result: PopulationsResult) -> Report:
    """Return the measures of each population and published runs; a row for each elite."""
    populations = [scores.population for scores in result.populations]
    kinds = {(population.grid, population.features) for population in populations}
    published = [run for run in PUBLISHED_RUNS if (tuple(run.grid), PUBLISHED_FEATURES) in kinds]
    ours = zip(populations, result.populations, strict=True)
    rows = [_cells(about.name, about.grid, scores.measures()) for about, scores in ours]
    rows += [_cells(run.run, run.grid, run.measures()) for run in published]
    blocks: list[Block] = [Paragraph(_introduction(result))]
    for population in populations:
        if missing := population.missing_candidates:
            text = f"{population.name} is unfinished: {missing:,} candidates are not evaluated."
            blocks.append(Paragraph(text))
    blocks.append(Table([["population", "niches", *_LABELS.values()], *rows]))
    if published:
        text = (
            "Rows of Canaan et al. are as published, except for the QD score (coverage times "
            "mean) and the correlations moving first (computed from the published matchups). "
            "Canaan et al. 2020 report a mean SD of {} and a largest of {} over the elites of all "
            "runs."
        ).format(*PUBLISHED_DEVIATIONS)
        blocks.append(Paragraph(text))
    facts = {
        "games": result.games,
        "pair_games": result.pair_games,
        "populations": list(map(_facts, result.populations)),
        "published": list(map(asdict, PUBLISHED_RUNS)),
    }
    elites = [row for scores in result.populations for row in _rows(scores)]
    blocks += _figures(result)
    return result.report("Populations of MAP-Elites", blocks, elites, facts)


def _introduction(result: PopulationsResult) -> str:
    return (
        f"Each elite plays {result.games:,} games of self-play, and each ordered pair of a "
        f"population {result.pair_games:,} games. Evolution used none of these decks. Scores are "
        "lenient. Coverage: niches whose elite scores more than 0; mean: over those niches; QD "
        "score: the sum over all niches; pairwise: mean over all ordered pairs, including each "
        "elite with itself. The correlation is between self-play and the mean score with all "
        "elites, moving first (the response r of Canaan et al.) or second (the hypothesis h). SD: "
        "standard deviation of an elite's scores in self-play, mean and largest of all elites."
    )


def _figures(result: PopulationsResult) -> list[Block]:
    figures: list[Block] = []
    for scores in result.populations:
        population = scores.population
        marked = {"best": scores.best, "generalist": scores.generalist}
        caption = (
            f"Self-play scores of {population.name} by niche. Framed are the best elite and the "
            "generalist, which scores most with all elites when it moves first."
        )
        draw = partial(draw_heat_map, population, marked=marked)
        figures.append(Figure(f"{safe_name(population.name)}.png", caption, draw))
    caption = "Each elite's score in self-play, and its mean score with all of its population."
    draw = partial(_draw_pairwise, result)
    return [*figures, Figure("pairwise.png", caption, draw)]


def _draw_pairwise(result: PopulationsResult) -> Any:
    panels = []
    for seat, name in enumerate(("first", "second")):
        points = [
            Series(each.population.name, each.fitness, each.with_all(seat), line="")
            for each in result.populations
        ]
        labels = ("score in self-play", f"with all elites, moving {name}")
        panels.append(Panel(*labels, points, x_range=SCORE_RANGE, y_range=SCORE_RANGE))
    return draw_lines(panels)


def _rows(scores: PopulationScores) -> list[dict[str, object]]:
    keys = ["population", "first_index", "second_index", "self_play"]
    keys += ["pairwise_moving_first", "pairwise_moving_second", "chromosome"]
    rows, name = [], scores.population.name
    means = np.transpose([scores.with_all(seat) for seat in range(2)]).tolist()
    for elite, both in zip(scores.population.elites, means, strict=True):
        rules = " ".join(map(str, elite.chromosome))
        rows.append(dict(zip(keys, (name, *elite.niche, elite.fitness, *both, rules), strict=True)))
    return rows


def _facts(scores: PopulationScores) -> dict[str, Any]:
    about = scores.population
    facts = {"population": about.name, "features": about.features, "grid": about.grid}
    niches = {"best_niche": scores.best, "generalist_niche": scores.generalist}
    return {**facts, **niches, **scores.measures()}


def _cells(name: str, grid: Sequence[int], measures: Measures) -> list[str]:
    shown = {key: "-" if value is None else f"{value:.2f}" for key, value in measures.items()}
    shown |= {"coverage": f"{measures['coverage']}", "qd_score": f"{measures['qd_score']:.1f}"}
    return [name, f"{grid[0]} × {grid[1]}", *(shown[key] for key in _LABELS)]
