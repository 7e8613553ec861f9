"""Words for the values of traits and relations: what a person does who makes such a move.

A trait is a tuple of words, one for each of its values, in order. Most values combine factors, such
as the kind of a hint and the number of cards that it touches. *The partner* is the other player; a
touched card is one that hints have touched.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from typing import Final

import numpy as np

from hoad.agents.situation import SLOTS
from hoad.game.moves import COLOUR_NAMES

Trait = tuple[str, ...]
"""The words of each value."""

BY_KIND: Final = ("discards", "plays", "hints a colour", "hints a rank")
BY_RANK: Final = BY_KIND[2:]
HINT_VALUES: Final = (*COLOUR_NAMES, "1s", "2s", "3s", "4s", "5s")
FROM_OLDEST: Final = ("oldest", "second oldest", "third oldest", "fourth oldest", "fifth oldest")
FROM_NEWEST: Final = tuple(place.replace("oldest", "newest") for place in FROM_OLDEST)
LIVES: Final = ("no life", "one life", "2 lives", "3 lives")


def phrases(sentence: str, *factors: Sequence[str]) -> Trait:
    """Return the words of all combinations of factors; the last factor changes first."""
    return tuple(sentence.format(*values) for values in product(*factors))


def traits_of(
    situation: Mapping[str, Trait], card: Mapping[str, Trait], hint: Mapping[str, Trait]
) -> dict[str, Trait]:
    """Return all traits in order; those of a card are counted apart for discards and plays."""
    return {
        **situation,
        **{f"discard: {name}": phrases("discards {}", words) for name, words in card.items()},
        **{f"play: {name}": phrases("plays {}", words) for name, words in card.items()},
        **{f"hint: {name}": words for name, words in hint.items()},
    }


def numbers(thing: str, most: int = SLOTS) -> Trait:
    """Return the words for no thing, one, 2, and so on."""
    return f"no {thing}", f"one {thing}", *(f"{number} {thing}s" for number in range(2, most + 1))


def few(thing: str) -> Trait:
    """Return the words for no thing, one, 2, and 3 or more."""
    return *numbers(thing, 2), f"3 or more {thing}s"


def positions(thing: str, none: str) -> Trait:
    """Return the words for each position that a card can have, and those for no card."""
    return *phrases(f"{thing} is the {{}}", FROM_OLDEST), none


def worths(thing: str, none: str) -> Trait:
    """Return the words for no card, and for a useless card and others of more worth."""
    return none, *phrases(f"{thing} is {{}}", ("useless", "needed later", "necessary", "playable"))


def untouched(by_age: Trait) -> Trait:
    """Return the words for the place among the untouched cards, and for a touched one."""
    return *phrases("the {} untouched card", by_age), "a card that a hint has touched"


def chances(ends: np.ndarray) -> Trait:
    """Return the words for levels of a probability, by their upper ends in thousandths."""
    percent = (ends[:-1] // 10).tolist()
    between = (f"{low + 1} to {high}%" for low, high in pairwise(percent))
    return "0%", *between, "100%"


TOKENS: Final = numbers("hint token", 8)
FEW_TOKENS: Final = ("no hint token", "1 to 3 hint tokens", "4 or more hint tokens")
