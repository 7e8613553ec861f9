"""The Bayesian meta-agent: a belief about the partner, and a response to the belief.

Canaan et al. 2022, "Generating and Adapting to Diverse Ad-Hoc Partners in Hanabi", sections V
and VI. Its variants differ in these two parts only. By default beliefs are updated after each game,
so the first game of an episode is played on the prior; those of :mod:`.in_game` also during one.
"""

from collections.abc import Sequence

import numpy as np

from hoad.adhoc_player import AdhocPlayer, Beliefs
from hoad.agents.agent import Agent
from hoad.agents.wrappers import BySeat
from hoad.bayes.belief import BeliefRecorder, PartnerBelief
from hoad.bayes.matchups import Matchups, matchups_of_pool
from hoad.bayes.pool import agents_of
from hoad.bayes.response import Response, generalists
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs


class MetaAgent(AdhocPlayer):
    """Plays each game as the agent of its pool that responds best to its belief.

    Args:
        name: its name.
        matchups: of its responses and hypotheses.
        belief: about these hypotheses.
        response: how the belief becomes one of these responses.
        partner: index of the hypothesis that is the partner, for :attr:`beliefs` only; None if
            there is none.

    Attributes:
        chosen: the response of each episode in the latest game, by index, int64, ``(episodes,)``.

    Raises:
        HoadError: the pool is empty; the belief is about another number of hypotheses; an agent is
            unknown.
    """

    def __init__(
        self,
        name: str,
        matchups: Matchups,
        belief: PartnerBelief,
        response: Response,
        partner: int | None = None,
    ) -> None:
        responses, hypotheses = matchups.responses, matchups.hypotheses
        if not responses or len(hypotheses) != belief.size:
            raise HoadError(
                f"{name}: {len(responses)} responses to {len(hypotheses)} hypotheses, with a "
                f"belief about {belief.size}; a meta-agent needs at least one response, and a "
                "belief about its hypotheses"
            )
        self.name = name
        self.watches = belief.learns
        self.belief = belief
        self._responses = agents_of(responses)
        self._response = response
        self._recorder = BeliefRecorder(hypotheses, partner)
        self.chosen = np.zeros(0, np.int64)

    @property
    def beliefs(self) -> Beliefs | None:
        """What it believed in the last episodes, if games change its belief."""
        return self._recorder.beliefs(self.belief.estimates) if self.belief.learns else None

    def begin(self, episodes: int, seed: int) -> None:
        self.belief.begin(episodes)
        self._response.begin(episodes, seed)
        self._recorder.begin()

    def agents(self, game: int, seat: int) -> Sequence[Agent]:
        beliefs = self.belief.probabilities
        self._recorder.record(beliefs)
        self.chosen = self._response.choose(beliefs, seat)
        return [self._responses[index] for index in self.chosen.tolist()]

    def watch(self, game: int, seat: int, logs: GameLogs) -> None:
        self.belief.update(logs, seat, self.chosen)


def make_generalist(pool: str) -> Agent:
    """Return the agent ``generalist:POOL``, which plays as the best of a pool with the pool.

    For pool and errors see :func:`hoad.bayes.matchups.matchups_of_pool`. Its matchups are 400
    games of each pair, on decks of a seed of their own: those that ``evaluate.py matchups POOL``
    saved, or they are played first.
    """
    name = f"generalist:{pool}"
    matchups = matchups_of_pool(name, pool)
    agents = agents_of(matchups.agents)
    first, second = (agents[index] for index in generalists(matchups))
    agent = BySeat(name, first, second)
    agent.trained_on = matchups.agents  # the choice depends on all of them
    return agent
