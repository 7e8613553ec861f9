"""The names of all agents: what recipes, logs, tables and the command line use.

A name is plain (``iggi``) or a prefix with an argument (``rules:8,13,38,27``). ``agents.toml`` says
which function makes an agent, as "module:function"; the module is imported when it is asked for.
"""

import re
import tomllib
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from hashlib import sha1
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from hoad.core.errors import HoadError
from hoad.core.files import CONTROL, one_line
from hoad.core.recipe import checked

if TYPE_CHECKING:
    from hoad.agents.agent import Agent

GAMES_TO_COMPARE: Final = 500
"""Two agents that play these games of self-play alike count as the same agent."""

_FIRST_GAMES: Final = 10  # of these, which show most differences

_played: dict[tuple[Hashable, int], str] = {}

with Path(__file__).with_name("agents.toml").open("rb") as _file:
    _TABLES: Final = tomllib.load(_file)

RULE_LISTS: Final = {name: tuple(rules) for name, rules in _TABLES["rule_lists"].items()}
"""Named rule lists: rule numbers of :mod:`hoad.agents.rules.catalogue`."""


@dataclass(frozen=True)
class _Entry:
    """How an agent is made."""

    # the function that returns it, as "module:function" or itself
    load: str | Callable[..., "Agent"]
    description: str  # one line for lists of agents
    # what the function is called with; a prefix adds the text after its colon
    arguments: Sequence[Any] = ()
    family: str = ""  # author or program that it comes from, in a few words; empty for prefixes

    def make(self, *argument: str) -> "Agent":
        load = self.load
        if isinstance(load, str):
            module, _, function = load.partition(":")
            load = getattr(import_module(module), function)
        return load(*self.arguments, *argument)


_LOAD_RULES: Final = "hoad.agents.rules.rule_list:rule_list_agent"
_agents: Final = {
    name: _Entry(
        _LOAD_RULES,
        "rules " + ", ".join(map(str, rules)),
        (name, rules),
        _TABLES["rule_list_families"]["canaan" if name.startswith("canaan") else "others"],
    )
    for name, rules in RULE_LISTS.items()
}
_agents.update({name: _Entry(**entry) for name, entry in _TABLES["names"].items()})
_prefixes: Final = {name: _Entry(**entry) for name, entry in _TABLES["prefixes"].items()}
_titles: Final[dict[str, str]] = {}

_LONGEST_TITLE: Final = 60

_DEEPEST: Final = 20  # agents within agents, as in ``noisy:0.1:noisy:0.1:iggi``


def get_agent(name: str) -> "Agent":
    """Return the agent of this name; a HoadError if there is none, or its argument is refused."""
    refuse_unknown_agent(name)
    prefix, colon, argument = name.partition(":")
    is_prefix = colon and prefix in _prefixes
    agent = _prefixes[prefix].make(argument) if is_prefix else _agents[name].make()
    agent.name = name
    return agent


def refuse_unknown_agent(name: str) -> None:
    """Raise a HoadError if there is no agent, and no prefix, of this name; nothing is imported."""
    _refuse_odd(name)
    if is_agent(name):
        return
    if not name:
        raise HoadError("an agent's name is missing, as after search: (agents.py list shows all)")
    known = [*agent_names(), *(f"{known}:..." for known in _prefixes)]
    nearest = " or ".join(get_close_matches(name, known, n=3))
    remedy = f"did you mean {nearest}?" if nearest else "agents.py list shows all"
    raise HoadError(f"unknown agent {name!r}; {remedy}")


AgentName = Annotated[str, checked(refuse_unknown_agent)]
"""An agent's name, in recipes and options; what follows a prefix is checked where it is made."""


def _refuse_odd(name: str) -> None:
    """Raise a HoadError for what no log holds, digits of another script, deeply nested agents."""
    if odd := re.search(f"[{CONTROL}]", name):
        problem = f"has the control character {odd[0]!r}, which no game log holds; remove it"
        raise HoadError(f"agent {name!r}: {problem}")
    for part in re.split(r"[:,/@+]", name):
        if part.isdecimal() and not part.isascii():
            raise HoadError(f"agent {name!r}: {part!r} is not a number; write it with 0 to 9")
    if re.match(rf"(noisy:[^:]*:){{{_DEEPEST + 1}}}", name):
        problem = f"more than {_DEEPEST} agents within each other"
        raise HoadError(f"agent {name[:40]}...: {problem}; one noisy:E:AGENT does the same")


def loads_code(name: str) -> bool:
    """Return whether an agent, or one within it, is a program of the user's own.

    Only names that the user gives may load code, not names that are found in data.
    """
    return re.search(rf"(^|[:+])({'|'.join(_TABLES['own_code'])}):", name) is not None


def refuse_code(name: str, source: object) -> None:
    """Raise a HoadError if ``name``, which is found in ``source``, loads code (`loads_code`)."""
    if loads_code(name):
        raise HoadError(
            f"{source}: names {one_line(name)}, and data may not load code; if you trust the "
            "program, name it yourself, with --agent"
        )


def note_title(name: str, title: str) -> None:
    """Let an agent of the user's own have a title in tables."""
    _titles[name] = one_line(str(title), _LONGEST_TITLE)


def shown_name(name: str) -> str:
    """Return an agent's name for a table; after its title if it has one, as own agents do."""
    title = _titles.get(name)
    return f"{title} ({name})" if title else name


def is_agent(name: str) -> bool:
    """Return whether :func:`get_agent` knows the name or its prefix, and not only recordings do."""
    prefix, colon, _ = name.partition(":")
    return name in _agents or bool(colon and prefix in _prefixes)


def get_fair_agent(name: str) -> "Agent":
    """Return the agent of :func:`get_agent`; a HoadError if it sees more than its player may."""
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


def agent_families() -> dict[str, tuple[str, str]]:
    """Return for every name and prefix (as ``prefix:``) its family, and what is special about it.

    The family is empty for a prefix; nothing is said about a rule list.
    """
    named = {
        name: (entry.family, "" if name in RULE_LISTS else entry.description)
        for name, entry in _agents.items()
    }
    return named | {f"{name}:": ("", entry.description) for name, entry in _prefixes.items()}


def same_agent(name: str, other: str) -> bool:
    """Return whether two names mean agents that behave the same.

    That is one rule list under two names, or agents that play the same ``GAMES_TO_COMPARE`` games:
    rule lists may differ in rules that never fire. Networks, and agents that play as others, are
    not compared by playing; nor are two plain names, because all plain names play differently.
    """
    if name == other:
        return True
    if name in _agents and other in _agents:
        return False
    agents = get_agent(name), get_agent(other)
    if agents[0].identity == agents[1].identity:
        return True
    if any(agent.plays_as or agent.trained_on for agent in agents):
        return False
    return all(
        len({_self_play(agent, games) for agent in agents}) == 1
        for games in (_FIRST_GAMES, GAMES_TO_COMPARE)
    )


def _self_play(agent: "Agent", games: int) -> str:
    """Return a checksum of the games in which agents are compared; each agent plays them once."""
    from hoad.agents.games import play

    key = agent.identity, games
    if key not in _played:
        _played[key] = sha1(play([agent, agent], games, seed=0).actions.tobytes()).hexdigest()
    return _played[key]
