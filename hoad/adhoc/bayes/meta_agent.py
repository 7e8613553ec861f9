"""The Bayesian meta-agent: a belief about the partner, and a response to the belief.

Canaan et al. 2022, "Generating and Adapting to Diverse Ad-Hoc Partners in Hanabi", sections V
and VI. Its variants differ in these two parts only; the functions below put them together.
Beliefs are updated once a game, so that the first game of an episode is played on the prior.
"""

from collections.abc import Sequence

import numpy as np

from hoad.adhoc.bayes.features import BehaviourBelief, Belief, Evidence, FixedBelief, UniformBelief
from hoad.adhoc.bayes.response import BestKnown, ExpectedBest, RandomResponse, Response
from hoad.adhoc.matchups import MatchUps
from hoad.adhoc.player import AdhocPlayer
from hoad.adhoc.pool import agents_of
from hoad.agents.agent import Agent
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs


class MetaAgent(AdhocPlayer):
    """Plays each game as the agent of its pool that its belief about the partner recommends.

    Args:
        name: what tables call it.
        pool: the responses, which are the hypotheses too, in the order of the match-ups.
        belief: how evidence becomes belief.
        response: how belief becomes a response.

    Raises:
        HoadError: the pool is empty, or not as large as the belief's.
    """

    def __init__(
        self, name: str, pool: Sequence[Agent], belief: Belief, response: Response
    ) -> None:
        if not pool or len(pool) != belief.hypotheses:
            raise HoadError(
                f"{name}: {len(pool)} responses for {belief.hypotheses} hypotheses; "
                "a meta-agent needs the same pool, not empty, for both"
            )
        self.name = name
        self.watches = belief.learns
        self._pool = pool
        self.belief = belief
        self._response = response
        self._chosen = np.zeros(0, np.int64)

    def begin(self, episodes: int, seed: int) -> None:
        """Return to the prior (see :meth:`AdhocPlayer.begin`)."""
        self.belief.begin(episodes)
        self._response.begin(episodes, seed)

    def agents(self, game: int, seat: int) -> Sequence[Agent]:
        """Respond to the beliefs (see :meth:`AdhocPlayer.agents`)."""
        self._chosen = self._response.choose(self.belief.probabilities, seat)
        return [self._pool[index] for index in self._chosen.tolist()]

    def watch(self, game: int, seat: int, logs: GameLogs) -> None:
        """Update the beliefs (see :meth:`AdhocPlayer.watch`)."""
        self.belief.update(logs, seat, self._chosen)


def adaptive(
    match_ups: MatchUps, evidence: Evidence = "last_game", response: Response | None = None
) -> MetaAgent:
    """Return the meta-agent that adapts to its partner's behaviour (the paper's Adaptive).

    Args:
        match_ups: the pool.
        evidence: see :class:`~hoad.adhoc.bayes.features.BehaviourBelief`.
        response: who answers the belief; :class:`~hoad.adhoc.bayes.response.ExpectedBest` if None.
    """
    belief = BehaviourBelief(match_ups, evidence)
    return _meta_agent("adaptive", match_ups, belief, response or ExpectedBest(match_ups))


def generalist(match_ups: MatchUps) -> MetaAgent:
    """Return the one that always plays what is best with an unknown hypothesis."""
    return _meta_agent("generalist", match_ups, _unmoved(match_ups), ExpectedBest(match_ups))


def oracle(match_ups: MatchUps, scores: np.ndarray) -> MetaAgent:
    """Return the one that knows the best response to its partner.

    Args:
        match_ups: the pool.
        scores: how each response did with that very partner in other games
            (:func:`hoad.adhoc.bayes.response.scores_with`).
    """
    return _meta_agent("oracle", match_ups, _unmoved(match_ups), BestKnown(scores))


def certain(match_ups: MatchUps, hypothesis: int) -> MetaAgent:
    """Return the papers' Oracle, which takes its partner for this hypothesis, rightly or not."""
    belief = FixedBelief(np.eye(len(match_ups.agents))[hypothesis])
    return _meta_agent("oracle", match_ups, belief, ExpectedBest(match_ups))


def random_response(match_ups: MatchUps, number: int = 0) -> MetaAgent:
    """Return the one that draws a new response for each game; ``number``s draw different ones."""
    response = RandomResponse(number)
    return _meta_agent("random-response", match_ups, _unmoved(match_ups), response)


def _unmoved(match_ups: MatchUps) -> Belief:
    return UniformBelief(len(match_ups.agents))


def _meta_agent(name: str, match_ups: MatchUps, belief: Belief, response: Response) -> MetaAgent:
    return MetaAgent(name, agents_of(match_ups.agents), belief, response)
