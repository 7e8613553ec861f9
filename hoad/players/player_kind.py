"""What a kind of player is: it makes players, and says what their games depend on."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from hoad.adhoc_player import AdhocPlayer, Support
from hoad.core.errors import HoadError
from hoad.core.identity import identity_of
from hoad.players.registry import Column
from hoad.players.roster import Roster, TablePartner


@dataclass(frozen=True)
class PlayerKind(ABC):
    """A kind of player, bound to a table's roster, a partner and the column with its name."""

    roster: Roster
    partner: TablePartner
    column: Column

    @property
    def name(self) -> str:
        return self.column.name

    @abstractmethod
    def make(self) -> AdhocPlayer:
        """Return the player, which may play games to learn; a HoadError if something is missing."""

    @abstractmethod
    def identity(self) -> list[Any]:
        """Return plain values on which its moves depend, but the partner; a HoadError without them.

        Kept games are found by them: a change makes players of this kind play again.
        """

    @property
    def meta_models(self) -> list[str]:
        """The names of the meta-models that play, as in ``maml:NAME``; none by default."""
        return []

    def check(self) -> None:
        """Raise a HoadError if the player cannot be made."""
        self.make()

    def refuse_acquainted(self, agent: str) -> None:
        """Raise a HoadError if an agent is, plays as, or was trained on the partner."""
        held_out = self.roster.held_out(self.partner)
        if held_out and not held_out.allows(agent):
            raise HoadError(
                f"player {self.name}: {agent} is, plays as or was trained on the partner "
                f"{held_out.in_words}, which is held out; leave one of them out of the recipe "
                "(self-play is the partner with itself)"
            )

    @property
    def support(self) -> Support:
        """The games that it watches before it plays: the partner's, or those of another agent."""
        return self.roster.support_of(self.column.learned_from or self.partner.name)

    @property
    def support_identity(self) -> list[Any]:
        """What all players that learn from games of an agent depend on."""
        learned_from = self.column.learned_from
        others = [repr(self.roster.agent_named(learned_from).identity)] if learned_from else []
        watched: list[Any] = [self.roster.trials, self.roster.support_games]
        if self.roster.support is not None:
            support = self.support
            if support.recorded is not None:
                games = [support.recorded.decks.tolist(), support.recorded.actions.tolist()]
                seats = [] if support.seats is None else [support.seats.tolist()]
                watched += [identity_of([*games, *seats])]
        return [watched, others]


class PoolKind(PlayerKind):
    """A kind of player that chooses among the agents of a pool."""

    def check(self) -> None:
        """Raise a HoadError without a pool, or without the recorded games that it watches."""
        self.roster.pool_for(self.partner)
        if self.column.kind.needs_support:
            _ = self.support

    def identity(self) -> list[Any]:
        roster, options = self.roster, self.options()
        options += self.support_identity if self.column.kind.needs_support else []
        options += [roster.score] if roster.score != "lenient" else []
        options += [roster.hold_out] if roster.hold_out == "family" else []
        return [roster.pool_identities, roster.matchup_games, *roster.matchups_from, *options]

    def options(self) -> list[Any]:
        """Return what its moves depend on besides pool and matchups, where not the default."""
        return []
