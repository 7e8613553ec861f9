"""HOAD: ad-hoc teamwork in Hanabi, from recorded games to partners never met.

The names below are what a notebook needs. Each is imported when it is first used, as is each
package: ``hoad.agents`` and others.
"""

# First, so that Ctrl-C during the other imports ends a script with one line.
import hoad.core.program.signals  # noqa: F401

# isort: split

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hoad.agents.follow import move_probabilities
    from hoad.agents.games import play
    from hoad.learning.games import RecordedGames
    from hoad.library import adapt, adhoc_table, get_agent, read_games, record, transitions
    from hoad.players.python_learner import AdhocLearner
    from hoad.studies.crossplay import cross_play

__version__ = "0.2.0"

__all__ = [
    "AdhocLearner",
    "RecordedGames",
    "adapt",
    "adhoc_table",
    "cross_play",
    "get_agent",
    "move_probabilities",
    "play",
    "read_games",
    "record",
    "transitions",
]

_MODULES = {
    "AdhocLearner": "hoad.players.python_learner",
    "RecordedGames": "hoad.learning.games",
    "cross_play": "hoad.studies.crossplay",
    "move_probabilities": "hoad.agents.follow",
    "play": "hoad.agents.games",
}

_PACKAGES = {path.parent.name for path in Path(__file__).parent.glob("*/__init__.py")}


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return import_module(f"hoad.{name}")
    if name not in __all__:
        raise AttributeError(f"module 'hoad' has no attribute {name!r}")
    return getattr(import_module(_MODULES.get(name, "hoad.library")), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_PACKAGES})


if "gymnasium" in sys.modules:  # then gymnasium.make finds HOAD's environments
    import_module("hoad.environments")
