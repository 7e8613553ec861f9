"""What a searching player has learned of its partner: models, a blueprint, and how far to trust.

Search exploits what its model believes about the meaning of a hint, and loses all lives with a
partner that reads it otherwise. It takes the partner for the pool and for programs, which are
rolled out fast, but networks know some partners better. So how to play is chosen once, after the
support, by games with the partner that all models together predict, networks included:

- the blueprint: of the agents of the pool, the most probable program and the player `model`, the
  one with the best expected score;
- the margin that a move has to gain over the blueprint's (SPARTA's threshold, Lerer et al. 2020):
  the one with which search has the best expected score. An infinite one is the blueprint alone.

A move has to gain with each of the models without which the partner's moves cannot be explained:
with the pool as well as with programs, even if programs explain more of the moves.
"""

from collections.abc import Callable, Sequence
from copy import copy, deepcopy
from typing import Final

import numpy as np

from hoad.adhoc.bayes.imagined import last_states
from hoad.adhoc.partner_models.mixture.linear import LinearMixture
from hoad.adhoc.partner_models.model import Ensemble, PartnerModel
from hoad.adhoc.partner_models.player import ModelAgent, PredictedPartner
from hoad.adhoc.partner_models.pool import PoolPosterior
from hoad.adhoc.partner_models.program.posterior import ProgramPosterior
from hoad.adhoc.search.agent import NOISE, SearchAgent
from hoad.adhoc.search.belief import Belief
from hoad.adhoc.search.blueprint import by_expected_score, rank_responses
from hoad.adhoc.search.decision import Trust
from hoad.adhoc.search.effort import LEARNED_EFFORT, TRIAL_EFFORT, Effort
from hoad.adhoc.search.past import past_of
from hoad.agents.agent import Agent, CompiledAgent
from hoad.game.log import GameLogs, logs_of

HYPOTHESES: Final = 24
"""Hypotheses of a model that are rolled out; more take more time."""

NEEDED: Final = 0.05
"""A model with a smaller share of the mixture is not needed to explain the partner.

Each model that is needed takes a share of the particles.
"""

MARGINS: Final = (np.inf, 2.0, 0.0)
"""Margins, in points, of which search takes the best; the first of equally good ones."""

TRIAL_GAMES: Final = 16
"""Games in each seat with each margin."""

_CANDIDATES: Final = 400
_STEPS: Final = 20


class LearnedPartner:
    """What is known of one partner.

    Args:
        support: its self-play games; without any, the blueprint is what does best with all that a
            partner may be.
        pool: compiled fair agents, at least one: hypotheses and blueprints.
        networks: functions that return a new model each, which helps to choose how to play.
        margin: points that another move must gain over the blueprint's; None for the best one.

    Attributes:
        models: of the pool and of programs.
        blueprint: what the player plays where search gains nothing.
        margin: points that another move must gain; with an infinite one search is not used.
    """

    def __init__(
        self,
        support: GameLogs,
        pool: Sequence[Agent],
        networks: Sequence[Callable[[], PartnerModel]] = (),
        margin: float | None = None,
    ) -> None:
        known = LinearMixture([lambda: PoolPosterior(pool), ProgramPosterior, *networks])
        known.learn(support, np.ones((len(support), 2), np.bool_))
        self.models = known.first(2)
        models = [model.ensemble().thinned(HYPOTHESES) for model in known.models]
        shares = known.shares[:-1] / known.shares[:-1].sum()
        partner = PredictedPartner("partner", models, shares)
        program = self.models.models[1].ensemble().thinned(1).agents
        model = ModelAgent("model", known.ensemble().thinned(HYPOTHESES))
        best = rank_responses([*pool, *program, model], partner)
        self.blueprint = best[0]
        self._goes_on = next(agent for agent in best if isinstance(agent, CompiledAgent))
        self.margin = self._best_margin(partner) if margin is None else margin

    def copy(self) -> "LearnedPartner":
        """Return one that learns on its own."""
        other = copy(self)
        other.models = deepcopy(self.models)
        return other

    def hypotheses(self) -> list[Ensemble]:
        """Return what search takes the partner for: the models that are needed."""
        shares = self.models.shares[:-1] / self.models.shares[:-1].sum()
        needed = [m for m, s in zip(self.models.models, shares, strict=True) if s >= NEEDED]
        found = [model.ensemble().thinned(HYPOTHESES) for model in needed]
        return [Ensemble(one.agents, one.probabilities, NOISE) for one in found]

    def player(self, name: str, effort: Effort = LEARNED_EFFORT) -> Agent:
        """Return the agent that plays with the partner; the blueprint if search is not used."""
        return self._player(name, self.margin, effort)

    def _best_margin(self, partner: Agent) -> float:
        players = [self._player("search", margin, TRIAL_EFFORT) for margin in MARGINS]
        return MARGINS[players.index(by_expected_score(players, partner, TRIAL_GAMES)[0])]

    def _player(self, name: str, margin: float, effort: Effort) -> Agent:
        if margin == np.inf:
            return self.blueprint
        trust = Trust(margin, worst=True)
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
