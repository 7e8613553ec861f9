"""Elites as agents: ``elite:POPULATION/c,i`` is the elite of niche (c, i) of a population.

POPULATION is the path of a population file (``*.json``), the name of a run of evolve.py, or the
name of a population that HOAD ships.
"""

from hoad.agents.agent import Agent
from hoad.agents.rules.rule_list import rule_list_agent
from hoad.core.errors import HoadError
from hoad.evolution.folders import population_path
from hoad.evolution.population import Elite, load_population

PREFIX = "elite"


def elite_names(population: str) -> list[str]:
    """Return the elites' names, by niche; a HoadError if the population cannot be read."""
    elites = load_population(population_path(population)).elites
    return [f"{PREFIX}:{population}/{c},{i}" for c, i in sorted(elite.niche for elite in elites)]


def make_elite(argument: str) -> Agent:
    """Return the agent of ``POPULATION/c,i``.

    Raises:
        HoadError: the argument has another form, the population cannot be read, its niche is
            empty, or a rule is not in the catalogue.
    """
    name = f"{PREFIX}:{argument}"
    try:
        return rule_list_agent(name, _find_elite(argument).chromosome)
    except HoadError as error:
        raise type(error)(f"{name}: {error}") from error


def chromosome_of(name: str) -> tuple[int, ...]:
    """Return the rules of an elite, by its name as an agent; none for other agents.

    Raises:
        HoadError: the population cannot be read, or its niche is empty.
    """
    prefix, _, argument = name.partition(":")
    return _find_elite(argument).chromosome if prefix == PREFIX else ()


def _find_elite(argument: str) -> Elite:
    population, _, niche = argument.rpartition("/")
    try:
        communicativeness, information = (int(part) for part in niche.split(","))
    except ValueError:
        raise HoadError(f"expected {PREFIX}:POPULATION/c,i with the niche's indices") from None
    return load_population(population_path(population)).elite((communicativeness, information))
