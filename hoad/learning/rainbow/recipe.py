"""Settings of Rainbow: the keys of ``models/rainbow.toml``."""

from typing import Self

from pydantic import Field, model_validator

from hoad.core.capacity import MOST_GAMES
from hoad.core.recipe import Count, Several
from hoad.learning.recipes import EMA, Positives, Rate, TrainingRecipe


class RainbowRecipe(TrainingRecipe):
    """Train Rainbow in self-play: one network in both seats, without recorded games.

    A step is one move in each game and the updates that follow it.
    """

    steps: int = Field(ge=1, description="Moves in each game; each is followed by updates.")
    games: Count = Field(1024, description="Games played in lockstep.")
    hidden: Positives = Field((512, 512), description="Widths of the hidden layers.")
    atoms: int = Field(51, ge=2, description="Atoms of the distribution over returns.")
    v_min: float = Field(-25, description="Return of the lowest atom.")
    v_max: float = Field(25, description="Return of the highest atom.")
    double: bool = Field(True, description="The online network chooses the target's move.")
    recolour: bool = Field(True, description="Permute colours of transitions in each update.")
    own_cards_weight: float = Field(
        0.5,
        ge=0,
        description="Weight of the auxiliary loss: predict whether each own card is playable, "
        "useless or neither; 0: no such head.",
    )
    auxiliary_steps: int = Field(
        16_000, ge=0, description="First steps, with an effect of recolour and own_cards_weight."
    )
    discount: float = Field(0.99, gt=0, le=1, description="Discount of one turn of a player.")
    history: int = Field(
        128, ge=4, le=MOST_GAMES, description="Turns of each game in the replay buffer."
    )
    learning_starts: int = Field(16, ge=4, description="Random moves before the first update.")
    batch_size: Count = Field(256, description="Transitions per update.")
    updates: Count = Field(8, description="Updates per step.")
    learning_rate: Rate = Field(3e-4, description="Learning rate of Adam at the start.")
    lr_half_life: int = Field(9_766, ge=1, description="Steps in which that rate falls to half.")
    late_learning_rate: Rate = Field(1e-4, description="Learning rate after auxiliary_steps.")
    late_lr_half_life: int = Field(20_000, ge=1, description="Steps in which that falls to half.")
    adam_epsilon: float = Field(1e-5, gt=0, description="Adam's epsilon.")
    target_every: int = Field(2, ge=1, description="Steps between updates of the target network.")
    ema: float = Field(0.01, gt=0, le=1, description=EMA)
    epsilon: float = Field(0.1, ge=0, le=1, description="Share of random moves in the first game.")
    epsilon_power: float = Field(
        7, ge=0, description="In the last game that share is epsilon ** (1 + epsilon_power)."
    )
    epsilon_decay: int = Field(
        16, ge=1, description="Steps after learning_starts in which the shares fall from 1."
    )
    per_alpha: float = Field(0.5, ge=0, le=1, description="Exponent of priorities; 0: uniform.")
    per_beta: float = Field(0.5, ge=0, le=1, description="Exponent of importance-sampling weights.")
    validation_games: Several = Field(1000, description="Games that choose the checkpoint.")
    test_games: Several = Field(10_000, description="Games that test it in the end.")

    @model_validator(mode="after")
    def _valid_support(self) -> Self:
        if self.v_min >= self.v_max:
            raise ValueError(f"v_min = {self.v_min} is not below v_max = {self.v_max}")
        return self
