"""What can be set about networks and their training: the keys of ``models/*.toml``.

Defaults are the sound reading of Sarmasi, "Meta-Learning Action Conventions in Ad-Hoc Hanabi"
(2022); where the published code differs, ``models/maml-as-published.toml`` sets its values.
Rainbow's network and training are those of ``models/rainbow.toml``.
"""

from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from hoad.core.recipe import Recipe
from hoad.learning.names import Source

Precision = Literal["auto", "float32", "bfloat16"]
Widths = Annotated[tuple[Annotated[int, Field(ge=1)], ...], Field(min_length=1)]
Rate = Annotated[float, Field(gt=0, lt=1)]


class TrainingRecipe(Recipe):
    """What every training has."""

    steps: int = Field(ge=1, description="Updates of the weights.")
    validate_every: int = Field(
        ge=1, description="Steps between validations; each ends with a checkpoint."
    )
    report_every: int = Field(100, ge=1, description="Steps that a point of a curve averages.")
    precision: Precision = Field(
        "auto", description="Of matrix products; auto: bfloat16 where it is faster, else float32."
    )
    seed: int = Field(0, ge=0, description="Seed of all that is random in a training.")


class ImitatorRecipe(TrainingRecipe):
    """Train an imitator: a network that says what an agent would do."""

    hidden: Widths = Field((1024, 1024, 512, 512, 256), description="Widths of the hidden layers.")
    dropout: bool = Field(False, description="Drop half of each hidden layer while training.")
    batch_size: int = Field(512, ge=2, description="Transitions a step.")
    learning_rate: Rate = Field(1.5e-3, description="Adam's largest learning rate.")
    warm_up: int = Field(200, ge=0, description="Steps in which that rate is approached evenly.")
    decay: Literal["linear", "none"] = Field(
        "linear", description="How that rate falls: evenly to zero at the last step, or never."
    )
    second_moment: float = Field(
        0.99, gt=0, lt=1, description="Share that Adam keeps of the old mean of squared gradients."
    )
    validation_games: int = Field(
        1000, ge=1, description="Unseen games, at most, that choose the checkpoint."
    )


class NaiveRecipe(Recipe):
    """Train a naive network: it knows the partner from ten games and nothing else."""

    hidden: Widths = Field((512, 512, 512, 256), description="Widths of the hidden layers.")
    batch_size: int = Field(128, ge=2, description="Transitions a step.")
    epochs: int = Field(100, ge=1, description="Passes over the games; the last weights count.")
    learning_rate: Rate = Field(1.5e-4, description="Adam's learning rate, constant.")
    precision: Precision = Field(
        "auto", description="Of matrix products; auto: bfloat16 where it is faster, else float32."
    )


class MamlRecipe(TrainingRecipe):
    """Train a meta-model with FOMAML on all agents but the held-out one."""

    agents: tuple[str, ...] = Field(
        min_length=2, description="Agents to learn from, but for the held-out one if it is here."
    )
    source: Source = Field(
        "originals", description="Whose recorded games: the agents' own or their imitators'."
    )
    hidden: Widths = Field(
        (2048, 2048, 1024, 1024, 512, 512, 256, 256, 128, 128, 64, 64),
        description="Widths of the blocks; those as wide as their input have a skip.",
    )
    batch_norm: Literal["running", "frozen"] = Field(
        "running",
        description="running: statistics of the pooled support, moved once a step (with whole "
        "games, the gradient counts that); frozen: mean 0, variance 1 for ever (published code).",
    )
    statistics_share: float = Field(
        0.5, gt=0, le=1, description="How far running statistics move towards the newest support."
    )
    episode: Literal["games", "transitions"] = Field(
        "games",
        description="games: whole games, one inner step on all of them; "
        "transitions: single transitions, one inner step a mini-batch (published code).",
    )
    games: int = Field(10, ge=1, description="Support games and, again, query games of a task.")
    batches: int = Field(
        10, ge=1, description="Mini-batches of support and of query, with transitions."
    )
    batch_size: int = Field(64, ge=1, description="Transitions of such a mini-batch.")
    query_gradient: Literal["all", "last"] = Field(
        "all", description="Query mini-batches that give the gradient (published code: last)."
    )
    zero_shot_weight: float = Field(
        0,
        ge=0,
        description="Weight, beside the adapted model's loss on the query, of the unadapted "
        "model's (which plays zero-shot) on the support; it helps to choose the checkpoint too. "
        "0: FOMAML.",
    )
    averaging: float = Field(
        1,
        gt=0,
        le=1,
        description="Share that the newest weights have, from each step, in the averaged ones, "
        "which are validated and kept; 1: the newest.",
    )
    fomaml_steps: int = Field(
        0,
        ge=0,
        description="First steps, which are FOMAML alone, without that weight and averages.",
    )
    tasks: int = Field(4, ge=1, description="Agents a step, drawn without replacement.")
    inner_rates: tuple[Rate, ...] = Field(
        (1e-4, 3e-4, 1e-3, 3e-3, 1e-2),
        min_length=1,
        description="Inner learning rates; of several, the best in trials on unseen games.",
    )
    trial_steps: int = Field(200, ge=1, description="Steps of the trial of an inner rate.")
    play_steps: tuple[Annotated[int, Field(ge=1)], ...] = Field(
        (1, 3, 10, 20),
        min_length=1,
        description="Inner steps that low-shot may take when it plays; of several numbers, the "
        "best on the training agents' unseen games.",
    )
    inner_halving: int | None = Field(
        None,
        ge=1,
        description="Inner steps, of all tasks together, after which the inner rate is halved "
        "again and again (published code: 10,000); none: constant.",
    )
    learning_rate: Rate = Field(1e-4, description="Adam's (amsgrad) learning rate at the start.")
    halving: int = Field(10_000, ge=1, description="Steps after which that rate is halved.")
    validation_episodes: int = Field(
        2, ge=1, description="Episodes of each agent's unseen games in a validation."
    )
    validation_games: int = Field(
        200,
        ge=0,
        description="Games with the held-out agent, zero-shot and low-shot each, in a validation; "
        "they are reported and decide nothing.",
    )
    milestones: tuple[Annotated[int, Field(ge=1)], ...] = Field(
        (), description="Steps after which the weights are kept for good: maml:HELD_OUT@STEP."
    )

    @field_validator("agents")
    @classmethod
    def _nobody_twice(cls, agents: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(agents)) < len(agents):
            raise ValueError("agents names somebody twice")
        return agents

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        without_effect = {
            "episode": {
                "games": ("batches", "batch_size", "query_gradient"),
                "transitions": ("games",),
            },
            "batch_norm": {"running": (), "frozen": ("statistics_share",)},
        }
        for key, by_value in without_effect.items():
            value = getattr(self, key)
            for other in by_value[value]:
                if getattr(self, other) != type(self).model_fields[other].default:
                    raise ValueError(f'{other} has no effect with {key} = "{value}"; leave it out')
        return self


class RainbowRecipe(TrainingRecipe):
    """Train Rainbow in self-play: one network in both seats, without any recorded game.

    A step is a move in each game and the updates that follow it.
    """

    steps: int = Field(ge=1, description="Moves in each game; each is followed by updates.")
    games: int = Field(1024, ge=1, description="Games that are played in lockstep.")
    hidden: Widths = Field((512, 512), description="Widths of the hidden layers.")
    atoms: int = Field(51, ge=2, description="Returns that a move's distribution is over.")
    lowest: float = Field(-25, description="The lowest of these returns.")
    highest: float = Field(25, description="The highest of these returns.")
    dueling: bool = Field(False, description="Value the state apart from the moves.")
    noisy: bool = Field(False, description="Explore by learned noise on the weights.")
    double: bool = Field(
        True, description="Let the newest network choose the move that the target network values."
    )
    n_step: int = Field(1, ge=1, description="Turns of a player that a target looks ahead.")
    recolour: bool = Field(
        True, description="Exchange the colours of what is learned from, anew in each update."
    )
    status_weight: float = Field(
        0.5,
        ge=0,
        description="Weight in the loss of telling what one's own cards are good for; 0: none.",
    )
    aided_steps: int = Field(
        16_000,
        ge=0,
        description="First steps, in which colours are exchanged (`recolour`) and own cards told "
        "(`status_weight`); then neither.",
    )
    discount: float = Field(0.99, gt=0, le=1, description="Of one turn of a player.")
    history: int = Field(128, ge=4, description="Turns of each game that replay remembers.")
    first_update: int = Field(
        16, ge=4, description="Random moves in each game before the first update."
    )
    batch_size: int = Field(256, ge=1, description="Transitions an update.")
    updates: int = Field(8, ge=1, description="Updates a step.")
    learning_rate: Rate = Field(3e-4, description="Adam's learning rate at the start.")
    halving: int = Field(9_766, ge=1, description="Steps in which that rate falls to a half.")
    unaided_rate: Rate = Field(1e-4, description="Adam's learning rate after `aided_steps`.")
    unaided_halving: int = Field(
        20_000, ge=1, description="Steps in which that rate falls to a half."
    )
    adam_epsilon: float = Field(1e-5, gt=0, description="What Adam adds to its denominators.")
    target_every: int = Field(2, ge=1, description="Steps between updates of the target network.")
    averaging: float = Field(
        0.01,
        gt=0,
        le=1,
        description="Share that the newest weights have, from each step, in the averaged ones, "
        "which are validated and kept.",
    )
    epsilon: float = Field(
        0.1, ge=0, le=1, description="Share of random moves after the decay, in the first game."
    )
    epsilon_power: float = Field(
        7, ge=0, description="The last game's share is epsilon ** (1 + epsilon_power)."
    )
    epsilon_decay: int = Field(
        16, ge=1, description="Steps, after the first update, in which it falls from 1."
    )
    priority: float = Field(
        0.5,
        ge=0,
        le=1,
        description="Exponent of a transition's surprise as its priority; 0: uniform.",
    )
    importance: float = Field(
        0.5, ge=0, le=1, description="Exponent of the weights that make up for priorities."
    )
    validation_games: int = Field(
        1000, ge=2, description="Greedy games whose strict score chooses the checkpoint."
    )

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.lowest >= self.highest:
            raise ValueError(f"lowest = {self.lowest} is not below highest = {self.highest}")
        for key in ("history", "first_update"):
            if getattr(self, key) <= 2 * self.n_step:
                turns = getattr(self, key)
                raise ValueError(f"{key} = {turns} is not more than twice n_step = {self.n_step}")
        return self
