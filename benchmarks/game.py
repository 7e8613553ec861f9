"""Speed of the rules and the encoder: two players, one thread, after compilation."""

import numpy as np

from benchmarks.timing import median_seconds
from hoad.game.log import GameLogs, encode_turns
from hoad.game.observation import observation_bytes
from hoad.game.random_play import play_random
from hoad.game.state import MAX_TURNS, full_game

_GAMES = 20_000
_SEED = 1


def random_steps_per_s() -> float:
    """Return steps per second of random legal play with a packed observation at each step."""
    variant, logs = full_game(2), _random_games()
    steps = len(logs.actions)
    states, deck = variant.new_states(1), variant.full_deck()
    observations = np.empty((steps, observation_bytes(variant)), np.uint8)
    written = logs.decks, np.empty(steps, np.uint8), logs.offsets, observations
    return steps / median_seconds(lambda: play_random(states, deck, _SEED, *written))


def replay_transitions_per_s() -> float:
    """Return transitions per second of replaying logs to packed observations and legal moves."""
    logs = _random_games()
    return len(logs.actions) / median_seconds(lambda: encode_turns(logs))


def _random_games() -> GameLogs:
    variant, unobserved = full_game(2), np.empty((0, 0), np.uint8)
    decks, actions = np.empty((_GAMES, 50), np.uint8), np.empty(_GAMES * MAX_TURNS, np.uint8)
    offsets = np.zeros(_GAMES + 1, np.int64)
    states, deck = variant.new_states(1), variant.full_deck()
    play_random(states, deck, _SEED, decks, actions, offsets, unobserved)
    return GameLogs(2, decks, actions[: offsets[-1]], offsets)
