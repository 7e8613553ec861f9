"""What FireFlower remembers of a game, or supposes in a simulation: one record.

The record holds the public state, what each card can be in two views, the beliefs about cards, and
what the partner's last discards looked like. A simulated position is a copy of it, which the same
functions advance.

Cards have numbers: their places in the deck. A position in a hand counts from the newest card (0),
unlike in move ids. Identities are card ids, and sets of them ints with bit ``card id`` set.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.agent import Hands, Table
from hoad.agents.situation import ALL_CARDS, COLOURS, RANKS, SLOTS, count_cards
from hoad.game.state import MAX_CARDS

PRIVATE: Final = 0
"""View in which the partner's hand is seen."""
COMMON: Final = 1
"""View in which no hand is seen."""
UNKNOWN: Final = -1
"""In place of an identity or of a card."""

LISTS: Final = 16
"""Places for lists of beliefs; list 0 is that of no belief. Only lists on which the top belief of a
held card, or of the card that left last, depends are kept: 11, and up to 3 that are being made."""
LONGEST: Final = 64
"""Cards that a list holds; what is beyond is lost. Hints that repeat each other make lists long: 35
cards is the most that 20,000 games between the agents forgiving and internal bring about."""

MIND: Final = np.dtype(
    (
        np.record,
        [
            ("digested", "i2"),  # 1 + how many actions are taken in; 0 before the deal is
            ("me", "i1"),
            ("current", "i1"),  # the player to move
            ("early", "i1"),  # 1 if a game that cannot reach 25 any more counts as over
            ("tokens", "i1"),
            ("misplays", "i1"),
            ("score", "i1"),
            ("discarded", "i1"),  # misplays included
            ("deck_left", "i1"),
            ("final_turns", "i1"),  # -1 until the deck is empty
            ("empty_hints", "i1"),  # hints that a simulation left open
            ("fireworks", "i1", COLOURS),
            ("left", "i4", 3),  # bit i of left[k]: more than k copies of i neither played nor gone
            ("playable", "i4"),
            ("useful", "i4"),  # cards that can still be played
            ("dangerous", "i4"),  # useful, with at most one copy left
            ("hand_length", "i1", 2),
            ("hands", "i1", (2, SLOTS)),  # card numbers by player and position
            ("gone", "i1"),  # the card that left a hand last
            ("identity", "i1", MAX_CARDS),  # of cards that have left, and of the partner's
            ("hinted", "i4", MAX_CARDS),  # what the hints leave open
            ("touched", "i8"),  # bit n: a hint has touched card n
            ("seen", "i1", (2, MAX_CARDS)),  # by view: the identity that is known, or UNKNOWN
            ("unseen", "i4", (2, 3)),  # by view, like left: copies that are not seen
            ("list_of", "i1", MAX_CARDS),  # the list of the top belief of each card
            ("index", "i1", MAX_CARDS),  # the place of the card in it
            ("later", "i8"),  # bit n: card n was once to be played after another
            ("lists", "i1", (LISTS, LONGEST)),
            ("list_length", "i1", LISTS),
            ("kinds", "i1", LISTS),  # of the belief with this list
            ("open", "i4"),  # bit l: list l is being made
            # By player: the hand after the other's last discard that left 3 tokens or more.
            ("hand_then", "i8", 2),
            # By player: the other's next discard after the last discard or play that left 3 to 7
            # tokens, UNKNOWN if a play was expected; and what was then known to be dangerous.
            ("discard_then", "i1", 2),
            ("dangerous_then", "i4", 2),
        ],
    )
)

MOST_DISCARDS: Final = 17
"""Discards after which 25 points can still be reached."""

NOT_FIRST: Final = ALL_CARDS & ~(ALL_CARDS // ((1 << RANKS) - 1))
"""The set of cards that are played on another one: all but those of the first rank."""
_ROW: Final = (1 << RANKS) - 1


@njit(cache=True, nogil=True)
def start(mind: np.record, table: Table, hands: Hands, me: int) -> None:
    """Take in the deal."""
    mind.digested = 1
    mind.me = me
    mind.tokens = table.max_tokens
    mind.deck_left = MAX_CARDS - 2 * SLOTS
    mind.final_turns = -1
    mind.gone = UNKNOWN
    mind.identity[:] = UNKNOWN
    mind.hinted[:] = ALL_CARDS
    mind.seen[:, :] = UNKNOWN
    mind.discard_then[:] = UNKNOWN
    for identity in range(COLOURS * RANKS):
        rank = identity % RANKS
        for copy in range(3 if rank == 0 else 1 if rank == RANKS - 1 else 2):
            mind.left[copy] |= 1 << identity
    for player in range(2):
        mind.hand_length[player] = SLOTS
        for slot in range(SLOTS):
            card = player * SLOTS + slot
            mind.hands[player, SLOTS - 1 - slot] = card
            if player != me:
                mind.identity[card] = hands[player, slot]
    sort_cards(mind)
    refresh(mind, COMMON)
    refresh(mind, PRIVATE)


@njit(cache=True, nogil=True)
def sort_cards(mind: np.record) -> None:
    """Write the sets of playable, useful and dangerous cards.

    Where 25 points are the aim (``early``), a card above a lost one still counts as useful.
    """
    playable = useful = 0
    for colour in range(COLOURS):
        height = int(mind.fireworks[colour])
        row = _ROW & _ROW << height
        if not mind.early:
            lost = row & ~(int(mind.left[0]) >> RANKS * colour)
            row &= ((lost & -lost) << 1) - 1 if lost else _ROW
        useful |= row << RANKS * colour
        if height < RANKS:
            playable |= 1 << RANKS * colour + height
    mind.playable = playable
    mind.useful = useful
    mind.dangerous = useful & ~int(mind.left[1])


@njit(cache=True, nogil=True)
def after_plays(playable: int, played: int) -> int:
    """Return which cards are playable after some of those that are playable now."""
    return playable & ~played | played << 1 & NOT_FIRST


@njit(cache=True, nogil=True)
def possible(mind: np.record, view: int, card: int) -> int:
    """Return the identities that a card can have in a view."""
    seen = int(mind.seen[view, card])
    return 1 << seen if seen != UNKNOWN else int(mind.hinted[card]) & int(mind.unseen[view, 0])


@njit(cache=True, nogil=True)
def is_single(cards: int) -> bool:
    """Return whether a set has exactly one member."""
    return cards != 0 and not cards & (cards - 1)


@njit(cache=True, nogil=True)
def only_identity(cards: int) -> int:
    """Return the only member of a set, or -1."""
    return count_cards(cards - 1) if is_single(cards) else -1


@njit(cache=True, nogil=True)
def refresh(mind: np.record, view: int) -> None:
    """Look at the position: what is seen in a view, and once what follows, card by card."""
    gone = int(mind.gone)
    if gone != UNKNOWN:
        mind.seen[view, gone] = mind.identity[gone]
    for copy in range(3):
        mind.unseen[view, copy] = mind.left[copy]
    for player in range(2):
        for position in range(int(mind.hand_length[player])):
            card = int(mind.hands[player, position])
            mind.seen[view, card] = UNKNOWN
            if view == PRIVATE and int(mind.identity[card]) != UNKNOWN:
                _locate(mind, view, card, int(mind.identity[card]))
    for player in range(2):
        for position in range(int(mind.hand_length[player])):
            card = int(mind.hands[player, position])
            if int(mind.seen[view, card]) == UNKNOWN:
                identity = only_identity(possible(mind, view, card))
                if identity >= 0:
                    _locate(mind, view, card, identity)


@njit(cache=True, nogil=True)
def _locate(mind: np.record, view: int, card: int, identity: int) -> None:
    """Note a card as seen, and one copy fewer as unseen."""
    mind.seen[view, card] = identity
    copy = 2
    while copy and not int(mind.unseen[view, copy]) >> identity & 1:
        copy -= 1
    mind.unseen[view, copy] = int(mind.unseen[view, copy]) & ~(1 << identity)


@njit(cache=True, nogil=True)
def is_consistent(mind: np.record) -> bool:
    """Return whether each card in the hands can have some identity in the private view."""
    for player in range(2):
        for position in range(int(mind.hand_length[player])):
            card = int(mind.hands[player, position])
            if not possible(mind, PRIVATE, card) & int(mind.hinted[card]):
                return False
    return True


@njit(cache=True, nogil=True)
def is_over(mind: np.record) -> bool:
    """Return whether the game has ended, or (``early``) 25 points are out of reach."""
    if mind.misplays >= 3 or mind.final_turns == 0 or mind.score == COLOURS * RANKS:
        return True
    lost = int(mind.useful) & ~int(mind.left[0])
    return mind.early == 1 and (mind.discarded > MOST_DISCARDS or lost != 0)


@njit(cache=True, nogil=True)
def remove_card(mind: np.record, position: int, plays: bool, identity: int) -> None:
    """Let the player to move play or discard a card of this identity, and draw."""
    player = int(mind.current)
    mind.gone = int(mind.hands[player, position])
    mind.identity[int(mind.gone)] = identity
    copy = 2
    while copy and not int(mind.left[copy]) >> identity & 1:
        copy -= 1
    mind.left[copy] = int(mind.left[copy]) & ~(1 << identity)
    if plays and int(mind.playable) >> identity & 1:
        mind.score += 1
        mind.fireworks[identity // RANKS] += 1
        mind.tokens += int(identity % RANKS == RANKS - 1 and mind.tokens < 8)
    else:
        mind.discarded += 1
        mind.misplays += int(plays)
        mind.tokens += int(not plays)
    is_last = mind.deck_left == 1
    _draw(mind, player, position)
    end_turn(mind)
    if is_last:
        mind.final_turns = 2
    sort_cards(mind)


@njit(cache=True, nogil=True)
def _draw(mind: np.record, player: int, position: int) -> None:
    """Close the gap in a hand with a card from the deck, which becomes the newest."""
    if mind.deck_left:
        for place in range(position, 0, -1):
            mind.hands[player, place] = mind.hands[player, place - 1]
        mind.hands[player, 0] = next_card(mind)
        mind.deck_left -= 1
        return
    mind.hand_length[player] -= 1
    for place in range(position, int(mind.hand_length[player])):
        mind.hands[player, place] = mind.hands[player, place + 1]


@njit(cache=True, nogil=True)
def next_card(mind: np.record) -> int:
    """Return the number of the card that is drawn next."""
    return MAX_CARDS - int(mind.deck_left)


@njit(cache=True, nogil=True)
def end_turn(mind: np.record) -> None:
    """Let the other player move."""
    if mind.final_turns > 0:
        mind.final_turns -= 1
    mind.current = 1 - int(mind.current)
