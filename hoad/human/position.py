"""What a page shows of one turn of a game: plain values, which become JSON.

Cards are numbered as in :mod:`hoad.game.state`; colours and ranks count from 0; the cards of a hand
are listed by age, oldest first, as move ids refer to them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from hoad.agents.agent import ALL_SEEING, new_view, see
from hoad.game.log import GameLogs
from hoad.game.moves import COLOUR_HINT, COLOUR_NAMES, MOVES, PLAY, RANK_HINT, move_name
from hoad.game.rules import apply, deal_deck, legal_moves
from hoad.game.state import NO_CARD, full_game

_TWO: Final = 2
_GAME: Final = full_game(_TWO)


@dataclass(frozen=True)
class HeldCard:
    """A card in a hand.

    Attributes:
        card: its number; None if the observer does not see it.
        colours: those that the hints leave open to its holder.
        ranks: likewise.
        colour_hinted: whether a colour hint touched it.
        rank_hinted: whether a rank hint touched it.
        touched: whether one of the last two moves was a hint that touched it.
        drawn: whether it was drawn after one of the last two moves.
    """

    card: int | None
    colours: list[int]
    ranks: list[int]
    colour_hinted: bool
    rank_hinted: bool
    touched: bool
    drawn: bool


@dataclass(frozen=True)
class Made:
    """A move that was made.

    Attributes:
        seat: which player made it.
        move: its id.
        name: its text, such as ``hint red``.
        card: the card played or discarded; None for a hint.
        fitted: whether it was a card that was played and fitted.
        touched: how many cards a hint touched; 1 for other moves.
    """

    seat: int
    move: int
    name: str
    card: int | None
    fitted: bool
    touched: int


@dataclass(frozen=True)
class Choice:
    """One of all moves: its id, its text, and why it cannot be made now (None if it can)."""

    move: int
    name: str
    refused: str | None


@dataclass(frozen=True)
class Position:
    """One turn of a game.

    Attributes:
        turn: moves made so far.
        current: the seat that is to move.
        over: whether the game has ended.
        score: cards on the fireworks, the lenient score.
        strict: 0 after the third lost life, else the same.
        lives: lives left.
        tokens: hint tokens.
        deck: cards in the deck.
        last_turns: turns left, once the deck is empty.
        fireworks: height by colour.
        discards: copies in the discard pile by card.
        hands: by seat.
        made: all moves so far.
        choices: all moves of the observer; none without one.
    """

    turn: int
    current: int
    over: bool
    score: int
    strict: int
    lives: int
    tokens: int
    deck: int
    last_turns: int | None
    fireworks: list[int]
    discards: list[int]
    hands: list[list[HeldCard]]
    made: list[Made]
    choices: list[Choice]


def position(state: np.record, observer: int | None = None) -> Position:
    """Return what a player sees; without one, everything."""
    table = state.table
    hands = new_view()[0]
    see(state, ALL_SEEING if observer is None else observer, hands)
    return Position(
        turn=int(table.turn),
        current=int(table.current),
        over=bool(table.over),
        score=int(table.score),
        strict=int(table.score) if table.lives else 0,
        lives=int(table.lives),
        tokens=int(table.tokens),
        deck=int(table.deck_left),
        last_turns=None if table.deck_left else int(table.final_turns),
        fireworks=table.fireworks.tolist(),
        discards=table.discards.tolist(),
        hands=[_hand(table, hands, seat, observer) for seat in range(_TWO)],
        made=_made(table),
        choices=[] if observer is None else _choices(table, hands, observer),
    )


def states_of(logs: GameLogs) -> Iterator[np.record]:
    """Yield the state at each turn of the only game, the deal and the end included.

    It is the same record each time.
    """
    state = _GAME.new_states(1)[0]
    deal_deck(state, logs.decks[0])
    yield state
    for action in logs.actions_of(0).tolist():
        apply(state, action)
        yield state


def slots_by_age(table: np.record, player: int) -> list[int]:
    """Return the slots of a player's cards, the oldest card first."""
    return table.order[player, : table.hand_length[player]].tolist()


def _hand(table: np.record, hands: np.ndarray, player: int, observer: int | None) -> list[HeldCard]:
    touched, drawn = _marks(table, player)
    return [
        HeldCard(
            card=None if player == observer else int(hands[player, slot]),
            colours=_values(table.colour_mask[player, slot]),
            ranks=_values(table.rank_mask[player, slot]),
            colour_hinted=bool(table.colour_hinted[player, slot]),
            rank_hinted=bool(table.rank_hinted[player, slot]),
            touched=bool(touched >> slot & 1),
            drawn=bool(drawn >> slot & 1),
        )
        for slot in slots_by_age(table, player)
    ]


def _marks(table: np.record, player: int) -> tuple[int, int]:
    """Return which slots of a player the last two moves touched with a hint, or drew into."""
    touched = drawn = 0
    turn = int(table.turn)
    for past in range(max(turn - 2, 0), turn):
        mover = (int(table.current) + turn - past) % _TWO
        slots = int(table.touched[past])
        if table.actions[past] >= COLOUR_HINT and mover != player:
            touched |= slots
        elif table.actions[past] < COLOUR_HINT and mover == player:
            touched, drawn = touched & ~slots, drawn | slots
    return touched, drawn


def _values(mask: int) -> list[int]:
    return [value for value in range(5) if int(mask) >> value & 1]


def _made(table: np.record) -> list[Made]:
    heights, turn = [0] * 5, int(table.turn)
    made = []
    for past in range(turn):
        move, card = int(table.actions[past]), int(table.revealed[past])
        played = PLAY <= move < COLOUR_HINT
        fitted = played and card % 5 == heights[card // 5]
        if fitted:
            heights[card // 5] += 1
        made.append(
            Made(
                seat=(int(table.current) + turn - past) % _TWO,
                move=move,
                name=move_name(_GAME, move),
                card=None if card == NO_CARD else card,
                fitted=fitted,
                touched=int(table.touched[past]).bit_count(),
            )
        )
    return made


def _choices(table: np.record, hands: np.ndarray, observer: int) -> list[Choice]:
    mine = table.current == observer and not table.over
    legal = int(legal_moves(table, hands)) if mine else 0
    return [
        Choice(
            move,
            move_name(_GAME, move),
            None if legal >> move & 1 else _reason(table, move, observer),
        )
        for move in range(MOVES)
    ]


def _reason(table: np.record, move: int, observer: int) -> str:
    """Return why a move cannot be made."""
    if table.over:
        return "The game is over."
    if table.current != observer:
        return "It is your partner's turn."
    if move < COLOUR_HINT:
        if move % PLAY >= table.hand_length[observer]:
            return "You hold no such card."
        return "All hint tokens are there, so no card may be discarded."
    if not table.tokens:
        return "No hint token is left."
    if move < RANK_HINT:
        return f"Your partner holds no {COLOUR_NAMES[move - COLOUR_HINT]} card."
    return f"Your partner holds no {move - RANK_HINT + 1}."
