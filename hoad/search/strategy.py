"""How a searching player plays with a partner: what it has learned of it, and how far it searches.

Search exploits what its model believes about the meaning of a hint, and loses all lives with a
partner that reads it otherwise. It is safer to make moves that a model of the partner expects of
the partner itself, which understands them. So there are four ways to play:

- `model` makes the most probable move of the mixture of all partner models, networks included;
- `held` searches among the moves that this mixture would consider;
- `free` searches among all moves;
- `pool` plays as the agent of the pool, or the logit, that does best with what the partner may be.

Search takes the partner for hypotheses that are compiled: the conditional logit, programs and
agents of the pool, by the share of its moves that each explains. Programs and agents also say what
a partner does where it was never seen, the logit less so. So the first value of a way follows from
these shares, from how well unseen moves of the support were predicted and, for `pool`, from
rehearsals: games with what the partner may be.

Then each game with the partner counts. Its result is the mean of the strict and the lenient score,
so one lost game does not decide. Results tell how well one plays with this partner in any way, and
by how much a way is better or worse than that.
"""

from collections.abc import Sequence
from copy import copy, deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from hoad.agents.agent import Agent, CompiledAgent
from hoad.agents.games import play
from hoad.agents.imagined import last_states
from hoad.agents.seeds import POOL_SEED
from hoad.bayes.settings import Score
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, logs_of, replay
from hoad.partners.agents import ModelAgent, PredictedPartner
from hoad.partners.choices import Seen
from hoad.partners.model import HYPOTHESES, Ensemble
from hoad.partners.pool import PoolPosterior
from hoad.partners.program.posterior import ProgramPosterior
from hoad.partners.shares import mix_ensembles, shares_of
from hoad.search.agent import NOISE, SearchAgent
from hoad.search.belief import Belief
from hoad.search.blueprint import FIRST_GAMES, best_response
from hoad.search.effort import LEARNED_EFFORT, LOGIT_EFFORT, Effort
from hoad.search.past import past_of

if TYPE_CHECKING:  # it imports torch, which takes seconds
    from hoad.partners.kinds import Knowledge

WAYS: Final = ("model", "held", "free", "pool")
"""The ways to play."""

HELD: Final = 0.1
"""The search of `held` tries moves with at least this share of the mixture's largest probability.

A model predicts what follows moves that the partner itself makes. What follows other moves it has
never seen, and search looks for the moves of which it is most wrongly sure.
"""

GAINS: Final = {
    "model": (0.0, 0.0),
    "held": (1.5, -0.5),
    "free": (3.0, -10.0),
    "pool": (1.0, -10.0),
}
"""Points that each way gains on `model` if the models are right, and if they are wrong.

They are guesses: with partners that programs explain, free search gains 2 to 6 points, and where
models are wrong it loses all lives. Those of `held` were compared with games of training strangers,
on the same decks. With smartbot, whose unseen moves had a likelihood of 0.42, it scored 19.6 ± 3.7
and `model` 19.0 ± 3.5 (12 games; lenient 21.1 and 20.4). With fireflower (0.31), it scored
15.5 ± 6.7 and `model` 15.1 ± 6.5 (8 games; lenient 19.4 and 18.2).
"""

PROMISED: Final = 3.0
"""Points more than `model` in rehearsals from which on `pool` is trusted.

Means of the strict and the lenient score of 100 games with ten training strangers
(``benchmarks/strangers.py --games 100 --ways model pool --seed 1``): where rehearsals promised 5.9
to 8.3 points (wtfwt, infobot, the logits of P011 and P013), `pool` scored 6.2 to 7.1 more; where
they promised -1.8 to 0.9, it scored 5.9 less to 0.5 more, but 4.4 more with the logit of P015.
"""

PRIOR_GAMES: Final = 8.0
"""Games with the partner that count as much as the first value of a way."""

BASE_GAMES: Final = 4.0
"""Games with the partner that count as much as the score that is expected before the first."""

_FEW_MOVES: Final = 400.0
"""Moves of the partner after which it counts half what pool and prior said without any game.

A guess: with `wtfwt` and no game watched, `pool` scores 9.6, and `model` 0 after one game with it.
"""

_NO_SUPPORT: Final = 10.0
"""The score that is expected of `model` if no self-play game was watched."""

_MOSTLY: Final = 0.25
"""The share of the logit from which on a search computes less."""

_POOL, _PROGRAMS, _LOGIT, _CHANCE = range(4)
"""What may explain a move of the partner: columns of its shares. The mixture begins with two."""

_CANDIDATES: Final = 400
_STEPS: Final = 20


class Strategy:
    """What is known of one partner, and the ways to play with it.

    Args:
        support: its self-play games; without any, it is taken for the logit of the prior, or, with
            no prior, for an agent of the pool.
        known: what models know: the pool has at least one agent that is compiled.
        score: what counts.
        seed: of the decks of the games that find the best agent of the pool.
        seats: where the partner sits in the support, bool, shape ``(games, 2)``; None for both
            seats.

    Attributes:
        mixture: the mixture of all models.
        logit: the conditional logit that is compiled.
        promised: by how many points `pool` rehearsed better than `model`; 0 without support.

    Raises:
        HoadError: no agent of the pool is compiled.
    """

    def __init__(
        self,
        support: GameLogs,
        known: "Knowledge",
        score: Score = "strict",
        seed: int = POOL_SEED,
        seats: np.ndarray | None = None,
    ) -> None:
        self._known, self._score = known, score
        compiled = compiled_in(known.pool)
        self.mixture, self.logit = known.mixture(), known.logit()
        seats = np.ones((len(support), 2), np.bool_) if seats is None else seats
        self._learn(support, seats)
        alone = len(support) and seats.all()
        self._self_play = float(_mean_scores(support).mean()) if alone else None
        partner = PredictedPartner("partner", self.hypotheses())
        agents = [*compiled, self.logit.agent(greedy=True)]
        self._pool_agent = best_response(agents, partner, score, seed)
        self.promised = 0.0
        if len(support):
            model = self.playing("model", "model")
            promised = _rehearsed(self._pool_agent, partner, seed)
            self.promised = promised - _rehearsed(model, partner, seed)
        self._played = np.zeros((len(WAYS), 2))  # with the partner: sum of results, number

    def copy(self) -> "Strategy":
        """Return one that learns on its own."""
        other = copy(self)
        shared = [self._known, self._known.zero_shot, *self._known.pool]
        memo = {id(value): value for value in shared}
        other.mixture, other.logit = deepcopy((self.mixture, self.logit), memo)
        other._played = self._played.copy()
        return other

    @property
    def shares(self) -> np.ndarray:
        """The shares of the moves that pool, programs, logit and chance explain, float64, sum 1.

        Without any game the logit explains all if it has a prior, else the pool.
        """
        unseen = self._unseen
        if len(unseen):
            return shares_of(unseen)
        return np.eye(4)[_POOL if self._known.prior is None else _LOGIT]

    @property
    def likelihood(self) -> float:
        """The geometric mean of what all hypotheses together gave to unseen moves; 1 for none."""
        unseen = self._unseen
        return float(np.exp(np.log(unseen @ self.shares).mean())) if len(unseen) else 1.0

    @property
    def values(self) -> dict[str, float]:
        """By how many points each way to play is better than `model`, by all that is known."""
        gains = self._first_gains()
        sums, games = self._played.T
        of_model = BASE_GAMES * self._expected_score() + sums.sum() - games @ gains
        base = of_model / (BASE_GAMES + games.sum())
        values = (PRIOR_GAMES * gains + sums - games * base) / (PRIOR_GAMES + games)
        return dict(zip(WAYS, values.tolist(), strict=True))

    @property
    def way(self) -> str:
        """The way to play that has the highest value; ties go to the first."""
        values = self.values
        return max(values, key=lambda way: values[way])

    def hypotheses(self) -> Ensemble:
        """Return what search takes the partner for."""
        pool, programs = self._pool_and_programs()
        known = [_compiled_hypotheses(pool.ensemble()), programs.ensemble(), self.logit.ensemble()]
        mixed = mix_ensembles(known, self.shares).thinned(HYPOTHESES)
        return Ensemble(mixed.agents, mixed.probabilities, NOISE)

    @property
    def effort(self) -> Effort:
        """How much a search computes for a decision: less where the partner takes long to ask."""
        return LOGIT_EFFORT if self.shares[_LOGIT] > _MOSTLY else LEARNED_EFFORT

    def player(self, name: str) -> Agent:
        """Return the agent that plays the next game."""
        return self.playing(self.way, name)

    def playing(self, way: str, name: str) -> Agent:
        """Return the agent that plays in one of the ``WAYS`` (see :meth:`player`)."""
        if way == "pool":
            return self._pool_agent
        model = ModelAgent(name, self.mixture, self._known.names)
        if way == "model":
            return model
        return self._search(name, model, HELD if way == "held" else 0.0)

    def watch(self, logs: GameLogs, seat: int) -> None:
        """Learn from a game of :meth:`player`, in ``seat``, with the partner.

        Only what the player saw is learned. Cards that it never saw are drawn from its belief.
        """
        self._played[WAYS.index(self.way)] += _mean_scores(logs)[0], 1
        past = past_of(last_states(logs), seat)
        belief = Belief(past, self.hypotheses(), 1, _CANDIDATES)
        belief.move(_STEPS)
        seen = logs_of(2, [belief.particles.decks[0]], [logs.actions])
        self._learn(seen, np.array([[seat == 1, seat == 0]]))

    def _learn(self, logs: GameLogs, seats: np.ndarray) -> None:
        learned = len(self.mixture.unseen.logs) if self.mixture.unseen else 0
        self.mixture.learn(Seen(logs, seats))
        unseen = self.mixture.unseen
        if unseen is None:
            return
        further = unseen.select(np.arange(learned, len(unseen.logs))) if learned else unseen
        self.logit.learn(further)

    @property
    def _unseen(self) -> np.ndarray:
        """What pool, programs, logit and chance gave to each move before it was learned."""
        columns = [self.mixture.made_unseen(model) for model in (_POOL, _PROGRAMS)]
        columns += [self.logit.regression.left_out, self.mixture.made_unseen(-1)]
        return np.column_stack(columns)

    def _pool_and_programs(self) -> tuple[PoolPosterior, ProgramPosterior]:
        pool, programs = self.mixture.models[_POOL], self.mixture.models[_PROGRAMS]
        assert isinstance(pool, PoolPosterior)
        assert isinstance(programs, ProgramPosterior)
        return pool, programs

    def _first_gains(self) -> np.ndarray:
        """Return the points that each way gains on `model` before games with the partner.

        Models that have seen no game of the partner are not trusted. The agent of the pool is,
        until the partner has made enough moves, and always if it rehearsed much better.
        """
        shares, likelihood = self.shares, self.likelihood
        untried = _FEW_MOVES / (_FEW_MOVES + len(self._unseen))
        pool = untried + (1 - untried) * shares[_POOL]
        if self.promised >= PROMISED:
            pool = 1.0
        free = shares[_POOL] + shares[_PROGRAMS]
        trusted = {"model": 1.0, "held": likelihood, "free": free, "pool": pool}
        if not len(self._unseen):
            trusted |= {"held": 0.0, "free": 0.0}
        return np.array(
            [trusted[way] * GAINS[way][0] + (1 - trusted[way]) * GAINS[way][1] for way in WAYS]
        )

    def _expected_score(self) -> float:
        """Return what `model` is expected to score: nearer to self-play the better it predicts."""
        if self._self_play is None:
            return _NO_SUPPORT
        return self._self_play * (1 + self.likelihood) / 2

    def _own_play(self) -> CompiledAgent:
        """Return how the player plays on in rollouts: as what explains most."""
        agents = [self._pool_agent, self._pool_and_programs()[1].likeliest, self.logit.agent(True)]
        likeliest = agents[int(self.shares[:_CHANCE].argmax())]
        assert isinstance(likeliest, CompiledAgent)
        return likeliest

    def _search(self, name: str, blueprint: Agent, least: float) -> SearchAgent:
        effort = replace(self.effort, strict=self._score == "strict")
        own = self._own_play()
        return SearchAgent(name, blueprint, self.hypotheses(), effort, own, least)


def compiled_in(pool: Sequence[Agent]) -> list[CompiledAgent]:
    """Return the compiled agents of a pool; a HoadError if there are none."""
    compiled = [agent for agent in pool if isinstance(agent, CompiledAgent)]
    if not compiled:
        raise HoadError("search needs a rule list or bot in the pool besides networks")
    return compiled


def _rehearsed(agent: Agent, partner: Agent, seed: int) -> float:
    """Return the mean result of games of an agent with a partner, half of them in each seat."""
    seatings = [agent, partner], [partner, agent]
    return float(np.mean([_mean_scores(play(seats, FIRST_GAMES, seed)) for seats in seatings]))


def _mean_scores(logs: GameLogs) -> np.ndarray:
    """Return the mean of the strict and the lenient score of each game, float64."""
    outcomes = replay(logs)
    return np.mean([outcomes.strict, outcomes.scores], axis=0)


def _compiled_hypotheses(ensemble: Ensemble) -> Ensemble:
    """Return the hypotheses that are compiled: none if a pool believes in networks only."""
    are_compiled = [isinstance(agent, CompiledAgent) for agent in ensemble.agents]
    kept = np.flatnonzero(are_compiled).tolist()
    shares = ensemble.probabilities[kept]
    agents = [ensemble.agents[index] for index in kept]
    return Ensemble(agents, shares / shares.sum(), ensemble.noise)
