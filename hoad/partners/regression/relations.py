"""Relations of a move: what a person would say about it by comparison.

The traits of :mod:`.move_traits` describe a card or a hint alone. These compare it with the other
cards of the hand, with the other hints, and with what was called before: the card most likely to be
playable, the neighbour of a card just touched, a card called three turns ago and still held, a hint
that only touches touched cards again. They follow from the cards in sight and the moves so far.

A card is *called* by each hint that touches it. It is *due* while it is held after its last call.
Other words are those of :mod:`.move_traits`: a trait has a fixed number of values, and a legal move
has one value of each trait of its kind, or ``NONE`` where the trait does not apply.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.agent import see
from hoad.agents.rules.tell import cards_open_after, slots_holding, touched_slots
from hoad.agents.situation import (
    CERTAIN,
    COLOURS,
    SLOTS,
    Situation,
    chance,
    count_cards,
    known_colour,
    known_rank,
    necessary_cards,
    newest_of,
    oldest_of,
    plausible_cards,
    situation_of,
    untouched_slots,
    useless_cards,
)
from hoad.game.moves import COLOUR_HINT, MOVES, PLAY, RANK_HINT
from hoad.game.rules import legal_moves
from hoad.game.state import signed
from hoad.partners.regression.move_traits import KINDS, NONE, kind_of, set_values, sizes_of

_LEVEL_ENDS: Final = np.array([0, 100, 250, 400, 550, 750, CERTAIN - 1, CERTAIN])
"""Upper ends of the levels of a probability, in thousandths."""

_LEVELS: Final = len(_LEVEL_ENDS)

_AGES: Final = 6
"""When a card was last called: never, just now, 3, 5, 7 or 9, or more turns ago."""

_FEW: Final = 4
"""Numbers that count as 0, 1, 2, and 3 or more."""

_PHASES: Final = 3
"""Of the hint tokens: none, 1 to 3, more."""

_LAST_MOVES: Final = 5
"""None yet, discard, play, hint of a colour, hint of a rank."""

_SITUATION: Final = {
    "kind, best chance to play, just hinted": KINDS * _LEVELS * 2,
    "kind, best chance to play, lives": KINDS * _LEVELS * 4,
    "kind, best chance to discard": KINDS * _LEVELS,
    "kind, the player's last move": KINDS * _LAST_MOVES,
    "kind, the other's move before its last": KINDS * _LAST_MOVES,
    "kind, cards due of the player": KINDS * _FEW,
    "kind, cards due of the other, playable ones": KINDS * _FEW * 2,
    "kind, playable cards of the other never called, tokens": KINDS * _FEW * _PHASES,
    "kind, necessary card of the other is its oldest untouched, tokens": KINDS * 2 * _PHASES,
}
"""The traits of all moves: names, and numbers of values.

Chances to play and to discard are the largest among the player's cards to be playable or useless.
"""

_CARD: Final = {
    "last call, cards in it": _AGES * _FEW,
    "calls, last one by rank": _FEW * 2,
    "place in its last call, just now": 4 * 2,
    "latest call of the hand, the card is in it": _AGES * 2,
    "neighbour of the cards just touched": 5,
    "chance to be playable, better cards, ties": _LEVELS * 3 * 2,
    "chance to be useless, better cards, ties": _LEVELS * 3 * 2,
    "chance to be playable, just touched by": _LEVELS * 3,
    "chance to be playable, lives": _LEVELS * 4,
    "chance to be playable, tokens": _LEVELS * _PHASES,
    "chance to be playable by hints alone, last call": _LEVELS * _AGES,
    "known rank, colours that need it": 6 * _FEW,
    "known rank, last call": 6 * _AGES,
    "known colour, its height": 7 * 6,
    "older untouched cards, tokens": (SLOTS + 1) * _PHASES,
    "older cards never called by rank": SLOTS + 1,
}
"""Those of plays and discards; each is counted apart for both kinds."""

_HINT: Final = {
    "by rank, cards newly touched, touched again": 2 * _FEW * _FEW,
    "by rank, playable cards never called, other cards never called": 2 * _FEW * _FEW,
    "by rank, all cards are due, some playable": 2 * 2 * 2,
    "repeats the player's last hint": 3,
    "by rank, best look of a card, it is playable": 2 * _LEVELS * 2,
    "by rank, look of the newest card, it is playable": 2 * _LEVELS * 2,
    "by rank, oldest playable card, fewer cards than the other kind": 2 * 4,
    "by rank, newest playable card, fewer cards than the other kind": 2 * 4,
    "rank, colours that need it": SLOTS * _FEW,
    "by rank, playable cards never called compared with other hints": 2 * 3 * 2,
    "by rank, number of cards compared with other hints": 2 * 3,
    "by rank, misleading cards compared with other hints": 2 * 3,
    "by rank, necessary cards newly touched, tokens": 2 * _FEW * _PHASES,
    "playable cards never called, tokens": _FEW * 9,
    "by rank, the lowest playable rank": 2 * 2,
}
"""Those of hints.

A card looks playable to the other by the share of the cards that are playable among those that
hints and table leave open after the hint. Misleading cards are touched for the first time and not
playable.
"""

SIZES: Final = sizes_of(_SITUATION, _CARD, _HINT)
"""All relations in order, and how many values each has."""

RELATIONS: Final = sum(SIZES.values())
"""The number of columns: one for each value of each relation."""

RELATION_OF: Final = np.repeat(np.arange(len(SIZES)), list(SIZES.values()))
"""The relation of each column, by number."""

_STARTS: Final = np.cumsum((0, *SIZES.values()))
_FIRST_OF_CARDS: Final = len(_SITUATION)
_FIRST_OF_HINTS: Final = _FIRST_OF_CARDS + 2 * len(_CARD)
_CARD_RELATIONS: Final = len(_CARD)

_AGE, _VALUE, _COUNT, _TIMES, _BY_RANK = range(5)
"""Columns of what is known of the calls of a card: turns since the last one (0 for none), its
value, how many cards it touched, how many calls there were, and whether one of them was a rank."""

_TOUCHED, _FRESH, _WRONG = range(3)
"""Columns of what each hint touches: all cards, playable ones and others never called before."""


def move_relations(states: np.ndarray) -> np.ndarray:
    """Return which values the relations of each legal move have.

    Bool, shape ``(legal moves, RELATIONS)``: all legal moves, by decision, then by id.
    The states, dtype ``STATE``, are of two players, one for each decision.
    """
    described = np.zeros((len(states) * MOVES, RELATIONS), np.bool_)
    filled = _describe_all(states, described)
    return described[:filled]


@njit(cache=True, nogil=True)
def _describe_all(states: np.ndarray, described: np.ndarray) -> int:
    """Fill the first rows of ``described``; return how many."""
    hands, row = np.zeros((5, 5), np.uint8), 0
    calls = np.zeros((2, SLOTS, 5), np.int64)
    chances = np.zeros((2, SLOTS), np.int64)
    hints = np.zeros((2 * COLOURS, 3), np.int64)
    for state in states:
        me = int(state.table.current)
        see(state, me, hands)
        legal = legal_moves(state.table, hands)
        situation = situation_of(state.table, hands, me)
        _read_calls(state.table, calls)
        _weigh_cards(situation, chances)
        _compare_hints(situation, hints)
        for move in range(MOVES):
            if legal >> move & 1:
                kind = kind_of(move)
                related = _situation_relations(situation, kind, calls, chances)
                set_values(described[row], _STARTS, 0, related)
                if move < COLOUR_HINT:
                    first = _FIRST_OF_CARDS + kind * _CARD_RELATIONS
                    of_card = _card_relations(situation, move % PLAY, calls[me], chances)
                    set_values(described[row], _STARTS, first, of_card)
                else:
                    told = _hint_relations(situation, move, calls[1 - me], hints)
                    set_values(described[row], _STARTS, _FIRST_OF_HINTS, told)
                row += 1
    return row


@njit(cache=True, nogil=True)
def _read_calls(table: np.record, calls: np.ndarray) -> None:
    """Fill what is known of the calls of each player's cards, shape ``(2, SLOTS, 5)``."""
    calls[:] = 0
    turns = signed(table.turn)
    for turn in range(turns):
        action, touched = signed(table.actions[turn]), signed(table.touched[turn])
        mover = turn % 2
        for slot in range(SLOTS):
            if not touched >> slot & 1:
                continue
            if action < COLOUR_HINT:
                calls[mover, slot] = 0
                continue
            call = calls[1 - mover, slot]
            call[_AGE] = turns - turn
            call[_VALUE] = action - COLOUR_HINT
            call[_COUNT] = count_cards(touched)
            call[_TIMES] += 1
            call[_BY_RANK] |= int(action >= RANK_HINT)


@njit(cache=True, nogil=True)
def _weigh_cards(situation: Situation, chances: np.ndarray) -> None:
    """Fill the chances of the player's cards to be playable and useless, in thousandths.

    Empty slots have -1.
    """
    table, me = situation.table, situation.me
    chances[:] = -1
    useless = useless_cards(table)
    for position in range(signed(table.hand_length[me])):
        slot = signed(table.order[me, position])
        good, total = chance(situation, slot, situation.playable)
        chances[0, slot] = good * CERTAIN // max(1, total)
        good, total = chance(situation, slot, useless)
        chances[1, slot] = good * CERTAIN // max(1, total)


@njit(cache=True, nogil=True)
def _compare_hints(situation: Situation, hints: np.ndarray) -> None:
    """Fill what each hint touches, shape ``(10, 3)``."""
    untouched = untouched_slots(situation.table, situation.partner)
    playable = slots_holding(situation, situation.playable)
    for hint in range(2 * COLOURS):
        touched = touched_slots(situation, COLOUR_HINT + hint)
        hints[hint, _TOUCHED] = count_cards(touched)
        hints[hint, _FRESH] = count_cards(touched & untouched & playable)
        hints[hint, _WRONG] = count_cards(touched & untouched & ~playable)


@njit(cache=True, nogil=True)
def _situation_relations(
    situation: Situation, kind: int, calls: np.ndarray, chances: np.ndarray
) -> tuple[int, ...]:
    """Return the relations of ``_SITUATION``."""
    table, me, partner = situation.table, situation.me, situation.partner
    playable = slots_holding(situation, situation.playable)
    untouched = untouched_slots(table, partner)
    due, other_due, playable_due, just_hinted = 0, 0, 0, 0
    for slot in range(SLOTS):
        due += int(calls[me, slot, _AGE] > 0)
        just_hinted |= int(calls[me, slot, _AGE] == 1)
        other_due += int(calls[partner, slot, _AGE] > 0)
        playable_due |= int(calls[partner, slot, _AGE] > 0) & playable >> slot & 1
    best = _level(chances[0].max())
    phase, fresh = _phase(table), count_cards(playable & untouched)
    oldest_untouched = oldest_of(table, partner, untouched)
    necessary = slots_holding(situation, necessary_cards(table))
    in_danger = int(oldest_untouched >= 0 and necessary >> max(0, oldest_untouched) & 1 == 1)
    return (
        (kind * _LEVELS + best) * 2 + just_hinted,
        (kind * _LEVELS + best) * 4 + signed(table.lives),
        kind * _LEVELS + _level(chances[1].max()),
        kind * _LAST_MOVES + _move_before(table, 2),
        kind * _LAST_MOVES + _move_before(table, 3),
        kind * _FEW + min(due, _FEW - 1),
        (kind * _FEW + min(other_due, _FEW - 1)) * 2 + playable_due,
        (kind * _FEW + min(fresh, _FEW - 1)) * _PHASES + phase,
        (kind * 2 + in_danger) * _PHASES + phase,
    )


@njit(cache=True, nogil=True)
def _card_relations(
    situation: Situation, position: int, calls: np.ndarray, chances: np.ndarray
) -> tuple[int, ...]:
    """Return the relations of ``_CARD`` of a play or a discard; ``calls`` are the player's."""
    table, me = situation.table, situation.me
    slot = signed(table.order[me, position])
    age, just_now = _age(calls[slot, _AGE]), int(calls[slot, _AGE] == 1)
    latest, place = 0, _place_in_call(table, me, position, calls)
    for other in range(SLOTS):
        called = calls[other, _AGE]
        if called and (not latest or called < latest):
            latest = called
    playable, useless = _level(chances[0, slot]), _level(chances[1, slot])
    by = 1 + int(calls[slot, _VALUE] >= COLOURS) if just_now else 0
    plausible = plausible_cards(table, me, slot)
    by_hints = count_cards(plausible & situation.playable) * CERTAIN // count_cards(plausible)
    rank, colour = known_rank(situation, me, slot) + 1, known_colour(situation, me, slot) + 1
    height = signed(table.fireworks[max(0, colour - 1)])
    untouched, phase = untouched_slots(table, me), _phase(table)
    older, older_no_rank = 0, 0
    for place_before in range(position):
        before = signed(table.order[me, place_before])
        older += untouched >> before & 1
        older_no_rank += int(calls[before, _BY_RANK] == 0)
    is_new = untouched >> slot & 1
    return (
        age * _FEW + min(calls[slot, _COUNT], _FEW - 1),
        min(calls[slot, _TIMES], _FEW - 1) * 2 + int(calls[slot, _VALUE] >= COLOURS),
        place * 2 + just_now if age else NONE,
        _age(latest) * 2 + int(latest > 0 and calls[slot, _AGE] == latest),
        _neighbour(table, me, position, calls) if latest == 1 else NONE,
        _in_order(chances[0], slot) + 6 * playable,
        _in_order(chances[1], slot) + 6 * useless,
        playable * 3 + by,
        playable * 4 + signed(table.lives),
        playable * _PHASES + phase,
        _level(by_hints) * _AGES + age,
        rank * _FEW + (_colours_that_need(table, rank - 1) if rank else 0),
        rank * _AGES + age,
        colour * 6 + (height if colour else 0),
        (older if is_new else SLOTS) * _PHASES + phase,
        older_no_rank if not calls[slot, _BY_RANK] else SLOTS,
    )


@njit(cache=True, nogil=True)
def _hint_relations(
    situation: Situation, move: int, calls: np.ndarray, hints: np.ndarray
) -> tuple[int, ...]:
    """Return the relations of ``_HINT`` of a hint; ``calls`` are the other's."""
    table, partner = situation.table, situation.partner
    hint = move - COLOUR_HINT
    is_rank = int(hint >= COLOURS)
    touched, untouched = touched_slots(situation, move), untouched_slots(table, partner)
    playable = slots_holding(situation, situation.playable)
    necessary = slots_holding(situation, necessary_cards(table))
    again, saved = touched & ~untouched, count_cards(touched & untouched & necessary)
    fresh, wrong = hints[hint, _FRESH], hints[hint, _WRONG]
    best, best_playable, newest, newest_playable = 0, 0, 0, 0
    for position in range(signed(table.hand_length[partner])):
        slot = signed(table.order[partner, position])
        if touched >> slot & 1:
            newest, newest_playable = _look(situation, slot, move), playable >> slot & 1
            if newest >= best:
                best, best_playable = newest, newest_playable
    rank_needed = _colours_that_need(table, hint - COLOURS) if is_rank else 0
    phase = _phase(table)
    few_fresh, tokens = min(fresh, _FEW - 1), signed(table.tokens)
    few_new, few_again = min(fresh + wrong, _FEW - 1), min(count_cards(again), _FEW - 1)
    all_due = int(touched & untouched == 0)
    some_playable = int(touched & playable != 0)
    return (
        (is_rank * _FEW + few_new) * _FEW + few_again,
        (is_rank * _FEW + few_fresh) * _FEW + min(wrong, _FEW - 1),
        (is_rank * 2 + all_due) * 2 + some_playable,
        _repeats(table, move),
        (is_rank * _LEVELS + best) * 2 + best_playable,
        (is_rank * _LEVELS + newest) * 2 + newest_playable,
        is_rank * 4 + _against_other_kind(situation, hint, oldest_of(table, partner, playable)),
        is_rank * 4 + _against_other_kind(situation, hint, newest_of(table, partner, playable)),
        (hint - COLOURS) * _FEW + rank_needed if is_rank else NONE,
        (is_rank * 3 + _compared(hints, _FRESH, hint, 1)) * 2 + int(fresh > 0),
        is_rank * 3 + _compared(hints, _TOUCHED, hint, 1),
        is_rank * 3 + _compared(hints, _WRONG, hint, -1),
        (is_rank * _FEW + min(saved, _FEW - 1)) * _PHASES + phase,
        few_fresh * 9 + tokens,
        is_rank * 2 + int(touched & _lowest_playable(situation, playable) != 0),
    )


@njit(cache=True, nogil=True)
def _level(chance_of: int) -> int:
    """Return the level of a chance in thousandths."""
    level = 0
    while chance_of > _LEVEL_ENDS[level]:
        level += 1
    return level


@njit(cache=True, nogil=True)
def _phase(table: np.record) -> int:
    tokens = signed(table.tokens)
    return 0 if tokens == 0 else 1 if tokens <= 3 else 2


@njit(cache=True, nogil=True)
def _age(turns: int) -> int:
    """Return when a card was last called, by number (``_AGES``)."""
    if turns == 0:
        return 0
    return min(4, (turns + 1) // 2) if turns <= 9 else 5


@njit(cache=True, nogil=True)
def _move_before(table: np.record, turns: int) -> int:
    """Return the kind of the move some turns ago (``_LAST_MOVES``)."""
    turn = signed(table.turn) - turns
    return 1 + kind_of(signed(table.actions[turn])) if turn >= 0 else 0


@njit(cache=True, nogil=True)
def _place_in_call(table: np.record, me: int, position: int, calls: np.ndarray) -> int:
    """Return whether a card is the only, oldest, newest or another one of its call still held."""
    age, older, newer = calls[signed(table.order[me, position]), _AGE], 0, 0
    for other in range(signed(table.hand_length[me])):
        if other != position and calls[signed(table.order[me, other]), _AGE] == age:
            older += int(other < position)
            newer += int(other > position)
    if not older:
        return 0 if not newer else 1
    return 2 if not newer else 3


@njit(cache=True, nogil=True)
def _neighbour(table: np.record, me: int, position: int, calls: np.ndarray) -> int:
    """Return where a card lies beside those just touched.

    Touched, next newer, next older, between two touched ones, none of these: 0 to 4.
    """
    if calls[signed(table.order[me, position]), _AGE] == 1:
        return 0
    after_touched = position > 0 and calls[signed(table.order[me, position - 1]), _AGE] == 1
    last = signed(table.hand_length[me]) - 1
    before_touched = position < last and calls[signed(table.order[me, position + 1]), _AGE] == 1
    if after_touched:
        return 3 if before_touched else 1
    return 2 if before_touched else 4


@njit(cache=True, nogil=True)
def _in_order(chances: np.ndarray, slot: int) -> int:
    """Return how many cards have a larger chance (up to 2), doubled, and whether others tie."""
    better, ties = 0, 0
    for other in range(SLOTS):
        better += int(chances[other] > chances[slot])
        ties += int(other != slot and chances[other] == chances[slot])
    return min(better, 2) * 2 + int(ties > 0)


@njit(cache=True, nogil=True)
def _colours_that_need(table: np.record, rank: int) -> int:
    """Return how many colours, up to 3, need a rank (from 0) next."""
    needed = 0
    for colour in range(COLOURS):
        needed += int(table.fireworks[colour] == rank)
    return min(needed, _FEW - 1)


@njit(cache=True, nogil=True)
def _look(situation: Situation, slot: int, move: int) -> int:
    """Return the level at which a card of the other looks playable after a hint."""
    possible = cards_open_after(situation, slot, move)
    return _level(count_cards(possible & situation.playable) * CERTAIN // count_cards(possible))


@njit(cache=True, nogil=True)
def _repeats(table: np.record, move: int) -> int:
    """Return whether the player's last hint was this one: 0 no hint yet, 1 another, 2 the same."""
    for turn in range(signed(table.turn) - 2, -1, -2):
        if table.actions[turn] >= COLOUR_HINT:
            return 2 if table.actions[turn] == move else 1
    return 0


@njit(cache=True, nogil=True)
def _against_other_kind(situation: Situation, hint: int, slot: int) -> int:
    """Return how a hint about a card compares with that of the other kind.

    Not about this card, touches fewer cards than the other kind, as many, more: 0 to 3.
    """
    if slot < 0:
        return 0
    card = situation.cards >> 8 * slot & 255
    by_colour, by_rank = card // COLOURS, COLOURS + card % COLOURS
    if hint not in (by_colour, by_rank):
        return 0
    other = by_colour if hint == by_rank else by_rank
    own = count_cards(touched_slots(situation, COLOUR_HINT + hint))
    others = count_cards(touched_slots(situation, COLOUR_HINT + other))
    return 1 if own < others else 2 if own == others else 3


@njit(cache=True, nogil=True)
def _compared(hints: np.ndarray, column: int, hint: int, sign: int) -> int:
    """Return whether a legal hint has the largest count alone, with others, or not: 0 to 2.

    With ``sign`` -1 the smallest.
    """
    ties = 0
    for other in range(len(hints)):
        if other == hint or not hints[other, _TOUCHED]:
            continue
        ahead = sign * (hints[other, column] - hints[hint, column])
        if ahead > 0:
            return 2
        ties += int(ahead == 0)
    return 1 if ties else 0


@njit(cache=True, nogil=True)
def _lowest_playable(situation: Situation, playable: int) -> int:
    """Return the slots of the other's playable cards of the lowest rank."""
    lowest, slots = SLOTS, 0
    for slot in range(SLOTS):
        if playable >> slot & 1:
            rank = (situation.cards >> 8 * slot & 255) % COLOURS
            if rank < lowest:
                lowest, slots = rank, 0
            if rank == lowest:
                slots |= 1 << slot
    return slots
