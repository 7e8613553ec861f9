"""The recipe of a run of MAP-Elites."""

import re
from typing import Annotated, ClassVar, Final, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from hoad.agents.features import OBSERVABLE, Feature, Niches
from hoad.core.recipe import Recipe, check_recipe

RULE_SETS: Final = {
    "first-50": tuple(range(50)),
    "published-105": tuple(range(105)),
    "all-135": tuple(range(135)),
}
"""Rule numbers that a chromosome may hold, by the name that recipes use."""


def _as_a_folder(name: str) -> str:
    if not re.fullmatch(r"\w[\w.-]*", name):
        characters = "letters, digits, _, - and ., and begins with a letter, digit or _"
        raise ValueError(f"a name is made of {characters}")
    if name.endswith(".json"):
        raise ValueError("a name that ends with .json would mean a population file; choose another")
    return name


class EvolveRecipe(Recipe):
    """MAP-Elites over lists of rules (Canaan et al. 2020 and 2022)."""

    folder: ClassVar = "populations"

    name: Annotated[str, AfterValidator(_as_a_folder)] = Field(
        description="Name of the population and its folder."
    )
    seed: int = Field(0, ge=0, lt=2**63, description="Seed of all candidates and games.")
    rules: Literal["first-50", "published-105", "all-135"] = Field(
        "first-50", description="Rules to choose from."
    )
    length: int = Field(15, ge=1, le=200, description="Rules of a chromosome.")
    features: tuple[Feature, Feature] = Field(OBSERVABLE, description="The axes of the grid.")
    grid: tuple[Niches, Niches] = Field((5, 5), description="Niches by feature.")
    games: int = Field(
        100, ge=1, le=1_000_000, description="Self-play games by which a candidate is evaluated."
    )
    candidates: int = Field(1_000_000, ge=1, le=10**10, description="Candidates in all.")
    random_candidates: int = Field(
        10_000, ge=1, le=10**10, description="The first ones are random."
    )
    distinct_rules: bool = Field(False, description="Random candidates hold no rule twice.")
    generation: int = Field(
        100,
        ge=1,
        le=100_000,
        description="Candidates evaluated at once, on the same decks (the papers: 1).",
    )
    crossover: float = Field(0.5, ge=0, le=1, description="Probability of a second parent.")
    mutation: float = Field(0.1, ge=0, le=1, description="Probability of a new rule, by gene.")
    fresh_decks: bool = Field(
        False, description="A challenged elite plays other decks than the candidate."
    )
    empty_niches: Literal["skipped", "rule-0"] = Field(
        "skipped",
        description="Meaning of an empty niche: nothing, or the chromosome of zeros, which is a "
        "parent like any elite and has to be beaten.",
    )
    save_every: int = Field(
        100, ge=1, le=10**10, description="Generations from one save to the next."
    )
    final_games: int = Field(
        1_000, ge=1, le=1_000_000, description="Games by which each elite is evaluated at the end."
    )

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        if self.features[0] == self.features[1]:
            raise ValueError(f"both features are {self.features[0]}; choose two")
        if self.distinct_rules and self.length > len(RULE_SETS[self.rules]):
            raise ValueError(f"there are no {self.length} different rules in {self.rules}")
        return self

    @property
    def generations(self) -> int:
        """The number of generations, of which the last may be smaller."""
        return -(-self.candidates // self.generation)

    def first_game(self, generation: int) -> int:
        """Return the number of a generation's first game.

        With fresh decks, the games of challenged elites follow those of the candidates. The games
        of the final evaluation follow those of all generations.
        """
        return generation * self.games * (2 if self.fresh_decks else 1)


def recipes_of(recipe: EvolveRecipe, runs: int) -> list[EvolveRecipe]:
    """Return recipes NAME-1, with the recipe's seed, NAME-2, ...; a HoadError for large seeds."""
    values = recipe.model_dump(mode="json")
    names = [f"{recipe.name}-{number}" for number in range(1, runs + 1)]
    return [
        check_recipe(values | {"name": name, "seed": seed}, EvolveRecipe, source=f"run {name}")
        for seed, name in enumerate(names, recipe.seed)
    ]
