"""Population files: the elites that MAP-Elites found, as readable JSON; elites as agents.

The populations of Canaan et al. are exchanged in this format: name, features, grid, rules, and
the chromosome and fitness of the elite of each filled niche. ``elite:POPULATION/c,i`` is the elite
of niche (c, i); POPULATION is the path of such a file (``*.json``), the name of a run of evolve.py,
or the name of a population that HOAD ships.
"""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Self

import numpy as np
from pydantic import Field, model_validator

from hoad.agents.agent import Agent
from hoad.agents.features import OBSERVABLE, Feature, Niches
from hoad.agents.rules.catalogue import find_rule
from hoad.agents.rules.rule_list import rule_list_agent
from hoad.core.errors import HoadError
from hoad.core.files import read_json, write_file
from hoad.core.recipe import Recipe, check_recipe, checked
from hoad.evolution.folders import population_path


class Elite(Recipe):
    """The best agent of a niche."""

    niche: tuple[int, int] = Field(description="Index of the niche by feature, from 0.")
    chromosome: tuple[Annotated[int, checked(find_rule)], ...] = Field(
        min_length=1, description="Rule numbers in order."
    )
    fitness: float | None = Field(description="Mean lenient self-play score, if known.")


class Population(Recipe):
    """All elites of a run."""

    name: str = Field(description="Name of the population.")
    features: tuple[Feature, Feature] = Field(OBSERVABLE, description="The axes of the grid.")
    grid: tuple[Niches, Niches] = Field(description="Number of niches by feature.")
    rules: str = Field(description="The set of rules that the numbers refer to.")
    recipe: dict[str, Any] | None = Field(None, description="Settings of the run, if known.")
    candidates: int | None = Field(None, ge=0, description="Candidates evaluated so far, if known.")
    elites: tuple[Elite, ...] = Field(description="One for each niche that is filled.")

    def __repr__(self) -> str:
        return f"<Population {self.name}: {len(self.elites)} elites>"

    @model_validator(mode="after")
    def _niches_fit(self) -> Self:
        check_niches(self.elites, self.grid)
        return self

    @property
    def missing_candidates(self) -> int:
        """Candidates that its run has not evaluated: 0 if it is finished or unknown."""
        asked = (self.recipe or {}).get("candidates")
        if self.candidates is None or not isinstance(asked, int):
            return 0
        return max(0, asked - self.candidates)

    @property
    def chromosomes(self) -> np.ndarray:
        """The elites' rules as :func:`padded_chromosomes` has them."""
        return padded_chromosomes([elite.chromosome for elite in self.elites])

    def elite(self, niche: tuple[int, int]) -> Elite:
        """Return the elite of a niche; a HoadError if it is empty."""
        elites = {elite.niche: elite for elite in self.elites}
        if niche in elites:
            return elites[niche]
        filled = ", ".join(f"{c},{i}" for c, i in sorted(elites))
        raise HoadError(f"niche {niche[0]},{niche[1]} is empty; filled are {filled or 'none'}")


def check_niches(elites: Sequence[Elite], grid: tuple[int, int]) -> None:
    """Raise a ValueError if a niche is outside of the grid or has several elites."""
    taken = set()
    for niche in (elite.niche for elite in elites):
        if not all(0 <= index < size for index, size in zip(niche, grid, strict=True)):
            raise ValueError(f"niche {niche} is outside of the grid {grid}")
        if niche in taken:
            raise ValueError(f"niche {niche} has several elites")
        taken.add(niche)


def padded_chromosomes(chromosomes: Sequence[Sequence[int]]) -> np.ndarray:
    """Return lists of rules as rows of the same length, int64, shape ``(lists, longest)``.

    Shorter ones are padded with rule 0, which never fires.
    """
    longest = max(map(len, chromosomes), default=0)
    rules = np.zeros((len(chromosomes), longest), np.int64)
    for row, chromosome in zip(rules, chromosomes, strict=True):
        row[: len(chromosome)] = chromosome
    return rules


def load_population(path: str | Path) -> Population:
    """Read a population file; a HoadError, which names the key, if it cannot be read or is none."""
    return check_recipe(load_json(Path(path)), Population, source=str(path))


def load_json(path: Path) -> dict[str, Any]:
    """Read a file that holds one JSON object; a HoadError if it holds anything else."""
    values = read_json(path)
    if not isinstance(values, dict):
        raise HoadError(f"{path}: expected a JSON object, got a {type(values).__name__}")
    return values


def save_population(path: Path, population: Population) -> None:
    """Write a population file, one elite a line, or raise a HoadError and leave it untouched."""
    values = population.model_dump(mode="json")
    elites = ",\n".join(f"  {json.dumps(elite)}" for elite in values.pop("elites"))
    lines = [f" {json.dumps(key)}: {json.dumps(value)}," for key, value in values.items()]
    text = "\n".join(["{", *lines, ' "elites": [', elites, " ]", "}", ""])
    write_file(path, text.encode())


def population_csv(population: Population) -> str:
    """Return a line for each elite: the niche's indices, fitness, and the rules with spaces."""
    niche = [f"{feature}_niche" for feature in population.features]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*niche, "fitness", "chromosome"])
    for elite in population.elites:
        writer.writerow([*elite.niche, elite.fitness, " ".join(map(str, elite.chromosome))])
    return text.getvalue()


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
