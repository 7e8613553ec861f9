"""O'Dwyer's InfoBot."""

from hoad.agents.bots.infobot.bot import infobot

__all__ = ["infobot"]
