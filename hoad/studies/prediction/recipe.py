"""What can be set about a study of prediction: the keys of ``results/prediction*.toml``."""

from pathlib import Path
from typing import Annotated, ClassVar, Final, Self

from pydantic import Field, model_validator

from hoad.agents.families import HoldOut
from hoad.agents.registry import AgentName
from hoad.core.recipe import Recipe, Seed

_LIST_RULES: Final = 15
_PUBLISHED: Final = 200
"""Random lists are made of rules below this number: of those that others have published, and ours
like them, without the conventions that programs are induced from as well."""

Counts = Annotated[tuple[Annotated[int, Field(ge=0)], ...], Field(min_length=1)]


class PredictionRecipe(Recipe):
    """Predict strangers after some of their self-play games."""

    folder: ClassVar = "results"

    partners: tuple[AgentName, ...] = Field((), description="Strangers, each held out.")
    elites: tuple[str, ...] = Field((), description="Populations; their elites are strangers too.")
    random_lists: int = Field(
        0, ge=0, description=f"Strangers that are random lists of {_LIST_RULES} rules."
    )
    hold_out: HoldOut = Field(
        "agent", description="What models may not know: the stranger, or its whole family."
    )
    games: Counts = Field((10,), description="Numbers of self-play games to learn from.")
    others: tuple[AgentName, ...] = Field(
        (), description="Agents that play with the strangers, besides self-play."
    )
    test_games: int = Field(200, ge=2, description="Games to evaluate on, with each other player.")
    seed: Seed = Field(0, description="Seed of all games and lists.")
    out: Path = Field(description="Folder that the report is written to.")

    @model_validator(mode="after")
    def _has_strangers(self) -> Self:
        if not (self.partners or self.elites or self.random_lists):
            raise ValueError("no strangers; name partners or elites, or set random_lists")
        return self

    @property
    def strangers(self) -> list[str]:
        """The names of all strangers."""
        from hoad.evolution.elites import elite_names  # numba takes a second to import

        elites = [name for population in self.elites for name in elite_names(population)]
        return [*self.partners, *elites, *random_lists(self.random_lists, self.seed)]


def random_lists(number: int, seed: int) -> list[str]:
    """Return the names of random lists of different rules."""
    import numpy as np

    from hoad.agents.rules.catalogue import CATALOGUE  # numba takes a second to import
    from hoad.agents.rules.play import NEVER_FIRES

    draw = np.random.default_rng(seed)
    alive = [
        rule.number
        for rule in CATALOGUE.values()
        if rule.row.function != NEVER_FIRES and rule.number < _PUBLISHED
    ]
    lists = (draw.permutation(alive)[:_LIST_RULES].tolist() for _ in range(number))
    return ["rules:" + ",".join(map(str, rules)) for rules in lists]
