"""What can be set about a study of people: the keys of ``results/prediction-people.toml``."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from hoad.core.recipe import Recipe
from hoad.studies.prediction.recipe import Counts


class PeopleRecipe(Recipe):
    """Predict people after some of their games."""

    people: Path = Field(description="Games of people (.h5, .jsonl, .jsonl.gz).")
    games: Counts = Field((10,), description="Numbers of games to learn from.")
    least: Annotated[int, Field(ge=2)] = Field(
        11, description="Games that a person must have to be predicted; others only inform models."
    )
    test_games: int = Field(200, ge=2, description="Later games to evaluate on, at most.")
    meta_model: str | None = Field(
        None,
        description="Meta-models maml:NAME-FOLD whose tasks are the people of other folds; none: "
        "leave them out.",
    )
    out: Path = Field(description="Folder that the report is written to.")
