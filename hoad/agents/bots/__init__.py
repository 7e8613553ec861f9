"""Bots of other programs: modules with ``choose``, ``observe`` and the bytes of ``MEMORY``."""

from importlib import import_module

from hoad.agents.agent import CompiledAgent


def make_bot(name: str, module: str, fair: bool = True) -> CompiledAgent:
    """Return the bot of a module of this package."""
    bot = import_module(f"{__name__}.{module}")
    code = ("choose", f"hoad.agents.{name}")  # an identity of the code, not a path
    return CompiledAgent(name, code, bot.choose, bot.observe, (), bot.MEMORY, fair)
