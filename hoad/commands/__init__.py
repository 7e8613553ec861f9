"""All commands by name: those of the program ``hoad``, and of the scripts at the top.

The module of a command is imported when the command is chosen.
"""

import ast
from pathlib import Path
from typing import Final

from hoad.core.cli import Command, CommandGroup


def _commands(module: str, *functions: str) -> dict[str, Command]:
    """Return functions of a module as commands, without importing it.

    ``meta_agents`` is the command ``meta-agents``; ``import_`` is ``import``. The summary of each
    is the first line of its docstring.
    """
    path = Path(__file__).parent.joinpath(*module.split(".")).with_suffix(".py")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    by_name = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    summaries = {
        name: (ast.get_docstring(by_name[name]) or "").splitlines()[0] for name in functions
    }
    return {
        name.strip("_").replace("_", "-"): Command(f"hoad.commands.{module}:{name}", summary)
        for name, summary in summaries.items()
    }


RECORD: Final = CommandGroup(
    "Record games, check recorded games, exchange them with other programs.",
    _commands("record", "play", "verify", "info", "import_", "export"),
)

AGENTS: Final = CommandGroup(
    "List agents and rules; check an agent of your own.",
    _commands("agents", "list_", "rules", "check"),
)

EVALUATE: Final = CommandGroup(
    "Compare agents with each other, with recorded games, and with partners never met.",
    _commands("evaluate.agents", "crossplay", "behaviour", "similarity", "agreement")
    | _commands("evaluate.adhoc", "adhoc")
    | _commands("evaluate.populations", "populations", "diversity")
    | _commands("evaluate.meta_agents", "matchups", "meta_agents", "adaptive_pairs")
    | _commands("evaluate.networks", "imitators", "rainbow", "inner_steps")
    | _commands("evaluate.adhoc", "leaderboard", "headline", "games_watched", "milestones")
    | _commands("evaluate.prediction", "predict", "prediction", "people", "proxies")
    | _commands("evaluate.agents", "search", "bounds", "watch"),
)

TRAIN: Final = CommandGroup("Train networks.", _commands("train", "imitator", "maml", "rainbow"))

EVOLVE: Final = _commands("evolve", "evolve")["evolve"]

COMPARE: Final = _commands("compare", "compare")["compare"]
LIVE: Final = _commands("live", "live")["live"]
PLAY: Final = _commands("play", "play")["play"]
RECIPES: Final = _commands("recipes", "recipes")["recipes"]

HOAD: Final = CommandGroup(
    "Ad-hoc teamwork in Hanabi, from recorded games to partners never met.",
    {
        "record": RECORD,
        "train": TRAIN,
        "evolve": EVOLVE,
        "evaluate": EVALUATE,
        "compare": COMPARE,
        "agents": AGENTS,
        "live": LIVE,
        "play": PLAY,
        "recipes": RECIPES,
    },
)
