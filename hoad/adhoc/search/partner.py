"""What a searching player has learned of its partner: models, a blueprint, and how far to trust.

Search exploits what its model believes about the meaning of a hint, and loses all lives with a
partner that reads it otherwise. So it asks how well the models predicted this partner. The
*surprise* of a model is its mean regret: by how many nats the moves that the partner made were
less probable than those that the model expected. It is near 0 for a partner that the rules can say,
even if it plays at random among several moves.

- The blueprint is chosen once, after the support: of the agents of the pool, the most probable
  program and the player `model`, the one with the best expected score with all that is known of
  the partner, networks included. Search itself takes the partner only for models that are rolled
  out fast: the pool and programs.
- The blueprint is held to as far as it is known to be good. The partner has a *relative* if the
  agents of the pool, by their posterior, make more than half of its moves: what does well with the
  relative does well with the partner. Then a move has to gain over the blueprint's a margin in
  proportion to the surprise (SPARTA's threshold, Lerer et al. 2020). With a partner without
  relatives no blueprint is known to be good, and the margin is 0.
- A move has to gain with each of the models without which the partner's moves cannot be explained:
  with the pool as well as with programs, even if programs explain more of the moves.
"""

from collections.abc import Callable, Sequence
from copy import copy, deepcopy
from typing import Final

import numpy as np

from hoad.adhoc.bayes.imagined import last_states
from hoad.adhoc.partner_models.mixture.linear import LinearMixture
from hoad.adhoc.partner_models.model import Ensemble, PartnerModel
from hoad.adhoc.partner_models.player import ModelAgent
from hoad.adhoc.partner_models.pool import PoolPosterior
from hoad.adhoc.partner_models.program.posterior import ProgramPosterior
from hoad.adhoc.search.agent import NOISE, SearchAgent
from hoad.adhoc.search.belief import Belief
from hoad.adhoc.search.blueprint import rank_responses
from hoad.adhoc.search.decision import Trust
from hoad.adhoc.search.effort import LEARNED_EFFORT, Effort
from hoad.adhoc.search.past import past_of
from hoad.agents.agent import MOVES, Agent, CompiledAgent
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

RELATIVE: Final = 0.5
"""The partner has a relative if the pool makes more than this share of its moves."""

UNSEEN: Final = float(np.log(MOVES))
"""The surprise, nats, of a partner of which no move was seen: as if it moved at random."""

_CANDIDATES: Final = 400
_STEPS: Final = 20


class LearnedPartner:
    """What is known of one partner.

    Args:
        support: its self-play games; without any, the blueprint is what does best with all that a
            partner may be.
        pool: compiled fair agents, at least one: hypotheses and blueprints.
        networks: functions that return a new model each, which helps to choose the blueprint.

    Attributes:
        models: of the pool and of programs.
        blueprint: what the player plays where search gains nothing.
    """

    def __init__(
        self,
        support: GameLogs,
        pool: Sequence[Agent],
        networks: Sequence[Callable[[], PartnerModel]] = (),
    ) -> None:
        known = LinearMixture([lambda: PoolPosterior(pool), ProgramPosterior, *networks])
        known.learn(support, np.ones((len(support), 2), np.bool_))
        self.models = known.first(2)
        partner = known.ensemble().thinned(HYPOTHESES)
        agents = [*pool, *self.models.models[1].ensemble().thinned(1).agents]
        best = rank_responses([*agents, ModelAgent("model", partner)], partner)
        self.blueprint = best[0]
        self._goes_on = next(agent for agent in best if isinstance(agent, CompiledAgent))

    def copy(self) -> "LearnedPartner":
        """Return one that learns on its own."""
        other = copy(self)
        other.models = deepcopy(self.models)
        return other

    @property
    def has_relative(self) -> bool:
        """Whether agents of the pool, by their posterior, make most of the partner's moves."""
        return 1.0 - self.models.models[0].ensemble().noise > RELATIVE

    @property
    def surprise(self) -> float:
        """The mean regret of the models, nats, by their shares; `UNSEEN` before any move."""
        if not len(self.models.regrets):
            return UNSEEN
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
