"""Playing tables of meta-agents: they learn from each of some pools, and meet each pool."""

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from hoad.bayes.histograms import saved_histograms
from hoad.bayes.matchups import Matchups, read_published, saved_matchups
from hoad.bayes.pool import Pool, agents_of, check_agents, make_pool
from hoad.core.errors import HoadError
from hoad.core.files import make_folder
from hoad.core.provenance import provenance
from hoad.core.run_log import write_log_to
from hoad.players.roster import Roster, TablePartner
from hoad.reports.published import PUBLISHED_META_AGENTS
from hoad.tables.engine import play_table, refuse_games
from hoad.tables.meta_agents.matchup_check import MatchupCheck, check_matchups
from hoad.tables.meta_agents.recipe import MetaAgentsRecipe, PoolRecipe
from hoad.tables.scores import Cell, CellKey, Finding, ScoreTable, find_partners

TOLERANCE: Final = 3 * np.sqrt(2)
"""Accepted distance of a published mean in standard errors of ours; theirs has an error too."""


class Scenario(NamedTuple):
    """A pool that meta-agents know, and a pool that they meet the agents of, by index."""

    knows: int
    meets: int


@dataclass(frozen=True)
class ComparedMean:
    """A mean lenient score here compared with the published one.

    The limit of the difference is `TOLERANCE` standard errors of the mean over our episodes.
    """

    here: float
    published: float
    limit: float

    @property
    def difference(self) -> float:
        """Ours minus theirs."""
        return self.here - self.published

    @property
    def agrees(self) -> bool:
        """Whether the difference is accepted."""
        return abs(self.difference) <= self.limit


@dataclass(frozen=True)
class MetaAgentsResult:
    """The games of a table of meta-agents, with wall times in seconds by activity.

    ``matchups`` are what meta-agents know of each pool; ``checks`` compare ours with published
    ones, where the recipe names some.
    """

    recipe: MetaAgentsRecipe
    pools: tuple[Pool, ...]
    matchups: tuple[Matchups, ...]
    cells: Mapping[CellKey, Cell]
    checks: tuple[MatchupCheck, ...]
    made_with: Mapping[str, str | int]
    seconds: Mapping[str, float]

    @property
    def names(self) -> list[str]:
        """The names of the pools."""
        return [pool.name for pool in self.recipe.pools]

    @property
    def own_pool(self) -> list[Scenario]:
        """The scenarios in which meta-agents meet the pool that they know."""
        return [scenario for scenario in self.table.rows if scenario.knows == scenario.meets]

    @property
    def other_pools(self) -> list[Scenario]:
        """The scenarios in which they meet another pool."""
        return [scenario for scenario in self.table.rows if scenario.knows != scenario.meets]

    @cached_property
    def table(self) -> ScoreTable[Scenario]:
        """The scores: a row for each scenario, the mean over its partners."""
        return ScoreTable(_rows(self.recipe, self.pools), self.recipe.players, self.cells)

    @property
    def learners(self) -> list[str]:
        """The players with beliefs that change from game to game."""
        first = Scenario(0, 0)
        return [p for p in self.recipe.players if self.table.cells_of(first, p)[0].beliefs]

    def best_responses(self, pool: int) -> np.ndarray:
        """Return a pool's best response to each hypothesis in the first seat, by index, int64."""
        return np.argmax(self.matchups[pool].scores(0), axis=0)

    def finding(self, scenario: Scenario, player: str) -> Finding | None:
        """Return how a learner's belief found the partners; None if it cannot find them all."""
        beliefs = [cell.beliefs for cell in self.table.cells_of(scenario, player)]
        return find_partners([belief for belief in beliefs if belief])

    def gap_covered(self, player: str, scenario: Scenario | None = None) -> float:
        """Return the share of the gap between generalist and oracle that a player closes.

        Without a scenario it is that of the sum over all pools, each with itself. It is 1 for the
        oracle, and NaN if oracle or generalist do not play, or score the same.
        """
        if not {"generalist", "oracle"} <= set(self.recipe.players):
            return float("nan")
        scenarios = self.own_pool if scenario is None else [scenario]
        generalist, oracle, mean = (
            sum(self.table.over_repetitions(each, name, "lenient").mean for each in scenarios)
            for name in ("generalist", "oracle", player)
        )
        return (mean - generalist) / (oracle - generalist) if oracle != generalist else np.nan

    @cached_property
    def compared_with_published(self) -> dict[tuple[Scenario, str], ComparedMean]:
        """Our means compared with the published table that the recipe names, if any."""
        published = PUBLISHED_META_AGENTS.get(self.recipe.compare_with)
        compared = {}
        for scenario, player in product(self.table.rows, self.recipe.players):
            scores = published and published.scores.get(player)
            if scores:
                means = self.table.scores(scenario, player, "lenient").mean(axis=1)
                limit = TOLERANCE * means.std(ddof=1) / np.sqrt(len(means))
                there = scores[scenario.knows][scenario.meets]
                compared[scenario, player] = ComparedMean(float(means.mean()), there, float(limit))
        return compared

    def estimation_errors(self, scenario: Scenario) -> np.ndarray:
        """Return the errors of the features that niche estimated: estimate minus middle of niche.

        Float64, ``(2, 2)``: mean absolute, mean signed error of each feature, over all episodes.
        """
        pool, cells = self.pools[scenario.meets], self.table.cells_of(scenario, "niche")
        assert pool.grid is not None
        estimates = np.array([cell.beliefs.estimates for cell in cells if cell.beliefs])
        middles = (np.array(pool.niches, dtype=np.float64) + 0.5) / np.array(pool.grid)
        errors = estimates - middles[:, None]
        return np.array([np.abs(errors).mean(axis=(0, 1)), errors.mean(axis=(0, 1))])


def run_meta_agents(
    recipe: MetaAgentsRecipe, threads: int, resume: bool = False
) -> MetaAgentsResult:
    """Play the games of a recipe; its folder keeps those of each player with each partner.

    The result does not depend on ``threads``; for ``resume`` and the errors see
    :func:`~hoad.tables.engine.play_table`.
    """
    start, made_with = time.perf_counter(), provenance()
    pools = tuple(make_pool(pool.agents, pool.population) for pool in recipe.pools)
    for pool, described in zip(pools, recipe.pools, strict=True):
        agents_of(pool.agents)
        check_agents(f"responses of pool {described.name}", described.responses)
    labels = [pools[0].label(index) for index in range(len(pools[0].agents))]
    if (wanted := recipe.belief_about) not in (None, *labels):
        choices = ", ".join(labels)
        raise HoadError(f"belief_about = {wanted!r}: not in the first pool; choose from {choices}")
    rows = product(_rows(recipe, pools).values(), recipe.players)
    keys = [CellKey(*place, player) for row, player in rows for place in row]
    if not resume:
        refuse_games(recipe, keys)
    make_folder(recipe.out)  # which may fail, so before all games
    write_log_to(recipe.out)
    matchups = tuple(_learn(recipe, number, pool, threads) for number, pool in enumerate(pools))
    learned = time.perf_counter()
    known = zip(recipe.pools, matchups, strict=True)
    rosters = {pool.name: _roster(recipe, pool, of_pool) for pool, of_pool in known}
    cells = play_table(recipe, rosters, keys, made_with, threads, resume)
    played = time.perf_counter()
    checks: list[MatchupCheck] = []
    if path := recipe.published_matchups:
        of_each_pair = recipe.matchup_games, recipe.matchup_seed, threads
        numbered = enumerate(pools, start=1)
        checks = [check_matchups(pool, path, number, *of_each_pair) for number, pool in numbered]
    seconds = {
        "matchups": learned - start,
        "games of the table": sum(cell.seconds for cell in cells.values()),
        "comparing matchups": time.perf_counter() - played,
    }
    return MetaAgentsResult(recipe, pools, matchups, cells, tuple(checks), made_with, seconds)


def _learn(recipe: MetaAgentsRecipe, number: int, pool: Pool, threads: int) -> Matchups:
    """Return the matchups that meta-agents know of the pool with this number."""
    if recipe.published_matchups is not None:
        return read_published(recipe.published_matchups, number + 1, pool)
    responses = recipe.pools[number].responses or pool.agents
    everyone = tuple(dict.fromkeys([*pool.agents, *responses]))
    games, seed = recipe.matchup_games, recipe.matchup_seed
    matchups = replace(saved_matchups(everyone, games, seed, threads), score=recipe.score)
    if recipe.evidence == "histograms":
        histograms = saved_histograms(everyone, games, seed, threads)
        matchups = replace(matchups, histograms=histograms)
    if recipe.pools[number].responses:
        matchups = replace(matchups, roles=(responses, pool.agents))
    return matchups if recipe.tell_seats_apart else matchups.without_seats()


def _roster(recipe: MetaAgentsRecipe, pool: PoolRecipe, matchups: Matchups) -> Roster:
    """Return what makes the meta-agents that know one of the pools."""
    digest = hashlib.sha256(matchups.lenient.tobytes())
    digest.update(np.nan_to_num(matchups.features, nan=-1).tobytes())
    if matchups.roles is not None:  # the pool is only the hypotheses
        digest.update(repr([agent.identity for agent in agents_of(matchups.responses)]).encode())
    return Roster.of(
        recipe,
        pool_agents=pool.agents,
        population=pool.population,
        matchups=matchups,
        matchups_from=(digest.hexdigest()[:12],),
        hold_out=None,
    )


def _rows(
    recipe: MetaAgentsRecipe, pools: tuple[Pool, ...]
) -> dict[Scenario, list[tuple[str, TablePartner]]]:
    """Return the cells of each scenario: the pool that is known, and the partner."""
    rows = {}
    for knows, meets in product(range(len(pools)), repeat=2):
        known, met = pools[knows], pools[meets]
        partners = [TablePartner(a, known.hypothesis(met, n), n) for n, a in enumerate(met.agents)]
        rows[Scenario(knows, meets)] = [(recipe.pools[knows].name, partner) for partner in partners]
    return rows
