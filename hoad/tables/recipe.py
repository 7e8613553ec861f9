"""What can be set about all tables."""

from pathlib import Path
from typing import Any, ClassVar

from pydantic import Field

from hoad.bayes.settings import Score
from hoad.core.recipe import Recipe, Seed


class TableRecipe(Recipe):
    """What all tables have in common."""

    folder: ClassVar = "results"

    seed: Seed = Field(0, description="Seed of all games.")
    out: Path = Field(description="Folder that the report is written to.")
    games: Path | None = Field(
        None,
        description="Folder of the games that were played, which several tables may share; None "
        "for out.",
    )

    players: tuple[str, ...]
    episodes: int
    games_per_episode: int

    score: Score = Field(
        "lenient",
        description="Score that meta-agents, nearest-response, search and oracles maximise.",
    )

    game_keys: ClassVar[frozenset[str]] = frozenset({"seed", "episodes", "games_per_episode"})
    """Keys on which the games of all cells depend."""

    @property
    def settings(self) -> dict[str, Any]:
        """Plain values on which the games of all cells depend, and by which they are found."""
        return self.model_dump(mode="json", include=set(self.game_keys))

    @property
    def own_values(self) -> dict[str, Any]:
        """All values as plain ones, but for the folder of games that tables share."""
        return self.model_dump(mode="json", exclude={"games"})

    @property
    def games_folder(self) -> Path:
        """The folder of the games that were played."""
        return self.games or self.out

    @property
    def seat(self) -> int | None:
        """The players' seat in all games; None for both seats in turn."""
        return None
