"""Relations of a move: what a person would say about it by comparison.

The traits of :mod:`.move_traits` describe a card or a hint alone. These compare it with the other
cards of the hand, with the other hints, and with what was called before: the card most likely to be
playable, the neighbour of a card just touched, a card called three turns ago and still held, a hint
that only touches touched cards again. They follow from the cards in sight and the moves so far.

A card is *called* by each hint that touches it. It is *due* while it is held after its last call.
Other words are those of :mod:`.move_traits`: a trait has a fixed number of values, and a legal move
has one value of each trait of its kind, or ``NONE`` where the trait does not apply.
"""

from itertools import chain
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
from hoad.game.moves import COLOUR_HINT, COLOUR_NAMES, MOVES, PLAY, RANK_HINT
from hoad.game.rules import legal_moves
from hoad.game.state import signed
from hoad.partners.regression.move_traits import NONE, kind_of, set_values
from hoad.partners.regression.wording import (
    BY_KIND,
    BY_RANK,
    FEW_TOKENS,
    FROM_OLDEST,
    LIVES,
    TOKENS,
    Trait,
    chances,
    few,
    numbers,
    phrases,
    traits_of,
    untouched,
)

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

_CHANCES: Final = chances(_LEVEL_ENDS)
_AGO: Final = ("3 turns ago", "5 turns ago", "7 or 9 turns ago", "more than 9 turns ago")
_SINCE_TOUCHED: Final = (
    "that no hint has touched",
    "just touched",
    *phrases("last touched {}", _AGO),
)
_MOVES: Final = ("a discard", "a play", "a colour hint", "a rank hint")
_BETTER: Final = (
    "the card of the hand most",
    "the card of the hand second most",
    "a card of the hand third most or less",
)
_TIED: Final = ("", ", tied with another")
_JUST_TOUCHED: Final = ("not just touched", "just touched by colour", "just touched by rank")
_NEED: Final = phrases(
    "{} next",
    ("no firework needs", "one firework needs", "2 fireworks need", "3 or more fireworks need"),
)
_BEST_CHANCE: Final = "the best chance that a card of one's own is"
_TOUCHED_OF_PARTNER: Final = (
    *("no touched card",) * 2,  # the second one never
    "one touched card, which is not playable",
    "one touched card, which is playable",
    *phrases("{} touched cards, {} of them playable", ("2", "3 or more"), ("none", "at least one")),
)


def _against_other_hint(card: str) -> Trait:
    """Return the words for a hint compared with the other one about a card, if about it."""
    return f"does not touch {card}", *phrases(
        f"touches {card}, and {{}} the other hint about it",
        ("fewer cards than", "as many cards as", "more cards than"),
    )


_SITUATION: Final = {
    "kind, best chance to play, just hinted": phrases(
        f"{{0}} when the partner has {{2}} given a hint and {_BEST_CHANCE} playable is {{1}}",
        BY_KIND,
        _CHANCES,
        ("not just", "just"),
    ),
    "kind, best chance to play, lives": phrases(
        f"{{0}} with {{2}} when {_BEST_CHANCE} playable is {{1}}", BY_KIND, _CHANCES, LIVES
    ),
    "kind, best chance to discard": phrases(
        f"{{}} when {_BEST_CHANCE} useless is {{}}", BY_KIND, _CHANCES
    ),
    "kind, the player's last move": phrases(
        "{} {}",
        BY_KIND,
        ("as one's first move", *phrases("when one's own last move was {}", _MOVES)),
    ),
    "kind, the other's move before its last": phrases(
        "{} {}",
        BY_KIND,
        (
            "before the partner has moved twice",
            *phrases("when the partner's move before its last was {}", _MOVES),
        ),
    ),
    "kind, cards due of the player": phrases("{} while holding {}", BY_KIND, few("touched card")),
    "kind, cards due of the other, playable ones": phrases(
        "{} when the partner holds {}", BY_KIND, _TOUCHED_OF_PARTNER
    ),
    "kind, playable cards of the other never called, tokens": phrases(
        "{0} with {2} when the partner holds {1}",
        BY_KIND,
        few("untouched playable card"),
        FEW_TOKENS,
    ),
    "kind, necessary card of the other is its oldest untouched, tokens": phrases(
        "{0} with {2} when the partner's oldest untouched card is {1}",
        BY_KIND,
        ("not necessary", "necessary"),
        FEW_TOKENS,
    ),
}
"""The traits of all moves: names, and the words of their values.

Chances to play and to discard are the largest among the player's cards to be playable or useless.
"""

_CARD: Final = {
    "last call, cards in it": phrases(
        "a card {}{}",
        _SINCE_TOUCHED,
        ("", ", alone", ", together with another card", ", together with 2 or more others"),
    ),
    "calls, last one by rank": (
        *("a card that no hint has touched",) * 2,
        *phrases(
            "a card that {} touched, the last one by {}",
            ("one hint has", "2 hints have", "3 or more hints have"),
            ("colour", "rank"),
        ),
    ),
    "place in its last call, just now": phrases(
        "{} card still held of {}",
        ("the only", "the oldest", "the newest", "a middle"),
        ("an earlier hint", "the hint just given"),
    ),
    "latest call of the hand, the card is in it": (
        *("a card of a hand that no hint has touched",) * 2,
        *phrases(
            "a card that the latest hint about the hand, {}, {}",
            ("just now", *_AGO),
            ("did not touch", "touched"),
        ),
    ),
    "neighbour of the cards just touched": (
        "a card just touched",
        "the next newer card beside one just touched",
        "the next older card beside one just touched",
        "a card between two just touched",
        "a card that is not beside one just touched",
    ),
    "chance to be playable, better cards, ties": phrases(
        "{1} likely to be playable ({0}){2}", _CHANCES, _BETTER, _TIED
    ),
    "chance to be useless, better cards, ties": phrases(
        "{1} likely to be useless ({0}){2}", _CHANCES, _BETTER, _TIED
    ),
    "chance to be playable, just touched by": phrases(
        "a card {1}, playable with a chance of {0}", _CHANCES, _JUST_TOUCHED
    ),
    "chance to be playable, lives": phrases(
        "a card that is playable with a chance of {}, with {}", _CHANCES, LIVES
    ),
    "chance to be playable, tokens": phrases(
        "a card that is playable with a chance of {}, with {}", _CHANCES, FEW_TOKENS
    ),
    "chance to be playable by hints alone, last call": phrases(
        "a card {1}, playable with a chance of {0} by hints alone", _CHANCES, _SINCE_TOUCHED
    ),
    "known rank, colours that need it": (
        *("a card of unknown rank",) * _FEW,
        *phrases("a card known to be a {}, which {}", "12345", _NEED),
    ),
    "known rank, last call": phrases(
        "a card {1}, {0}",
        ("of unknown rank", *phrases("known to be a {}", "12345")),
        _SINCE_TOUCHED,
    ),
    "known colour, its height": (
        *("a card of unknown colour",) * (SLOTS + 1),
        *phrases(
            "a card known to be {}, whose firework has {}",
            (*COLOUR_NAMES, "of no colour"),  # the last one never
            numbers("card"),
        ),
    ),
    "older untouched cards, tokens": phrases("{}, with {}", untouched(FROM_OLDEST), FEW_TOKENS),
    "older cards never called by rank": (
        *phrases("the {} of the cards that no rank hint has touched", FROM_OLDEST),
        "a card that a rank hint has touched",
    ),
}
"""Those of plays and discards; each is counted apart for both kinds."""

_HINT: Final = {
    "by rank, cards newly touched, touched again": phrases(
        "{} that touches {} for the first time and {} again",
        BY_RANK,
        few("card"),
        ("none", "one", "2", "3 or more"),
    ),
    "by rank, playable cards never called, other cards never called": phrases(
        "{} that touches {} and {} for the first time",
        BY_RANK,
        few("playable card"),
        few("unplayable card"),
    ),
    "by rank, all cards are due, some playable": phrases(
        "{} that touches {}; {} of the cards it touches is playable",
        BY_RANK,
        ("a card for the first time", "only cards touched before"),
        ("none", "at least one"),
    ),
    "repeats the player's last hint": (
        "gives one's first hint of the game",
        "gives a hint other than one's last",
        "repeats one's last hint",
    ),
    "by rank, best look of a card, it is playable": phrases(
        "{} after which the touched card most likely to be playable looks so with a chance of {}, "
        "and {} playable",
        BY_RANK,
        _CHANCES,
        ("is not", "is"),
    ),
    "by rank, look of the newest card, it is playable": phrases(
        "{} after which the newest card touched looks playable with a chance of {}, "
        "and {} playable",
        BY_RANK,
        _CHANCES,
        ("is not", "is"),
    ),
    "by rank, oldest playable card, fewer cards than the other kind": phrases(
        "{} that {}", BY_RANK, _against_other_hint("the partner's oldest playable card")
    ),
    "by rank, newest playable card, fewer cards than the other kind": phrases(
        "{} that {}", BY_RANK, _against_other_hint("the partner's newest playable card")
    ),
    "rank, colours that need it": phrases("hints {}s, which {}", "12345", _NEED),
    "by rank, playable cards never called compared with other hints": phrases(
        "{0} that touches {2} for the first time; that is {1}",
        BY_RANK,
        ("more than any other hint", "as many as the best other hint", "fewer than another hint"),
        ("no playable card", "playable cards"),
    ),
    "by rank, number of cards compared with other hints": phrases(
        "{} that touches {}",
        BY_RANK,
        (
            "more cards than any other hint",
            "as many cards as the largest other hint",
            "fewer cards than another hint",
        ),
    ),
    "by rank, misleading cards compared with other hints": phrases(
        "{} that touches {}",
        BY_RANK,
        (
            "fewer unplayable cards for the first time than any other hint",
            "as few unplayable cards for the first time as the best other hint",
            "more unplayable cards for the first time than another hint",
        ),
    ),
    "by rank, necessary cards newly touched, tokens": phrases(
        "{} that touches {} for the first time, with {}",
        BY_RANK,
        few("necessary card"),
        FEW_TOKENS,
    ),
    "playable cards never called, tokens": phrases(
        "gives a hint that touches {} for the first time, with {}", few("playable card"), TOKENS
    ),
    "by rank, the lowest playable rank": phrases(
        "{} that touches {} playable card of the partner's lowest playable rank",
        BY_RANK,
        ("no", "a"),
    ),
}
"""Those of hints.

A card looks playable to the other by the share of the cards that are playable among those that
hints and table leave open after the hint. Misleading cards are touched for the first time and not
playable.
"""

_TRAITS: Final = traits_of(_SITUATION, _CARD, _HINT)

SIZES: Final = {name: len(words) for name, words in _TRAITS.items()}
"""All relations in order, and how many values each has."""

WORDS: Final = tuple(chain.from_iterable(_TRAITS.values()))
"""The words of each column."""

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
