"""Meta-agents: they play as an agent of a pool, by their belief which of its agents they meet.

A kind has a belief, which evidence of the partner changes, and a response to it.
"""

from typing import Any, ClassVar

import numpy as np

from hoad.adhoc_player import AdhocPlayer
from hoad.agents.seeds import other_seed
from hoad.bayes.belief import FixedBelief, PartnerBelief, UniformBelief
from hoad.bayes.features import BayesFeaturesAgent, BehaviourBelief
from hoad.bayes.histograms import HistogramBelief
from hoad.bayes.in_game import InGameMetaAgent
from hoad.bayes.matchups import Matchups, scores_with
from hoad.bayes.meta_agent import MetaAgent
from hoad.bayes.moves import BayesMovesAgent, LikelihoodBelief, SupportedMetaAgent
from hoad.bayes.niche import NicheBelief, PublishedNicheMetaAgent
from hoad.bayes.pool import agents_of
from hoad.bayes.response import BestKnown, ExpectedBest, MostLikelyBest, RandomResponse, Response
from hoad.game.stream import Purpose
from hoad.players.player_kind import PoolKind


class MetaAgentKind(PoolKind):
    """A kind of player that plays as an agent of the pool: the response to its belief."""

    @property
    def matchups(self) -> Matchups:
        """The matchups that it knows."""
        return self.roster.matchups_for(self.partner)

    def make(self) -> AdhocPlayer:
        matchups, partner = self.matchups, self.partner.hypothesis
        belief, response = self.belief(matchups), self.response(matchups)
        return MetaAgent(self.name, matchups, belief, response, partner)

    def belief(self, matchups: Matchups) -> PartnerBelief:
        """Return how evidence becomes belief: by default, not at all."""
        return UniformBelief(len(matchups.hypotheses))

    def response(self, matchups: Matchups) -> Response:
        """Return how belief becomes a response: by default, the expected best one."""
        return ExpectedBest(matchups)


class GeneralistKind(MetaAgentKind):
    """The agent that does best with the whole pool: the best response without evidence."""


class OracleKind(MetaAgentKind):
    """The best response to the partner, known from other games with it.

    Those are the matchups if the partner is a hypothesis, as in the papers.
    """

    def belief(self, matchups: Matchups) -> PartnerBelief:
        if self.partner.hypothesis is None:
            return super().belief(matchups)
        return FixedBelief(np.eye(len(matchups.hypotheses))[self.partner.hypothesis])

    def response(self, matchups: Matchups) -> Response:
        if self.partner.hypothesis is not None:
            return super().response(matchups)
        roster, responses = self.roster, agents_of(matchups.responses)
        partner, seed = (
            roster.agent_named(self.partner.name),
            other_seed(roster.seed, Purpose.ORACLE),
        )
        games = roster.matchup_games
        return BestKnown(scores_with(partner, responses, games, seed, score=roster.score))


class RandomResponseKind(MetaAgentKind):
    """A random agent of the pool in each game."""

    def response(self, matchups: Matchups) -> Response:
        return RandomResponse(self.partner.number, len(matchups.responses))


class BayesFeaturesKind(MetaAgentKind):
    """Belief from the partner's behaviour (Canaan et al. 2022)."""

    def make(self) -> AdhocPlayer:
        evidence, after = self.roster.evidence, self.roster.adapt_after
        if after == "game":
            return super().make()
        matchups = self.matchups
        response = self.response(matchups)
        agent = BayesFeaturesAgent(self.name, matchups, response, evidence, after)
        return InGameMetaAgent(agent, self.partner.hypothesis)

    def belief(self, matchups: Matchups) -> PartnerBelief:
        if self.roster.evidence == "histograms":
            return HistogramBelief(matchups)
        return BehaviourBelief(matchups, self.roster.evidence)

    def options(self) -> list[Any]:
        settings = {"last_game": self.roster.evidence, "game": self.roster.adapt_after}
        return [setting for usual, setting in settings.items() if setting != usual]


class MostLikelyKind(BayesFeaturesKind):
    """The same belief; the best response to its most likely hypothesis."""

    def response(self, matchups: Matchups) -> Response:
        return MostLikelyBest(matchups)


class NicheKind(MetaAgentKind):
    """Belief from the niche of the partner's behaviour (Canaan et al. 2020)."""

    def make(self) -> AdhocPlayer:
        if self.roster.evidence != "as_published":
            return super().make()
        pool, partner = self.roster.pool_for(self.partner), self.partner.hypothesis
        return PublishedNicheMetaAgent(self.name, pool, self.matchups, partner)

    def belief(self, matchups: Matchups | None = None) -> PartnerBelief:
        return NicheBelief(self.roster.pool_for(self.partner), self.roster.niche_threshold)

    def check(self) -> None:
        self.belief()

    def options(self) -> list[Any]:
        how = ["as_published"] if self.roster.evidence == "as_published" else []
        return [self.roster.niche_threshold, self.roster.pool.grid, self.roster.pool.niches, *how]


class LikelihoodKind(MetaAgentKind):
    """Belief from the likelihood of the partner's moves, after each game."""

    reveal: ClassVar[bool] = False

    def belief(self, matchups: Matchups) -> PartnerBelief:
        return LikelihoodBelief(agents_of(matchups.hypotheses), self.reveal)


class LikelihoodRevealedKind(LikelihoodKind):
    """The same, with its own cards shown to it after each game."""

    reveal = True


class BayesMovesKind(MetaAgentKind):
    """Belief from the likelihood of the partner's moves, after each move."""

    def make(self) -> AdhocPlayer:
        agent = BayesMovesAgent(self.name, self.matchups)
        return InGameMetaAgent(agent, self.partner.hypothesis)


class BayesMovesSupportKind(BayesMovesKind):
    """Belief from the likelihood of the moves in the support, then after each move."""

    def make(self) -> AdhocPlayer:
        return SupportedMetaAgent(self.name, self.support, self.matchups, self.partner.hypothesis)

    def check(self) -> None:
        super().check()
        self.support.refuse_games_with_others()
