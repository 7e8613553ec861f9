"""The Bayesian meta-agent: a belief about the partner, and a response to the belief.

Canaan et al. 2022, "Generating and Adapting to Diverse Ad-Hoc Partners in Hanabi", sections V
and VI. Its variants differ in these two parts only. By default beliefs are updated after each game,
so the first game of an episode is played on the prior; :mod:`.moves` and :mod:`.features` also have
meta-agents that update theirs during a game.
"""

from collections.abc import Sequence

import numpy as np

from hoad.adhoc_player import AdhocPlayer, Beliefs
from hoad.agents.agent import Agent
from hoad.agents.wrappers import BySeat
from hoad.bayes.belief import BeliefRecorder, FixedBelief, PartnerBelief, UniformBelief
from hoad.bayes.matchups import Matchups, matchups_of_pool
from hoad.bayes.pool import agents_of
from hoad.bayes.response import BestKnown, ExpectedBest, Response
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs


class MetaAgent(AdhocPlayer):
    """Plays each game as the agent of its pool that responds best to its belief.

    The pool names the responses, in the order of the matchups; the hypotheses are the same agents
    if no others are named. The index of the hypothesis that is the partner is for :attr:`beliefs`
    only.

    Attributes:
        chosen: the response of each episode in the latest game, by index, int64, ``(episodes,)``.

    Raises:
        HoadError: the pool is empty; the belief is about another number of hypotheses; an agent is
            unknown.
    """

    def __init__(
        self,
        name: str,
        pool: Sequence[str],
        belief: PartnerBelief,
        response: Response,
        partner: int | None = None,
        hypotheses: Sequence[str] | None = None,
    ) -> None:
        hypotheses = pool if hypotheses is None else hypotheses
        if not pool or len(hypotheses) != belief.size:
            raise HoadError(
                f"{name}: {len(pool)} responses to {len(hypotheses)} hypotheses, with a belief "
                f"about {belief.size}; a meta-agent needs at least one response, and a "
                "belief about its hypotheses"
            )
        self.name = name
        self.watches = belief.learns
        self.belief = belief
        self._pool = agents_of(pool)
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
        return [self._pool[index] for index in self.chosen.tolist()]

    def watch(self, game: int, seat: int, logs: GameLogs) -> None:
        self.belief.update(logs, seat, self.chosen)


def oracle(matchups: Matchups, scores: np.ndarray) -> MetaAgent:
    """Return the one that knows the best response to its partner.

    The scores are those of each response with that partner in other games
    (:func:`hoad.bayes.matchups.scores_with`).
    """
    unmoved = UniformBelief(len(matchups.hypotheses))
    return _oracle(matchups, unmoved, BestKnown(scores))


def certain(matchups: Matchups, hypothesis: int) -> MetaAgent:
    """Return the papers' Oracle, which is certain that its partner is this hypothesis."""
    belief = FixedBelief(np.eye(len(matchups.hypotheses))[hypothesis])
    return _oracle(matchups, belief, ExpectedBest(matchups))


def _oracle(matchups: Matchups, belief: PartnerBelief, response: Response) -> MetaAgent:
    hypotheses = matchups.hypotheses
    return MetaAgent("oracle", matchups.responses, belief, response, hypotheses=hypotheses)


def make_generalist(pool: str) -> Agent:
    """Return the agent ``generalist:POOL``, which plays as the best of a pool with the pool.

    For pool and errors see :func:`hoad.bayes.matchups.matchups_of_pool`. Its matchups are 400
    games of each pair, on decks of a seed of their own: those that ``evaluate.py matchups POOL``
    saved, or they are played first.
    """
    name = f"generalist:{pool}"
    matchups = matchups_of_pool(name, pool)
    uniform = np.full((1, len(matchups.agents)), 1 / len(matchups.agents))
    response, agents = ExpectedBest(matchups), agents_of(matchups.agents)
    first, second = (agents[int(response.choose(uniform, seat)[0])] for seat in range(2))
    agent = BySeat(name, first, second)
    agent.trained_on = matchups.agents  # the choice depends on all of them
    return agent
