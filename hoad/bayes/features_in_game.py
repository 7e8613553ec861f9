"""``bayes-features`` that updates its belief during games: at intervals in turns, or at mistakes.

Canaan et al. 2022 update it once a game and found shorter intervals worse (section VI); mistakes in
place of intervals are their future work (section VIII).
"""

from collections.abc import Hashable, Sequence

import numpy as np

from hoad.agents.agent import Agent
from hoad.agents.behaviour import HINTS, KNOWN, OPPORTUNITIES, PLAYS, features_of
from hoad.agents.follow import states_at
from hoad.bayes.belief import PartnerBelief
from hoad.bayes.features import update_log_beliefs
from hoad.bayes.in_game import InGameAgent
from hoad.bayes.matchups import Matchups
from hoad.bayes.meta_agent import MetaAgent
from hoad.bayes.response import Response
from hoad.bayes.settings import AdaptAfter, Evidence
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs
from hoad.game.moves import COLOUR_HINT, PLAY


class BayesFeaturesAgent(InGameAgent):
    """Compares the partner's features with the expected ones at each update.

    It knows its log-beliefs less those of the start, the counts of the partner's behaviour since
    the last update (or ever), and the partner's turns since then.

    Args:
        name: its name.
        matchups: of its responses and hypotheses.
        response: how it responds to its belief.
        evidence: "last_game" for the behaviour since the last update, "cumulative" for all.
        after: turns of the partner from one update to the next, or "mistake" for an update at each
            card of either player that did not fit.

    Raises:
        HoadError: the evidence is of whole games.
    """

    def __init__(
        self,
        name: str,
        matchups: Matchups,
        response: Response,
        evidence: Evidence,
        after: AdaptAfter,
    ) -> None:
        if evidence not in ("last_game", "cumulative") or after == "game":
            raise HoadError(f"{name}: {evidence} is evidence of whole games; adapt after each game")
        self._size = len(matchups.hypotheses)
        super().__init__(name, matchups, self._size + KNOWN + 2, response)
        self._matchups = matchups
        self._evidence = evidence
        self._after = after

    def beliefs_from(self, knowledge: np.ndarray) -> np.ndarray:
        unnormalised = knowledge[:, : self._size]
        beliefs = np.exp(unnormalised - unnormalised.max(1, keepdims=True))
        return beliefs / beliefs.sum(1, keepdims=True)

    def learn(
        self, knowledge: np.ndarray, states: np.ndarray, seat: int, actions: np.ndarray
    ) -> None:
        counts, turns = knowledge[:, self._size : -1], knowledge[:, -1]
        partners = states["table"]["current"] != seat
        counts[partners] += _behaviour_of(states[partners], actions[partners])
        turns += partners
        due = _mistaken(states, actions) if self._after == "mistake" else turns >= self._after
        games = np.flatnonzero(due)
        if not len(games):
            return
        chosen = self._response.choose(self.beliefs_from(knowledge[games]), seat)
        expected = self._matchups.expected_features(seat)[chosen]
        observed, before = features_of(counts[games]), knowledge[games, : self._size]
        knowledge[games, : self._size] = update_log_beliefs(before, observed, expected)
        turns[games] = 0
        if self._evidence == "last_game":
            counts[games] = 0

    @property
    def identity(self) -> Hashable:
        """Its settings, and the identities of its hypotheses and of other responses."""
        settings = self._evidence, self._after, type(self._response).__name__
        return "bayes-features", *settings, *self._agents_known


class InGameBehaviourBelief(PartnerBelief):
    """What a :class:`BayesFeaturesAgent` believes after whole games.

    Attributes:
        knowledge: the agent's, float64, shape ``(episodes, numbers)``.
    """

    def __init__(self, agent: BayesFeaturesAgent) -> None:
        self.hypotheses = len(agent.hypotheses)
        self._agent = agent
        self.begin(0)

    def begin(self, episodes: int) -> None:
        self.knowledge = self._agent.nothing_known(episodes)

    def update(self, logs: GameLogs, seat: int, responses: np.ndarray) -> None:
        states = states_at(logs, np.ones((len(logs), 2), np.bool_))
        lengths = np.diff(logs.offsets)
        for turn in range(lengths.max(initial=0)):
            games = np.flatnonzero(lengths > turn)
            rows, knowledge = logs.offsets[games] + turn, self.knowledge[games]
            self._agent.learn(knowledge, states[rows], seat, logs.actions[rows])
            self.knowledge[games] = knowledge

    @property
    def probabilities(self) -> np.ndarray:
        return self._agent.beliefs_from(self.knowledge)


class InGameFeaturesMetaAgent(MetaAgent):
    """The meta-agent that plays as a :class:`BayesFeaturesAgent`, over the games of an episode."""

    belief: InGameBehaviourBelief

    def __init__(
        self, agent: BayesFeaturesAgent, matchups: Matchups, response: Response, partner: int | None
    ) -> None:
        self._agent = agent
        pools = matchups.responses, matchups.hypotheses
        belief = InGameBehaviourBelief(agent)
        super().__init__(agent.name, pools[0], belief, response, partner, pools[1])

    def agents(self, game: int, seat: int) -> Sequence[Agent]:
        return [self._agent] * len(super().agents(game, seat))

    def memory(self, game: int, seat: int) -> np.ndarray:
        return self._agent.memory_with(self.belief.knowledge)


def _behaviour_of(states: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """Return what the players to move are about to show, float64, shape ``(games, KNOWN + 1)``.

    The columns are those of :func:`hoad.agents.behaviour.count_behaviour`.
    """
    table, counts = states["table"], np.zeros((len(states), KNOWN + 1))
    plays = _plays(actions)
    counts[:, OPPORTUNITIES] = table["tokens"] > 0
    counts[:, HINTS] = actions >= COLOUR_HINT
    counts[:, PLAYS] = plays
    cards = _slots_played(states[plays], actions[plays])
    for mask in ("colour_mask", "rank_mask"):
        values = table[plays][mask][cards]
        counts[plays, KNOWN] += (values & (values - 1)) == 0  # hints leave one value
    return counts


def _mistaken(states: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """Return in which games a card is about to be played that does not fit, bool."""
    mistaken = _plays(actions)
    played = states[mistaken]
    colour, rank = divmod(played["hands"][_slots_played(played, actions[mistaken])], 5)
    mistaken[mistaken] = played["table"]["fireworks"][np.arange(len(played)), colour] != rank
    return mistaken


def _plays(actions: np.ndarray) -> np.ndarray:
    return (actions >= PLAY) & (actions < COLOUR_HINT)


def _slots_played(states: np.ndarray, actions: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return the index of the game, the player and the slot of each card about to be played."""
    games, player = np.arange(len(states)), states["table"]["current"]
    return games, player, states["table"]["order"][games, player, actions - PLAY]
