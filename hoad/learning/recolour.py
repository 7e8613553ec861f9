"""Permuted colours: augmentation by the symmetry of the game.

The rules treat all colours alike, so an observation with permuted colours and the move with the
same permutation are as good an example as the original ones (Hu et al., "Other-Play for zero-shot
coordination", 2020, use the same symmetry).
"""

from typing import Final

import numpy as np
import torch

from hoad.game.log import Transitions
from hoad.game.moves import MOVES, legal_bits, legal_flags
from hoad.game.observation import OBSERVATION_BITS
from hoad.game.state import full_game

_VARIANT: Final = full_game(2)
COLOURS: Final = _VARIANT.colours
_RANKS: Final = _VARIANT.ranks
_HAND: Final = _VARIANT.hand_size


def recoloured_bits(colouring: np.ndarray) -> np.ndarray:
    """Return the source of each bit of an observation when colours are permuted.

    ``colouring`` is the new colour of each colour, shape ``(5,)``; the new observation is
    ``bits[..., recoloured_bits(colouring)]``.
    """
    sources = np.arange(OBSERVATION_BITS)
    for places in _bits_by_colour():
        sources[places[colouring]] = places
    return sources


def recoloured_moves(colouring: np.ndarray) -> np.ndarray:
    """Return the new id of each move when colours are permuted, int64, shape ``(20,)``."""
    moves = np.arange(MOVES)
    hints = 2 * _HAND + np.arange(COLOURS)
    moves[hints] = hints[colouring]
    return moves


def recolouring_tensors(
    colouring: np.ndarray, device: torch.device
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return `recoloured_bits` and `recoloured_moves` on a device."""
    bits, moves = recoloured_bits(colouring), recoloured_moves(colouring)
    return torch.from_numpy(bits).to(device), torch.from_numpy(moves).to(device)


def recolour_transitions(transitions: Transitions, colouring: np.ndarray) -> Transitions:
    """Return transitions of two-player games with permuted colours."""
    bits = np.unpackbits(transitions.observations, axis=1, count=OBSERVATION_BITS)
    moves = recoloured_moves(colouring)
    legal = np.zeros((len(bits), MOVES), np.bool_)
    legal[:, moves] = legal_flags(transitions.legal)
    return Transitions(
        np.packbits(bits[:, recoloured_bits(colouring)], axis=1),
        legal_bits(legal),
        moves[transitions.actions].astype(np.uint8),
        transitions.games,
    )


def _bits_by_colour() -> list[np.ndarray]:
    """Return the bits that encode colours, each shape ``(colours, bits of one colour)``.

    HLE's encoding (Bard et al. 2020) has hands, board, discards, last action, card knowledge.
    """
    kinds, players = COLOURS * _RANKS, _VARIANT.players
    hands = range(0, _HAND * kinds, kinds)
    fireworks = _HAND * kinds + players + _VARIANT.cards - players * _HAND
    discards = fireworks + kinds + _VARIANT.max_tokens + _VARIANT.max_lives
    last = discards + _VARIANT.cards
    hinted = last + 2 * players + 4
    played = hinted + COLOURS + _RANKS + 2 * _HAND
    known = played + kinds + 2
    of_card = kinds + COLOURS + _RANKS
    knowledge = range(known, OBSERVATION_BITS, of_card)
    return [
        *(_run(first) for first in (*hands, fireworks, played, *knowledge)),
        _run(discards, _VARIANT.cards // COLOURS),
        _run(hinted, 1),
        *(_run(first + kinds, 1) for first in knowledge),
    ]


def _run(first: int, bits: int = _RANKS) -> np.ndarray:
    """Return the bits from this one on, which are the same number for each colour."""
    return first + np.arange(COLOURS * bits).reshape(COLOURS, bits)
