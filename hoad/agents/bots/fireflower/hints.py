"""What a hint of FireFlower means, which depends on what the hinted player would do without it."""

import numpy as np
from numba import njit

from hoad.agents.bots.card_sets import only_rank
from hoad.agents.bots.fireflower.beliefs import (
    PLAIN,
    PLAY_BELIEF,
    PROTECT,
    append,
    believe,
    card_at,
    expected_plays,
    kind_of,
    next_discard,
    open_list,
    useful_colour,
)
from hoad.agents.bots.fireflower.mind import COMMON, UNKNOWN, is_single, possible
from hoad.agents.situation import COLOURS, RANKS, SLOTS, cards_of_rank, count_cards


@njit(cache=True, nogil=True)
def read_hint(mind: np.record, named: int, touched: int) -> None:
    """Record a hint to the player to move and put beliefs on its cards.

    It is a warning, or points at plays in the order of the hand, or at cards to keep; a hint at
    junk alone protects all older cards.

    ``mind`` is seen again after the hint, which is not recorded yet; ``named`` are the identities
    that it names, ``touched`` the positions of the cards that are of these.
    """
    plays = expected_plays(mind, COMMON, int(mind.current), True)
    links = _links(mind)
    _record(mind, named, touched)
    junk = touched & ~_can_be(mind, touched, int(mind.useful))
    if _is_warning(mind, named, touched, plays):
        _believe_positions(mind, touched, PROTECT)
    elif _can_be(mind, touched, int(mind.playable)):
        unsure = _can_be(mind, touched, ~int(mind.playable))
        order = open_list(mind)
        _append_positions(mind, order, touched & ~unsure)
        _append_unlinked(mind, order, unsure, links)
        believe(mind, order, PLAY_BELIEF)
    elif not junk:
        kept = open_list(mind)
        _append_unlinked(mind, kept, touched, links)
        believe(mind, kept, PROTECT)
    elif junk == touched:
        _believe_positions(mind, _older(touched), PROTECT)


@njit(cache=True, nogil=True)
def _record(mind: np.record, named: int, touched: int) -> None:
    """Record what a hint says directly."""
    for position in range(int(mind.hand_length[int(mind.current)])):
        card = card_at(mind, int(mind.current), position)
        if touched >> position & 1:
            mind.hinted[card] &= named
            mind.touched |= 1 << card
        else:
            mind.hinted[card] &= ~named


@njit(cache=True, nogil=True)
def _can_be(mind: np.record, among: int, cards: int) -> int:
    """Return those of some positions of the hinted hand that can hold a card of a set."""
    positions = 0
    for position in range(int(mind.hand_length[int(mind.current)])):
        possibly = possible(mind, COMMON, card_at(mind, int(mind.current), position)) & cards
        positions |= among & int(possibly != 0) << position
    return positions


@njit(cache=True, nogil=True)
def _known(mind: np.record, among: int) -> int:
    """Return the positions among some of the hinted hand that have one possible identity."""
    positions = 0
    for position in range(int(mind.hand_length[int(mind.current)])):
        cards = possible(mind, COMMON, card_at(mind, int(mind.current), position))
        positions |= among & int(is_single(cards)) << position
    return positions


@njit(cache=True, nogil=True)
def _is_warning(mind: np.record, named: int, touched: int, plays: int) -> bool:
    """Return whether a hint only tells the player, who expected ``plays``, what not to lose."""
    receiver = int(mind.current)
    discard, _ = next_discard(mind, COMMON, receiver)
    card = card_at(mind, receiver, discard)
    cards = possible(mind, COMMON, card)
    loss = touched >> discard & 1 == 1 and cards & int(mind.dangerous) != 0
    wrong_play = plays & ~_can_be(mind, plays, ~int(mind.dangerous)) != 0
    if not (loss or wrong_play) or (plays and not plays & touched):
        return False
    if not touched & ~plays:
        return True
    fresh = int(mind.dangerous) & int(mind.unseen[COMMON, 0])
    fresh &= ~int(mind.dangerous_then[receiver])
    was_seen = mind.discard_then[receiver] == card and not cards & fresh
    was_safe = loss and kind_of(mind, card) == PLAIN and was_seen
    if was_safe and not wrong_play:
        return False
    newest = card_at(mind, receiver, _newest(touched))
    is_new = not int(mind.hand_then[receiver]) >> newest & 1
    rank = only_rank(named)
    if rank >= 0:
        return not _rank_forces_play(mind, rank, touched, is_new)
    return not _colour_forces_play(mind, touched, is_new)


@njit(cache=True, nogil=True)
def _rank_forces_play(mind: np.record, rank: int, touched: int, is_new: bool) -> bool:
    """Return whether a rank hint that could be a warning is about plays after all.

    ``is_new``: the giver had no better time to warn of the newest card that it touches.
    """
    playable = _can_be(mind, touched, int(mind.playable))
    junk = touched & ~_can_be(mind, touched, int(mind.useful))
    if touched & ~(playable | junk | _known(mind, touched)):
        return False
    below = at = 0  # fireworks that have not reached the rank, and that wait for it
    for colour in range(COLOURS):
        below += int(mind.fireworks[colour] < rank)
        at += int(mind.fireworks[colour] == rank)
    plays = count_cards(playable)
    return plays > below + at or below == 0 or (is_new and plays >= below)


@njit(cache=True, nogil=True)
def _colour_forces_play(mind: np.record, touched: int, is_new: bool) -> bool:
    """Return the same of a colour hint."""
    receiver, others_kept = int(mind.current), True
    for position in range(1, int(mind.hand_length[receiver])):
        others_kept &= kind_of(mind, card_at(mind, receiver, position)) == PROTECT
    if touched & 1 and others_kept:
        return True
    losses = int(mind.dangerous) & ~int(mind.playable) & ~cards_of_rank(RANKS - 1)
    return is_new and not _can_be(mind, touched, losses) & ~_known(mind, touched)


@njit(cache=True, nogil=True)
def _newest(positions: int) -> int:
    """Return the first of some positions."""
    return count_cards((positions & -positions) - 1)


@njit(cache=True, nogil=True)
def _older(positions: int) -> int:
    """Return the positions of all cards that are older than those at some positions."""
    covered = positions
    for _ in range(SLOTS):
        covered |= covered >> 1
    return ~covered


@njit(cache=True, nogil=True)
def _append_positions(mind: np.record, to: int, positions: int) -> None:
    """Add the cards at some positions of the hinted hand to an open list, newest first."""
    for position in range(int(mind.hand_length[int(mind.current)])):
        if positions >> position & 1:
            append(mind, to, card_at(mind, int(mind.current), position))


@njit(cache=True, nogil=True)
def _believe_positions(mind: np.record, positions: int, kind: int) -> None:
    """Put one belief on the cards at some positions of the hinted hand."""
    cards = open_list(mind)
    _append_positions(mind, cards, positions)
    believe(mind, cards, kind)


@njit(cache=True, nogil=True)
def _links(mind: np.record) -> int:
    """Return the cards after which others can be played: those to be played, and known to fit.

    Bit ``SLOTS * player + position`` of each.
    """
    links = 0
    for player in range(2):
        for position in range(int(mind.hand_length[player])):
            card = card_at(mind, player, position)
            cards = possible(mind, COMMON, card)
            fits = is_single(cards) and cards & int(mind.playable) != 0
            is_link = fits or kind_of(mind, card) == PLAY_BELIEF
            links |= int(is_link) << SLOTS * player + position
    return links


@njit(cache=True, nogil=True)
def _append_unlinked(mind: np.record, to: int, positions: int, links: int) -> None:
    """Add the hinted cards at some positions to a list, or to the plays of a card in ``links``."""
    for position in range(int(mind.hand_length[int(mind.current)])):
        card = card_at(mind, int(mind.current), position)
        if positions >> position & 1:
            link = _link_for(mind, card, links)
            if link == UNKNOWN:
                append(mind, to, card)
            else:
                _append_to_plays(mind, link, card)


@njit(cache=True, nogil=True)
def _link_for(mind: np.record, card: int, links: int) -> int:
    """Return the first other card in ``links`` of the same useful colour, or ``UNKNOWN``."""
    colour = useful_colour(mind, COMMON, card)
    for bit in range(2 * SLOTS):
        if colour >= 0 and links >> bit & 1:
            link = card_at(mind, bit // SLOTS, bit % SLOTS)
            if link != card and useful_colour(mind, COMMON, link) == colour:
                return link
    return UNKNOWN


@njit(cache=True, nogil=True)
def _append_to_plays(mind: np.record, link: int, card: int) -> None:
    """Believe that ``card`` is to be played after ``link`` and the cards of its colour there."""
    plays, colour = open_list(mind), useful_colour(mind, COMMON, card)
    if kind_of(mind, link) == PLAY_BELIEF:
        old = int(mind.list_of[link])
        for index in range(int(mind.list_length[old])):
            other = int(mind.lists[old, index])
            if other == link or useful_colour(mind, COMMON, other) == colour:
                append(mind, plays, other)
    else:
        append(mind, plays, link)
    append(mind, plays, card)
    believe(mind, plays, PLAY_BELIEF)
