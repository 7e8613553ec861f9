"""Which agents are held out together with a partner: no player may learn from them, or be them.

The partner has many names: ``imitator:iggi``, ``noisy:0.0:iggi`` and ``rules:2,8,13,38,27,22`` are
iggi, ``generalist:iggi+piers`` may play as iggi, and ``maml:piers`` was trained on iggi's games.
Agents are compared by playing where that is possible. A network is compared by the agents that it
was trained on, and by those that its teacher asked (:mod:`hoad.partners.teacher`). Players that are
known from recorded games only, as people are, have their name.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from hoad.agents.agent import Agent
from hoad.agents.families import FAMILIES, Family, HoldOut, original_name, seeded_name
from hoad.agents.registry import RULE_LISTS, get_agent, is_agent, loads_code, same_agent
from hoad.agents.rules.catalogue import COLUMNS
from hoad.agents.rules.rule_list import RuleList
from hoad.core.errors import HoadError
from hoad.core.paths import checkpoint_root
from hoad.core.workers import forget_between_programs


@dataclass(frozen=True)
class HeldOut:
    """A partner by any of its names, and what is held out with it: itself, or its ``family``."""

    partner: str
    what: HoldOut = "agent"

    @property
    def family(self) -> Family | None:
        """The family that is held out; None if it is the partner alone, or has no family."""
        return family_of(self.partner) if self.what == "family" else None

    @property
    def in_words(self) -> str:
        """What is held out, for messages."""
        return self.partner if self.what == "agent" else f"{self.partner} or its family"

    def meta_model(self, seed: int = 0) -> str:
        """Return the name of the meta-model that was trained without them.

        The seed of its training follows as in ``iggi.1``, unless it is 0.
        """
        return seeded_name(self.family or original_name(self.partner), seed)

    def others(self, agents: Iterable[str]) -> tuple[str, ...]:
        """Return the agents that players may learn from, or play as, when they meet the partner.

        Left out are agents that behave as the partner does under any name, that play as it in some
        games, and networks that were trained on its games; with the family, the same for all its
        members, and rule lists that are like theirs.

        Raises:
            HoadError: an agent is unknown, or its network is missing.
        """
        return _others(tuple(agents), self, str(checkpoint_root()))

    def allows(self, agent: str) -> bool:
        """Return whether players may learn from an agent, or play as it."""
        return bool(self.others([agent]))


def family_of(partner: str) -> Family | None:
    """Return the name of a partner's family, None for none; a HoadError if it cannot be loaded."""
    for family, members in FAMILIES.items():
        if original_name(partner) in members:
            return family
    for family, members in FAMILIES.items():
        if _is_any(partner, members, stand_in=True):
            return family
    return None


@lru_cache(maxsize=1000)
def _others(agents: tuple[str, ...], held_out: HeldOut, _: str) -> tuple[str, ...]:
    """Cache the answer, which depends on the folder of networks: comparing takes games."""
    family = held_out.family
    members = FAMILIES[family] if family else (held_out.partner,)
    lists = [get_agent(member) for member in members if member in RULE_LISTS] if family else []
    return tuple(
        agent
        for agent in agents
        if not _is_any(agent, members) and not (lists and _is_like_a_rule_list(agent, lists))
    )


forget_between_programs(_others.cache_clear)


def _is_any(name: str, members: Iterable[str], stand_in: bool = False) -> bool:
    """Return whether an agent is, plays as, or has learned from one of some agents."""
    own = list(_sources(name, stand_in))
    others = [(other, member) for member in members for other in _sources(member, stand_in=True)]
    return any(
        source == other
        or (_is_given(source, name) and _is_given(other, member) and same_agent(source, other))
        for source in own
        for other, member in others
    )


def _is_given(source: str, name: str) -> bool:
    """Return whether a source of an agent may be loaded: not if it is unknown here, as a person is.

    A name of code is loaded only if it is part of the agent's own name, not if metadata has it.
    """
    return (source in name or not loads_code(source)) and _is_known(source)


def _is_known(name: str) -> bool:
    with suppress(HoadError):
        return bool(get_agent(name))
    return False


def _sources(name: str, stand_in: bool = False) -> Iterator[str]:
    """Yield the agent itself, the agents that it plays as, and those that it was trained on.

    A ``stand_in`` of one agent, such as an imitator or the logit of a person, counts as that agent,
    whatever others its model asks. A meta-model is like none of those that it was trained on.
    """
    original = original_name(name)
    yield original
    agent = get_agent(original if is_agent(original) else name)
    others = (*agent.plays_as, *agent.trained_on)
    if stand_in:
        others = agent.trained_on if len(agent.trained_on) == 1 else agent.plays_as
    for other in others:
        if not _is_given(other, name):
            yield other
        elif other != original:
            yield from _sources(other, stand_in)


def _is_like_a_rule_list(name: str, members: Iterable[Agent]) -> bool:
    """Return whether an agent is a named rule list, or holds half of the rules of a member."""
    for source in _sources(name):
        if not _is_given(source, name):
            continue
        rules = _rules(get_agent(source))
        if rules and any(same_agent(source, named) for named in RULE_LISTS):
            return True
        if any(2 * len(rules & _rules(member)) >= len(_rules(member)) for member in members):
            return True
    return False


def _rules(agent: Agent) -> set[tuple[int, ...]]:
    """Return the rules of a rule list, as rows of the catalogue; none for other agents."""
    if not isinstance(agent, RuleList):
        return set()
    return set(map(tuple, np.reshape(agent.parameters, (-1, COLUMNS)).tolist()))
