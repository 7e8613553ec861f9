"""What a searching player has learned of its partner: models, a blueprint, and how far to trust.

Search exploits what its model believes about the meaning of a hint, and loses all lives with a
partner that reads it otherwise. So it asks how well the models predicted this partner. The
*surprise* of a model is its mean regret: by how many nats the moves that the partner made were
less probable than those that the model expected. It is near 0 for a partner that the rules can say,
even if it plays at random among several moves.

- The blueprint is chosen once, after the support. It is held to as far as it is known to be good.
  The partner has a *relative* if the agents of the pool, by their posterior, make more than half of
  its moves: what does well with the relative does well with the partner. Then a move has to gain
  over the blueprint's a margin in proportion to the surprise (SPARTA's threshold, Lerer et al.
  2020). With a partner without relatives no blueprint is known to be good, and the margin is 0.
- A move has to gain with each of the models without which the partner's moves cannot be explained:
  with the pool as well as with programs, even if programs explain more of the moves.
"""

from collections.abc import Callable, Sequence
from copy import copy, deepcopy
from typing import Final

import numpy as np

from hoad.adhoc.bayes.imagined import last_states
from hoad.adhoc.partner_models.mixture.linear import FOLDS, LinearMixture
from hoad.adhoc.partner_models.model import Ensemble
from hoad.adhoc.partner_models.pool import PoolPosterior
from hoad.adhoc.partner_models.program.posterior import ProgramPosterior
from hoad.adhoc.search.agent import NOISE, SearchAgent
from hoad.adhoc.search.belief import Belief
from hoad.adhoc.search.blueprint import best_response
from hoad.adhoc.search.decision import Trust
from hoad.adhoc.search.effort import LEARNED_EFFORT, Effort
from hoad.adhoc.search.past import past_of
from hoad.agents.agent import Agent
from hoad.agents.follow import move_probabilities
from hoad.game.log import GameLogs, logs_of

HYPOTHESES: Final = 24
"""Hypotheses of a model that are rolled out; more take more time."""

NEEDED: Final = 0.05
"""A model with a smaller share of the mixture is not needed to explain the partner.

Each model that is needed takes a share of the particles.
"""

MARGIN: Final = 4.0
"""Points that a move must gain over the blueprint's, for each nat of surprise, with relatives.

It is a guess from before any game of search was played. ``results/search-margins.toml`` compares
margins with partners without relatives.
"""

KNOWN: Final = 0.25
"""With less surprise, nats, the models know the partner."""

RELATIVE: Final = 0.5
"""The partner has a relative if the pool makes more than this share of its moves."""

SURELY: Final = 2.0
"""Standard errors by which a network has to predict more moves than the pool, to be the blueprint.
"""

_CANDIDATES: Final = 400
_STEPS: Final = 20


class LearnedPartner:
    """What is known of one partner.

    Args:
        support: its self-play games, at least one.
        pool: compiled fair agents, at least one: hypotheses and blueprints.
        adapt: returns a network that is adapted to some self-play games of the partner, or None.

    Attributes:
        models: of the pool and of programs.
        blueprint: what the player plays where search gains nothing.
    """

    def __init__(
        self,
        support: GameLogs,
        pool: Sequence[Agent],
        adapt: Callable[[GameLogs], Agent] | None = None,
    ) -> None:
        self.models = LinearMixture([lambda: PoolPosterior(pool), ProgramPosterior])
        self.models.learn(support, np.ones((len(support), 2), np.bool_))
        self._goes_on = self.blueprint = self._response(pool)
        may_adapt = self.surprise > KNOWN and self.has_relative
        if adapt and may_adapt and _is_more_alike(adapt, support, pool):
            self.blueprint = adapt(support)  # rollouts go on with an agent that is compiled

    def copy(self) -> "LearnedPartner":
        """Return one that learns on its own."""
        other = copy(self)
        other.models = deepcopy(self.models)
        return other

    def _response(self, pool: Sequence[Agent]) -> Agent:
        """Return the agent that does best with the models, or with the relative.

        With a relative, programs that do not know the partner would mislead about who plays well
        with it. Without one, the nearest agent would: its best partners rely on hints that the
        partner does not give.
        """
        of_pool, programs = (model.ensemble() for model in self.models.models)
        of_models = self.models.ensemble().thinned(HYPOTHESES)
        if self.surprise <= KNOWN:
            return best_response([*pool, *programs.thinned(1).agents], of_models)
        if not self.has_relative:
            return best_response(pool, of_models)
        nearest = of_pool.agents[int(of_pool.probabilities.argmax())]
        return best_response(pool, Ensemble([nearest], np.ones(1), 0.0))

    @property
    def has_relative(self) -> bool:
        """Whether agents of the pool, by their posterior, make most of the partner's moves."""
        return 1.0 - self.models.models[0].ensemble().noise > RELATIVE

    @property
    def surprise(self) -> float:
        """The mean regret of the models, nats, by their shares."""
        means = self.models.regrets.mean(0)
        return float(np.average(means, weights=self.models.shares[:-1]))

    def hypotheses(self) -> list[Ensemble]:
        """Return what search takes the partner for: the models that are needed."""
        shares = self.models.shares[:-1] / self.models.shares[:-1].sum()
        needed = [m for m, s in zip(self.models.models, shares, strict=True) if s >= NEEDED]
        found = [model.ensemble().thinned(HYPOTHESES) for model in needed]
        return [Ensemble(one.agents, one.probabilities, NOISE) for one in found]

    def player(
        self, name: str, margin: float | None = None, effort: Effort = LEARNED_EFFORT
    ) -> Agent:
        """Return the agent that plays with the partner.

        ``margin`` is in points for each nat of surprise; with an infinite one it is the blueprint.
        None for `MARGIN` with relatives, and 0 with other partners.
        """
        if margin is None:
            margin = MARGIN if self.has_relative else 0.0
        if margin == np.inf:
            return self.blueprint
        trust = Trust(margin * self.surprise, worst=True)
        return SearchAgent(name, self.blueprint, self.hypotheses(), effort, trust, self._goes_on)

    def watch(self, logs: GameLogs, seat: int) -> None:
        """Learn from a game of the player, in ``seat``, with the partner.

        Only what the player saw is learned. Cards that it never saw are drawn from its belief.
        """
        past = past_of(last_states(logs), seat)
        belief = Belief(past, self.models.ensemble().thinned(HYPOTHESES), 1, _CANDIDATES)
        belief.move(_STEPS)
        seen = logs_of(2, [belief.particles.decks[0]], [logs.actions])
        self.models.learn(seen, np.array([[seat == 1, seat == 0]]))


def _is_more_alike(
    adapt: Callable[[GameLogs], Agent], support: GameLogs, pool: Sequence[Agent]
) -> bool:
    """Return whether an adapted network makes more of the partner's moves than agents of a pool.

    It is evaluated on games that it was not adapted to, and has to be better by `SURELY` standard
    errors.
    """
    if len(support) < 2:
        return False
    fold, moves = np.arange(len(support)) % FOLDS, np.repeat(*_lengths(support))
    network = np.zeros(len(moves))
    for left_out in np.unique(fold):
        adapted = adapt(support.select(np.flatnonzero(fold != left_out)))
        unseen = support.select(np.flatnonzero(fold == left_out))
        network[fold[moves] == left_out] = move_probabilities(adapted, unseen)
    of_pool = [move_probabilities(agent, support) for agent in pool]
    gains = network - max(of_pool, key=np.mean)
    return bool(gains.mean() > SURELY * gains.std() / np.sqrt(len(gains)))


def _lengths(logs: GameLogs) -> tuple[np.ndarray, np.ndarray]:
    """Return the games, by index, and how many moves each of them has."""
    return np.arange(len(logs)), np.diff(logs.offsets)
