"""How a searching player plays with a partner: what it has learned of it, and how far it searches.

Search exploits what its model believes about the meaning of a hint, and loses all lives with a
partner that reads it otherwise. It takes the partner for the pool and for programs, which are
rolled out fast, but networks know some partners better. So ways to play are compared by scores:

- the best blueprints: of the agents of the pool, the most probable program and the player `model`,
  those with the best expected scores, which learn nothing more. This `model` takes the partner
  for the agents of the pool that are compiled, for programs and for the meta-model;
- search from the best of them, with each margin that a move has to gain over the blueprint's
  (SPARTA's threshold, Lerer et al. 2020).

In rollouts the player goes on as the best blueprint that is compiled, which `model` is not.

After the support, the scores are those of rehearsals: games with the partner that all models
together predict, networks included. They promise too much or too little where no model is right. So
each game with the partner itself counts too. The player takes the way with the best mean: a greedy
bandit (Sutton and Barto 2018, section 2.2) that starts from the rehearsals.

A model is needed if it explains at least `NEEDED` of the moves that pool and programs explain. In
a search, a move has to gain with each model that is needed.
"""

from collections.abc import Callable, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from hoad.agents.agent import Agent, CompiledAgent
from hoad.agents.imagined import last_states
from hoad.bayes.matchups import Score, scores_with
from hoad.game.log import GameLogs, logs_of, replay
from hoad.game.seeds import POOL_SEED
from hoad.partners.agents import ModelAgent, PredictedPartner
from hoad.partners.mixture.linear import LinearMixture
from hoad.partners.model import HYPOTHESES, Ensemble, PartnerModel
from hoad.partners.pool import PoolPosterior
from hoad.partners.program.posterior import ProgramPosterior
from hoad.search.agent import NOISE, SearchAgent
from hoad.search.belief import Belief
from hoad.search.blueprint import best_responses
from hoad.search.effort import LEARNED_EFFORT, REHEARSAL_EFFORT, Effort
from hoad.search.past import past_of

NEEDED: Final = 0.05
"""Least share of the moves that a model explains, of those that all explain, if it is needed.

Each model that is needed takes a share of the particles.
"""

MARGINS: Final = (2.0, 0.0)
"""Margins, in points, that search is tried with."""

REHEARSALS: Final = 16
"""Rehearsals in each seat with each margin."""

PRIOR_GAMES: Final = 3.0
"""Games with the partner that count as much as all rehearsals."""

_CANDIDATES: Final = 400
_STEPS: Final = 20


@dataclass(frozen=True)
class WayToPlay:
    """A way to play with the partner: search from a blueprint.

    A move has to gain ``margin`` points over the blueprint's; an infinite margin is the blueprint
    alone.
    """

    blueprint: Agent
    margin: float = np.inf


class Strategy:
    """What is known of one partner, and the ways to play with it.

    Args:
        support: its self-play games; without any, the blueprints are what does best with all that
            a partner may be.
        pool: compiled fair agents, at least one: hypotheses and blueprints.
        networks: functions that return a new model each, which helps to choose how to play.
        margin: points that another move must gain over the best blueprint's; None for the way to
            play that scores best.
        score: what counts.
        seed: of the decks of the rehearsals.

    Attributes:
        models: of the pool and of programs.
        ways: to play, the blueprints first.
    """

    def __init__(
        self,
        support: GameLogs,
        pool: Sequence[Agent],
        networks: Sequence[Callable[[], PartnerModel]] = (),
        margin: float | None = None,
        score: Score = "strict",
        seed: int = POOL_SEED,
    ) -> None:
        self._score = score
        known = LinearMixture([lambda: PoolPosterior(pool), ProgramPosterior, *networks])
        known.learn(support, np.ones((len(support), 2), np.bool_))
        self.models = known.first(2)
        partner = PredictedPartner("partner", _needed(known))
        [programs] = [one for one in self.models.models if isinstance(one, ProgramPosterior)]
        model = ModelAgent("model", known.ensemble().thinned(HYPOTHESES))
        blueprints = best_responses([*pool, programs.likeliest, model], partner, score, seed)
        best = next(iter(blueprints))
        self._rollout_agent = next(one for one in blueprints if isinstance(one, CompiledAgent))
        if margin is None:
            searches = [WayToPlay(best, margin) for margin in MARGINS]
            players = [self._player("search", search, REHEARSAL_EFFORT) for search in searches]
            tried = [best, *players]
            scores = scores_with(partner, tried, REHEARSALS, seed, score=score).mean(axis=0)
            gained = scores[1:] - scores[0]  # on the same decks
            self.ways = [*map(WayToPlay, blueprints), *searches]
            self._rehearsed = np.array([*blueprints.values(), *(blueprints[best] + gained)])
        else:
            self.ways, self._rehearsed = [WayToPlay(best, margin)], np.zeros(1)
        self._games = np.zeros((len(self.ways), 2))  # with the partner: sum of scores, number

    def copy(self) -> "Strategy":
        """Return one that learns on its own."""
        other = copy(self)
        other.models, other._games = deepcopy(self.models), self._games.copy()
        return other

    @property
    def scores(self) -> np.ndarray:
        """The mean score of each way, by rehearsals and games with the partner, float64."""
        scores, games = self._games.T
        found: np.ndarray = (PRIOR_GAMES * self._rehearsed + scores) / (PRIOR_GAMES + games)
        return found

    @property
    def way(self) -> WayToPlay:
        """The way to play that scores best."""
        return self.ways[self.scores.argmax()]

    def hypotheses(self) -> list[Ensemble]:
        """Return what search takes the partner for: the models that are needed."""
        return [Ensemble(one.agents, one.probabilities, NOISE) for one, _ in _needed(self.models)]

    def player(self, name: str, effort: Effort = LEARNED_EFFORT) -> Agent:
        """Return the agent that plays the next game: a blueprint if search is not used."""
        return self._player(name, self.way, effort)

    def _player(self, name: str, way: WayToPlay, effort: Effort) -> Agent:
        blueprint, margin = way.blueprint, way.margin
        if margin == np.inf:
            return blueprint
        effort = replace(effort, strict=self._score == "strict")
        return SearchAgent(name, blueprint, self.hypotheses(), effort, margin, self._rollout_agent)

    def watch(self, logs: GameLogs, seat: int) -> None:
        """Learn from a game of :meth:`player`, in ``seat``, with the partner.

        Only what the player saw is learned. Cards that it never saw are drawn from its belief.
        """
        found = replay(logs)
        scores = found.strict if self._score == "strict" else found.scores
        self._games[self.scores.argmax()] += scores[0], 1
        past = past_of(last_states(logs), seat)
        belief = Belief(past, self.models.ensemble().thinned(HYPOTHESES), 1, _CANDIDATES)
        belief.move(_STEPS)
        seen = logs_of(2, [belief.particles.decks[0]], [logs.actions])
        self.models.learn(seen, np.array([[seat == 1, seat == 0]]))


def _needed(mixture: LinearMixture) -> list[tuple[Ensemble, float]]:
    """Return hypotheses of each model that is needed to explain the partner, and its share."""
    shares = mixture.shares[:-1] / mixture.shares[:-1].sum()
    return [
        (model.ensemble().thinned(HYPOTHESES), float(share))
        for model, share in zip(mixture.models, shares, strict=True)
        if share >= NEEDED
    ]
