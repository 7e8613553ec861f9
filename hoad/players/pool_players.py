"""Players that play as an agent of a pool: the response to a belief, by the matchups of the pool.

Those here learn nothing from the partner's games; :mod:`.meta_agents` has those that do.
"""

from hoad.adhoc_player import AdhocPlayer
from hoad.agents.seeds import other_seed
from hoad.bayes.belief import PartnerBelief, UniformBelief
from hoad.bayes.matchups import Matchups, scores_with
from hoad.bayes.meta_agent import MetaAgent, certain, oracle
from hoad.bayes.pool import agents_of
from hoad.bayes.response import ExpectedBest, RandomResponse, Response
from hoad.game.stream import Purpose
from hoad.players.player_kind import PoolKind


class PoolPlayerKind(PoolKind):
    """A kind of player that plays as an agent of the pool: the response to its belief."""

    @property
    def matchups(self) -> Matchups:
        """The matchups that it knows."""
        return self.roster.matchups_for(self.partner)

    def make(self) -> AdhocPlayer:
        matchups, partner = self.matchups, self.partner.hypothesis
        belief, response = self.belief(matchups), self.response(matchups)
        responses, hypotheses = matchups.responses, matchups.hypotheses
        return MetaAgent(self.name, responses, belief, response, partner, hypotheses)

    def belief(self, matchups: Matchups) -> PartnerBelief:
        """Return how evidence becomes belief: by default, not at all."""
        return UniformBelief(len(matchups.hypotheses))

    def response(self, matchups: Matchups) -> Response:
        """Return how belief becomes a response: by default, the expected best one."""
        return ExpectedBest(matchups)


class GeneralistKind(PoolPlayerKind):
    """The agent that does best with the whole pool: the best response without evidence."""


class OracleKind(PoolPlayerKind):
    """The best response to the partner, known from other games with it."""

    def make(self) -> AdhocPlayer:
        matchups, roster = self.matchups, self.roster
        if self.partner.hypothesis is not None:
            return certain(matchups, self.partner.hypothesis)
        responses, partner = agents_of(matchups.responses), roster.seated(self.partner.name)
        seed, games = other_seed(roster.seed, Purpose.ORACLE), roster.matchup_games
        return oracle(matchups, scores_with(partner, responses, games, seed, score=roster.score))


class RandomResponseKind(PoolPlayerKind):
    """A random agent of the pool in each game."""

    def response(self, matchups: Matchups) -> Response:
        return RandomResponse(self.partner.number, len(matchups.responses))
