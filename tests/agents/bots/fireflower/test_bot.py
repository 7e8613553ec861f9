"""FireFlower: two simulated turns, and conventions about hints and discards."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from hoad.agents import get_agent, play
from hoad.game.log import replay
from tests.agents.bot_games import decide

ROOT = Path(__file__).parents[4]

# Says what FireFlower does at some turns of games: [deck, actions, turns] each, as JSON.
PROGRAM = """
import json, sys
import numpy as np
from hoad.agents import Batch, get_agent
from hoad.agents.follow import memory_at
from hoad.game.rules import replay_moves
from hoad.game.state import full_game
agent = get_agent("fireflower")
for deck, actions, turns in json.load(sys.stdin):
    for turn in turns:
        states = full_game(2).new_states(1)
        replay_moves(states[0], np.array(deck, np.uint8), np.array(actions[:turn]))
        memory = memory_at(agent, states, turn % 2)
        batch = Batch(states, turn % 2, memory)
        print(agent.weights(batch).argmax())
"""


def test_it_scores_as_its_authors_report() -> None:
    """23.37 points in 25,000 games, with the cards on the fireworks after three misplays."""
    scores = replay(play([get_agent("fireflower")] * 2, 1_000, seed=31)).scores

    assert abs(scores.mean() - 23.37) < 3 * scores.std() * (1 / len(scores) + 1 / 25_000) ** 0.5


def test_it_plays_what_a_hint_points_at() -> None:
    hint = decide("fireflower", "R3 Y3 G3 W3 B3", "R4 Y1 G4 W1 B4", [])

    assert hint == "hint 1"
    assert decide("fireflower", "R3 Y3 G3 W3 B3", "R4 Y1 G4 W1 B4", [hint]) == "play 3"


def test_it_moves_the_same_without_compilation() -> None:
    """The actions after any turn of a game with a partner at random, and late moves of its own."""
    agent = get_agent("fireflower")
    random_partner = play([agent, get_agent("legal-random")], 1, seed=1)
    itself = play([agent, agent], 1, seed=1)
    games, moves = [], []
    for logs, count in ((random_partner, 1), (itself, 2)):
        actions = logs.actions.tolist()
        turns = np.arange(0, len(actions), 2)[-count:].tolist()
        games.append((logs.decks[0].tolist(), actions, turns))
        moves += [actions[turn] for turn in turns]

    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM],
        input=json.dumps(games),
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    assert list(map(int, done.stdout.split())) == moves
