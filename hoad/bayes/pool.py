"""Pools: agents that are the hypotheses, the responses or the partners of a meta-agent."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from hoad.agents.agent import Agent
from hoad.agents.registry import get_fair_agent
from hoad.core.errors import HoadError
from hoad.core.paths import checkpoint_root
from hoad.core.workers import forget_between_programs
from hoad.evolution.folders import population_path
from hoad.evolution.population import elite_names, load_population

BETWEEN_NAMES: Final = "+"
"""Stands between the agents of a pool that is written in one word."""

Niche = tuple[int, int]


@dataclass(frozen=True)
class Pool:
    """Some agents, at least one."""

    agents: tuple[str, ...]  # their names
    # of each agent in its population (communicativeness, IPP), or None without one
    niches: tuple[Niche | None, ...]
    # number of niches of the population by feature; None without a population
    grid: Niche | None = None
    features: tuple[str, str] | None = None  # the axes of the grid; None without a population

    def label(self, index: int) -> str:
        """Return a short name of an agent: its niche, as in ``2,3``, if it has one."""
        niche = self.niches[index]
        return self.agents[index] if niche is None else f"{niche[0]},{niche[1]}"

    def hypothesis(self, partners: "Pool", index: int) -> int | None:
        """Return the agent of this pool, by index, that stands for a partner of another pool.

        That is the partner itself, or the elite of the same niche on the same grid; else None.
        """
        name, niche = partners.agents[index], partners.niches[index]
        if name in self.agents:
            return self.agents.index(name)
        same_grid = (self.grid, self.features) == (partners.grid, partners.features)
        if niche is None or not same_grid or niche not in self.niches:
            return None
        return self.niches.index(niche)


def make_pool(agents: Sequence[str] = (), population: str | None = None) -> Pool:
    """Return the pool of these agents and of the elites of a population, by niche.

    The population is a file, or a run of evolve.py; a HoadError if it cannot be read.
    """
    if population is None:
        return Pool(tuple(agents), (None,) * len(agents))
    read = load_population(population_path(population))
    niches = sorted(elite.niche for elite in read.elites)
    names = (*agents, *elite_names(population))
    return Pool(names, (*(None for _ in agents), *niches), read.grid, read.features)


def find_pool(text: str) -> Pool:
    """Return the pool that one word means; a HoadError if it is none of these.

    It is a population file (``*.json``), a run of evolve.py, or names of agents with ``+`` between.
    """
    names = text.split(BETWEEN_NAMES)
    if text.endswith(".json") or len(names) == 1:
        return make_pool(population=text)
    return make_pool(names)


def check_agents(where: str, names: Sequence[str]) -> None:
    """Raise a HoadError that starts with ``where`` if an agent is unknown or named twice."""
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise HoadError(f"{where}: agent {twice} is named twice; name each agent once")
    agents_of(names)


def agents_of(names: Sequence[str]) -> tuple[Agent, ...]:
    """Return the agents of these names; the same objects whenever asked.

    Raises:
        HoadError: an agent is unknown, sees more than its player may see, or cannot be asked for
            the probabilities of moves in games that it does not play.
    """
    return _agents_of(tuple(names), checkpoint_root())


@lru_cache(maxsize=16)
def _agents_of(names: tuple[str, ...], root: Path) -> tuple[Agent, ...]:
    """Return the agents, which depend on the folder of networks and populations."""
    agents = tuple(map(get_fair_agent, names))
    for agent in agents:
        if agent.one_game_at_a_time:
            raise HoadError(
                f"agent {agent.name}: cannot be in a pool: meta-agents ask their hypotheses for "
                "probabilities, and another program answers with moves; record and imitate it, "
                "and name its imitator"
            )
    return agents


forget_between_programs(_agents_of.cache_clear)
