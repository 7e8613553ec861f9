"""Meta-agents: they play as an agent of a pool, by their belief which of its agents they meet.

A kind has a belief, which evidence of the partner changes, and a response to it.
"""

from typing import Any, ClassVar

from hoad.adhoc_player import AdhocPlayer
from hoad.bayes.belief import PartnerBelief
from hoad.bayes.features import BehaviourBelief
from hoad.bayes.features_in_game import BayesFeaturesAgent, InGameFeaturesMetaAgent
from hoad.bayes.histograms import HistogramBelief
from hoad.bayes.in_game import InGameMetaAgent, SupportedMetaAgent
from hoad.bayes.matchups import Matchups
from hoad.bayes.moves import LikelihoodBelief, Reveal
from hoad.bayes.niche import NicheBelief
from hoad.bayes.pool import agents_of
from hoad.bayes.published_niche import PublishedNicheMetaAgent
from hoad.bayes.response import MostLikelyBest, Response
from hoad.players.pool_players import PoolPlayerKind


class BayesFeaturesKind(PoolPlayerKind):
    """Belief from the partner's behaviour (Canaan et al. 2022)."""

    def make(self) -> AdhocPlayer:
        evidence, after = self.roster.evidence, self.roster.adapt_after
        if after == "game":
            return super().make()
        matchups, partner = self.matchups, self.partner.hypothesis
        response = self.response(matchups)
        agent = BayesFeaturesAgent(self.name, matchups, response, evidence, after)
        return InGameFeaturesMetaAgent(agent, matchups, response, partner)

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


class NicheKind(PoolPlayerKind):
    """Belief from the niche of the partner's behaviour (Canaan et al. 2020)."""

    def make(self) -> AdhocPlayer:
        if self.roster.evidence != "as_published":
            return super().make()
        pool, partner = self.roster.hypotheses(self.partner), self.partner.hypothesis
        return PublishedNicheMetaAgent(self.name, pool, self.matchups, partner)

    def belief(self, matchups: Matchups | None = None) -> PartnerBelief:
        return NicheBelief(self.roster.hypotheses(self.partner), self.roster.niche_threshold)

    def check(self) -> None:
        self.belief()

    def options(self) -> list[Any]:
        how = ["as_published"] if self.roster.evidence == "as_published" else []
        return [self.roster.niche_threshold, self.roster.pool.grid, self.roster.pool.niches, *how]


class LikelihoodKind(PoolPlayerKind):
    """Belief from the likelihood of the partner's moves, after each game."""

    reveal: ClassVar[Reveal] = "none"

    def belief(self, matchups: Matchups) -> PartnerBelief:
        return LikelihoodBelief(agents_of(matchups.hypotheses), self.reveal)


class LikelihoodRevealedKind(LikelihoodKind):
    """The same, with its own cards shown to it after each game."""

    reveal = "after_game"


class BayesMovesKind(PoolPlayerKind):
    """Belief from the likelihood of the partner's moves, after each move."""

    def make(self) -> AdhocPlayer:
        return InGameMetaAgent(self.name, self.matchups, self.partner.hypothesis)


class BayesMovesSupportKind(BayesMovesKind):
    """Belief from the likelihood of the moves in the support, then after each move."""

    def make(self) -> AdhocPlayer:
        return SupportedMetaAgent(self.name, self.support, self.matchups, self.partner.hypothesis)
