"""Players that look for the agent of a pool that is nearest to the partner, in its support.

The baseline of learning from a few games: the nearest agent is the one most likely to have made
the moves of both seats in these games.
"""

from collections.abc import Sequence

import numpy as np

from hoad.adhoc_player import AdhocPlayer, Support, TrialPlayer
from hoad.agents.agent import Agent
from hoad.agents.wrappers import BySeat
from hoad.bayes.hypotheses import Hypotheses
from hoad.bayes.matchups import Matchups
from hoad.bayes.moves import support_evidence
from hoad.bayes.pool import agents_of
from hoad.bayes.response import ExpectedBest
from hoad.game.log import GameLogs
from hoad.players.player_kind import PoolKind


class NearestKind(PoolKind):
    """The agent of the pool that is most likely to have played the support.

    Its identity has the matchups, though it does not use them, so that kept games are found.
    """

    def make(self) -> AdhocPlayer:
        return NearestPlayer(self.name, self.support, self.roster.pool_for(self.partner).agents)


class NearestPlayer(TrialPlayer):
    """Plays as the agent of a pool (names) that is nearest to the partner."""

    def __init__(self, name: str, support: Support, pool: Sequence[str]) -> None:
        super().__init__(name, support)
        self._pool = agents_of(pool)
        self._hypotheses = Hypotheses(self._pool)

    def learn(self, logs: GameLogs, seats: np.ndarray, seed: int, trial: int) -> Agent:
        return self._pool[self._nearest(logs, seats)]

    def _nearest(self, logs: GameLogs, seats: np.ndarray) -> int:
        """Return the index of the nearest agent; ties go to the first."""
        return int(support_evidence(self._hypotheses, logs, seats)[:-1].argmax())


class NearestResponseKind(PoolKind):
    """The best response of the pool to that agent."""

    def make(self) -> AdhocPlayer:
        matchups = self.roster.matchups_for(self.partner)
        return NearestResponsePlayer(self.name, self.support, matchups)


class NearestResponsePlayer(NearestPlayer):
    """Plays as the best response to the nearest agent, in each seat, by the matchups."""

    def __init__(self, name: str, support: Support, matchups: Matchups) -> None:
        super().__init__(name, support, matchups.agents)
        self._response = ExpectedBest(matchups)

    def learn(self, logs: GameLogs, seats: np.ndarray, seed: int, trial: int) -> Agent:
        belief = np.eye(len(self._pool))[[self._nearest(logs, seats)]]
        responses = [self._pool[int(self._response.choose(belief, seat)[0])] for seat in range(2)]
        return BySeat(self.name, *responses)
