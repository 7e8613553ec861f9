"""O'Dwyer's SmartBot."""

from hoad.agents.bots.smartbot.bot import smartbot

__all__ = ["smartbot"]
