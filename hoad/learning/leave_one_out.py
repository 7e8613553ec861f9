"""Who may be learned from, and met, when one agent is held out: what every table here rests on."""

from collections.abc import Iterable

from hoad.agents.registry import same_agent
from hoad.learning.names import original_name


def agents_without(agents: Iterable[str], held_out: str) -> list[str]:
    """Return the agents that may be learned from when ``held_out`` is the partner to come.

    Left out are the held-out agent, its imitator, and agents that behave the same under another
    name, such as ``rules:2,8,13,38,27,22`` for ``iggi``; and those agents' imitators.

    Raises:
        HoadError: an agent is unknown.
    """
    partner = original_name(held_out)
    return [agent for agent in agents if not same_agent(original_name(agent), partner)]
