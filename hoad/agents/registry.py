"""The names of all agents: what recipes, logs, tables and the command line use.

A name is plain (``iggi``) or a prefix with an argument (``rules:8,13,38,27``). The tables below say
which function makes an agent, as "module:function". The module is imported when the agent is
asked for, so that importing this one is quick, and agents of upper layers need no import before.
"""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Final

from hoad.core.errors import HoadError

if TYPE_CHECKING:
    from hoad.agents.agent import Agent

GAMES_TO_COMPARE: Final = 500
"""Two agents that play these games of self-play alike count as the same agent."""

RULE_LISTS: Final = {
    "canaan-iggi": (2, 8, 13, 38, 27, 39),
    "canaan-van-den-bergh": (46, 109, 131, 13, 14, 19, 29),  # its 0.99 for 131 comes to the same
    "cautious": (2, 8, 13, 38, 34, 22),
    "clivej": (40, 8, 18, 38, 10, 13, 14, 125, 36, 24),
    "flawed": (8, 49, 22, 38, 27, 34),
    "forgiving": (22, 34),
    "iggi": (2, 8, 13, 38, 27, 22),
    "iggi2": (41, 2, 8, 46, 38, 12, 10, 28, 27, 125, 22),
    "internal": (8, 38, 20, 22, 34),
    "legal-random": (39,),
    "outer": (8, 38, 21, 23, 34),
    "piers": (41, 8, 46, 13, 48, 38, 27, 22, 34),
    "self-recognition": (2, 25, 21, 23, 34),
    "van-den-bergh": (46, 109, 131, 13, 125, 29),
}
"""Named rule lists: rule numbers of :mod:`hoad.agents.rules.catalogue`.

They are those of Walton-Rivers et al. 2017 as the thesis's data set used them (its "van-den-bergh"
is the published program's ``vdb-paper``); those called "canaan" are the stand-alone agents of
Canaan et al. 2018.
"""


@dataclass(frozen=True)
class _Entry:
    """How an agent is made.

    Attributes:
        load: the function that returns it, as "module:function" or itself.
        description: one line for lists of agents.
        arguments: what the function is called with; a prefix adds the text after its colon.
    """

    load: str | Callable[..., "Agent"]
    description: str
    arguments: tuple = ()

    def make(self, *argument: str) -> "Agent":
        load = self.load
        if isinstance(load, str):
            module, _, function = load.partition(":")
            load = getattr(import_module(module), function)
        return load(*self.arguments, *argument)


def _rule_list(name: str) -> _Entry:
    rules = RULE_LISTS[name]
    words = "rules " + ", ".join(map(str, rules))
    return _Entry("hoad.agents.rules.rule_list:rule_list_agent", words, (name, rules))


BOTS: Final = {
    "cheatbot": "O'Dwyer's CheatBot, which sees both hands: not fair",
    "holmesbot": "O'Dwyer's HolmesBot, which reasons about what cards cannot be",
    "infobot": "O'Dwyer's InfoBot, whose hints and discards are numbers",
    "simplebot": "O'Dwyer's SimpleBot, whose hints all mean plays",
    "smartbot": "O'Dwyer's SmartBot, which reasons about what was not said",
    "valuebot": "O'Dwyer's ValueBot, which warns of the loss of last copies",
}

_RULES: Final = "hoad.agents.rules.parametric"
_NETWORKS: Final = "hoad.learning.policies"
_META_AGENTS: Final = "hoad.adhoc.bayes"

_agents: Final = {
    **{name: _rule_list(name) for name in RULE_LISTS},
    **{name: _Entry(f"hoad.agents.bots.{name}:{name}", words) for name, words in BOTS.items()},
    "rainbow": _Entry(
        f"{_NETWORKS}:load_rainbow", "Rainbow, which learned in self-play: rainbow:1", ("1",)
    ),
}

_prefixes: Final = {
    "bayes-moves": _Entry(
        f"{_META_AGENTS}.in_game:make_bayes_moves",
        "adapts to its partner, move by move, with a pool: a population, or AGENT+AGENT",
    ),
    "elite": _Entry(
        "hoad.evolution.elites:make_elite", "an elite: POPULATION/c,i (a population file or run)"
    ),
    "generalist": _Entry(
        f"{_META_AGENTS}.meta_agent:make_generalist",
        "the agent of a pool that does best with the pool: a population, or AGENT+AGENT",
    ),
    "imitator": _Entry(
        f"{_NETWORKS}:load_imitator", "a network trained to imitate an agent, or its file"
    ),
    "maml": _Entry(
        f"{_NETWORKS}:load_zero_shot", "the meta-model that never saw an agent, or its file"
    ),
    "noisy": _Entry(
        "hoad.agents.wrappers:noisy", "E:AGENT, any legal move with probability E, else AGENT's"
    ),
    "python": _Entry(
        "hoad.agents.python_agent:load_python_agent", "your own: python:FILE.py:CLASS"
    ),
    "rainbow": _Entry(
        f"{_NETWORKS}:load_rainbow", "the network of Rainbow trained with a seed, or its file"
    ),
    "risky": _Entry(f"{_RULES}:risky", "iggi that plays from a probability on, as in risky:0.75"),
    "rules": _Entry(f"{_RULES}:chromosome", "a chromosome: rule numbers with commas between"),
    "van-den-bergh": _Entry(f"{_RULES}:van_den_bergh", "WP:WD:HINT:DISCARD, its four choices"),
}

_OLD_NAMES: Final = {"adaptive": "bayes-moves"}
"""Prefixes that were renamed; the old ones are accepted."""


def register(name: str, make: Callable[[], "Agent"], description: str) -> None:
    """Let ``get_agent(name)`` return ``make()`` in this process."""
    _agents[name] = _Entry(make, description)


def get_agent(name: str) -> "Agent":
    """Return the agent of this name.

    Raises:
        HoadError: no agent has this name, or its loader refuses the argument.
    """
    prefix, colon, argument = name.partition(":")
    prefix = _OLD_NAMES.get(prefix, prefix)
    if colon and prefix in _prefixes:
        agent = _prefixes[prefix].make(argument)
    elif name in _agents:
        agent = _agents[name].make()
    else:
        known = [*agent_names(), *(f"{known}:..." for known in [*_prefixes, *_OLD_NAMES])]
        nearest = " or ".join(get_close_matches(name, known, n=3))
        remedy = f"did you mean {nearest}?" if nearest else "evaluate.py agents lists all"
        raise HoadError(f"unknown agent {name!r}; {remedy}")
    agent.name = name
    return agent


def get_fair_agent(name: str) -> "Agent":
    """Return the agent of this name if it sees only what its player may see.

    Raises:
        HoadError: as :func:`get_agent`, or the agent sees more.
    """
    agent = get_agent(name)
    if not agent.fair:
        raise HoadError(f"agent {name} sees its own hand; choose a fair agent")
    return agent


def agent_names() -> list[str]:
    """Return all plain names, sorted."""
    return sorted(_agents)


def agent_descriptions() -> dict[str, str]:
    """Return a description for every name and every prefix (as ``prefix:``), sorted."""
    named = {name: entry.description for name, entry in sorted(_agents.items())}
    return named | {f"{name}:": entry.description for name, entry in sorted(_prefixes.items())}


def same_agent(name: str, other: str) -> bool:
    """Return whether two names mean agents that behave the same.

    That is one rule list under two names, or compiled agents that play the same
    ``GAMES_TO_COMPARE`` games: rule lists may differ in rules that never fire.
    """
    from hoad.agents.agent import CompiledAgent
    from hoad.agents.play import play

    if name == other:
        return True
    agents = get_agent(name), get_agent(other)
    if agents[0].identity == agents[1].identity:
        return True
    if not all(isinstance(agent, CompiledAgent) for agent in agents):
        return False
    first, second = (play([agent, agent], GAMES_TO_COMPARE, seed=0) for agent in agents)
    return first.actions.tobytes() == second.actions.tobytes()
