"""Players that look for the agent of a pool that is nearest to the partner, in its support."""

from hoad.adhoc.nearest import Nearest, NearestResponse
from hoad.adhoc.player import AdhocPlayer
from hoad.adhoc.players.kinds.pool import PoolKind


class NearestKind(PoolKind):
    """The agent of the pool that is most likely to have played the support.

    Its fingerprint has the match-ups, though it does not use them, so that kept games are found.
    """

    needs_support = True

    def make(self) -> AdhocPlayer:
        return Nearest(self.name, self.support, self.roster.hypotheses(self.partner).agents)


class NearestResponseKind(PoolKind):
    """The best response of the pool to that agent."""

    needs_support = needs_match_ups = True

    def make(self) -> AdhocPlayer:
        return NearestResponse(self.name, self.support, self.roster.match_ups_for(self.partner))
