"""Hanabi itself: state, moves, observation and game logs. No agents and no learning."""

# First, to say that the other imports compile.
import hoad.core.program.compiling  # noqa: F401

# isort: split

from hoad.game.game import Game
from hoad.game.log import GameLogs, Outcomes, Transitions, encode_turns, replay
from hoad.game.moves import move_id, move_name
from hoad.game.observation import observation_bytes, observation_length
from hoad.game.state import Variant, full_game, small_game, very_small_game

__all__ = [
    "Game",
    "GameLogs",
    "Outcomes",
    "Transitions",
    "Variant",
    "encode_turns",
    "full_game",
    "move_id",
    "move_name",
    "observation_bytes",
    "observation_length",
    "replay",
    "small_game",
    "very_small_game",
]
