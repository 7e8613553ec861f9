"""What all kinds have in common that choose among the agents of a pool."""

from typing import Any

from hoad.adhoc.players.kinds.kind import Kind


class PoolKind(Kind):
    """A kind that chooses among the agents of a pool."""

    needs_pool = True

    def check(self) -> None:
        self.roster.hypotheses(self.partner)

    def fingerprint(self) -> list[Any]:
        roster = self.roster
        options = [*self.options(), *(self.trials if self.needs_support else [])]
        options += [roster.score] if roster.score != "lenient" else []
        options += [roster.hold_out] if roster.hold_out == "family" else []
        return [roster.pool_identities, roster.matchup_games, *roster.match_ups_from, *options]

    def options(self) -> list[Any]:
        """Return what its moves depend on besides pool and match-ups, where not the default."""
        return []
