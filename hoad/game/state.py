"""The variant of a game of Hanabi, and the state of one game.

A state is one record of the dtype :data:`STATE`, a batch of games an array of such records.
It has two parts. ``state.table`` holds everything that is public: fireworks, discards, tokens,
what hints said about each card, and the actions so far. ``state.deck`` and ``state.hands``
are hidden. Agents never get a state; they get the table and the hands that they can see
(:func:`hoad.agents.agent.see`).

Cards are numbered ``colour * ranks + rank`` (both from 0). A hand lies in *slots*: a drawn card
takes the slot of the card that left. HLE numbers cards by age instead; ``table.order`` is that
permutation, oldest first, and move ids refer to it.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numba import njit

from hoad.core.errors import HoadError

MAX_PLAYERS: Final = 5
MAX_HAND: Final = 5
MAX_CARDS: Final = 50
MAX_IDENTITIES: Final = 25
MAX_MOVES: Final = 50
"""No variant has more move ids: 2 * 5 positions, and hints of 10 values to 4 players."""
MAX_TURNS: Final = 128
"""No game is longer: each of 50 cards is played or discarded once, and hints spend 16 tokens, one
for each discard and one for each completed colour."""
PERFECT_SCORE: Final = 25
"""The highest score of the full game."""

NO_CARD: Final = 255
"""In a slot that is empty because the deck ran out."""
HIDDEN: Final = 254
"""In the slots of a hand that its observer cannot see."""

MINIMAL, CARD_KNOWLEDGE, SEER = range(3)
OBSERVATION_KINDS: Final = ("minimal", "card_knowledge", "seer")

_RANGES: Final = {
    "players": (2, MAX_PLAYERS),
    "colours": (1, 5),
    "ranks": (1, 5),
    "hand_size": (1, MAX_HAND),
    "max_tokens": (1, 16),
    "max_lives": (1, 16),
}
"""The smallest and largest value of each number of a variant."""

_HAND = (MAX_PLAYERS, MAX_HAND)


def _record(fields: list[tuple]) -> np.dtype:
    """Return a dtype whose records have their fields as attributes."""
    return np.dtype((np.record, fields))


TABLE: Final = _record(
    [
        # The variant, constant during a game.
        ("players", "u1"),
        ("colours", "u1"),
        ("ranks", "u1"),
        ("hand_size", "u1"),
        ("max_tokens", "u1"),
        ("max_lives", "u1"),
        ("cards_in_game", "u1"),
        ("observation", "u1"),
        # The state of the game.
        ("tokens", "u1"),
        ("lives", "u1"),
        ("score", "u1"),  # cards on the fireworks: the lenient score
        ("deck_left", "u1"),
        ("final_turns", "u1"),  # turns left once the deck is empty
        ("over", "u1"),
        ("current", "u1"),  # the player to move
        ("turn", "u1"),  # actions so far
        ("fireworks", "u1", MAX_PLAYERS),  # height of each colour
        ("discards", "u1", MAX_IDENTITIES),  # copies in the discard pile, misplays included
        # Bit i of left[k]: more than k copies of card i are neither played nor discarded.
        ("left", "i8", 3),
        # Hands: everything public about them, by player and slot.
        ("hand_length", "u1", MAX_PLAYERS),
        ("order", "u1", _HAND),  # order[player, position] = slot, oldest card first
        ("colour_mask", "u1", _HAND),  # bit c: colour c still plausible from hints
        ("rank_mask", "u1", _HAND),
        ("colour_hinted", "u1", _HAND),  # 1 if a colour hint touched the card
        ("rank_hinted", "u1", _HAND),
        # What happened, by turn.
        ("actions", "u1", MAX_TURNS),  # move ids
        ("touched", "u1", MAX_TURNS),  # bit s: slot s was hinted, played or discarded
        ("revealed", "u1", MAX_TURNS),  # card played or discarded, NO_CARD for a hint
        ("scored", "u1"),  # 1 if the last action was a play that fitted
        ("regained", "u1"),  # 1 if that play completed a colour and regained a token
    ]
)

STATE: Final = _record([("table", TABLE), ("deck", "u1", MAX_CARDS), ("hands", "u1", _HAND)])


@njit(cache=True, nogil=True)
def signed(number: int) -> int:
    """Return a field of a record as a signed number: numba takes int() of a byte as unsigned."""
    return 0 | int(number)


def copies_of(rank: int, ranks: int) -> int:
    """Return how many copies of each card of ``rank`` (from 0) exist: 3, 2, ..., 2, 1."""
    if rank == 0:
        return 3
    return 1 if rank == ranks - 1 else 2


@dataclass(frozen=True)
class Variant:
    """The rules of one kind of game, as HLE's configuration names them.

    Raises:
        HoadError: a number is outside of the range of HLE and of the fixed-size state.
    """

    players: int = 2
    colours: int = 5
    ranks: int = 5
    hand_size: int = 5
    max_tokens: int = 8
    max_lives: int = 3
    observation: str = "card_knowledge"

    def __post_init__(self) -> None:
        for name, (low, high) in _RANGES.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise HoadError(f"variant: {name} is {value}, expected {low} to {high}")
        if self.observation not in OBSERVATION_KINDS:
            observation, kinds = repr(self.observation), ", ".join(OBSERVATION_KINDS)
            raise HoadError(f"variant: observation is {observation}, expected one of {kinds}")
        if self.players * self.hand_size > self.cards:
            raise HoadError(
                f"variant: {self.players} hands of {self.hand_size} need more than the "
                f"{self.cards} cards there are"
            )

    @property
    def identities(self) -> int:
        """Different cards: colours times ranks."""
        return self.colours * self.ranks

    @property
    def cards(self) -> int:
        """Cards in the game, copies counted."""
        return self.colours * sum(copies_of(rank, self.ranks) for rank in range(self.ranks))

    @property
    def moves(self) -> int:
        """Number of move ids (HLE's ``max_moves``)."""
        return 2 * self.hand_size + (self.players - 1) * (self.colours + self.ranks)

    def full_deck(self) -> np.ndarray:
        """Return all cards in ascending order, shape ``(cards,)``, uint8."""
        copies = [copies_of(rank, self.ranks) for rank in range(self.ranks)] * self.colours
        return np.repeat(np.arange(self.identities, dtype=np.uint8), copies)

    def new_states(self, games: int) -> np.ndarray:
        """Return ``games`` states, shape ``(games,)``, with the variant set and nothing dealt."""
        states = np.zeros(games, STATE)
        table = states["table"]
        for name in _RANGES:
            table[name] = getattr(self, name)
        table["cards_in_game"] = self.cards
        table["observation"] = OBSERVATION_KINDS.index(self.observation)
        return states


def full_game(players: int = 2, observation: str = "card_knowledge") -> Variant:
    """Return HLE's Hanabi-Full for 2 to 5 players: five cards each, four from 4 players on."""
    return Variant(players=players, hand_size=5 if players < 4 else 4, observation=observation)


def small_game(players: int = 2) -> Variant:
    """Return HLE's Hanabi-Small: two colours, two cards each, three tokens, one life."""
    return Variant(players=players, colours=2, hand_size=2, max_tokens=3, max_lives=1)


def very_small_game(players: int = 2) -> Variant:
    """Return HLE's Hanabi-Very-Small: one colour, two cards each, three tokens, one life."""
    return Variant(players=players, colours=1, hand_size=2, max_tokens=3, max_lives=1)
