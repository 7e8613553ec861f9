"""One game of Hanabi for interactive use; loops over many games use the compiled rules."""

from collections.abc import Sequence

import numpy as np

from hoad.core.errors import HoadError
from hoad.game.deck import checked_deck, shuffled_deck
from hoad.game.moves import card_name, listed_moves, move_id, move_name
from hoad.game.observation import encode, observation_bytes, observation_length
from hoad.game.rules import apply, deal_deck, legal_moves
from hoad.game.state import HIDDEN, Variant, full_game
from hoad.game.view import View, view_of


class Game:
    """A game that is played move by move.

    >>> game = Game(seed=1)
    >>> game.step("hint 1")
    >>> game
    <Game turn 1, player 1 to move: score 0, 3 lives, 7 hint tokens, 40 cards in the deck>
    >>> game.observation().shape
    (658,)

    ``print(game.render())`` shows the table.
    Without a variant, it is two players' full Hanabi. The deck is that of game 0 of a run with the
    seed, or ``deck``: card ids in drawing order.

    Raises:
        HoadError: ``deck`` is not made of the variant's cards.
    """

    def __init__(
        self,
        variant: Variant | None = None,
        seed: int = 0,
        deck: Sequence[int] | np.ndarray | None = None,
    ) -> None:
        self.variant = variant or full_game()
        if deck is None:
            cards = shuffled_deck(self.variant.full_deck(), seed, 0)
        else:
            cards = checked_deck(self.variant, deck)
        self.state = self.variant.new_states(1)[0]
        deal_deck(self.state, cards)

    def __repr__(self) -> str:
        return f"<Game {self.view().summary}>"

    @property
    def legal_moves(self) -> list[int]:
        """The ids of the moves that the player to move may make, ascending; none at the end."""
        return listed_moves(legal_moves(self.state.table, self.state.hands))

    @property
    def current_player(self) -> int:
        """The player to move."""
        return int(self.state.table.current)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state.table.over)

    @property
    def score(self) -> int:
        """The lenient score: cards on the fireworks."""
        return int(self.state.table.score)

    @property
    def strict_score(self) -> int:
        """The strict score: 0 once the last life is lost."""
        return self.score if self.state.table.lives else 0

    def step(self, move: int | str) -> None:
        """Make a move, given by its id or as text such as ``"play 3"`` (:mod:`hoad.game.moves`).

        Raises:
            HoadError: there is no such move, it is illegal now, or the game is over.
        """
        action = move_id(self.variant, move) if isinstance(move, str) else int(move)
        if self.is_over:
            raise HoadError(f"move {move!r}: the game is over; start a new one")
        if action not in self.legal_moves:
            names = ", ".join(move_name(self.variant, legal) for legal in self.legal_moves)
            turn = self.state.table.turn
            raise HoadError(f"move {move!r}: illegal in turn {turn}; legal moves are {names}")
        apply(self.state, action)

    def observation(self, player: int | None = None) -> np.ndarray:
        """Return what a player (default: the one to move) sees, as HLE's 0/1 vector, uint8.

        Raises:
            HoadError: there is no such player.
        """
        observer = self.current_player if player is None else player
        if not 0 <= observer < self.variant.players:
            raise HoadError(f"player {observer}: players are 0 to {self.variant.players - 1}")
        packed = np.empty(observation_bytes(self.variant), np.uint8)
        encode(self.state.table, self.state.hands, observer, packed)
        return np.unpackbits(packed)[: observation_length(self.variant)]

    def view(self, player: int | None = None) -> View:
        """Return the game in plain values: everything, or only what ``player`` sees."""
        return view_of(self.variant, self.state, player)

    def render(self, player: int | None = None) -> str:
        """Return the game as text: everything, or only what ``player`` sees."""
        return render(self.view(player))


def render(view: View) -> str:
    """Return the table and the hands as several lines of text.

    Each card stands above the colours and ranks that hints leave open; positions count from 0, the
    oldest card. Cards that the observer does not see are ``??``.
    """
    tops = [f"{colour[0].upper()}{height}" for colour, height in view.fireworks.items()]
    pile = [f"{colour[0].upper()}{rank}" for colour, rank in view.discards]
    lines = [view.summary, f"fireworks  {' '.join(tops)}", f"discards   {' '.join(pile) or '-'}"]
    for player in range(view.variant.players):
        lines += _hand_lines(view, player)
    if view.moves:
        last = view.moves[-1]
        lines.append(f"last move  player {last.seat}: {last.name}")
    return "\n".join(lines)


def _hand_lines(view: View, player: int) -> list[str]:
    cards, hints = [], []
    for card in view.hands[player]:
        colours = "".join(colour[0].upper() for colour in card.colours)
        cards.append(card_name(view.variant, HIDDEN if card.number is None else card.number))
        hints.append(f"{colours}/{''.join(map(str, card.ranks))}")
    width = view.variant.colours + view.variant.ranks + 3
    return [
        f"player {player}   {''.join(card.ljust(width) for card in cards)}".rstrip(),
        f"  hints    {''.join(hint.ljust(width) for hint in hints)}".rstrip(),
    ]
