"""Belief from behaviour: which hypothesis behaves as the partner does?

The partner's behaviour is compared with that of each hypothesis with the same response in the same
seat (Canaan et al. 2022, section VI). They update the belief once a game and found shorter
intervals worse; mistakes in place of intervals are their future work (section VIII).
"""

from collections.abc import Hashable
from typing import Final

import numpy as np

from hoad.agents.behaviour import (
    COUNTS,
    HINTS,
    KNOWN,
    OPPORTUNITIES,
    PLAYS,
    count_behaviour,
    features_of,
)
from hoad.agents.follow import states_at
from hoad.bayes.belief import PartnerBelief, log_normalised, normalised
from hoad.bayes.in_game import InGameAgent, InGameBelief
from hoad.bayes.matchups import Matchups
from hoad.bayes.response import Response
from hoad.bayes.settings import AdaptAfter, Evidence
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs
from hoad.game.moves import COLOUR_HINT, PLAY

SIGMA: Final = 0.1
"""Standard deviation of a partner's features around the expected ones (Canaan et al. 2022)."""


class BehaviourBelief(PartnerBelief):
    """Weighs hypotheses by the communicativeness and IPP that the partner shows.

    Naive Bayes with Gaussian features (eqs. 4 to 6): the density of N(expected, sigma²) at the
    observed value, where the expected value depends on the response and on the seats.
    """

    def __init__(self, matchups: Matchups, evidence: Evidence = "last_game") -> None:
        self.size = len(matchups.hypotheses)
        self._matchups = matchups
        self._evidence = evidence
        self.begin(0)

    def begin(self, episodes: int) -> None:
        self._counts = np.zeros((episodes, COUNTS), np.int64)
        self._log_beliefs = np.full((episodes, self.size), -np.log(self.size))

    def update(self, logs: GameLogs, seat: int, responses: np.ndarray) -> None:
        expected = self._matchups.expected_features(seat)[responses]
        if self._evidence == "as_published":
            self._counts = self._counts + behaviour_between_moves(logs, seat)
            observed = np.nan_to_num(features_of(self._counts))
            expected = np.where(np.isnan(expected), np.inf, expected)
        else:
            counts = count_behaviour(logs)[:, 1 - seat]
            self._counts = counts if self._evidence == "last_game" else self._counts + counts
            observed = features_of(self._counts)
        self._log_beliefs = update_log_beliefs(self._log_beliefs, observed, expected)

    @property
    def probabilities(self) -> np.ndarray:
        return np.exp(self._log_beliefs)


def update_log_beliefs(
    log_beliefs: np.ndarray, observed: np.ndarray, expected: np.ndarray
) -> np.ndarray:
    """Return the logarithms of the beliefs after an observation (eqs. 4 and 6), normalised.

    A feature that is undefined, as observed or as expected, is no evidence for or against. An
    observation that rules out every hypothesis that is left changes nothing.

    Args:
        log_beliefs: float64, shape ``(episodes, hypotheses)``; -inf for what is ruled out.
        observed: features, shape ``(episodes, 2)``.
        expected: features by hypothesis, shape ``(episodes, hypotheses, 2)``; infinite where
            whatever is observed rules the hypothesis out.
    """
    distances = (observed[:, None, :] - expected) / SIGMA
    evidence = -0.5 * np.where(np.isnan(distances), 0.0, distances**2).sum(2)
    unnormalised = log_beliefs + evidence
    highest = unnormalised.max(1, keepdims=True)
    return log_normalised(np.where(np.isneginf(highest), log_beliefs, unnormalised))


def behaviour_between_moves(logs: GameLogs, seat: int) -> np.ndarray:
    """Count what the partner did in each game between the first and the last move of ``seat``.

    A player that looks at the partner's move when it is to move itself sees no others. Int64, shape
    ``(games, COUNTS)`` (see :func:`hoad.agents.behaviour.count_behaviour`).
    """
    lengths = np.diff(logs.offsets)
    partner_moved_last = (lengths - 1) % 2 == 1 - seat
    counts = count_behaviour(_beginnings(logs, lengths - partner_moved_last))
    if seat == 1:
        counts = counts - count_behaviour(_beginnings(logs, np.minimum(lengths, 1)))
    return counts[:, 1 - seat]


def _beginnings(logs: GameLogs, lengths: np.ndarray) -> GameLogs:
    """Return the first turns of each game, as many as ``lengths`` says."""
    kept = logs.turns < lengths[logs.games]
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return GameLogs(logs.players, logs.decks, logs.actions[kept], offsets)


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
        self._evidence = evidence
        self._after = after

    def new_belief(self) -> "InGameBehaviourBelief":
        return InGameBehaviourBelief(self)

    def beliefs_from(self, knowledge: np.ndarray) -> np.ndarray:
        return normalised(knowledge[:, : self._size])

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
        chosen = self.response.choose(self.beliefs_from(knowledge[games]), seat)
        expected = self.matchups.expected_features(seat)[chosen]
        observed, before = features_of(counts[games]), knowledge[games, : self._size]
        knowledge[games, : self._size] = update_log_beliefs(before, observed, expected)
        turns[games] = 0
        if self._evidence == "last_game":
            counts[games] = 0

    @property
    def identity(self) -> Hashable:
        """Its settings, and the identities of its hypotheses and of other responses."""
        settings = self._evidence, self._after, type(self.response).__name__
        return "bayes-features", *settings, *self._agents_known


class InGameBehaviourBelief(InGameBelief):
    """What a :class:`BayesFeaturesAgent` believes after whole games."""

    def __init__(self, agent: BayesFeaturesAgent) -> None:
        self.size = len(agent.hypotheses)
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
