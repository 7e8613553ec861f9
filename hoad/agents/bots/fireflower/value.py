"""How good FireFlower finds a position in which it is to move."""

from math import exp, log
from typing import Final

import numpy as np
from numba import njit

from hoad.agents.bots.fireflower.beliefs import (
    PLAY_BELIEF,
    PROTECT,
    card_at,
    expected_plays,
    is_next,
    is_playable_soon,
    kind_of,
    next_discard,
)
from hoad.agents.bots.fireflower.mind import (
    COMMON,
    MOST_DISCARDS,
    PRIVATE,
    UNKNOWN,
    after_plays,
    is_over,
    is_single,
    possible,
)
from hoad.agents.situation import COLOURS, RANKS, count_cards

_TEMPERATURE: Final = 2.5
_MOST_POINTS: Final = COLOURS * RANKS
_HINT_SHARE: Final = 0.85
"""Share of a hint that is worth a hint: what knowledge is worth is divided by it."""

# By the distance of a card from being playable, and by how free a hand is.
_CLOGGING = np.array([0.80, 0.80, 0.88, 0.94, 0.97, 0.99, 1.00])
_FREEDOM = np.array([0.66, 0.88, 0.96, 0.99, 1.00])


@njit(cache=True, nogil=True)
def value_of(mind: np.record) -> float:
    """Return the value of a position: an exponential of the points that it promises."""
    score = int(mind.score)
    if is_over(mind):
        return exp((score - 3 * (_MOST_POINTS - score)) / _TEMPERATURE)
    turns = _turns_left(mind)
    points = min(_reachable(mind), turns)
    loss = _MOST_POINTS - score - points
    factor = _danger_factor(mind)
    factor *= min(float(points), 0.8 * turns) / points if points else 1.0
    factor *= _hint_factor(mind, points)
    factor *= 1.0 if mind.misplays == 0 else 0.98 if mind.misplays == 1 else 0.93
    factor *= _hand_factor(mind, 0) * _hand_factor(mind, 1)
    factor *= _token_factor(mind)
    return exp((score + points * factor - 3 * loss) / _TEMPERATURE)


@njit(cache=True, nogil=True)
def _turns_left(mind: np.record) -> int:
    """Return how many plays there is time for: by players with a hand that may not be all junk."""
    if mind.final_turns == 1:
        return _is_alive(mind, int(mind.current))
    alive = _is_alive(mind, 0) + _is_alive(mind, 1)
    return alive if mind.final_turns >= 0 else int(mind.deck_left) + alive


@njit(cache=True, nogil=True)
def _is_alive(mind: np.record, player: int) -> int:
    """Return 1 if some card of a hand may be useful, else 0."""
    for position in range(int(mind.hand_length[player])):
        if possible(mind, PRIVATE, card_at(mind, player, position)) & int(mind.useful):
            return 1
    return 0


@njit(cache=True, nogil=True)
def _reachable(mind: np.record) -> int:
    """Return how many cards can still be played, given the discards."""
    points = 0
    for colour in range(COLOURS):
        for rank in range(int(mind.fireworks[colour]), RANKS):
            if not int(mind.left[0]) >> RANKS * colour + rank & 1:
                break
            points += 1
    return points


@njit(cache=True, nogil=True)
def _softplus(x: float, width: float) -> float:
    return 40.0 if x / width >= 40 else log(1 + exp(x / width)) * width


@njit(cache=True, nogil=True)
def _is_new(mind: np.record, player: int, position: int) -> bool:
    """Return whether the partner had no free turn to hint at a card since it was drawn."""
    return not int(mind.hand_then[player]) >> card_at(mind, player, position) & 1


@njit(cache=True, nogil=True)
def _hint_factor(mind: np.record, points: int) -> float:
    """Return the share of the remaining ``points`` for which there are enough hints."""
    if not points:
        return 1.0
    score, me = int(mind.score), int(mind.current)
    worth_of_empty = 0.45 if _is_new(mind, me, 1) else 0.30 if _is_new(mind, me, 0) else 0.10
    open_fireworks = 0
    for colour in range(COLOURS):
        open_fireworks += int(mind.fireworks[colour] < RANKS)
    hints = (MOST_DISCARDS - int(mind.discarded) + int(mind.tokens)) * 1.0
    hints = hints + int(mind.empty_hints) * worth_of_empty + max(0, open_fireworks - 1)
    known, plays, at_once = _knowledge(mind)
    done = score + 0.20 * plays
    remaining = points - 0.20 * plays
    free = (hints - _corrections(mind) + known) * _HINT_SHARE - remaining - 3
    expected = done
    if remaining > 0:
        share = (points - _softplus(-free, 2.5) + 3) / (points + 3)
        expected = done + remaining * min(1.0, _softplus(share, 0.1))
    if expected < score + at_once:
        expected = expected + 0.65 * (score + at_once - expected)
    return (min(expected, float(score + points)) - score) / points


@njit(cache=True, nogil=True)
def _corrections(mind: np.record) -> float:
    """Return the hints that it takes to stop plays that would fail."""
    hints = 0.0
    for player in range(2):
        for position in range(int(mind.hand_length[player])):
            card = card_at(mind, player, position)
            identity = int(mind.identity[card])
            if identity == UNKNOWN or not is_next(mind, card):
                continue
            fine = (int(mind.playable) | int(mind.dangerous)) >> identity & 1
            if not fine and possible(mind, COMMON, card) & int(mind.playable):
                hints += 0.30 / _HINT_SHARE
    return hints


@njit(cache=True, nogil=True)
def _knowledge(mind: np.record) -> tuple[float, float, int]:
    """Return what is known, in hints, the known plays, and how many players can play in turn.

    Of two cards that are surely the same one counts.
    """
    known, plays, counted, at_once = 0.0, 0.0, 0, 0
    playable = int(mind.playable)
    turns = int(mind.final_turns) if mind.final_turns >= 0 else 2
    for turn in range(turns):
        player = int(mind.current) if turn == 0 else 1 - int(mind.current)
        own = 0
        for position in range(int(mind.hand_length[player])):
            card = card_at(mind, player, position)
            if is_playable_soon(mind, card):
                useful = possible(mind, PRIVATE, card) & int(mind.useful)
                named = useful if is_single(useful) else 0
                if not named & (counted | own):
                    own |= named
                    known += 0.45 / _HINT_SHARE
                    plays += 1
            elif kind_of(mind, card) == PROTECT and int(mind.identity[card]) != UNKNOWN:
                known += _worth_of_kept(mind, player, position)
            identities = count_cards(possible(mind, COMMON, card))
            known += 0.02 / _HINT_SHARE if identities <= 1 else 0.01 / identities
        counted |= own
        at_once += int(own & playable != 0)
        playable = after_plays(playable, own & playable)
    return known, plays, at_once


@njit(cache=True, nogil=True)
def _worth_of_kept(mind: np.record, player: int, position: int) -> float:
    """Return what it is worth, in hints, that a visible card is known to be kept."""
    identity = int(mind.identity[card_at(mind, player, position)])
    if int(mind.dangerous) >> identity & 1:
        is_oldest = position == int(mind.hand_length[player]) - 1
        return 0.35 / _HINT_SHARE if is_oldest else 0.20 / _HINT_SHARE
    return 0.10 / _HINT_SHARE if int(mind.playable) >> identity & 1 else 0.0


@njit(cache=True, nogil=True)
def _danger_factor(mind: np.record) -> float:
    """Return a factor for dangerous cards that no player is known to hold: low ranks cost most."""
    unseen = mind.unseen[PRIVATE]
    single = int(mind.dangerous) & int(unseen[0]) & ~int(unseen[1])
    pairs = int(mind.playable) & int(mind.left[1]) & ~int(mind.left[2])
    pairs &= int(unseen[1]) & ~int(unseen[2])
    total = 0.0
    for rank in range(RANKS):
        above = RANKS - 1 - rank
        for colour in range(COLOURS):
            card = RANKS * colour + rank
            if single >> card & 1:
                total += above + 0.1 * above * above
            elif rank == 0 and pairs >> card & 1:
                total += (above + 0.1 * above * above) * 0.6
    return max(0.0, 1 - total / 200)


@njit(cache=True, nogil=True)
def _hand_factor(mind: np.record, player: int) -> float:
    """Return a factor for the room that the cards to be kept leave in a hand."""
    clogged = 0.0
    for position in range(int(mind.hand_length[player])):
        clogged += _clogging(mind, card_at(mind, player, position))
    free = 5 - clogged
    if free >= 4:
        return 1.0
    below = int(free)
    return _FREEDOM[below] + (_FREEDOM[below + 1] - _FREEDOM[below]) * (free - below)


@njit(cache=True, nogil=True)
def _clogging(mind: np.record, card: int) -> float:
    """Return how much a card that must be kept takes of its place."""
    identity, kind = int(mind.seen[PRIVATE, card]), kind_of(mind, card)
    if identity != UNKNOWN:
        if int(mind.playable) >> identity & 1 or is_playable_soon(mind, card):
            return 0.0
        keep = int(mind.dangerous) >> identity & 1 == 1 or kind in (PLAY_BELIEF, PROTECT)
        return _CLOGGING[max(0, min(6, _distance(mind, identity)))] if keep else 0.0
    cards = possible(mind, PRIVATE, card)
    if kind == PLAY_BELIEF or not cards & ~int(mind.playable) or not cards & int(mind.useful):
        return 0.0
    if kind != PROTECT and cards & ~int(mind.dangerous):
        return 0.0
    furthest = 0
    for identity in range(_MOST_POINTS):
        if cards >> identity & 1:
            furthest = max(furthest, _distance(mind, identity))
    return _CLOGGING[min(6, furthest)]


@njit(cache=True, nogil=True)
def _distance(mind: np.record, identity: int) -> int:
    """Return how many ranks are missing below a card, dangerous ones counted twice."""
    colour, rank = identity // RANKS, identity % RANKS
    height = int(mind.fireworks[colour])
    if rank <= height:
        return rank - height
    below = (1 << rank) - (1 << height)
    return rank - height + count_cards(int(mind.dangerous) >> RANKS * colour & below)


@njit(cache=True, nogil=True)
def _token_factor(mind: np.record) -> float:
    """Return a factor below 1 if there is no token: for what the partner may then do."""
    if mind.tokens > 0:
        return 1.0
    partner = 1 - int(mind.current)
    discard, _ = next_discard(mind, COMMON, partner)
    card = card_at(mind, partner, discard)
    loses = not possible(mind, PRIVATE, card) & ~int(mind.dangerous)
    loses = loses and kind_of(mind, card) != PROTECT and mind.discarded < MOST_DISCARDS
    factor = 1.0
    if loses and not expected_plays(mind, COMMON, partner, False):
        factor = 0.85
    plays = expected_plays(mind, COMMON, partner, True)
    last_life = mind.misplays >= 2
    for position in range(int(mind.hand_length[partner])):
        cards = possible(mind, PRIVATE, card_at(mind, partner, position))
        fails = plays >> position & 1 == 1 and not cards & int(mind.playable)
        if fails and (last_life or not cards & ~int(mind.dangerous)):
            return factor * (1 - 0.15 / count_cards(plays))
    return factor if factor < 1 else 0.98
