from dataclasses import replace

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.game.log import GameLogs, encode_turns
from hoad.learning.observations import unpack
from hoad.learning.rainbow.recolour import COLOURS, recoloured_bits, recoloured_moves
from tests.game.examples import random_logs

RANKS = 5
LOGS = random_logs(2, 4, seed=3)

colourings = st.permutations(range(COLOURS)).map(np.array)


def recoloured(logs: GameLogs, colouring: np.ndarray) -> GameLogs:
    """The same games with other cards: of each, another colour."""
    decks = colouring[logs.decks // RANKS] * RANKS + logs.decks % RANKS
    actions = recoloured_moves(colouring)[logs.actions]
    return replace(logs, decks=decks.astype(np.uint8), actions=actions.astype(np.uint8))


@settings(deadline=None)  # the first example waits for the compiler
@given(colourings)
def test_observations_of_a_recoloured_game_are_recoloured(colouring: np.ndarray) -> None:
    turns, others = encode_turns(LOGS), encode_turns(recoloured(LOGS, colouring))

    bits = unpack(torch.from_numpy(turns.observations))[:, recoloured_bits(colouring)]

    assert torch.equal(bits, unpack(torch.from_numpy(others.observations)))


@given(colourings)
def test_moves_and_bits_are_exchanged_one_for_one(colouring: np.ndarray) -> None:
    for exchanged in (recoloured_bits(colouring), recoloured_moves(colouring)):
        assert sorted(exchanged.tolist()) == list(range(len(exchanged)))


def test_nothing_is_exchanged_where_each_colour_stays() -> None:
    same = np.arange(COLOURS)

    assert (recoloured_bits(same) == np.arange(658)).all()
    assert (recoloured_moves(same) == np.arange(20)).all()
