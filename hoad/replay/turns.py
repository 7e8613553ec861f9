"""A two-player game told turn by turn: what is on the table, and what is known of every card.

Pure: a game log goes in, plain values come out. Knowledge is of two kinds. Common knowledge is
what both players can work out: the hints, and which cards are neither played nor discarded. The
holder of a card also sees the partner's hand. Nothing is inferred from why a move was made.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from hoad.agents.agent import describe_action
from hoad.agents.situation import (
    pack_cards,
    plausible_cards,
    playable_cards,
    unseen_copies,
    useless_cards,
)
from hoad.game.moves import COLOUR_HINT, PLAY, listed_moves
from hoad.game.rules import apply, deal_deck, legal_moves
from hoad.game.state import MAX_HAND, NO_CARD, full_game

_HANDS = 2 * MAX_HAND


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
class ToldCard:
    """A card in a hand.

    Attributes:
        card: what it is, ``colour * 5 + rank``; its holder does not see it.
        order: its index in the deck, by which hanab.live numbers cards.
        colours, ranks: bits of the colours and ranks that the hints leave open.
        colour_hinted, rank_hinted: whether such a hint touched it.
        possible: the cards that common knowledge leaves open, ascending.
        to_holder: those of them that are left when its holder counts the partner's hand.
        known: what common knowledge says about it.
    """

    card: int
    order: int
    colours: int
    ranks: int
    colour_hinted: bool
    rank_hinted: bool
    possible: tuple[int, ...]
    to_holder: tuple[int, ...]
    known: Known


@dataclass(frozen=True)
class MadeMove:
    """The move of a turn, and what it showed.

    Attributes:
        action: the move id.
        hand: the player in whose hand the touched cards are.
        touched: positions of the cards hinted, played or discarded, oldest first from 0.
        card: the card played or discarded, None for a hint.
        scored: whether a played card fitted.
    """

    action: int
    hand: int
    touched: tuple[int, ...]
    card: int | None
    scored: bool

    @property
    def misplayed(self) -> bool:
        """Whether a played card did not fit."""
        return PLAY <= self.action < COLOUR_HINT and not self.scored


@dataclass(frozen=True)
class Turn:
    """The table at one turn, before its move.

    Attributes:
        number: from 0; the last one is the end of the game, or of an unfinished log.
        player: the player to move.
        tokens, lives, score, deck_left: as they are then; ``score`` is the lenient score.
        over: whether the game is over.
        fireworks: height of each colour.
        discards: the discarded and misplayed cards, ascending.
        hands: the cards of each player, oldest first.
        legal: ids of the legal moves; none once the game is over.
        move: the move that is made then; None in the last turn.
        state: a copy of the state, dtype ``STATE``, shape ``(1,)``.
    """

    number: int
    player: int
    tokens: int
    lives: int
    score: int
    deck_left: int
    over: bool
    fireworks: tuple[int, ...]
    discards: tuple[int, ...]
    hands: tuple[tuple[ToldCard, ...], ...]
    legal: tuple[int, ...]
    move: MadeMove | None
    state: np.ndarray

    @property
    def strict_score(self) -> int:
        """The score, or 0 once the last life is lost."""
        return self.score if self.lives else 0


def turns_of(deck: np.ndarray, actions: Sequence[int] | np.ndarray) -> Iterator[Turn]:
    """Yield every turn of a legal two-player game, which may be unfinished, and then its end.

    ``deck`` has card ids in drawing order, uint8, shape ``(50,)``; ``actions`` move ids.
    """
    states = full_game(2).new_states(1)
    state = states[0]
    deal_deck(state, deck)
    orders = np.arange(_HANDS).reshape(2, MAX_HAND)  # by slot
    next_card = _HANDS
    for action in actions:
        before = states.copy()
        apply(state, int(action))
        yield _told(before, orders, _made(before[0], int(action), bool(state.table.scored)))
        if action < COLOUR_HINT:
            player, slot = int(before[0].table.current), _slot(before[0], int(action))
            orders[player, slot] = next_card
            next_card += 1
    yield _told(states.copy(), orders, None)


def _slot(state: np.record, action: int) -> int:
    return int(state.table.order[int(state.table.current), action % MAX_HAND])


def _made(state: np.record, action: int, scored: bool) -> MadeMove:
    touched, card = describe_action(state, action)
    player = int(state.table.current)
    hand = player if action < COLOUR_HINT else 1 - player
    held = state.table.order[hand, : state.table.hand_length[hand]].tolist()
    positions = tuple(p for p, slot in enumerate(held) if int(touched) >> slot & 1)
    shown = None if card == NO_CARD else int(card)
    return MadeMove(action, hand, positions, shown, scored)


def _told(states: np.ndarray, orders: np.ndarray, move: MadeMove | None) -> Turn:
    state = states[0]
    table = state.table
    return Turn(
        number=int(table.turn),
        player=int(table.current),
        tokens=int(table.tokens),
        lives=int(table.lives),
        score=int(table.score),
        deck_left=int(table.deck_left),
        over=bool(table.over),
        fireworks=tuple(table.fireworks.tolist()),
        discards=tuple(np.repeat(np.arange(25), table.discards).tolist()),
        hands=tuple(tuple(_hand(state, player, orders[player])) for player in range(2)),
        legal=tuple(listed_moves(legal_moves(table, state.hands))),
        move=move,
        state=states,
    )


def _hand(state: np.record, player: int, orders: np.ndarray) -> Iterator[ToldCard]:
    table = state.table
    unseen, _, _ = unseen_copies(table, pack_cards(state.hands[1 - player]))
    playable, useless = playable_cards(table), useless_cards(table)
    for slot in table.order[player, : table.hand_length[player]].tolist():
        possible = plausible_cards(table, player, slot) & int(table.left[0])
        yield ToldCard(
            card=int(state.hands[player, slot]),
            order=int(orders[slot]),
            colours=int(table.colour_mask[player, slot]),
            ranks=int(table.rank_mask[player, slot]),
            colour_hinted=bool(table.colour_hinted[player, slot]),
            rank_hinted=bool(table.rank_hinted[player, slot]),
            possible=tuple(listed_moves(possible)),
            to_holder=tuple(listed_moves(possible & unseen)),
            known=_known(possible, playable, useless),
        )


def _known(possible: int, playable: int, useless: int) -> Known:
    if not possible & ~playable:
        return Known.PLAYABLE
    if not possible & ~useless:
        return Known.USELESS
    return Known.IDENTITY if possible & (possible - 1) == 0 else Known.NOTHING
