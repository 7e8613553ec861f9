"""Settings of the imitator (``models/imitator*.toml``), the naive network and every training."""

from typing import Annotated, ClassVar, Final, Literal, Self

from pydantic import Field, model_validator

from hoad.core.capacity import MOST_GAMES
from hoad.core.recipe import Count, Recipe, Several

Precision = Literal["auto", "float32", "bfloat16"]
Positive = Annotated[int, Field(ge=1)]
Positives = Annotated[tuple[Positive, ...], Field(min_length=1)]
Rate = Annotated[float, Field(gt=0, lt=1)]

EMA: Final = (
    "Weight of the newest weights in the exponential moving average that is validated and kept; "
    "1: no average."
)


class TrainingRecipe(Recipe):
    """Settings of every training."""

    folder: ClassVar = "models"

    steps: int = Field(ge=1, description="Updates of the weights.")
    validate_every: int = Field(
        ge=1, description="Steps between validations; each validation writes a checkpoint."
    )
    report_every: int = Field(100, ge=1, description="Steps averaged in a point of a curve.")
    precision: Precision = Field(
        "auto", description="Of matrix products; auto: bfloat16 where it is faster, else float32."
    )
    seed: int = Field(0, ge=0, lt=2**63, description="Seed of all random numbers of a training.")


class ImitatorRecipe(TrainingRecipe):
    """Train an imitator: a network that predicts the moves of an agent."""

    hidden: Positives = Field(
        (1024, 1024, 512, 512, 256), description="Widths of the hidden layers."
    )
    dropout: bool = Field(False, description="Drop half of each hidden layer while training.")
    batch_size: Several = Field(512, description="Transitions per step.")
    learning_rate: Rate = Field(1.5e-3, description="Highest learning rate of Adam.")
    warmup_steps: int = Field(200, ge=0, description="Steps in which it rises to its highest.")
    decay: Literal["linear", "none"] = Field(
        "linear", description="linear: the learning rate falls to 0 at the last step; none: never."
    )
    adam_beta2: Rate = Field(0.99, description="Adam's decay of the mean of squared gradients.")
    recolour: bool = Field(False, description="Permute the colours of each batch at random.")
    validation_games: Count = Field(1000, description="Most games that choose the checkpoint.")
    train_games: int | None = Field(
        None,
        ge=2,
        le=MOST_GAMES,
        description="Games to learn from, drawn by the seed, validation_games of them to choose "
        "the checkpoint; all others are test games. None: 90, 5 and 5 %.",
    )

    own_share: float = Field(
        1,
        gt=0,
        le=1,
        description="Share of a batch that the person made; the rest is added: moves of other "
        "people of the file, or of the person's logit.",
    )
    logit_games: int = Field(
        0,
        ge=0,
        le=MOST_GAMES,
        description="Games that the person's logit plays; its moves are added, and none of others.",
    )

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.train_games is not None and self.validation_games >= self.train_games:
            raise ValueError(
                f"validation_games = {self.validation_games} leaves none of train_games = "
                f"{self.train_games} to train on"
            )
        if self.own_share < 1 and not 0 < self.own_moves < self.batch_size:
            raise ValueError(
                f"own_share = {self.own_share} of batch_size = {self.batch_size} is "
                f"{self.own_moves} moves; give a share or a size that leaves both kinds a move"
            )
        if self.logit_games and self.own_share == 1:
            raise ValueError("logit_games needs an own_share below 1; the rest is the logit's")
        return self

    @property
    def own_moves(self) -> int:
        """Moves of a batch that the person made."""
        return round(self.own_share * self.batch_size)


class NaiveRecipe(Recipe):
    """Train a naive network on ten games of the partner and nothing else."""

    hidden: Positives = Field((512, 512, 512, 256), description="Widths of the hidden layers.")
    batch_size: Several = Field(128, description="Transitions per step.")
    epochs: int = Field(100, ge=1, description="Passes over the games; the last weights are kept.")
    learning_rate: Rate = Field(1.5e-4, description="Learning rate of Adam, constant.")
    precision: Precision = Field(
        "float32", description="Of matrix products; float32 is the same on every processor."
    )


class LowShotRecipe(Recipe):
    """How low-shot adapts to the partner's games."""

    steps: int | None = Field(
        None,
        ge=0,
        description="Inner steps on the games of a trial; None for as many as were best on "
        "unseen games of the agents of meta-training.",
    )
    rate: float | None = Field(
        None, gt=0, description="Inner learning rate; None for the one of meta-training."
    )
