"""Players that learn nothing: any agent, the partner itself, and another agent in each game."""

from typing import Any

from hoad.adhoc_player import AdhocPlayer, Fixed, RandomPartner
from hoad.agents.agent import Agent
from hoad.agents.registry import get_fair_agent
from hoad.players.player_kind import PlayerKind


class AgentKind(PlayerKind):
    """Any agent, by its name."""

    def make(self) -> AdhocPlayer:
        return Fixed(self.name, self.agent())

    def check(self) -> None:
        """Raise a HoadError if there is no such agent, or it has met the partner."""
        self.refuse_acquainted(self.agent().name)

    def identity(self) -> list[Any]:
        return [repr(self.agent().identity)]

    def agent(self) -> Agent:
        """Return the agent that plays with every partner."""
        return get_fair_agent(self.name)


class SelfPlayKind(AgentKind):
    """The partner itself."""

    def check(self) -> None:
        self.agent()

    def agent(self) -> Agent:
        return self.roster.agent_named(self.partner.name)

    def identity(self) -> list[Any]:
        return []


class RandomPartnerKind(PlayerKind):
    """Another agent in each game."""

    def make(self) -> AdhocPlayer:
        return RandomPartner(self.name, self._agents())

    def identity(self) -> list[Any]:
        return [repr(agent.identity) for agent in self._agents()]

    def _agents(self) -> list[Agent]:
        names = self.roster.without(self.roster.agents, self.partner)
        return list(map(self.roster.agent_named, names))
