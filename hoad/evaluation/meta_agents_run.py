"""Playing the games of a table of meta-agents."""

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from hoad.adhoc.bayes.niche import NicheBelief
from hoad.adhoc.bayes.recorder import BeliefDiary
from hoad.adhoc.matchup_files import saved_match_ups
from hoad.adhoc.matchups import MatchUps
from hoad.adhoc.pool import Pool, agents_of, make_pool
from hoad.adhoc.published_matchups import read_published
from hoad.adhoc.seeds import TABLE, other_seed
from hoad.adhoc.session import Session, play_session
from hoad.core.errors import HoadError
from hoad.core.files import make_folder
from hoad.core.progress import progress
from hoad.core.provenance import provenance
from hoad.core.workers import work
from hoad.evaluation.matchup_page import MatchUpCheck, check_match_ups
from hoad.evaluation.meta_agents_players import Training, make_meta_agent
from hoad.evaluation.meta_agents_recipe import MetaAgentsRecipe
from hoad.evaluation.meta_agents_table import MetaAgentTable, MetaCell, PoolBeliefs

_BLOCK = 8
"""Partners of an item."""


@dataclass(frozen=True)
class MetaAgentsResult:
    """All that there is to tell.

    Attributes:
        recipe: what was asked for.
        trainings: what the meta-agents of each pool knew.
        table: the games.
        checks: match-ups beside published ones, where the recipe names such.
        made_with: :func:`hoad.core.provenance.provenance`.
        seconds: wall time, by what it was spent on.
    """

    recipe: MetaAgentsRecipe
    trainings: tuple[Training, ...]
    table: MetaAgentTable
    checks: tuple[MatchUpCheck, ...]
    made_with: Mapping[str, str | int]
    seconds: Mapping[str, float]

    @property
    def pools(self) -> tuple[Pool, ...]:
        """The pools."""
        return tuple(training.pool for training in self.trainings)


def run_meta_agents(recipe: MetaAgentsRecipe, threads: int) -> MetaAgentsResult:
    """Play all games of a recipe.

    Args:
        recipe: what to play.
        threads: number of threads; the result does not depend on it.

    Raises:
        HoadError: an agent or a population is missing.
    """
    start, made_with = time.perf_counter(), provenance()
    make_folder(recipe.out)  # which may fail, so before all games
    pools = [make_pool(pool.agents, pool.population) for pool in recipe.pools]
    for pool in pools:
        agents_of(pool.agents)
    _refuse_unknown_label(recipe, pools[0])
    trainings = tuple(
        Training(pool, _know(recipe, number, pool, threads)) for number, pool in enumerate(pools)
    )
    for training, player in product(trainings, recipe.players):
        make_meta_agent(player, recipe, training, training.pool, 0)  # refuses what cannot be made
    known = time.perf_counter()
    table = _play_table(recipe, trainings, threads)
    played = time.perf_counter()
    checks = tuple(_check(recipe, pools, threads))
    seconds = {
        "match-ups": known - start,
        "games of the table": played - known,
        "comparing match-ups": time.perf_counter() - played,
    }
    return MetaAgentsResult(recipe, trainings, table, checks, made_with, seconds)


def _refuse_unknown_label(recipe: MetaAgentsRecipe, pool: Pool) -> None:
    labels = [pool.label(index) for index in range(len(pool.agents))]
    if recipe.belief_about not in (None, *labels):
        raise HoadError(
            f"belief_about = {recipe.belief_about!r}: nobody of the first pool; choose from "
            f"{', '.join(labels)}"
        )


def _know(recipe: MetaAgentsRecipe, number: int, pool: Pool, threads: int) -> MatchUps:
    if recipe.published_match_ups is not None:
        return read_published(recipe.published_match_ups, number + 1, pool)
    found = saved_match_ups(pool.agents, recipe.matchup_games, recipe.matchup_seed, threads)
    return found if recipe.tell_seats_apart else found.without_seats()


def _check(recipe: MetaAgentsRecipe, pools: Sequence[Pool], threads: int) -> Iterator[MatchUpCheck]:
    if recipe.published_match_ups is not None:
        games, seed = recipe.matchup_games, recipe.matchup_seed
        for number, pool in enumerate(pools, start=1):
            yield check_match_ups(pool, recipe.published_match_ups, number, games, seed, threads)


def _play_table(
    recipe: MetaAgentsRecipe, trainings: Sequence[Training], threads: int
) -> MetaAgentTable:
    keys: list[tuple[int, int, str]] = []
    items = []
    for (trained, training), (met, other) in product(enumerate(trainings), repeat=2):
        partners = range(len(other.pool.agents))
        for player, start in product(recipe.players, partners[::_BLOCK]):
            keys.append((trained, met, player))
            items.append((player, recipe, training, other.pool, partners[start : start + _BLOCK]))
    played: defaultdict[tuple[int, int, str], list[_Played]] = defaultdict(list)
    with progress(len(items), "meta-agents", "items") as bar:
        for key, sessions in zip(keys, work(_play_partners, items, threads), strict=True):
            played[key] += sessions
            bar.update()
    cells = {key: _cell(sessions) for key, sessions in played.items()}
    return MetaAgentTable(tuple(pool.name for pool in recipe.pools), recipe.players, cells)


@dataclass(frozen=True)
class _Played:
    """A session with a partner, and what the meta-agent believed if it learns."""

    session: Session
    diary: BeliefDiary | None
    estimates: np.ndarray


def _play_partners(
    player: str, recipe: MetaAgentsRecipe, training: Training, pool: Pool, partners: Sequence[int]
) -> list[_Played]:
    """Let a meta-agent meet some partners of a pool."""
    played = []
    for partner in partners:
        meta_agent, diary = make_meta_agent(player, recipe, training, pool, partner)
        session = play_session(
            meta_agent,
            agents_of(pool.agents)[partner],
            recipe.episodes,
            recipe.games_per_episode,
            other_seed(recipe.seed, TABLE),
            seat=0 if recipe.seats == "first" else None,
        )
        belief = meta_agent.belief
        unknown = np.full((recipe.episodes, 2), np.nan)
        estimates = belief.estimates if isinstance(belief, NicheBelief) else unknown
        played.append(_Played(session, diary, estimates))
    return played


def _cell(played: Sequence[_Played]) -> MetaCell:
    diaries = [one.diary for one in played if one.diary is not None]
    lenient, strict = (
        np.array([getattr(one.session, score) for one in played]) for score in ("lenient", "strict")
    )
    if not diaries:
        return MetaCell(lenient, strict, None)
    nowhere = np.full(lenient.shape[1:], np.nan)
    beliefs = PoolBeliefs(
        np.array([diary.means for diary in diaries]),
        np.array([diary.of_first_episode for diary in diaries]),
        np.array([diary.in_partner if diary.in_partner.size else nowhere for diary in diaries]),
        np.array([diary.found if diary.found.size else nowhere for diary in diaries]),
        np.array([one.estimates for one in played]),
    )
    return MetaCell(lenient, strict, beliefs)
