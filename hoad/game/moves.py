"""Moves: their ids, and their names ``play 3``, ``discard 0``, ``hint red``, ``hint 2``.

HLE numbers the moves of a variant: discards, plays, colour hints, rank hints. Positions in a hand
count from 0, oldest card first, as in these ids; ranks are those printed on the cards, from 1.
A hint goes to the next player unless it ends in a number of seats: with three players ``hint red``
goes to the next player and ``hint red +2`` to the one after.
"""

from typing import Final

import numpy as np

from hoad.core.errors import HoadError
from hoad.game.state import HIDDEN, NO_CARD, Variant

PLAY: Final = 5
"""In the full game of two players: the first move id of the plays; discards start at 0."""
COLOUR_HINT: Final = 10
"""Likewise, of the colour hints."""
RANK_HINT: Final = 15
"""Likewise, of the rank hints."""
MOVES: Final = 20
"""How many move ids the full game of two players has."""

COLOUR_NAMES: Final = ("red", "yellow", "green", "white", "blue")
COLOUR_LETTERS: Final = "RYGWB"


def card_name(variant: Variant, card: int) -> str:
    """Return a card as ``R1``; ``--`` for an empty slot and ``??`` for a hidden card."""
    if card in (NO_CARD, HIDDEN):
        return "--" if card == NO_CARD else "??"
    return f"{COLOUR_LETTERS[card // variant.ranks]}{card % variant.ranks + 1}"


def move_name(variant: Variant, move: int) -> str:
    """Return a move id as text that :func:`move_id` reads; a HoadError if there is no such move."""
    if not 0 <= move < variant.moves:
        raise HoadError(f"move {move}: ids of this game's moves are 0 to {variant.moves - 1}")
    hand_size = variant.hand_size
    if move < 2 * hand_size:
        return f"{'discard' if move < hand_size else 'play'} {move % hand_size}"
    hint = move - 2 * hand_size
    colour_hints = (variant.players - 1) * variant.colours
    if hint < colour_hints:
        value, seats = COLOUR_NAMES[hint % variant.colours], hint // variant.colours + 1
    else:
        hint -= colour_hints
        value, seats = str(hint % variant.ranks + 1), hint // variant.ranks + 1
    return f"hint {value}" if seats == 1 else f"hint {value} +{seats}"


def move_id(variant: Variant, text: str) -> int:
    """Return the id of a move in words, in any case and spacing; a HoadError if it is none."""
    words = text.lower().split()
    if len(words) == 3 and words[0] == "hint" and words[2] == "+1":
        words = words[:2]
    wanted = " ".join(words)
    for move in range(variant.moves):
        if move_name(variant, move) == wanted:
            return move
    raise HoadError(f"move {text!r}: no such move; moves are {_forms(variant)}")


def _forms(variant: Variant) -> str:
    last = variant.hand_size - 1
    colours = COLOUR_NAMES[: variant.colours]
    forms = [f"play 0..{last}", f"discard 0..{last}", f"hint {'|'.join(colours)}"]
    forms.append(f"hint 1..{variant.ranks}")
    if variant.players > 2:
        forms.append(f"hints to others than the next player end in +2..+{variant.players - 1}")
    return ", ".join(forms)


def listed_moves(moves: int) -> list[int]:
    """Return a set of moves (bits, as of :func:`hoad.game.rules.legal_moves`) as ascending ids."""
    bits = int(moves)
    return [move for move in range(bits.bit_length()) if bits >> move & 1]


def legal_flags(legal: np.ndarray, moves: int = MOVES) -> np.ndarray:
    """Return sets of legal moves (bits, int64) as bools, shape ``(..., moves)``."""
    return (legal[..., None] >> np.arange(moves) & 1).astype(np.bool_)


def legal_bits(flags: np.ndarray) -> np.ndarray:
    """Return the bits, int64, that :func:`legal_flags` returns as these bools, ``(..., MOVES)``."""
    return flags @ (1 << np.arange(MOVES))
