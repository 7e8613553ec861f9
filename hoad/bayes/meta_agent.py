"""The Bayesian meta-agent: a belief about the partner, and a response to the belief.

Canaan et al. 2022, "Generating and Adapting to Diverse Ad-Hoc Partners in Hanabi", sections V
and VI. Its variants differ in these two parts only. Beliefs are updated after each game, so the
first game of an episode is played on the prior.
"""

from collections.abc import Sequence

import numpy as np

from hoad.agents.agent import Agent
from hoad.agents.player import AdhocPlayer, Beliefs
from hoad.agents.wrappers import BySeat
from hoad.bayes.belief import FixedBelief, PartnerBelief, UniformBelief
from hoad.bayes.belief_recorder import BeliefRecorder
from hoad.bayes.matchups import MatchUps, match_ups_of_pool
from hoad.bayes.pool import agents_of
from hoad.bayes.response import BestKnown, ExpectedBest, Response
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs


class MetaAgent(AdhocPlayer):
    """Plays each game as the agent of its pool that responds best to its belief.

    The pool names the responses, which are the hypotheses too, in the order of the match-ups. The
    index of the hypothesis that is the partner is for :attr:`beliefs` only.

    Raises:
        HoadError: the pool is empty, or its size differs from the belief's; an agent is unknown.
    """

    def __init__(
        self,
        name: str,
        pool: Sequence[str],
        belief: PartnerBelief,
        response: Response,
        partner: int | None = None,
    ) -> None:
        if not pool or len(pool) != belief.hypotheses:
            raise HoadError(
                f"{name}: {len(pool)} responses for {belief.hypotheses} hypotheses; "
                "a meta-agent needs the same pool, not empty, for both"
            )
        self.name = name
        self.watches = belief.learns
        self.belief = belief
        self._pool = agents_of(pool)
        self._response = response
        self._recorder = BeliefRecorder(pool, partner)
        self._chosen = np.zeros(0, np.int64)

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
        self._chosen = self._response.choose(beliefs, seat)
        return [self._pool[index] for index in self._chosen.tolist()]

    def watch(self, game: int, seat: int, logs: GameLogs) -> None:
        self.belief.update(logs, seat, self._chosen)


def oracle(match_ups: MatchUps, scores: np.ndarray) -> MetaAgent:
    """Return the one that knows the best response to its partner.

    The scores are those of each response with that partner in other games
    (:func:`hoad.bayes.matchups.scores_with`).
    """
    unmoved = UniformBelief(len(match_ups.agents))
    return MetaAgent("oracle", match_ups.agents, unmoved, BestKnown(scores))


def certain(match_ups: MatchUps, hypothesis: int) -> MetaAgent:
    """Return the papers' Oracle, which is certain that its partner is this hypothesis."""
    belief = FixedBelief(np.eye(len(match_ups.agents))[hypothesis])
    return MetaAgent("oracle", match_ups.agents, belief, ExpectedBest(match_ups))


def make_generalist(pool: str) -> Agent:
    """Return the agent ``generalist:POOL``, which plays as the best of a pool with the pool.

    For pool and errors see :func:`hoad.bayes.matchups.match_ups_of_pool`. Its match-ups are 400
    games of each pair, on decks of a seed of their own: those that ``evaluate.py matchups POOL``
    saved, or they are played first.
    """
    name = f"generalist:{pool}"
    match_ups = match_ups_of_pool(name, pool)
    uniform = np.full((1, len(match_ups.agents)), 1 / len(match_ups.agents))
    response, agents = ExpectedBest(match_ups), agents_of(match_ups.agents)
    first, second = (agents[int(response.choose(uniform, seat)[0])] for seat in range(2))
    agent = BySeat(name, first, second)
    agent.trained_on = match_ups.agents  # the choice depends on all of them
    return agent
