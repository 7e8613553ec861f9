"""Players with a network: a meta-model as it is, one that is adapted to the partner, and a new one.

Each trial of a player that learns is a new start: fresh self-play games of the partner, and a
network adapted to, or trained on, the transitions of both seats (Sarmasi 2022, section 3.6.2).
torch takes seconds to import, so what needs it is imported where a player is made.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from hoad.adhoc_player import AdhocPlayer, Fixed, InTurn, Support, TrialPlayer, repetitions_of
from hoad.agents.agent import Agent
from hoad.agents.registry import get_fair_agent
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs
from hoad.learning.recipes import NaiveRecipe
from hoad.players.player_kind import PlayerKind

_NAIVE_VERSION: Final = "each unit is dropped half of the time"
"""How naive networks learn; games kept before were played by networks that learned otherwise."""


class MetaModelKind(PlayerKind):
    """Plays meta-models that were trained without the partner, of several seeds in turn."""

    @property
    def meta_models(self) -> list[str]:
        """The names of the meta-models that play the trials in turn, as in ``maml:NAME@STEP``."""
        step = self.column.variant and f"@{self.column.variant}"
        return [name + step for name in self.roster.meta_model_names(self.partner)]

    def check(self) -> None:
        """Raise a HoadError if a meta-model is missing, or was trained on the partner."""
        from hoad.learning.policies import network_file

        for name in self.meta_models:
            if not (path := network_file("maml", name)).exists():
                raise HoadError(
                    f"player {self.name} with {self.partner.name}: no meta-model {path}; train it "
                    "with train_maml.py, or name one that knows no game of the partner "
                    "(--meta-model)"
                )
        super().check()
        for name in self.meta_models:
            self.refuse_acquainted(f"maml:{name}")


class ZeroShotKind(MetaModelKind):
    """The meta-model that was trained without the partner, as it is."""

    def make(self) -> AdhocPlayer:
        agents = self._agents()
        if len(agents) == 1:
            return Fixed(self.name, *agents)
        return InTurn(self.name, agents, self.roster.trials)

    def identity(self) -> list[Any]:
        trials = [self.roster.trials] if self.roster.meta_models > 1 else []
        return [*(repr(agent.identity) for agent in self._agents()), *trials]

    def _agents(self) -> list[Agent]:
        return [get_fair_agent(f"maml:{name}") for name in self.meta_models]


class LowShotKind(MetaModelKind):
    """The meta-model, adapted to a few games of the partner in each trial."""

    def make(self) -> AdhocPlayer:
        adapting = self.roster.low_shot
        models = self.meta_models
        return LowShotPlayer(self.name, self.support, models, adapting.steps, adapting.rate)

    def identity(self) -> list[Any]:
        from hoad.learning.policies import PolicyAgent, inner_rate, load_meta_model

        networks: list[Any] = []
        for name in self.meta_models:
            model, about = load_meta_model(name)
            learned = [about.get("play_steps"), inner_rate(about)]
            networks += [repr(PolicyAgent("meta-model", model).identity), learned]
        return [*networks, self.roster.low_shot.model_dump(mode="json"), *self.support_identity]


class LowShotPlayer(TrialPlayer):
    """Plays a meta-model that it adapts to the games of its support, once in each trial.

    Without other settings it adapts with the inner rate of its meta-training, by the number of
    steps that was best on unseen games of the training agents: on all games, or on one game after
    the other if its support was one mini-batch after another (published code).

    Args:
        name, support: as in :class:`~hoad.adhoc_player.TrialPlayer`.
        meta_models: names, as in ``maml:NAME``, that take the trials in turn.
        steps, rate: as in :class:`~hoad.learning.maml.inner_loop.LowShotModel`, with its errors.
    """

    def __init__(
        self,
        name: str,
        support: Support,
        meta_models: Sequence[str],
        steps: int | None = None,
        rate: float | None = None,
    ) -> None:
        from hoad.learning.maml.inner_loop import LowShotModel

        super().__init__(name, support)
        self._models = [LowShotModel(held_out, steps, rate) for held_out in meta_models]

    def learn(self, logs: GameLogs, seats: np.ndarray, seed: int, trial: int) -> Agent:
        return self._models[trial % len(self._models)].adapt(logs, self.name, seats)

    def repetitions(self, episodes: int) -> np.ndarray:
        return repetitions_of(super().repetitions(episodes), len(self._models))


class NaiveKind(PlayerKind):
    """A network that is trained on a few games of the partner in each trial."""

    def make(self) -> AdhocPlayer:
        return NaivePlayer(self.name, self.support, self.roster.naive)

    def identity(self) -> list[Any]:
        return [_NAIVE_VERSION, self.roster.naive.model_dump(mode="json"), *self.support_identity]


class NaivePlayer(TrialPlayer):
    """Plays a network that it trains from scratch on the games of its support, in each trial."""

    def __init__(self, name: str, support: Support, recipe: NaiveRecipe) -> None:
        support.refuse_games_with_others()
        super().__init__(name, support)
        self._recipe = recipe

    def learn(self, logs: GameLogs, seats: np.ndarray, seed: int, trial: int) -> Agent:
        from hoad.learning.naive import train_naive
        from hoad.learning.policies import PolicyAgent

        return PolicyAgent(self.name, train_naive(logs, self._recipe, seed))
