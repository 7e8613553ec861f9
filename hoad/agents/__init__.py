"""Everyone who can sit at the table."""

from hoad.agents.agent import Agent, Batch
from hoad.agents.named import register_all
from hoad.agents.play import play
from hoad.agents.python_agent import PlainAgent, SeenCard, View, load_python_agent
from hoad.agents.registry import (
    agent_descriptions,
    agent_names,
    get_agent,
    get_fair_agent,
    register_prefix,
    same_agent,
)

register_all()
register_prefix("python", load_python_agent, "your own: python:FILE.py:CLASS")

__all__ = [
    "Agent",
    "Batch",
    "PlainAgent",
    "SeenCard",
    "View",
    "agent_descriptions",
    "agent_names",
    "get_agent",
    "get_fair_agent",
    "play",
    "same_agent",
]
