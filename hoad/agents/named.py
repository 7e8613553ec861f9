"""The rule-list agents that have names, and O'Dwyer's bots, as the registry knows them.

Rule lists are those of Walton-Rivers et al. 2017 as the thesis's data set used them (its
"van-den-bergh" is the published program's ``vdb-paper``); those called "canaan" are the stand-alone
agents of Canaan et al. 2018.
"""

from functools import partial
from importlib import import_module
from typing import Final

from hoad.agents.agent import Agent
from hoad.agents.registry import register, register_prefix
from hoad.agents.rules.parametric import risky, van_den_bergh
from hoad.agents.rules.rule_list import parse_chromosome, rule_list_agent
from hoad.agents.wrappers import noisy

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

BOTS: Final = {
    "cheatbot": "O'Dwyer's CheatBot, which sees both hands: not fair",
    "holmesbot": "O'Dwyer's HolmesBot, which reasons about what cards cannot be",
    "infobot": "O'Dwyer's InfoBot, whose hints and discards are numbers",
    "simplebot": "O'Dwyer's SimpleBot, whose hints all mean plays",
    "smartbot": "O'Dwyer's SmartBot, which reasons about what was not said",
    "valuebot": "O'Dwyer's ValueBot, which warns of the loss of last copies",
}


def register_all() -> None:
    """Register every agent that this package defines."""
    for name, chromosome in RULE_LISTS.items():
        words = "rules " + ", ".join(map(str, chromosome))
        register(name, partial(rule_list_agent, name, chromosome), words)
    register_prefix("rules", _rules, "a chromosome: rule numbers with commas between")
    register_prefix("risky", risky, "iggi that plays from a probability on, as in risky:0.75")
    register_prefix("van-den-bergh", van_den_bergh, "WP:WD:HINT:DISCARD, its four choices")
    register_prefix("noisy", noisy, "E:AGENT, any legal move with probability E, else AGENT's")
    for name, description in BOTS.items():
        register(name, partial(_bot, name), description)


def _rules(argument: str) -> Agent:
    return rule_list_agent(f"rules:{argument}", parse_chromosome(argument))


def _bot(name: str) -> Agent:
    module = import_module(f"hoad.agents.bots.{name}")  # a bot is compiled only where it plays
    return getattr(module, name)()
