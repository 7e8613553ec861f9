"""FireFlower, the "HeuristicPlayer" of lightvector/fireflower (2018), for two players.

Every sensible move is tried for each identity that the moved card can have; the partner answers as
expected; the position after that has a value, and the move of the highest mean value is made.
Beliefs about cards, by the conventions of :mod:`.meanings`, decide what is expected. Deterministic.

The original adds the values of a mean up in an order that depends on cards nobody has seen, which
changes last bits only. Here ranks are added from high to low, and colours from last to first.
"""

from math import isnan, nan
from typing import Final

import numpy as np
from numba import njit

from hoad.agents.agent import Hands, Memory, Parameters, Table, Weights
from hoad.agents.bots.fireflower.beliefs import (
    PROTECT,
    card_at,
    expected_plays,
    first_possible_play,
    kind_of,
    next_discard,
)
from hoad.agents.bots.fireflower.meanings import discard, hint, hint_something, play
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
from hoad.agents.situation import (
    COLOURS,
    HINTS,
    RANKS,
    SLOTS,
    cards_named,
    only_value,
)
from hoad.game.moves import COLOUR_HINT, PLAY

MEMORY: Final = MIND.itemsize

# Actions in a simulation: discards by position (0 newest), plays from PLAY on, then:
_HINT_SOMETHING: Final = 2 * SLOTS

# How likely a partner that can do either discards, and hints.
_SHARE_OF_DISCARD: Final = 0.80
_SHARE_OF_HINT: Final = 0.20


@njit(cache=True, nogil=True)
def choose(
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, weights: Weights
) -> int:
    """Make the move whose mean value, two turns later, is the highest; ties go to the first."""
    digest(table, hands, me, memory.view(MIND)[0])
    minds = np.empty(3, MIND)  # the position, after my action, and after the partner's answer
    minds[0] = memory.view(MIND)[0]
    minds[0].early = 1
    sort_cards(minds[0])
    if is_over(minds[0]):  # 25 points are out of reach
        minds[0].early = 0
        sort_cards(minds[0])
    action, _ = best_action(minds)
    if action >= COLOUR_HINT:
        return action
    oldest = int(table.hand_length[me]) - 1
    return action // SLOTS * SLOTS + oldest - action % SLOTS


@njit(cache=True, nogil=True)
def best_action(minds: np.ndarray) -> tuple[int, float]:
    """Return the action (hints as move ids, others by position, 0 newest) and its mean value.

    Args:
        minds: the position in which the action is chosen, and two to write on.
    """
    action, best = _best_play(minds)
    if minds[0].tokens < 8:
        action, best = _best_discard(minds, action, best)
    if minds[0].tokens > 0:
        action, best = _best_hint(minds, action, best)
    return action, best


@njit(cache=True, nogil=True)
def observe(
    parameters: Parameters,
    table: Table,
    hands: Hands,
    me: int,
    memory: Memory,
    action: int,
    touched: int,
    card: int,
) -> int:
    """Take in the actions before this one, after which all cards that it drew are seen."""
    digest(table, hands, me, memory.view(MIND)[0])
    return 0


@njit(cache=True, nogil=True)
def digest(table: Table, hands: Hands, me: int, mind: np.record) -> None:
    """Take in the deal and the actions that are not taken in yet: the last one, if any."""
    if not mind.digested:
        start(mind, table, hands, me)
    for turn in range(int(mind.digested) - 1, int(table.turn)):
        mind.digested = turn + 2
        action = int(table.actions[turn])
        if action >= COLOUR_HINT:
            touched = _touched_positions(table, int(mind.current) ^ 1, int(table.touched[turn]))
            hint(mind, cards_named(action - COLOUR_HINT), touched)
            continue
        actor, slot = int(mind.current), only_value(int(table.touched[turn]))
        if actor != me and mind.deck_left:
            mind.identity[next_card(mind)] = hands[actor, slot]
        position = int(mind.hand_length[actor]) - 1 - action % SLOTS
        if action >= PLAY:
            play(mind, position, int(table.revealed[turn]))
        else:
            discard(mind, position, int(table.revealed[turn]))


@njit(cache=True, nogil=True)
def _touched_positions(table: Table, player: int, slots: int) -> int:
    """Return a set of slots of a hand as positions, 0 newest."""
    positions, newest = 0, int(table.hand_length[player]) - 1
    for position in range(newest + 1):
        slot = int(table.order[player, newest - position])
        positions |= (slots >> slot & 1) << position
    return positions


@njit(cache=True, nogil=True)
def _best_play(minds: np.ndarray) -> tuple[int, float]:
    """Return the best of the expected plays, else a desperate one, and its mean value."""
    mind = minds[0]
    me, playable = int(mind.me), int(mind.playable)
    action, best = PLAY, -10_000.0
    expected = expected_plays(mind, PRIVATE, me, True)
    for position in range(SLOTS):
        if expected >> position & 1:
            cards = possible(mind, PRIVATE, card_at(mind, me, position)) & playable
            value = _mean(minds, PLAY + position, cards, playable, 1.0, 1.0, 1.0)
            if value > best:
                action, best = PLAY + position, value
    desperate = first_possible_play(mind, PRIVATE, me)
    if not expected and desperate >= 0:
        card = card_at(mind, me, desperate)
        loss = 200.0 if kind_of(mind, card) == PROTECT else 150.0
        cards = possible(mind, PRIVATE, card)
        value = _mean(minds, PLAY + desperate, cards, playable, 1.0, 100.0, loss)
        if value > best:
            action, best = PLAY + desperate, value
    return action, best


@njit(cache=True, nogil=True)
def _best_discard(minds: np.ndarray, action: int, best: float) -> tuple[int, float]:
    """Return the likeliest discard or that of an expected play, if better than ``action``."""
    mind = minds[0]
    me, playable, junk = int(mind.me), int(mind.playable), ~int(mind.useful)
    likeliest, grade = next_discard(mind, PRIVATE, me)
    cards = possible(mind, PRIVATE, card_at(mind, me, likeliest))
    if grade >= 5:
        value = _mean(minds, likeliest, cards, junk, 1.0, 0.1, 0.01)
    elif grade == 4:
        loss = 0.5 if expected_plays(mind, COMMON, me, True) else 0.02
        value = _mean(minds, likeliest, cards, junk, 1.0, 0.7, loss)
    else:
        value = _mean(minds, likeliest, cards, junk, 1.0, 1.0, 2.0)
    if value > best:
        action, best = likeliest, value
    expected = expected_plays(mind, PRIVATE, me, True)
    for position in range(SLOTS):
        if expected >> position & 1 and position != likeliest:
            cards = possible(mind, PRIVATE, card_at(mind, me, position)) & playable
            value = _mean(minds, position, cards, playable, 1.0, 1.0, 1.0)
            if value > best:
                action, best = position, value
    return action, best


@njit(cache=True, nogil=True)
def _best_hint(minds: np.ndarray, action: int, best: float) -> tuple[int, float]:
    """Return the best hint, colours before ranks, if better than ``action``, and its value."""
    mind = minds[0]
    partner = 1 - int(mind.me)
    for number in range(HINTS):
        named, touched = cards_named(number), 0
        for position in range(int(mind.hand_length[partner])):
            identity = int(mind.identity[card_at(mind, partner, position)])
            touched |= int(identity != UNKNOWN and named >> identity & 1) << position
        if touched:
            minds[1] = minds[0]
            if hint(minds[1], named, touched):
                value = _value_of_answers(minds)
                if value > best:
                    action, best = COLOUR_HINT + number, value
    return action, best


@njit(cache=True, nogil=True)
def _mean(
    minds: np.ndarray,
    action: int,
    cards: int,
    good: int,
    good_weight: float,
    weight: float,
    dangerous_weight: float,
) -> float:
    """Return the weighted mean of the values of a play or discard, or NaN if nothing is possible.

    Args:
        minds: the position, and two to write on.
        action: a discard or a play, by position (0 newest).
        cards: the identities that the card may have; how many copies there are does not count.
        good: those that have ``good_weight``.
        good_weight: their weight.
        weight: the weight of the others.
        dangerous_weight: the weight of those of the others that are dangerous.
    """
    total = weights = 0.0
    dangerous = int(minds[0].dangerous)
    for number in range(COLOURS * RANKS - 1, -1, -1):
        identity = number % COLOURS * RANKS + number // COLOURS
        if not cards >> identity & 1:
            continue
        minds[1] = minds[0]
        if _carry_out(minds[1], action, identity):
            value = _value_of_answers(minds)
            if not isnan(value):
                other_weight = dangerous_weight if dangerous >> identity & 1 else weight
                this_weight = good_weight if good >> identity & 1 else other_weight
                total += value * this_weight
                weights += this_weight
    return total / weights if weights else nan


@njit(cache=True, nogil=True)
def _carry_out(mind: np.record, action: int, identity: int) -> bool:
    """Carry out an action of a simulation; return whether the position is consistent."""
    if action == _HINT_SOMETHING:
        return hint_something(mind)
    if action >= PLAY:
        return play(mind, action - PLAY, identity)
    return discard(mind, action, identity)


@njit(cache=True, nogil=True)
def _value_of_answers(minds: np.ndarray) -> float:
    """Return the weighted mean value of what the partner may do next, or NaN if it can do nothing.

    The partner sees no hand: it is unknown which cards it sees in mine.
    """
    minds[2] = minds[1]
    refresh(minds[2], COMMON)
    answers = _predict(minds[2])
    may_hint = answers >> _HINT_SOMETHING & 1
    total = weights = 0.0
    for action in range(_HINT_SOMETHING + 1):
        if answers >> action & 1:
            value = _value_of_answer(minds, action)
            weight = 1.0
            if may_hint and answers != 1 << _HINT_SOMETHING:
                weight = _SHARE_OF_DISCARD if action < PLAY else _SHARE_OF_HINT
            if not isnan(value):
                total += value * weight
                weights += weight
    return total / weights if weights else nan


@njit(cache=True, nogil=True)
def _value_of_answer(minds: np.ndarray, action: int) -> float:
    """Return the value of the position after an answer, or NaN if it is contradictory."""
    minds[2] = minds[1]
    partner, identity = int(minds[1].current), UNKNOWN
    if action != _HINT_SOMETHING:
        identity = int(minds[1].identity[card_at(minds[1], partner, action % SLOTS)])
    return value_of(minds[2]) if _carry_out(minds[2], action, identity) else nan


@njit(cache=True, nogil=True)
def _predict(mind: np.record) -> int:
    """Return the set of actions of which one is expected of the player to move, who sees ``mind``.

    It is one or more plays, or a discard, or a hint, or either a discard or a hint.
    """
    player, hint_bit = int(mind.current), 1 << _HINT_SOMETHING
    plays = expected_plays(mind, COMMON, player, True)
    if plays:
        waits = is_single(plays) and mind.discarded == MOST_DISCARDS and mind.tokens > 0
        useful_left = int(mind.unseen[COMMON, 0]) & int(mind.useful)
        return hint_bit if waits and mind.deck_left and not useful_left else plays << PLAY
    if mind.tokens >= 8:
        return hint_bit
    position, grade = next_discard(mind, COMMON, player)
    if mind.discarded < MOST_DISCARDS and grade > 3:
        return 1 << position | (hint_bit if mind.tokens > 0 else 0)
    if mind.tokens > 0:
        return hint_bit
    return 1 << PLAY + max(0, first_possible_play(mind, COMMON, player))
