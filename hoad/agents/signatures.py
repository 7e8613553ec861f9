"""The signatures of compiled agents.

They are spelled out so that the loop that plays whole games is compiled once and takes any agent
as an argument (numba's first-class functions), and a command compiles only the agents it uses.
"""

from typing import Final

from numba import from_dtype, types

from hoad.game.state import STATE, TABLE

BYTES: Final = types.Array(types.uint8, 1, "C")
TABLES: Final = types.Array(types.uint8, 2, "C")
HANDS: Final = types.Array(types.uint8, 2, "C")
PARAMETERS: Final = types.Array(types.int64, 1, "C")
WEIGHTS: Final = types.Array(types.float64, 1, "C")
MATRIX: Final = types.Array(types.float64, 2, "C")
STATES: Final = types.Array(from_dtype(STATE), 1, "C")

SPREAD: Final = -2
"""Returned by a compiled ``choose`` that has written weights instead of choosing one move."""

CHOOSE: Final = types.int64(PARAMETERS, from_dtype(TABLE), HANDS, types.int64, BYTES, WEIGHTS)
"""``choose(parameters, table, hands, me, memory, weights)`` returns a move id or ``SPREAD``.

``hands`` is what :func:`hoad.agents.view.see` shows, ``memory`` the agent's bytes for this game
(all zero at the deal), ``weights`` float64 of length ``MOVES``, to be filled for ``SPREAD``.
Choosing twice in the same state gives the same answer: what ``choose`` notes in its memory is
only what follows from the memory and the table, and what ``observe`` would work out again.
"""

OBSERVE: Final = types.int64(
    PARAMETERS, from_dtype(TABLE), HANDS, types.int64, BYTES, types.int64, types.int64, types.int64
)
"""``observe(parameters, table, hands, me, memory, action, touched, card)`` returns 0.

Both players are told of every action before it is carried out: ``touched`` has bit s for each
slot hinted, played or discarded; ``card`` is the card played or discarded, else ``NO_CARD``.
"""
