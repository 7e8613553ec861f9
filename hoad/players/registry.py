"""Columns of a table: what the name of a player in a recipe means.

A column is a kind of player, which has a class in this folder, or the name of any agent.
"""

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from hoad.agents.player import AdhocPlayer
from hoad.agents.registry import agent_descriptions, get_fair_agent
from hoad.core.digest import digest
from hoad.core.errors import AbsentError, HoadError
from hoad.players.fixed import AgentKind, RandomPartnerKind, SelfPlayKind
from hoad.players.kind import Kind
from hoad.players.meta_agents import (
    BayesFeaturesKind,
    BayesMovesKind,
    BayesMovesSupportKind,
    GeneralistKind,
    LikelihoodKind,
    LikelihoodRevealedKind,
    MostLikelyKind,
    NicheKind,
    OracleKind,
    RandomResponseKind,
)
from hoad.players.models import ModelKind
from hoad.players.nearest import NearestKind, NearestResponseKind
from hoad.players.networks import LowShotKind, NaiveKind, ZeroShotKind
from hoad.players.python_class import PYTHON, PythonKind
from hoad.players.roster import Roster, TablePartner
from hoad.players.search import SearchKind, SearchOracleKind
from hoad.replay.formats.jsonl import split_games_file

KINDS: Final[dict[str, type[Kind]]] = {
    "self-play": SelfPlayKind,
    "random-partner": RandomPartnerKind,
    "naive": NaiveKind,
    "zero-shot": ZeroShotKind,
    "low-shot": LowShotKind,
    "generalist": GeneralistKind,
    "bayes-features": BayesFeaturesKind,
    "most-likely": MostLikelyKind,
    "likelihood": LikelihoodKind,
    "likelihood-revealed": LikelihoodRevealedKind,
    "bayes-moves": BayesMovesKind,
    "bayes-moves-support": BayesMovesSupportKind,
    "nearest": NearestKind,
    "nearest-response": NearestResponseKind,
    "niche": NicheKind,
    "oracle": OracleKind,
    "random-response": RandomResponseKind,
    "model": ModelKind,
    "search": SearchKind,
    "search-oracle": SearchOracleKind,
}
"""The class of each kind of player, by its name in recipes."""

WITH_ELITES: Final = "+elites"
"""After a kind that needs a pool: the pool has elites besides."""

RENAMED: Final = {"adaptive": "bayes-features", "likelihood-in-game": "bayes-moves"}
"""Current names of kinds that have old ones, which recipes may still use."""

FORMER: Final = {new: old for old, new in RENAMED.items()}
"""Old names of kinds by current ones: published tables use the old names."""


@dataclass(frozen=True)
class Column:
    """The parts of a player's name in a recipe: ``low-shot@500:X``.

    Attributes:
        word: key of `KINDS`; empty if the name is an agent's.
        variant: what follows @, a milestone of meta-training or a margin; else empty.
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
        nothing after @ or the colon, which :meth:`check` refuses.
        """
        plain = name.removesuffix(WITH_ELITES)
        with_elites = plain != name
        head, colon, learned_from = plain.partition(":")
        word, at, variant = head.partition("@")
        word = RENAMED.get(word, word)
        kind = KINDS.get(word)
        if kind is None or split_games_file(learned_from):
            return cls(name)
        if (colon and not learned_from) or (at and not variant):
            return cls(name)
        if not kind.takes(variant, learned_from) or (with_elites and not kind.needs_pool):
            return cls(name)
        return cls(name, word, variant, learned_from, with_elites)

    def make(self, roster: Roster, partner: TablePartner) -> AdhocPlayer:
        """Return the player, which may play games to learn; a HoadError if something is missing."""
        player = self._for(roster, partner).make()
        player.name = self.name
        return player

    def fingerprint(self, roster: Roster, partner: TablePartner) -> str | None:
        """Return the digest of the player's identity: what its moves depend on but the partner.

        None if a network or a population that it needs is not on this machine; a HoadError if
        something else is wrong, as with a file of one's own that cannot be imported.
        """
        if self.kind is AgentKind:
            self._refuse_unknown()
        try:
            return digest(self._for(roster, partner).identity())
        except AbsentError:
            return None

    def check(self, roster: Roster, partner: TablePartner) -> None:
        """Raise the error of :meth:`make`, or of the pool; no game is played."""
        if self.kind is AgentKind:
            self._refuse_unknown()
        self._for(roster, partner).check()

    def _for(self, roster: Roster, partner: TablePartner) -> Kind:
        return self.kind(roster, partner, self.name, self.variant, self.learned_from)

    def _refuse_unknown(self) -> None:
        """Raise a HoadError, which names a similar kind if there is one, if it is no agent."""
        if self.name.endswith(":"):
            raise HoadError(f"player {self.name!r}: nothing follows the colon; add a name")
        try:
            get_fair_agent(self.name)
        except AbsentError:
            return  # an agent that is not on this machine
        except HoadError:
            word, colon, _ = self.name.partition(":")
            if word + colon in agent_descriptions():
                raise  # what is wrong is its argument
            for near in get_close_matches(self.name, [*KINDS, *RENAMED], n=1):
                suggestion = RENAMED.get(near, near)
                problem = f"unknown player {self.name!r}; did you mean {suggestion}?"
                raise HoadError(problem) from None
            raise

    @property
    def kind(self) -> type[Kind]:
        """The kind of player."""
        return KINDS.get(self.word, PythonKind if self.name.startswith(PYTHON) else AgentKind)

    @property
    def current_name(self) -> str:
        """The name with the kind's current word, which is the same for old and new names."""
        if not self.word:
            return self.name
        variant, learned_from = self.variant and f"@{self.variant}", self.learned_from
        elites = WITH_ELITES if self.with_elites else ""
        return self.word + variant + (learned_from and f":{learned_from}") + elites

    @property
    def plays_own_meta_model(self) -> bool:
        """Whether the meta-model plays, or predicts, that was trained without the partner."""
        return self.kind.plays_meta_model
