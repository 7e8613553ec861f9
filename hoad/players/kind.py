"""What a kind of player is: it makes players, and says what their games depend on."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from hoad.agents.player import AdhocPlayer
from hoad.core.digest import digest
from hoad.core.errors import HoadError
from hoad.players.roster import Roster, TablePartner, identity


@dataclass(frozen=True)
class Kind(ABC):
    """A kind of player, bound to a table's roster, a partner and the parts of a column's name.

    Attributes:
        needs_agents: whether it needs ``agents`` in the recipe.
        needs_pool: whether it needs a pool.
        needs_match_ups: whether it needs the match-ups of the pool.
        needs_support: whether it watches games of the partner before it plays.
        support_is_optional: whether these games may be none.
        knows_partner: whether it is, or knows, the partner: it is shown apart, not as a competitor.
        plays_meta_model: whether its moves depend on the meta-model of the partner.
        has_steps: whether it plays one of its milestones as ``KIND@STEP``.
        has_margin: whether it searches, with other margins as ``KIND@POINTS``.
        splits_by_trial: whether each of its trials is played by another worker (`in_trial`).
        learns_from_any: whether ``KIND:X`` learns from the games of X instead of the partner's.
        name: of the column.
        variant: what follows @: a milestone of meta-training, or a margin; else empty.
        learned_from: the agent X that ``KIND:X`` learns from; empty for the partner.
    """

    needs_agents: ClassVar[bool] = False
    needs_pool: ClassVar[bool] = False
    needs_match_ups: ClassVar[bool] = False
    needs_support: ClassVar[bool] = False
    support_is_optional: ClassVar[bool] = False
    knows_partner: ClassVar[bool] = False
    plays_meta_model: ClassVar[bool] = False
    has_steps: ClassVar[bool] = False
    has_margin: ClassVar[bool] = False
    splits_by_trial: ClassVar[bool] = False
    learns_from_any: ClassVar[bool] = False

    roster: Roster
    partner: TablePartner
    name: str
    variant: str = ""
    learned_from: str = ""

    @classmethod
    def takes(cls, variant: str, learned_from: str) -> bool:
        """Return whether names of this kind may have these parts, where they are not empty."""
        has_variants = cls.has_steps or cls.has_margin
        return (has_variants or not variant) and (cls.learns_from_any or not learned_from)

    @abstractmethod
    def make(self) -> AdhocPlayer:
        """Return the player, which may play games to learn; a HoadError if something is missing."""

    @abstractmethod
    def identity(self) -> list[Any]:
        """Return plain values on which its moves depend, but the partner; a HoadError without them.

        Kept games are found by them: a change makes players of this kind play again.
        """

    def check(self) -> None:
        """Raise a HoadError if the player cannot be made."""
        self.make()

    def refuse_acquainted(self, agent: str) -> None:
        """Raise a HoadError if an agent is, plays as, or was trained on the partner."""
        if not self.roster.without([agent], self.partner):
            family = " or its family" if self.roster.hold_out == "family" else ""
            raise HoadError(
                f"player {self.name}: {agent} is, plays as or was trained on the partner "
                f"{self.partner.name}{family}, which is held out; leave one of them out of the "
                "recipe (self-play is the partner with itself)"
            )

    @property
    def support_identity(self) -> list[Any]:
        """What all players that learn from games of an agent depend on."""
        learned_from = self.learned_from
        others = [identity(self.roster.seated(learned_from))] if learned_from else []
        watched: list[Any] = [self.roster.trials, self.roster.support_games]
        if self.roster.support is not None:
            recorded = self.roster.support_of(learned_from or self.partner.name).recorded
            if recorded is not None:
                watched += [digest([recorded.decks.tolist(), recorded.actions.tolist()])]
        return [watched, others]


class PoolKind(Kind):
    """A kind of player that chooses among the agents of a pool."""

    needs_pool = True

    def check(self) -> None:
        self.roster.hypotheses(self.partner)

    def identity(self) -> list[Any]:
        roster = self.roster
        options = [*self.options(), *(self.support_identity if self.needs_support else [])]
        options += [roster.score] if roster.score != "lenient" else []
        options += [roster.hold_out] if roster.hold_out == "family" else []
        return [roster.pool_identities, roster.matchup_games, *roster.match_ups_from, *options]

    def options(self) -> list[Any]:
        """Return what its moves depend on besides pool and match-ups, where not the default."""
        return []
