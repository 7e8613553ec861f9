"""Columns of a table: what the name of a player in a recipe means.

A column is a kind of player, one of `KINDS`, or the name of any agent. The class of a kind is
imported when a player is made, so that recipes are checked without it.
"""

from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Final

from hoad.agents.families import split_games_file
from hoad.agents.registry import refuse_unknown_agent
from hoad.core.errors import AbsentError, HoadError
from hoad.core.identity import identity_of
from hoad.core.recipe import checked

if TYPE_CHECKING:
    from hoad.adhoc_player import AdhocPlayer
    from hoad.players.player_kind import PlayerKind
    from hoad.players.roster import Roster, TablePartner


@dataclass(frozen=True)
class KindFacts:
    """What a recipe and a report must know about a kind of player.

    Attributes:
        load: its class, as "module:Class" of this package.
        needs_agents: whether it needs ``agents`` in the recipe.
        needs_pool: whether it needs a pool.
        needs_matchups: whether it needs the matchups of the pool.
        needs_support: whether it watches games of the partner before it plays.
        support_is_optional: whether these games may be none.
        knows_partner: whether it is, or knows, the partner: it is shown apart, not as a competitor.
        plays_meta_model: whether its moves depend on meta-models, trained without the partner.
        has_steps: whether it plays one of its milestones as ``KIND@STEP``.
        splits_by_trial: whether each of its trials is played by another worker (`in_trial`).
        learns_from_any: whether ``KIND:X`` learns from the games of X instead of the partner's.
    """

    load: str
    needs_agents: bool = False
    needs_pool: bool = False
    needs_matchups: bool = False
    needs_support: bool = False
    support_is_optional: bool = False
    knows_partner: bool = False
    plays_meta_model: bool = False
    has_steps: bool = False
    splits_by_trial: bool = False
    learns_from_any: bool = False


_of_pool = partial(KindFacts, needs_pool=True, needs_matchups=True)
_of_models = partial(
    KindFacts, needs_pool=True, needs_support=True, support_is_optional=True, plays_meta_model=True
)
_of_meta_model = partial(KindFacts, plays_meta_model=True, has_steps=True)

KINDS: Final = {
    "self-play": KindFacts("fixed:SelfPlayKind", knows_partner=True),
    "random-partner": KindFacts("fixed:RandomPartnerKind", needs_agents=True),
    "naive": KindFacts("networks:NaiveKind", needs_support=True, learns_from_any=True),
    "zero-shot": _of_meta_model("networks:ZeroShotKind"),
    "low-shot": _of_meta_model("networks:LowShotKind", needs_support=True, learns_from_any=True),
    "generalist": _of_pool("meta_agents:GeneralistKind"),
    "bayes-features": _of_pool("meta_agents:BayesFeaturesKind"),
    "most-likely": _of_pool("meta_agents:MostLikelyKind"),
    "likelihood": _of_pool("meta_agents:LikelihoodKind"),
    "likelihood-revealed": _of_pool("meta_agents:LikelihoodRevealedKind"),
    "bayes-moves": _of_pool("meta_agents:BayesMovesKind"),
    "bayes-moves-support": _of_pool("meta_agents:BayesMovesSupportKind", needs_support=True),
    "nearest": KindFacts("nearest:NearestKind", needs_pool=True, needs_support=True),
    "nearest-response": _of_pool("nearest:NearestResponseKind", needs_support=True),
    "niche": _of_pool("meta_agents:NicheKind"),
    "oracle": _of_pool("meta_agents:OracleKind", knows_partner=True),
    "random-response": _of_pool("meta_agents:RandomResponseKind"),
    "model": _of_models("models:ModelKind"),
    "search": _of_models("search:SearchKind", splits_by_trial=True),
    "search-oracle": KindFacts(
        "search:SearchOracleKind", needs_pool=True, knows_partner=True, splits_by_trial=True
    ),
}
"""The kinds of players by their names in recipes."""

META_AGENTS: Final = tuple(
    word for word, kind in KINDS.items() if kind.needs_matchups and not kind.needs_support
)
"""The kinds of players that need the matchups of a pool, and no games of the partner."""

AGENT: Final = KindFacts("fixed:AgentKind")
"""The kind of a column that is an agent's name."""

OWN_CLASS: Final = KindFacts("python_class:PythonKind")
"""The kind of a column that is a class of the user's own, an agent or an ad-hoc player."""

PYTHON: Final = "python:"
"""Before the file and the class of one's own."""

WITH_ELITES: Final = "+elites"
"""After a kind that needs a pool: the pool has elites besides."""


@dataclass(frozen=True)
class Column:
    """The parts of a player's name in a recipe: ``low-shot@500:X``.

    Attributes:
        word: key of `KINDS`; empty if the name is an agent's.
        variant: what follows @, a milestone of meta-training; else empty.
        learned_from: the agent that games are taken from; empty for the partner.
        with_elites: whether the pool has elites besides (the recipe's ``elites``).
    """

    name: str
    word: str = ""
    variant: str = ""
    learned_from: str = ""
    with_elites: bool = False

    @classmethod
    def parse(cls, name: str) -> "Column":
        """Return the parts of a name; a name that is no kind of player is an agent's.

        ``low-shot:X`` is an agent's if X is a file of games, or a player of one. So is a name with
        nothing after @ or the colon, which :meth:`refuse_unknown` refuses.
        """
        plain = name.removesuffix(WITH_ELITES)
        with_elites = plain != name
        head, colon, learned_from = plain.partition(":")
        word, at, variant = head.partition("@")
        kind = KINDS.get(word)
        is_player = (
            kind is not None
            and not split_games_file(learned_from)
            and (not at or (variant and kind.has_steps))
            and (not colon or (learned_from and kind.learns_from_any))
            and (not with_elites or kind.needs_pool)
        )
        return cls(name, word, variant, learned_from, with_elites) if is_player else cls(name)

    @property
    def kind(self) -> KindFacts:
        return KINDS.get(self.word, OWN_CLASS if self.name.startswith(PYTHON) else AGENT)

    def refuse_unknown(self) -> None:
        """Raise a HoadError, which names a similar kind if there is one, if it is no agent.

        Nothing is imported: what follows a prefix is checked where the player is made.
        """
        if self.learned_from:
            refuse_unknown_agent(self.learned_from)
        if self.word:
            return
        if self.name.endswith(":"):
            raise HoadError(f"player {self.name!r}: nothing follows the colon; add a name")
        try:
            refuse_unknown_agent(self.name)
        except HoadError:
            for suggestion in get_close_matches(self.name, KINDS, n=1):
                problem = f"unknown player {self.name!r}; did you mean {suggestion}?"
                raise HoadError(problem) from None
            raise

    def make(self, roster: "Roster", partner: "TablePartner") -> "AdhocPlayer":
        """Return the player, which may play games to learn; a HoadError if something is missing."""
        player = self.bind(roster, partner).make()
        player.name = self.name
        return player

    def identity(self, roster: "Roster", partner: "TablePartner") -> str | None:
        """Return the player's identity: what its moves depend on but the partner.

        None if a network or a population that it needs is not on this machine; a HoadError if
        something else is wrong, as with a file of one's own that cannot be imported.
        """
        self.refuse_unknown()
        try:
            return identity_of(self.bind(roster, partner).identity())
        except AbsentError:
            return None

    def check(self, roster: "Roster", partner: "TablePartner") -> None:
        """Raise the error of :meth:`make`, or of the pool; no game is played."""
        self.refuse_unknown()
        self.bind(roster, partner).check()

    def bind(self, roster: "Roster", partner: "TablePartner") -> "PlayerKind":
        """Return the kind, whose class is imported, bound to a table's roster and a partner."""
        module, _, name = self.kind.load.partition(":")
        return getattr(import_module(f"{__package__}.{module}"), name)(roster, partner, self)


def knows_partner(player: str) -> bool:
    """Return whether a column's player knows the partner, as self-play does."""
    return Column.parse(player).kind.knows_partner


PlayerName = Annotated[str, checked(lambda name: Column.parse(name).refuse_unknown())]
"""The name of a column, in recipes."""
