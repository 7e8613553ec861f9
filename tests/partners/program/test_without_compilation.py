"""The compiled functions of programs are plain Python: without numba they give the same lists."""

from tests.compilation import prints_the_same_without_compilation

PROGRAM = """
import numpy as np
from hoad.partners.program.agent import lists_agent
from hoad.partners.program.firing import ROWS, firing_table
from hoad.partners.program.particles import draw_particles, spread_over_alike, weigh
from hoad.partners.program.prediction import WeightedLists, predict_moves
from hoad.partners.program.sampler import change_lists, pack_table
from hoad.agents import get_agent, play
from hoad.agents.follow import states_at
logs, seats = play([get_agent("iggi")] * 2, 1, seed=4), np.ones((1, 2), bool)
table = firing_table(logs, seats)
evidence = pack_table(table)
particles = draw_particles(0, len(ROWS), 3)
found, _ = weigh(particles, evidence)
lists, lengths, streams = particles.lists, particles.lengths, particles.streams
change_lists(lists, lengths, found, evidence.arrays, 1.0, 0.9, 20, streams)
spread_over_alike(particles, table.alike)
lists[np.arange(lists.shape[1]) >= lengths[:, None]] = -1
skips = np.full(lists.shape, 0.1)
shares = np.full(3, 1 / 3)
programs = WeightedLists(np.array(ROWS), lists, skips, shares, shares)
weights = predict_moves(states_at(logs, seats), programs)
agent = lists_agent("lists", programs)
print(play([agent, get_agent("iggi")], 2, seed=3).actions.tolist())
print(lists.tolist(), found.round(6).tolist(), weights.round(9).tolist())
"""


def test_lists_are_the_same_without_compilation() -> None:
    assert prints_the_same_without_compilation(PROGRAM)
