"""Permuted colours of observations and moves."""

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from hoad.game.log import encode_turns
from hoad.learning.network_inputs import unpack
from hoad.learning.recolour import COLOURS, recolour_transitions, recoloured_bits, recoloured_moves
from tests.game.examples import random_logs
from tests.learning.columns import recoloured

LOGS = random_logs(2, 4, seed=3)

colourings = st.permutations(range(COLOURS)).map(np.array)


@given(colourings)
def test_transitions_are_recoloured_as_games_are(colouring: np.ndarray) -> None:
    turns, others = encode_turns(LOGS), encode_turns(recoloured(LOGS, colouring))

    found = recolour_transitions(turns, colouring)
    bits = unpack(torch.from_numpy(turns.observations))[:, recoloured_bits(colouring)]

    for name, column in vars(others).items():
        assert np.array_equal(vars(found)[name], column), name
    assert torch.equal(bits, unpack(torch.from_numpy(others.observations)))


@given(colourings)
def test_moves_and_bits_are_exchanged_one_for_one(colouring: np.ndarray) -> None:
    for exchange in (recoloured_bits, recoloured_moves):
        exchanged, same = exchange(colouring), exchange(np.arange(COLOURS))
        assert sorted(exchanged.tolist()) == same.tolist() == list(range(len(exchanged)))
