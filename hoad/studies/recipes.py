"""The recipes of studies: what can be set about bounds, search, imitators, prediction, people."""

from pathlib import Path
from typing import Annotated, ClassVar, Final, Self

from pydantic import Field, model_validator

from hoad.agents.families import HoldOut
from hoad.agents.registry import AgentName
from hoad.core.capacity import MOST_GAMES
from hoad.core.recipe import Count, Recipe, Seed, Several

_LIST_RULES: Final = 15
_PUBLISHED: Final = 200
"""Random lists are made of rules below this number: of those that others have published, and ours
like them, without the conventions that programs are induced from as well."""

GamesLearned = Annotated[tuple[Annotated[int, Field(ge=0)], ...], Field(min_length=1)]


class BoundsRecipe(Recipe):
    """Measure how well one can play with each agent: itself, the best response, search."""

    folder: ClassVar = "results"

    agents: tuple[AgentName, ...] = Field(min_length=1, description="Agents, which are fair.")
    population: str | None = Field(
        None, description="Population file, or run of evolve.py; its elites are agents too."
    )
    games: int = Field(
        1_000,
        ge=4,
        le=MOST_GAMES,
        multiple_of=4,
        description="Games of each agent with itself, and with its best response.",
    )
    choosing_games: Count = Field(
        500,
        description="Games of each ordered pair, on other decks, by which responses are chosen.",
    )
    search_games: int = Field(
        20,
        ge=0,
        le=MOST_GAMES,
        multiple_of=4,
        description="Games of search-oracle with each agent; 0 for none.",
    )
    without_search: tuple[AgentName, ...] = Field(
        (),
        description="Agents with which search-oracle does not play, because a move of theirs takes "
        "too long; where among the agents.",
    )
    longer: tuple[AgentName, ...] = Field(
        (), description="Agents with which search-oracle plays more games, where among the agents."
    )
    longer_games: int = Field(
        1_000, ge=4, le=MOST_GAMES, multiple_of=4, description="Games of search-oracle with these."
    )
    rollouts: int = Field(8_000, ge=1, description="Most rollouts of a decision of search-oracle.")
    seed: Seed = Field(0, description="Seed of the games.")
    kept: Path | None = Field(
        None,
        description="Folder that keeps the games of search-oracle, which studies of search may "
        "share; None for OUT.",
    )
    out: Path = Field(description="Folder that the report is written to.")

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        self.refuse_repeated("agents", "longer", "without_search")
        return self


class SearchRecipe(Recipe):
    """Measure what search gains with agents as model and blueprint."""

    folder: ClassVar = "results"

    agents: tuple[AgentName, ...] = Field(min_length=1, description="Agents: rule lists and bots.")
    games: Several = Field(1_000, multiple_of=2, description="Games of each row of the table.")
    both_games: int | None = Field(
        None,
        ge=2,
        le=MOST_GAMES,
        multiple_of=2,
        description="Games of the rows in which both players search, which take twice as long; "
        "None for as many as the other rows have.",
    )
    rollouts: int = Field(ge=1, description="Most rollouts of a decision, in the table.")
    curve: tuple[AgentName, ...] = Field((), description="Agents whose score is drawn by rollouts.")
    curve_rollouts: tuple[Annotated[int, Field(ge=1)], ...] = Field(
        (), description="Most rollouts of a decision, for each point of the curve."
    )
    curve_games: Several = Field(400, multiple_of=2, description="Games of each of its points.")
    seed: Seed = Field(0, description="Seed of the games.")
    kept: Path | None = Field(
        None, description="Folder that keeps the games, which tables may share; None for OUT."
    )
    out: Path = Field(description="Folder that the report is written to.")

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        self.refuse_repeated("agents", "curve", "curve_rollouts")
        if bool(self.curve) != bool(self.curve_rollouts):
            raise ValueError("curve and curve_rollouts: give both or neither")
        return self


class ImitatorsRecipe(Recipe):
    """Compare imitators with the agents that they imitate."""

    folder: ClassVar = "results"

    agents: tuple[AgentName, ...] = Field(min_length=1, description="Agents with an imitator each.")
    test_games: Count = Field(
        5_000, description="Maximum of test games per agent, on which no network was trained."
    )
    games: Several = Field(1_000, description="Games of each ordered pair of cross-play.")
    seed: Seed = Field(0, description="Seed of cross-play.")
    out: Path = Field(description="Folder that the report is written to.")


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
    games: GamesLearned = Field((10,), description="Numbers of self-play games to learn from.")
    others: tuple[AgentName, ...] = Field(
        (), description="Agents that play with the strangers, besides self-play."
    )
    players: int = Field(
        2, ge=2, le=5, description="In each game; with 3 to 5, strangers and others are rule lists."
    )
    test_games: int = Field(200, ge=2, description="Games to evaluate on, with each other player.")
    seed: Seed = Field(0, description="Seed of all games and lists.")
    out: Path = Field(description="Folder that the report is written to.")

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        self.refuse_repeated("partners", "others", "games")
        if not (self.partners or self.elites or self.random_lists):
            raise ValueError("no strangers; name partners or elites, or set random_lists")
        if self.players > 2 and self.random_lists:
            raise ValueError("random_lists have rules of two players; name partners instead")
        return self

    @property
    def strangers(self) -> list[str]:
        """The names of all strangers."""
        from hoad.evolution.population import elite_names  # numba takes a second to import

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


class PeopleRecipe(Recipe):
    """Predict people after some of their games."""

    folder: ClassVar = "results"

    people: Path = Field(description="Games of people (.h5, .jsonl, .jsonl.gz).")
    games: GamesLearned = Field((10,), description="Numbers of games to learn from.")
    least: Annotated[int, Field(ge=2)] = Field(
        11, description="Games that a person must have to be predicted; others only inform models."
    )
    test_games: int = Field(200, ge=2, description="Later games to evaluate on, at most.")
    meta_model: str | None = Field(
        None,
        description="Meta-models maml:NAME-FOLD whose tasks are the people of other folds; none: "
        "leave them out.",
    )
    experience: Path | None = Field(
        None,
        description="Folder of HanabiData's logs with its surveys, or a CSV file (player, "
        "hanabi_experience), for a table by experience; none: leave it out.",
    )
    out: Path = Field(description="Folder that the report is written to.")

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        self.refuse_repeated("games")
        if self.least <= min(self.games):
            raise ValueError(
                f"least = {self.least}: models learn from {min(self.games)} games or more, and are "
                "evaluated on later ones; set a larger least, or a smaller number in games"
            )
        return self
