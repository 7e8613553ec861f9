"""Everyone who can sit at the table."""

from hoad.agents.agent import Agent, Batch
from hoad.agents.named import register_all
from hoad.agents.play import play
from hoad.agents.registry import agent_descriptions, agent_names, get_agent, same_agent

register_all()

__all__ = [
    "Agent",
    "Batch",
    "agent_descriptions",
    "agent_names",
    "get_agent",
    "play",
    "same_agent",
]
