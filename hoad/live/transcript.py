"""A running game as its server tells it to one of the players, in HOAD's terms.

The server numbers cards by their order in the deck, so hands follow from who removed which card.
A player's own cards are unknown until they leave its hand. Agents are asked about a state that has
some cards in every place: the unknown ones are any that agree with all hints, which no fair agent
can tell from the true ones.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from hoad.core.errors import HoadError
from hoad.game.log import logs_of, replay
from hoad.game.rules import replay_moves
from hoad.game.state import MAX_TURNS, full_game
from hoad.live.protocol import RANK_CLUE, Clue, Draw, GameOver, Told
from hoad.replay.formats.hanab_live import (
    COLOUR_HINT,
    DISCARD,
    PLAY,
    RANK_HINT,
    Action,
    Hands,
    action_of,
    move_of,
    no_points_left,
)

_RANKS = 5
_ALL = frozenset(range(25))


class Transcript:
    """One two-player game, as told to the player in ``seat``.

    Attributes:
        seat: the player.
        actions: move ids so far.
        over: whether the game is over: the server said so, or it follows from the rules.
        score: cards on the fireworks.
    """

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.actions: list[int] = []
        self.over = False
        self.score = 0
        self._hands = Hands(2)
        self._cards: dict[int, int] = {}
        self._allowed: dict[int, frozenset[int]] = {}

    def add(self, told: Told) -> None:
        """Add what the server tells next; a HoadError if it does not follow from what it told."""
        if isinstance(told, GameOver):
            self.over = True
        elif isinstance(told, Draw):
            if told.suit >= 0:
                self._cards[told.order] = _card(told.suit, told.rank)
        elif isinstance(told, Clue):
            self._narrow(told)
            kind = RANK_HINT if told.clue.type == RANK_CLUE else COLOUR_HINT
            self._make(told.giver, Action(type=kind, target=told.target, value=told.clue.value))
        else:
            self._cards[told.order] = _card(told.suit, told.rank)
            discarded = told.type == "discard" and not told.failed
            kind = DISCARD if discarded else PLAY
            self.score += told.type == "play"
            self._make(told.seat, Action(type=kind, target=told.order))

    def _make(self, seat: int, action: Action) -> None:
        turn = len(self.actions)
        try:
            if seat != turn % 2:
                raise ValueError(f"it is not the turn of player {seat}")
            if turn == MAX_TURNS:
                raise ValueError("no game has so many turns")
            self.actions.append(move_of(self._hands, seat, action))
        except ValueError as error:
            raise HoadError(
                f"turn {turn}: the server tells a game out of order: {error}"
            ) from error

    def _narrow(self, told: Clue) -> None:
        """Note what a clue says about the player's own cards."""
        if told.target != self.seat:
            return
        by_rank = told.clue.type == RANK_CLUE
        value = told.clue.value - by_rank
        named = {card for card in _ALL if (card % _RANKS if by_rank else card // _RANKS) == value}
        for order in self._hands.held[self.seat]:
            before = self._allowed.get(order, _ALL)
            self._allowed[order] = before & named if order in told.touched else before - named

    @property
    def my_turn(self) -> bool:
        """Whether the player is to move, and has been told all it sees: the partner's last draw."""
        partner = self._hands.held[1 - self.seat]
        complete = all(order in self._cards for order in partner)
        return not self.over and complete and len(self.actions) % 2 == self.seat

    def action_of(self, move: int) -> dict[str, int]:
        """Return a move id as the fields of the server's ``action``; nothing is carried out."""
        hands = Hands(2)
        hands.held = [list(held) for held in self._hands.held]
        return action_of(hands, self.seat, move)

    def deck(self) -> np.ndarray:
        """Return a deck that agrees with all that was told, uint8, shape ``(50,)``.

        The attribute ``over`` is set if the game is over, which the server tells a little later.

        Raises:
            HoadError: there is none, or the game so far breaks HOAD's rules.
        """
        left = np.bincount(full_game(2).full_deck(), minlength=25)
        left -= np.bincount(np.array(list(self._cards.values()), np.int64), minlength=25)
        held = [order for order in self._hands.held[self.seat] if order not in self._cards]
        allowed = {order: self._allowed.get(order, _ALL) for order in held}
        own = _assign(sorted(held, key=lambda order: len(allowed[order])), allowed, left)
        if own is None or (left < 0).any():
            raise HoadError(f"turn {len(self.actions)}: no cards agree with what the server tells")
        cards = self._cards | own
        left -= np.bincount(np.array(list(own.values()), np.int64), minlength=25)
        rest = iter(np.repeat(np.arange(25), left).tolist())
        deck = np.array([cards[o] if o in cards else next(rest) for o in range(50)], np.uint8)
        outcomes = replay(logs_of(2, [deck], [self.actions]))
        illegal = int(outcomes.illegal_turn[0])
        if illegal >= 0:
            raise HoadError(f"turn {illegal}: the server tells a move that breaks the rules")
        self.over |= bool(outcomes.over[0]) or self._is_decided(deck)
        return deck

    def _is_decided(self, deck: np.ndarray) -> bool:
        """Return whether no points are left to make, as far as all can see."""
        state = full_game(2).new_states(1)[0]
        replay_moves(state, deck, np.array(self.actions, np.uint8))
        return no_points_left(state.table.fireworks, int(state.table.left[0]))


def _card(suit: int, rank: int) -> int:
    return suit * _RANKS + rank - 1


def _assign(
    orders: Sequence[int], allowed: Mapping[int, frozenset[int]], left: np.ndarray
) -> dict[int, int] | None:
    """Return a card for each of these places of the deck, or None if there are not enough.

    ``left`` is how many copies of each card may be used; it is afterwards what it was.
    """
    if not orders:
        return {}
    first, *others = orders
    for card in sorted(allowed[first]):
        if left[card] > 0:
            left[card] -= 1
            cards_of_others = _assign(others, allowed, left)
            left[card] += 1
            if cards_of_others is not None:
                return {first: card, **cards_of_others}
    return None
