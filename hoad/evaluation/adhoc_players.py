"""The players of the ad-hoc table by the names that recipes use."""

from typing import Final

import numpy as np

from hoad.adhoc.player import AdhocPlayer, Fixed, RandomPartner
from hoad.agents import Agent, get_agent, same_agent
from hoad.evaluation.adhoc_recipe import AdhocRecipe

LOW_SHOT: Final = "low-shot"
NAIVE: Final = "naive"
META_AGENTS: Final = ("generalist", "adaptive", "oracle", "random-response")

_IMITATOR: Final = "imitator:"


class PlayerMaker:
    """Makes the players that meet a partner.

    Args:
        recipe: who takes part.
        threads: for match-ups of the pool.
    """

    def __init__(self, recipe: AdhocRecipe, threads: int) -> None:
        self._recipe = recipe
        self._threads = threads

    def make(self, player: str, partner: str) -> AdhocPlayer:
        """Return a player of the table's column for the partner of its row.

        Raises:
            HoadError: no such player or agent, or a network is missing.
        """
        if player == "self-play":
            return Fixed(player, self.seated(partner))
        if player == "random-partner":
            return RandomPartner(player, self._random_partners(partner))
        if player == "zero-shot":
            return Fixed(player, get_agent(f"maml:{partner}"))
        if player in (LOW_SHOT, NAIVE):
            return self._learned(player, partner)
        if player in META_AGENTS:
            return self._meta_agent(player, partner)
        return Fixed(player, get_agent(player))

    def seated(self, name: str) -> Agent:
        """Return who plays for this agent: itself or its imitator, as the recipe's source says."""
        return get_agent(self.seated_name(name))

    def seated_name(self, name: str) -> str:
        """Return the name of :meth:`seated`."""
        return name if self._recipe.source == "originals" else _IMITATOR + _original(name)

    def repetitions(self, player: str) -> np.ndarray:
        """Return of what each episode is part: its trial, or itself (see `Cell`)."""
        episodes = self._recipe.episodes
        if player in (LOW_SHOT, NAIVE):
            from hoad.adhoc.learned import trials_of

            return trials_of(episodes, self._recipe.trials)
        return np.arange(episodes)

    def _random_partners(self, partner: str) -> list[Agent]:
        return [self.seated(name) for name in without(self._recipe.agents, partner)]

    def _learned(self, player: str, partner: str) -> AdhocPlayer:
        from hoad.adhoc.learned import LowShot, Naive  # torch takes seconds

        recipe, seated = self._recipe, self.seated(partner)
        if player == NAIVE:
            return Naive(player, seated, recipe.trials, recipe.support_games, recipe.naive)
        return LowShot(player, partner, seated, recipe.trials, recipe.support_games)

    def _meta_agent(self, player: str, partner: str) -> AdhocPlayer:
        raise NotImplementedError


def without(names: tuple[str, ...], partner: str) -> list[str]:
    """Return the agents that do not behave as the held-out partner, whatever they are called.

    An imitator is taken for the agent that it imitates.
    """
    held_out = _original(partner)
    return [name for name in names if not same_agent(_original(name), held_out)]


def _original(name: str) -> str:
    return name.removeprefix(_IMITATOR)
