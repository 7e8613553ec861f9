"""Traits of moves: what a person could say about a move without knowing any agent or rule.

Examples are the position of the card together with the newest card that the other player's hint has
just touched, and the number of playable cards that a hint touches. Each trait has a fixed number of
values, and a legal move has one value of each trait of its kind, or ``NONE`` where the trait does
not apply. The regression (:mod:`.softmax`) learns a weight of each value of each trait. So it
also learns conventions that no rule of the catalogue describes, such as hints that are numbers.

In the names of traits a comma joins what a value combines, and "by rank" says whether the hint is
one of a rank. Positions count from the oldest card. *The player* makes the move, *the other* sits
opposite. Cards are untouched if no hint has ever touched them.
"""

from itertools import chain
from typing import Final

import numpy as np
from numba import njit

from hoad.agents.agent import see
from hoad.agents.rules.tell import cards_open_after, new_slots, slots_holding, touched_slots
from hoad.agents.situation import (
    ALL_SLOTS,
    CERTAIN,
    COLOURS,
    HINTS,
    SLOTS,
    Situation,
    count_cards,
    count_unseen,
    known_colour,
    known_rank,
    knows_playable,
    lowest_firework,
    necessary_cards,
    oldest,
    partner_card,
    possible_cards,
    situation_of,
    untouched_slots,
    useless_cards,
)
from hoad.game.moves import COLOUR_HINT, MOVES, PLAY, RANK_HINT
from hoad.game.rules import legal_moves
from hoad.game.state import NO_CARD, signed
from hoad.partners.regression.wording import (
    BY_KIND,
    BY_RANK,
    FROM_NEWEST,
    FROM_OLDEST,
    HINT_VALUES,
    LIVES,
    TOKENS,
    chances,
    numbers,
    phrases,
    positions,
    traits_of,
    untouched,
    worths,
)

NONE: Final = -1

KINDS: Final = 4
"""Discard, play, hint of a colour, hint of a rank."""

_LAST_MOVES: Final = 6
"""None yet, discard, play that fitted, play that did not, hint of a colour, hint of a rank."""

_WORTHS: Final = 5
"""Of a card: no card, useless, of use, necessary, playable."""

_PLACES: Final = SLOTS + 1
"""Positions, and one more for no card."""

_LEVEL_ENDS: Final = np.array([0, 100, 250, 500, 750, CERTAIN - 1, CERTAIN])
"""Upper ends of the levels of a probability, in thousandths."""

_CHANCES: Final = chances(_LEVEL_ENDS)
_KIND_OF_HINT: Final = ("colour", "rank")
_NONE_TOUCHED: Final = "no card was just touched"
_NONE_PLAYABLE: Final = "the partner has no playable card"
_NEWEST_PLAYABLE: Final = positions("the partner's newest playable card", _NONE_PLAYABLE)
_OLDEST_PLAYABLE: Final = positions("the partner's oldest playable card", _NONE_PLAYABLE)

_SITUATION: Final = {
    "kind, tokens": phrases("{} with {}", BY_KIND, TOKENS),
    "kind, lives": phrases("{} with {}", BY_KIND, LIVES),
    "kind, cards in the deck": phrases(
        "{} with {} in the deck",
        BY_KIND,
        (
            "no card",
            "1 to 6 cards",
            "7 to 12 cards",
            "13 to 18 cards",
            "19 to 24 cards",
            "25 cards or more",
        ),
    ),
    "kind, lowest firework": phrases(
        "{} when the lowest firework has {}", BY_KIND, numbers("card")
    ),
    "kind, last move": phrases(
        "{} {}",
        BY_KIND,
        (
            "as the first move of the game",
            "after a discard of the partner",
            "after a play of the partner that fitted",
            "after a play of the partner that did not fit",
            "after a colour hint of the partner",
            "after a rank hint of the partner",
        ),
    ),
    "kind, the player knows a playable card": phrases(
        "{} when {} of one's hand is fully known",
        BY_KIND,
        ("no playable card", "a playable card"),
    ),
    "kind, the other knows a playable card, has one": phrases(
        "{} when the partner {}",
        BY_KIND,
        (
            "has no playable card",
            "has a playable card, but fully knows none",
            "knows a playable card that it does not have",  # never
            "fully knows one of its playable cards",
        ),
    ),
    "kind, worth of the other's oldest untouched card": phrases(
        "{} when {}",
        BY_KIND,
        worths("the partner's oldest untouched card", "the partner has no untouched card"),
    ),
}
"""The traits of all moves: names, and the words of their values.

A playable card is known if hints tell its colour and its rank. The deck counts in sixes, up to 24.
"""

_CARD: Final = {
    "position": phrases("the {} card", FROM_OLDEST),
    "hinted colour, rank": (
        "a card that no hint has touched",
        "a card hinted by rank alone",
        "a card hinted by colour alone",
        "a card hinted by colour and rank",
    ),
    "known colour, rank": (
        "a card of unknown colour and rank",
        "a card of known rank and unknown colour",
        "a card of known colour and unknown rank",
        "a card of known colour and rank",
    ),
    "probably playable, untouched": phrases(
        "{1} card that is playable with a chance of {0}", _CHANCES, ("a touched", "an untouched")
    ),
    "probably useless": phrases("a card that is useless with a chance of {}", _CHANCES),
    "probably necessary": phrases("a card that is necessary with a chance of {}", _CHANCES),
    "older untouched cards": untouched(FROM_OLDEST),
    "newer untouched cards": untouched(FROM_NEWEST),
    "just touched by rank, newer ones": phrases(
        "the {1} of the cards that a {0} hint has just touched", _KIND_OF_HINT, FROM_NEWEST
    ),
    "just touched by rank, older ones": phrases(
        "the {1} of the cards that a {0} hint has just touched", _KIND_OF_HINT, FROM_OLDEST
    ),
    "just touched by rank, touched by both kinds": phrases(
        "a card that a {} hint has just touched and {} hint of the other kind touched before",
        _KIND_OF_HINT,
        ("no", "a"),
    ),
    "value of the hint, position": phrases(
        "the {1} card just after {0}",
        ("another move than a hint", *phrases("a hint of {}", HINT_VALUES)),
        FROM_OLDEST,
    ),
    "newest touched card, position": phrases(
        "the {1} card when {0}",
        positions("the newest card just touched", _NONE_TOUCHED),
        FROM_OLDEST,
    ),
    "oldest touched card, position": phrases(
        "the {1} card when {0}",
        positions("the oldest card just touched", _NONE_TOUCHED),
        FROM_OLDEST,
    ),
    "number of touched cards, position": phrases(
        "the {1} card when {0} just touched",
        ("no card was", "one card was", *phrases("{} cards were", "2345")),
        FROM_OLDEST,
    ),
}
"""Those of plays and discards; each is counted apart for both kinds.

Probabilities are of the cards that hints and visible cards leave open. Touched cards are those that
the other's hint touched, if that was the last move.
"""

_HINT: Final = {
    "value": phrases("hints {}", HINT_VALUES),
    "by rank, cards": phrases("{} that touches {}", BY_RANK, numbers("card")),
    "by rank, untouched cards": phrases("{} that touches {}", BY_RANK, numbers("untouched card")),
    "by rank, playable cards": phrases("{} that touches {}", BY_RANK, numbers("playable card")),
    "by rank, useless cards": phrases("{} that touches {}", BY_RANK, numbers("useless card")),
    "by rank, necessary cards": phrases("{} that touches {}", BY_RANK, numbers("necessary card")),
    "by rank, cards now known to be playable": phrases(
        "{} that shows {} to be playable", BY_RANK, numbers("card")
    ),
    "by rank, cards now known": phrases("{} that makes {} fully known", BY_RANK, numbers("card")),
    "by rank, worth of the newest card": phrases(
        "{}, and {}", BY_RANK, worths("the newest card it touches", "it touches no card")
    ),
    "by rank, worth of the oldest card": phrases(
        "{}, and {}", BY_RANK, worths("the oldest card it touches", "it touches no card")
    ),
    "by rank, worth of the newest untouched card": phrases(
        "{}, and {}",
        BY_RANK,
        worths(
            "the newest card it touches for the first time", "it touches no card for the first time"
        ),
    ),
    "by rank, worth of the oldest untouched card, if touched": phrases(
        "{} that touches {}",
        BY_RANK,
        worths("the partner's oldest untouched card, which", "no untouched card"),
    ),
    "by rank, height": (
        *phrases("hints a colour whose firework has {}", numbers("card")),
        "hints a rank that all fireworks have",
        "hints the rank that the lowest firework needs next",
        *phrases("hints a rank {} above that which the lowest firework needs next", "1234"),
    ),
    "tokens, all cards playable": phrases(
        "gives a hint that touches {1}, with {0}",
        TOKENS,
        ("a card that is not playable", "only playable cards"),
    ),
    "newest playable card, oldest touched card": phrases(
        "gives a hint whose oldest card is the partner's {1}, when {0}",
        _NEWEST_PLAYABLE,
        FROM_OLDEST,
    ),
    "newest playable card, newest touched card": phrases(
        "gives a hint whose newest card is the partner's {1}, when {0}",
        _NEWEST_PLAYABLE,
        FROM_OLDEST,
    ),
    "newest playable card, value": phrases("hints {1} when {0}", _NEWEST_PLAYABLE, HINT_VALUES),
    "oldest playable card, value": phrases("hints {1} when {0}", _OLDEST_PLAYABLE, HINT_VALUES),
}
"""Those of hints. Worth and numbers are of the cards that the hint touches.

A card is now known, or known to be playable, if the hint tells something new of it and hints and
discards leave open this card, or playable cards, alone. The newest and oldest playable cards are
those of the whole hand. The height is that of the colour's firework, or by how much the rank is
above the lowest firework.
"""

_TRAITS: Final = traits_of(_SITUATION, _CARD, _HINT)

SIZES: Final = {name: len(words) for name, words in _TRAITS.items()}
"""All traits in order, and how many values each has."""

WORDS: Final = tuple(chain.from_iterable(_TRAITS.values()))
"""The words of each column."""

TRAITS: Final = sum(SIZES.values())
"""The number of columns: one for each value of each trait."""

TRAIT_OF: Final = np.repeat(np.arange(len(SIZES)), list(SIZES.values()))
"""The trait of each column, by number."""

_STARTS: Final = np.cumsum((0, *SIZES.values()))
_VALUES_OF_KIND: Final = np.array([len(words) for words in _SITUATION.values()]) // KINDS
_FIRST_OF_CARDS: Final = len(_SITUATION)
_FIRST_OF_HINTS: Final = _FIRST_OF_CARDS + 2 * len(_CARD)
_CARD_TRAITS: Final = len(_CARD)


def move_traits(states: np.ndarray) -> np.ndarray:
    """Return which values the traits of each legal move have.

    Bool, shape ``(legal moves, TRAITS)``: all legal moves, by decision, then by id.
    The states, dtype ``STATE``, are of two players, one for each decision.
    """
    described = np.zeros((len(states) * MOVES, TRAITS), np.bool_)
    filled = _describe_all(states, described)
    return described[:filled]


@njit(cache=True, nogil=True)
def _describe_all(states: np.ndarray, described: np.ndarray) -> int:
    """Fill the first rows of ``described``; return how many."""
    hands, row = np.zeros((5, 5), np.uint8), 0
    for state in states:
        me = int(state.table.current)
        see(state, me, hands)
        legal = legal_moves(state.table, hands)
        situation = situation_of(state.table, hands, me)
        for move in range(MOVES):
            if legal >> move & 1:
                _describe(situation, move, described[row])
                row += 1
    return row


@njit(cache=True, nogil=True)
def _describe(situation: Situation, move: int, described: np.ndarray) -> None:
    """Set the traits of one legal move, shape ``(TRAITS,)``."""
    set_values(described, _STARTS, 0, _situation_traits(situation, kind_of(move)))
    if move < COLOUR_HINT:
        first = _FIRST_OF_CARDS + move // PLAY * _CARD_TRAITS
        set_values(described, _STARTS, first, _card_traits(situation, move % PLAY))
    else:
        set_values(described, _STARTS, _FIRST_OF_HINTS, _hint_traits(situation, move))


@njit(cache=True, nogil=True)
def set_values(
    described: np.ndarray, starts: np.ndarray, first: int, values: tuple[int, ...]
) -> None:
    """Set the columns of these values, of the first trait and those that follow it.

    ``starts`` are the first columns of all traits.
    """
    for trait, value in enumerate(values):
        if value != NONE:
            described[starts[first + trait] + value] = True


@njit(cache=True, nogil=True)
def add_traits(situation: Situation, legal: int, weights: np.ndarray, odds: np.ndarray) -> None:
    """Add to the log-odds of each legal move the weights, ``(TRAITS,)``, of its traits."""
    of_kind = np.zeros(KINDS)
    for trait, value in enumerate(_situation_traits(situation, 0)):
        for kind in range(KINDS):
            of_kind[kind] += weights[_STARTS[trait] + kind * _VALUES_OF_KIND[trait] + value]
    for move in range(MOVES):
        if not legal >> move & 1:
            continue
        odds[move] += of_kind[kind_of(move)]
        if move < COLOUR_HINT:
            first = _FIRST_OF_CARDS + move // PLAY * _CARD_TRAITS
            odds[move] += _sum_up(weights, first, _card_traits(situation, move % PLAY))
        else:
            odds[move] += _sum_up(weights, _FIRST_OF_HINTS, _hint_traits(situation, move))


@njit(cache=True, nogil=True)
def _sum_up(weights: np.ndarray, first: int, values: tuple[int, ...]) -> float:
    """Return the sum of the weights of values of traits, of which the first is given."""
    total = 0.0
    for trait, value in enumerate(values):
        if value != NONE:
            total += weights[_STARTS[first + trait] + value]
    return total


@njit(cache=True, nogil=True)
def _situation_traits(situation: Situation, kind: int) -> tuple[int, ...]:
    """Return the traits of ``_SITUATION``."""
    table, me, partner = situation.table, situation.me, situation.partner
    player_knows, other_knows, other_has = 0, 0, 0
    for slot in range(SLOTS):
        player_knows |= int(knows_playable(situation, me, slot))
        other_knows |= int(knows_playable(situation, partner, slot))
        other_has |= int(_worth(situation, slot) == _WORTHS - 1)
    chop_slot = _slot_at(table, partner, oldest(table, partner, untouched_slots(table, partner)))
    return (
        kind * 9 + signed(table.tokens),
        kind * 4 + signed(table.lives),
        kind * 6 + min(5, (signed(table.deck_left) + 5) // 6),
        kind * 6 + lowest_firework(table),
        kind * _LAST_MOVES + _last_move(situation),
        kind * 2 + player_knows,
        kind * 4 + 2 * other_knows + other_has,
        kind * _WORTHS + _worth(situation, chop_slot),
    )


@njit(cache=True, nogil=True)
def _card_traits(situation: Situation, position: int) -> tuple[int, ...]:
    """Return the traits of ``_CARD`` of a play or a discard."""
    table, me = situation.table, situation.me
    slot = _slot_at(table, me, position)
    by_colour = int(table.colour_hinted[me, slot] > 0)
    by_rank = int(table.rank_hinted[me, slot] > 0)
    knows_colour = int(known_colour(situation, me, slot) >= 0)
    knows_rank = int(known_rank(situation, me, slot) >= 0)
    possible = possible_cards(situation, slot)
    untouched, (hint, touched) = untouched_slots(table, me), _last_hint(table)
    is_rank = int(hint >= COLOURS)
    just_now = touched >> slot & 1
    by_both = int(by_colour + by_rank == 2)
    older, newer = _counted(table, me, untouched, position)
    older_touched, newer_touched = _counted(table, me, touched, position)
    by_rank_first = is_rank * SLOTS
    is_new = untouched >> slot & 1
    return (
        position,
        2 * by_colour + by_rank,
        2 * knows_colour + knows_rank,
        2 * _level(situation, possible, situation.playable) + is_new,
        _level(situation, possible, useless_cards(table)),
        _level(situation, possible, necessary_cards(table)),
        older if is_new else SLOTS,
        newer if is_new else SLOTS,
        by_rank_first + newer_touched if just_now else NONE,
        by_rank_first + older_touched if just_now else NONE,
        2 * is_rank + by_both if just_now else NONE,
        (hint + 1) * SLOTS + position,
        _newest_position(table, me, touched) * SLOTS + position,
        _oldest_position(table, me, touched) * SLOTS + position,
        count_cards(touched) * SLOTS + position,
    )


@njit(cache=True, nogil=True)
def _hint_traits(situation: Situation, move: int) -> tuple[int, ...]:
    """Return the traits of ``_HINT`` of a hint."""
    table, partner = situation.table, situation.partner
    hint, tokens = move - COLOUR_HINT, signed(table.tokens)
    touched, untouched = touched_slots(situation, move), untouched_slots(table, partner)
    playable = slots_holding(situation, situation.playable)
    useless = slots_holding(situation, useless_cards(table))
    necessary = slots_holding(situation, necessary_cards(table))
    shown, known = 0, 0
    for slot in range(SLOTS):
        if new_slots(situation, move) >> slot & 1:
            open_cards = cards_open_after(situation, slot, move)
            shown += int(open_cards & ~situation.playable == 0)
            known += int(open_cards & (open_cards - 1) == 0)
    newest = _newest_position(table, partner, touched)
    oldest_touched = _oldest_position(table, partner, touched)
    newest_new = _newest_position(table, partner, touched & untouched)
    chop = _oldest_position(table, partner, untouched)
    chop_slot = _slot_at(table, partner, chop)
    touches_chop = chop < SLOTS and touched >> chop_slot & 1
    newest_playable = _newest_position(table, partner, playable)
    oldest_playable = _oldest_position(table, partner, playable)
    is_rank = int(hint >= COLOURS)
    where, worths = is_rank * _PLACES, is_rank * _WORTHS
    return (
        hint,
        where + count_cards(touched),
        where + count_cards(touched & untouched),
        where + count_cards(touched & playable),
        where + count_cards(touched & useless),
        where + count_cards(touched & necessary),
        where + shown,
        where + known,
        worths + _worth(situation, _slot_at(table, partner, newest)),
        worths + _worth(situation, _slot_at(table, partner, oldest_touched)),
        worths + _worth(situation, _slot_at(table, partner, newest_new)),
        worths + _worth(situation, chop_slot) if touches_chop else NONE,
        is_rank * 6 + _height(table, hint),
        tokens * 2 + int(touched & ~playable == 0),
        newest_playable * SLOTS + oldest_touched,
        newest_playable * SLOTS + newest,
        newest_playable * HINTS + hint,
        oldest_playable * HINTS + hint,
    )


@njit(cache=True, nogil=True)
def kind_of(move: int) -> int:
    """Return the kind of a move, by number (``KINDS``)."""
    if move < COLOUR_HINT:
        return move // PLAY
    return 2 if move < RANK_HINT else 3


@njit(cache=True, nogil=True)
def _last_move(situation: Situation) -> int:
    table = situation.table
    if table.turn == 0:
        return 0
    kind = kind_of(signed(table.actions[int(table.turn) - 1]))
    if kind == 1:
        return 2 if table.scored else 3
    return 1 if kind == 0 else 2 + kind


@njit(cache=True, nogil=True)
def _last_hint(table: np.record) -> tuple[int, int]:
    """Return the value of the partner's hint just now, and the slots it touched; or ``NONE``, 0."""
    last = signed(table.turn) - 1
    if last < 0 or table.actions[last] < COLOUR_HINT:
        return NONE, 0
    return signed(table.actions[last]) - COLOUR_HINT, signed(table.touched[last])


@njit(cache=True, nogil=True)
def _worth(situation: Situation, slot: int) -> int:
    """Return what a card of the partner is worth, by number (``_WORTHS``); ``NONE`` is no slot."""
    card = partner_card(situation, slot) if slot != NONE else NO_CARD
    if card == NO_CARD:
        return 0
    if situation.playable >> card & 1:
        return 4
    if useless_cards(situation.table) >> card & 1:
        return 1
    return 3 if necessary_cards(situation.table) >> card & 1 else 2


@njit(cache=True, nogil=True)
def _level(situation: Situation, possible: int, wanted: int) -> int:
    """Return the level of the probability that one of the possible cards is a wanted one."""
    copies = count_unseen(situation, possible & wanted)
    probability = copies * CERTAIN / max(1, count_unseen(situation, possible))
    level = 0
    while probability > _LEVEL_ENDS[level]:
        level += 1
    return level


@njit(cache=True, nogil=True)
def _height(table: np.record, hint: int) -> int:
    """Return how high a colour's firework is, or by how much a rank is above the lowest one."""
    if hint < COLOURS:
        return signed(table.fireworks[hint])
    return max(0, hint - COLOURS - lowest_firework(table) + 1)


@njit(cache=True, nogil=True)
def _counted(table: np.record, player: int, slots: int, position: int) -> tuple[int, int]:
    """Return how many cards of a set are older, and how many newer, than that at a position."""
    older, newer = 0, 0
    for place in range(signed(table.hand_length[player])):
        if slots >> int(table.order[player, place]) & 1:
            older += int(place < position)
            newer += int(place > position)
    return older, newer


@njit(cache=True, nogil=True)
def _oldest_position(table: np.record, player: int, slots: int) -> int:
    """Return the position of the oldest card of a set, ``SLOTS`` for none."""
    position = oldest(table, player, slots & ALL_SLOTS)
    return SLOTS if position < 0 else position


@njit(cache=True, nogil=True)
def _newest_position(table: np.record, player: int, slots: int) -> int:
    """Return the position of the newest card of a set, ``SLOTS`` for none."""
    newest = SLOTS
    for position in range(signed(table.hand_length[player])):
        if slots >> int(table.order[player, position]) & 1:
            newest = position
    return newest


@njit(cache=True, nogil=True)
def _slot_at(table: np.record, player: int, position: int) -> int:
    """Return the slot at a position, ``NONE`` for none."""
    return signed(table.order[player, position]) if 0 <= position < SLOTS else NONE
