"""FireFlower, the "HeuristicPlayer" of lightvector/fireflower (commit 8cf396b), for two players.

Every sensible move is tried for each identity that the moved card can have; the partner answers as
expected; the position after that has a value, and the move of the highest mean value is made.
Beliefs about cards, by the conventions of :mod:`.meanings`, decide what is expected. Deterministic.

The original adds the values of a mean up in an order that depends on unseen cards, which changes
last bits only. Here ranks are added from high to low, and colours from last to first.
"""

from math import isnan, nan
from typing import Final

import numpy as np
from numba import njit

from hoad.agents.agent import Event, Hands, Memory, Parameters, Table, Weights
from hoad.agents.bots.fireflower.beliefs import (
    PROTECT,
    card_at,
    expected_plays,
    first_possible_play,
    kind_of,
    next_discard,
)
from hoad.agents.bots.fireflower.meanings import HINT_SOMETHING, carry_out
from hoad.agents.bots.fireflower.mind import (
    COMMON,
    MIND,
    MOST_DISCARDS,
    PRIVATE,
    UNKNOWN,
    is_over,
    is_single,
    next_card,
    possible,
    refresh,
    sort_cards,
    start,
)
from hoad.agents.bots.fireflower.value import value_of
from hoad.agents.situation import COLOURS, RANKS, SLOTS, cards_named, only_value
from hoad.game.moves import COLOUR_HINT, MOVES, PLAY
from hoad.game.state import signed

MEMORY: Final = MIND.itemsize

# How likely a partner that can do either discards, and hints.
_SHARE_OF_DISCARD: Final = 0.80
_SHARE_OF_HINT: Final = 0.20

_CANDIDATE: Final = np.dtype(
    (
        np.record,
        [
            ("action", "i8"),  # a move id, but with positions from the newest card (0)
            ("cards", "i8"),  # the identities tried; how many copies there are does not count
            ("good", "i8"),  # those of them that have good_weight
            ("good_weight", "f8"),
            ("weight", "f8"),  # that of the others
            ("dangerous_weight", "f8"),  # that of the others that are dangerous
        ],
    )
)


@njit(cache=True, nogil=True)
def choose(
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, weights: Weights
) -> int:
    """Make the move of the highest mean value two turns later; ties go to the first."""
    digest(table, hands, me, memory.view(MIND)[0])
    minds = np.empty(3, MIND)
    minds[0] = memory.view(MIND)[0]
    aim(minds[0])
    action, _ = best_action(minds)
    if action >= COLOUR_HINT:
        return action
    oldest = int(table.hand_length[me]) - 1
    return action // SLOTS * SLOTS + oldest - action % SLOTS


@njit(cache=True, nogil=True)
def observe(
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, event: Event
) -> int:
    """Take in the actions before this one, after which all cards that were drawn are seen."""
    digest(table, hands, me, memory.view(MIND)[0])
    return 0


@njit(cache=True, nogil=True)
def digest(table: Table, hands: Hands, me: int, mind: np.record) -> None:
    """Take in the deal and the actions that are not taken in yet: the last one, if any."""
    if not mind.digested:
        start(mind, table, hands, me)
    for turn in range(int(mind.digested) - 1, int(table.turn)):
        mind.digested = turn + 2
        actor, action = int(mind.current), signed(table.actions[turn])
        slots, subject = int(table.touched[turn]), signed(table.revealed[turn])
        if action >= COLOUR_HINT:
            subject = _touched_positions(table, 1 - actor, slots)
        else:
            if actor != me and mind.deck_left:
                mind.identity[next_card(mind)] = hands[actor, only_value(slots)]
            oldest = int(mind.hand_length[actor]) - 1
            action = action // SLOTS * SLOTS + oldest - action % SLOTS
        carry_out(mind, action, subject)


@njit(cache=True, nogil=True)
def _touched_positions(table: Table, player: int, slots: int) -> int:
    """Return a set of slots of a hand as positions, 0 newest."""
    positions, newest = 0, int(table.hand_length[player]) - 1
    for position in range(newest + 1):
        slot = int(table.order[player, newest - position])
        positions |= (slots >> slot & 1) << position
    return positions


@njit(cache=True, nogil=True)
def aim(mind: np.record) -> None:
    """Aim at 25 points, unless these are out of reach."""
    mind.early = 1
    sort_cards(mind)
    if is_over(mind):
        mind.early = 0
        sort_cards(mind)


@njit(cache=True, nogil=True)
def best_action(minds: np.ndarray) -> tuple[int, float]:
    """Return the best action (a move id, but with positions from the newest card) and its value.

    ``minds`` are the position in which the action is chosen, and two to write on.
    """
    candidates = np.empty(MOVES, _CANDIDATE)
    count = _list_plays(minds[0], candidates)
    if minds[0].tokens < 8:
        count = _list_discards(minds[0], candidates, count)
    if minds[0].tokens > 0:
        count = _list_hints(minds[0], candidates, count)
    action, best = PLAY, -10_000.0
    for index in range(count):
        value = _mean(minds, candidates[index])
        if value > best:
            action, best = int(candidates[index].action), value
    return action, best


@njit(cache=True, nogil=True)
def _propose(
    candidate: np.record,
    action: int,
    cards: int,
    good: int,
    good_weight: float,
    weight: float,
    dangerous_weight: float,
) -> None:
    """Write a candidate."""
    candidate.action = action
    candidate.cards = cards
    candidate.good = good
    candidate.good_weight = good_weight
    candidate.weight = weight
    candidate.dangerous_weight = dangerous_weight


@njit(cache=True, nogil=True)
def _list_plays(mind: np.record, candidates: np.ndarray) -> int:
    """Write the expected plays, else a desperate one, and return how many they are."""
    me, playable, count = int(mind.me), int(mind.playable), 0
    expected = expected_plays(mind, PRIVATE, me, True)
    for position in range(SLOTS):
        if expected >> position & 1:
            cards = possible(mind, PRIVATE, card_at(mind, me, position)) & playable
            _propose(candidates[count], PLAY + position, cards, cards, 1.0, 1.0, 1.0)
            count += 1
    desperate = first_possible_play(mind, PRIVATE, me)
    if not expected and desperate >= 0:
        card = card_at(mind, me, desperate)
        loss = 200.0 if kind_of(mind, card) == PROTECT else 150.0
        cards = possible(mind, PRIVATE, card)
        _propose(candidates[count], PLAY + desperate, cards, playable, 1.0, 100.0, loss)
        count += 1
    return count


@njit(cache=True, nogil=True)
def _list_discards(mind: np.record, candidates: np.ndarray, count: int) -> int:
    """Add the likeliest discard and those of expected plays; return the new ``count``."""
    me, playable, junk = int(mind.me), int(mind.playable), ~int(mind.useful)
    likeliest, grade = next_discard(mind, PRIVATE, me)
    cards = possible(mind, PRIVATE, card_at(mind, me, likeliest))
    other, loss = 1.0, 2.0
    if grade >= 5:
        other, loss = 0.1, 0.01
    elif grade == 4:
        other, loss = 0.7, 0.5 if expected_plays(mind, COMMON, me, True) else 0.02
    _propose(candidates[count], likeliest, cards, junk, 1.0, other, loss)
    count += 1
    expected = expected_plays(mind, PRIVATE, me, True) & ~(1 << likeliest)
    for position in range(SLOTS):
        if expected >> position & 1:
            cards = possible(mind, PRIVATE, card_at(mind, me, position)) & playable
            _propose(candidates[count], position, cards, cards, 1.0, 1.0, 1.0)
            count += 1
    return count


@njit(cache=True, nogil=True)
def _list_hints(mind: np.record, candidates: np.ndarray, count: int) -> int:
    """Add the hints, colours before ranks, and return the new ``count``."""
    for action in range(COLOUR_HINT, MOVES):
        if _touched_by(mind, action):
            _propose(candidates[count], action, 1, 1, 1.0, 1.0, 1.0)  # no identity to try
            count += 1
    return count


@njit(cache=True, nogil=True)
def _touched_by(mind: np.record, action: int) -> int:
    """Return the set of positions of the partner's cards that a hint touches."""
    named, touched, partner = cards_named(action - COLOUR_HINT), 0, 1 - int(mind.me)
    for position in range(int(mind.hand_length[partner])):
        identity = int(mind.identity[card_at(mind, partner, position)])
        touched |= int(identity != UNKNOWN and named >> identity & 1) << position
    return touched


@njit(cache=True, nogil=True)
def _mean(minds: np.ndarray, candidate: np.record) -> float:
    """Return the weighted mean of the values of a candidate, or NaN if nothing is possible."""
    total = weights = 0.0
    action, dangerous = int(candidate.action), int(minds[0].dangerous)
    touched = _touched_by(minds[0], action) if action >= COLOUR_HINT else 0
    for number in range(COLOURS * RANKS - 1, -1, -1):
        identity = number % COLOURS * RANKS + number // COLOURS
        if not candidate.cards >> identity & 1:
            continue
        minds[1] = minds[0]
        if not carry_out(minds[1], action, touched or identity):
            continue
        value = _value_of_answers(minds)
        if not isnan(value):
            weight = candidate.weight
            if candidate.good >> identity & 1:
                weight = candidate.good_weight
            elif dangerous >> identity & 1:
                weight = candidate.dangerous_weight
            total += value * weight
            weights += weight
    return total / weights if weights else nan


@njit(cache=True, nogil=True)
def _value_of_answers(minds: np.ndarray) -> float:
    """Return the weighted mean value of what the partner may do next, or NaN if it can do nothing.

    The partner sees no hand: it is unknown which cards it sees in mine.
    """
    minds[2] = minds[1]
    refresh(minds[2], COMMON)
    answers = _predict(minds[2])
    total, weights, partner = 0.0, 0.0, int(minds[1].current)
    both = answers >> HINT_SOMETHING == 1 and answers != 1 << HINT_SOMETHING
    for action in range(HINT_SOMETHING + 1):
        if not answers >> action & 1:
            continue
        minds[2] = minds[1]
        card = card_at(minds[1], partner, action % SLOTS)
        if carry_out(minds[2], action, signed(minds[1].identity[card])):
            weight = 1.0
            if both:
                weight = _SHARE_OF_HINT if action == HINT_SOMETHING else _SHARE_OF_DISCARD
            total += value_of(minds[2]) * weight
            weights += weight
    return total / weights if weights else nan


@njit(cache=True, nogil=True)
def _predict(mind: np.record) -> int:
    """Return the set of actions of which one is expected of the player to move, who sees ``mind``.

    It is one or more plays, or a discard, or a hint, or either a discard or a hint.
    """
    player, hint = int(mind.current), 1 << HINT_SOMETHING
    plays = expected_plays(mind, COMMON, player, True)
    if plays:
        waits = is_single(plays) and mind.discarded == MOST_DISCARDS and mind.tokens > 0
        useful_left = int(mind.unseen[COMMON, 0]) & int(mind.useful)
        return hint if waits and mind.deck_left and not useful_left else plays << PLAY
    if mind.tokens >= 8:
        return hint
    position, grade = next_discard(mind, COMMON, player)
    if mind.discarded < MOST_DISCARDS and grade > 3:
        return 1 << position | (hint if mind.tokens > 0 else 0)
    if mind.tokens > 0:
        return hint
    return 1 << PLAY + max(0, first_possible_play(mind, COMMON, player))
