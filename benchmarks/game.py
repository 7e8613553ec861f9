"""Speed of the rules and the encoder: two players, one thread, after compilation."""

import numpy as np

from benchmarks.timing import median_seconds
from hoad.game.log import encode_turns
from hoad.game.observation import observation_bytes
from hoad.game.random_play import play_random, random_logs
from hoad.game.state import full_game

_GAMES = 20_000
_SEED = 1


def random_steps_per_s() -> float:
    """Return steps per second of random legal play with a packed observation at each step."""
    variant, logs = full_game(2), random_logs(2, _GAMES, _SEED)
    steps = len(logs.actions)
    states, deck = variant.new_states(1), variant.full_deck()
    observations = np.empty((steps, observation_bytes(variant)), np.uint8)
    written = logs.decks, np.empty(steps, np.uint8), logs.offsets, observations
    return steps / median_seconds(lambda: play_random(states, deck, _SEED, *written))


def replay_transitions_per_s() -> float:
    """Return transitions per second of replaying logs to packed observations and legal moves."""
    logs = random_logs(2, _GAMES, _SEED)
    return len(logs.actions) / median_seconds(lambda: encode_turns(logs))
