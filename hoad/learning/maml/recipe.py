"""Settings of the meta-training of a meta-model: the keys of ``models/maml*.toml``.

Defaults are our reading of Sarmasi, "Meta-Learning Action Conventions in Ad-Hoc Hanabi"
(2022); ``models/maml-as-published.toml`` sets the values of the published code where they differ.
"""

from typing import Literal, Self

from pydantic import Field, model_validator

from hoad.agents.families import Source
from hoad.core.capacity import MOST_GAMES
from hoad.core.recipe import Count
from hoad.learning.recipes import EMA, Positive, Positives, Rate, TrainingRecipe

InnerLayers = Literal["all", "last"]
"""Layers that an inner step changes; with the last one alone, MAML is ANIL (Raghu et al. 2020)."""


class MamlRecipe(TrainingRecipe):
    """Train a meta-model with FOMAML on all agents except the held-out one."""

    agents: tuple[str, ...] = Field(
        (), description="Agents, less the held-out agent; none where people are the tasks."
    )
    start: str | None = Field(
        None, description="The meta-model maml:NAME to start from; none: from random weights."
    )
    source: Source = Field("originals", description="Whose games: the agents' or their imitators'.")
    hidden: Positives = Field(
        (2048, 2048, 1024, 1024, 512, 512, 256, 256, 128, 128, 64, 64),
        description="Widths of the blocks; a block as wide as its input has a skip connection.",
    )
    batch_norm: Literal["running", "frozen"] = Field(
        "running",
        description="running: statistics of the pooled support, updated once a step (with whole "
        "games, the gradient accounts for it); frozen: mean 0, variance 1 (published code).",
    )
    bn_momentum: float = Field(0.5, gt=0, le=1, description="Weight of the newest statistics.")
    episode: Literal["games", "transitions"] = Field(
        "games",
        description="games: whole games, one inner step on all of them; "
        "transitions: single transitions, one inner step per mini-batch (published code).",
    )
    games: Count = Field(10, description="Support games, and query games, of a task.")
    recolour: bool = Field(False, description="Permute the colours of people's games at random.")
    batches: Count = Field(10, description="Mini-batches of support, and of query.")
    batch_size: Count = Field(64, description="Transitions of such a mini-batch.")
    query_gradient: Literal["all", "last"] = Field(
        "all", description="Query mini-batches that give the gradient (published code: last)."
    )
    low_shot_weight: float = Field(
        1,
        ge=0,
        description="Weight of the adapted model's loss on the query. 0: training has no inner "
        "loop, which is left to play; zero_shot_weight then gives a network of all agents.",
    )
    zero_shot_weight: float = Field(
        0,
        ge=0,
        description="Weight of the unadapted model's loss on the support, added to the adapted "
        "model's loss on the query; also when the checkpoint is chosen. 0: FOMAML; otherwise the "
        "objective is FOMAML with the unadapted loss.",
    )
    ema: float = Field(1, gt=0, le=1, description=EMA)
    fomaml_steps: int = Field(0, ge=0, description="First steps, without zero_shot_weight and ema.")
    tasks: int = Field(4, ge=1, description="Agents per step, drawn without replacement.")
    inner_lrs: tuple[Rate, ...] = Field(
        (1e-4, 3e-4, 1e-3, 3e-3, 1e-2),
        min_length=1,
        description="Inner learning rates; of several, trials on unseen games choose the best.",
    )
    trial_steps: int = Field(200, ge=1, description="Steps of the trial of an inner learning rate.")
    play_steps: Positives = Field(
        (1, 3, 10, 20),
        description="Inner steps of low-shot play; of several, unseen games choose one.",
    )
    choice_episodes: int = Field(
        10, ge=2, description="Unseen episodes of each agent that choose among these inner steps."
    )
    inner_layers: InnerLayers = Field(
        "all", description="Layers that inner steps change: all, or the last (ANIL)."
    )
    inner_lr_half_life: int | None = Field(
        None,
        ge=1,
        description="Inner steps, counted over all tasks, in which the inner learning rate falls "
        "to half (published code: 10,000); none: constant.",
    )
    learning_rate: Rate = Field(1e-4, description="Learning rate of Adam (amsgrad) at the start.")
    lr_half_life: int = Field(10_000, ge=1, description="Steps in which that rate falls to half.")
    validation_episodes: int = Field(2, ge=1, description="Unseen episodes of each agent.")
    validation_games: int = Field(
        200,
        ge=0,
        le=MOST_GAMES,
        description="Games with the held-out agent, zero-shot and low-shot each, in a validation; "
        "they are reported and decide nothing.",
    )
    milestones: tuple[Positive, ...] = Field((), description="Steps kept as maml:HELD_OUT@STEP.")

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        self.refuse_repeated("agents")
        without_effect = {
            ("episode", "games"): ("batches", "batch_size", "query_gradient"),
            ("episode", "transitions"): ("games",),
            ("batch_norm", "frozen"): ("bn_momentum",),
        }
        for (key, value), others in without_effect.items():
            for other in others if getattr(self, key) == value else ():
                if getattr(self, other) != type(self).model_fields[other].default:
                    raise ValueError(f'{other} has no effect with {key} = "{value}"; leave it out')
        if not self.low_shot_weight and (self.fomaml_steps or not self.zero_shot_weight):
            raise ValueError(
                "low_shot_weight = 0 leaves nothing to train with; give a zero_shot_weight, and "
                "no fomaml_steps"
            )
        return self
