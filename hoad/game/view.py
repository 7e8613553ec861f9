"""One turn of a game as somebody sees it, in plain values.

Own agents, the page of a person, watched games and texts read the same view. A card that the
observer does not see has no colour, no rank and no number, so that nothing derived from a view
tells more than its observer knows. Positions count from 0, the oldest card of a hand.

Common knowledge is what all players can work out: the hints, and which cards are neither played nor
discarded. The holder of a card also sees the other hands. Nothing is inferred from why a move was
made.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, cached_property
from typing import Final, NamedTuple

import numpy as np

from hoad.game.moves import COLOUR_NAMES, listed_moves, move_name
from hoad.game.observation import encode, observation_bytes, observation_length
from hoad.game.rules import apply, deal_deck, legal_moves
from hoad.game.state import NO_CARD, Variant, copies_of, full_game

_COLOUR_INDEX: Final = {name: colour for colour, name in enumerate(COLOUR_NAMES)}


class Known(StrEnum):
    """What common knowledge says about a card, the most useful first."""

    PLAYABLE = "playable"
    """Whatever it may be, it fits now."""
    USELESS = "useless"
    """Whatever it may be, it never fits again."""
    IDENTITY = "known"
    """It can only be one card, which is neither."""
    NOTHING = ""


@dataclass(frozen=True)
class SeenCard:
    """A card in a hand.

    Attributes:
        colours, ranks: those (ranks 1 to 5) that hints leave open to its holder.
        colour_hinted, rank_hinted: whether such a hint touched it.
        colour, rank: what it is; None for a card that the observer does not see, such as those in
            the player's own hand.
        number: the same as a card id (:mod:`hoad.game.state`), or None.
        deck_index: its index in the deck, by which hanab.live numbers cards.
    """

    colours: tuple[str, ...]
    ranks: tuple[int, ...]
    colour_hinted: bool
    rank_hinted: bool
    colour: str | None
    rank: int | None
    number: int | None
    deck_index: int


class MadeMove(NamedTuple):
    """A move that was made, and what it showed.

    Attributes:
        seat: the player who made it.
        action: the move id.
        name: the move as text, such as ``hint red``.
        hand: the player who holds the cards that it touched.
        touched: positions of the cards hinted, played or discarded.
        deck_indices: their indices in the deck.
        card: the card id that was played or discarded; None for a hint.
        fitted: whether a card was played and fitted.
        drawn: index in the deck of the card that was drawn; None if there is none.
    """

    seat: int
    action: int
    name: str
    hand: int
    touched: tuple[int, ...]
    deck_indices: tuple[int, ...]
    card: int | None
    fitted: bool
    drawn: int | None


@dataclass(frozen=True, repr=False)
class View:
    """What an observer sees of a game.

    Attributes:
        variant: the rules.
        observer: the player who looks; None if every hand is seen.
        player: the player to move.
        over: whether the game has ended.
        tokens: hint tokens, 0 to 8.
        lives: lives left, 1 to 3 before the end.
        deck_left: cards in the deck.
        final_turns: turns left once the deck is empty.
        fireworks: height of each colour.
        discard_counts: copies in the discard pile, misplayed cards included, by card id.
        hands: the cards of each player, oldest first: ``"play 0"`` plays position 0. For the
            attributes of a card see ``help(hoad.agents.SeenCard)``.
        legal: ids of the moves that the observer may make now, ascending.
        moves: all moves so far, the latest last.
        observation: the same for a network: the canonical encoding of HLE (Bard et al. 2020),
            which has the last move only, uint8 of 0 and 1, shape ``(658,)`` in the full game of two
            players.
    """

    variant: Variant
    observer: int | None
    player: int
    over: bool
    tokens: int
    lives: int
    deck_left: int
    final_turns: int
    fireworks: Mapping[str, int]
    discard_counts: tuple[int, ...]
    hands: tuple[tuple[SeenCard, ...], ...]
    legal: tuple[int, ...]
    moves: tuple[MadeMove, ...]
    observation: np.ndarray = field(compare=False)

    def __repr__(self) -> str:
        return f"<View {self.summary}>"

    @property
    def summary(self) -> str:
        """The turn in one line."""
        standing = (
            f"score {self.score}, {self.lives} lives, {self.tokens} hint tokens, "
            f"{self.deck_left} cards in the deck"
        )
        if self.over:
            return f"over after {self.turn} turns: {standing}"
        return f"turn {self.turn}, player {self.player} to move: {standing}"

    @property
    def me(self) -> int:
        """The seat of the player to move: an agent that is asked for a move, 0 or 1."""
        return self.player

    @property
    def my_hand(self) -> tuple[SeenCard, ...]:
        """The cards of the player to move, oldest first."""
        return self.hands[self.player]

    @property
    def partner_hand(self) -> tuple[SeenCard, ...]:
        """The cards of its partner in a game of two players, oldest first."""
        return self.hands[1 - self.player]

    @cached_property
    def legal_moves(self) -> tuple[str, ...]:
        """The legal moves as text: ``"play 0"``, ``"discard 4"``, ``"hint red"``, ``"hint 3"``."""
        names = move_names(self.variant)
        return tuple(names[move] for move in self.legal)

    @cached_property
    def history(self) -> tuple[tuple[int, str], ...]:
        """All moves so far as (seat, move), the latest last."""
        return tuple((move.seat, move.name) for move in self.moves)

    @cached_property
    def discards(self) -> tuple[tuple[str, int], ...]:
        """The discarded and misplayed cards as (colour, rank), sorted."""
        ranks = self.variant.ranks
        return tuple(
            (COLOUR_NAMES[card // ranks], card % ranks + 1)
            for card, copies in enumerate(self.discard_counts)
            for _ in range(copies)
        )

    @property
    def turn(self) -> int:
        """The number of moves so far."""
        return len(self.moves)

    @property
    def score(self) -> int:
        """Cards on the fireworks, the lenient score."""
        return sum(self.fireworks.values())

    @property
    def strict_score(self) -> int:
        """The score, or 0 once the last life is lost."""
        return self.score if self.lives else 0

    def is_playable(self, colour: str | None, rank: int | None) -> bool:
        """Return whether a card would fit on its firework now; False for an unknown card."""
        return colour is not None and rank is not None and rank == self.fireworks[colour] + 1

    @cached_property
    def copies_left(self) -> tuple[int, ...]:
        """How many copies of each card, by id, are neither played nor discarded."""
        ranks, heights = self.variant.ranks, tuple(self.fireworks.values())
        return tuple(
            copies_of(card % ranks, ranks) - discarded - (card % ranks < heights[card // ranks])
            for card, discarded in enumerate(self.discard_counts)
        )

    def possible(self, card: SeenCard) -> tuple[int, ...]:
        """Return the ids of the cards that common knowledge leaves open for a card, ascending."""
        return _left_open(card, self.copies_left, self.variant)

    def possible_to_holder(self, player: int, card: SeenCard) -> tuple[int, ...]:
        """Return those of them that are left when ``player``, who holds it, counts other hands.

        Hands that the observer does not see do not count.
        """
        copies = list(self.copies_left)
        for other, hand in enumerate(self.hands):
            for seen in hand:
                if other != player and seen.number is not None:
                    copies[seen.number] -= 1
        return _left_open(card, copies, self.variant)

    def known(self, card: SeenCard) -> Known:
        """Return what common knowledge says about a card."""
        possible = self.possible(card)
        if all(self._is_playable(number) for number in possible):
            return Known.PLAYABLE
        if not any(self._is_useful(number) for number in possible):
            return Known.USELESS
        return Known.IDENTITY if len(possible) == 1 else Known.NOTHING

    def is_critical(self, player: int, card: SeenCard) -> bool:
        """Return whether a card in a player's hand is the last copy of one that is still needed.

        Of a card that the observer does not see, whether each card that it may be is.
        """
        seen = card.number
        cards = self.possible_to_holder(player, card) if seen is None else (seen,)
        return all(self._is_useful(number) and self.copies_left[number] == 1 for number in cards)

    def _is_playable(self, card: int) -> bool:
        colour, rank = divmod(card, self.variant.ranks)
        return self.fireworks[COLOUR_NAMES[colour]] == rank

    def _is_useful(self, card: int) -> bool:
        """Return whether a card may still be played: it and all cards below it are left."""
        colour, rank = divmod(card, self.variant.ranks)
        height = self.fireworks[COLOUR_NAMES[colour]]
        needed = range(card - rank + height, card + 1)
        return rank >= height and all(self.copies_left[below] for below in needed)


class Turn(NamedTuple):
    """A turn of a game log.

    Attributes:
        state: a copy of the state, dtype ``STATE``, shape ``(1,)``.
        view: the same as somebody sees it who sees every hand.
        move: the move that is made then; None at the end of the game or of an unfinished log.
    """

    state: np.ndarray
    view: View
    move: MadeMove | None


def view_of(variant: Variant, state: np.record, observer: int | None = None) -> View:
    """Return what a player sees; without an observer, everything."""
    table = state.table
    player = int(table.current)
    looks = player if observer is None else observer
    moves, hands = _past(variant, table)
    legal = listed_moves(legal_moves(table, state.hands)) if looks == player else ()
    packed = np.empty(observation_bytes(variant), np.uint8)
    encode(table, state.hands, looks, packed)
    heights = table.fireworks[: variant.colours].tolist()
    return View(
        variant=variant,
        observer=observer,
        player=player,
        over=bool(table.over),
        tokens=int(table.tokens),
        lives=int(table.lives),
        deck_left=int(table.deck_left),
        final_turns=int(table.final_turns),
        fireworks=dict(zip(COLOUR_NAMES, heights, strict=False)),
        discard_counts=tuple(table.discards[: variant.identities].tolist()),
        hands=tuple(
            _hand(variant, state, holder, hand, hidden=holder == observer)
            for holder, hand in enumerate(hands)
        ),
        legal=tuple(legal),
        moves=tuple(moves),
        observation=np.unpackbits(packed, count=observation_length(variant)),
    )


def turns_of(deck: np.ndarray, actions: Sequence[int] | np.ndarray) -> Iterator[Turn]:
    """Yield every turn of a legal two-player game, which may be unfinished, and then its end.

    ``deck`` has card ids in drawing order, uint8, shape ``(50,)``; ``actions`` move ids.
    """
    variant = full_game(2)
    states = variant.new_states(1)
    deal_deck(states[0], deck)
    view = view_of(variant, states[0])
    for action in actions:
        before = states.copy()
        apply(states[0], int(action))
        after = view_of(variant, states[0])
        yield Turn(before, view, after.moves[-1])
        view = after
    yield Turn(states, view, None)


@cache
def move_names(variant: Variant) -> tuple[str, ...]:
    """Return the moves of a variant as text, by their ids, which count the outputs of a network."""
    return tuple(move_name(variant, move) for move in range(variant.moves))


class _Held(NamedTuple):
    """Where a card is in the state, and its index in the deck."""

    slot: int
    deck_index: int


def _past(variant: Variant, table: np.record) -> tuple[list[MadeMove], list[list[_Held]]]:
    """Return all moves so far, and the hands to which they led, oldest cards first."""
    players, hand_size, turn = variant.players, variant.hand_size, int(table.turn)
    hands = [[_Held(s, p * hand_size + s) for s in range(hand_size)] for p in range(players)]
    next_card, drawn_cards = players * hand_size, variant.cards - int(table.deck_left)
    heights, names = [0] * variant.colours, move_names(variant)
    seat, moves = (int(table.current) - turn) % players, []
    for action, slots, card in zip(
        table.actions[:turn].tolist(),
        table.touched[:turn].tolist(),
        table.revealed[:turn].tolist(),
        strict=True,
    ):
        receiver = _receiver(variant, seat, action)
        hand = hands[receiver]
        touched = [(p, held.deck_index) for p, held in enumerate(hand) if slots >> held.slot & 1]
        positions, deck_indices = zip(*touched, strict=True)
        fitted, drawn = False, None
        if card != NO_CARD:
            colour, rank = divmod(card, variant.ranks)
            fitted = action >= hand_size and heights[colour] == rank
            heights[colour] += fitted
            removed = hand.pop(positions[0])
            if next_card < drawn_cards:
                drawn = next_card
                hand.append(_Held(removed.slot, drawn))
                next_card += 1
        shown = None if card == NO_CARD else card
        name = names[action]
        moves.append(
            MadeMove(seat, action, name, receiver, positions, deck_indices, shown, fitted, drawn)
        )
        seat = (seat + 1) % players
    return moves, hands


def _receiver(variant: Variant, seat: int, action: int) -> int:
    """Return the player in whose hand a move touches cards."""
    hint = action - 2 * variant.hand_size
    if hint < 0:
        return seat
    colour_hints = (variant.players - 1) * variant.colours
    if hint < colour_hints:
        return (seat + 1 + hint // variant.colours) % variant.players
    return (seat + 1 + (hint - colour_hints) // variant.ranks) % variant.players


@cache
def _values(names: tuple, mask: int) -> tuple:
    return tuple(name for value, name in enumerate(names) if mask >> value & 1)


def _hand(
    variant: Variant, state: np.record, player: int, hand: Sequence[_Held], hidden: bool
) -> tuple[SeenCard, ...]:
    table = state.table
    numbers = state.hands[player].tolist()
    colour_masks, rank_masks = table.colour_mask[player].tolist(), table.rank_mask[player].tolist()
    colour_hinted, rank_hinted = table.colour_hinted[player], table.rank_hinted[player]
    cards = []
    for slot, deck_index in hand:
        number = None if hidden else numbers[slot]
        cards.append(
            SeenCard(
                colours=_values(COLOUR_NAMES, colour_masks[slot]),
                ranks=_values((1, 2, 3, 4, 5), rank_masks[slot]),
                colour_hinted=bool(colour_hinted[slot]),
                rank_hinted=bool(rank_hinted[slot]),
                colour=None if number is None else COLOUR_NAMES[number // variant.ranks],
                rank=None if number is None else number % variant.ranks + 1,
                number=number,
                deck_index=deck_index,
            )
        )
    return tuple(cards)


def _left_open(card: SeenCard, copies: Sequence[int], variant: Variant) -> tuple[int, ...]:
    numbers = (
        _COLOUR_INDEX[colour] * variant.ranks + rank - 1
        for colour in card.colours
        for rank in card.ranks
    )
    return tuple(number for number in numbers if copies[number] > 0)
