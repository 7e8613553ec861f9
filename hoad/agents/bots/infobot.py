"""O'Dwyer's InfoBot: its hints and discards are numbers about the whole hand of the other player.

Hat guessing (see :mod:`hoad.agents.bots.hat_guessing`). Deterministic.

A partner that breaks these conventions may leave a card without any possible identity. All that
its hints allow is then possible again.

A number answers a list of questions about single cards of the other player's hand, which both
players derive in the same way from the public tables: "is it playable?" for the likeliest cards,
then "in which block of identities is it?". The first question is the most significant digit.

A code says which number a hint shows; both players derive it from the receiver's public tables.
Where the colours or ranks that several cards can have are disjoint, naming a card's colour or rank
points at the card, and that makes the number. Otherwise it is whether the hint names a colour or a
rank, and whether it touches the card that is least known.

The tables have, for every card of both hands, how many copies of each identity it can be. The
memory holds three sets for each player and slot: the identities that have a weight of at least one,
two and three.
"""

from typing import Final, NamedTuple

import numpy as np
from numba import njit

from hoad.agents.agent import Event, Hands, Memory, Parameters, Table, Weights
from hoad.agents.bots.card_sets import (
    SET_BYTES,
    Piles,
    cards_in,
    hand_length,
    load_cards,
    look,
    name_oldest,
    slot_at,
    store_cards,
)
from hoad.agents.bots.hat_guessing import (
    BY_COLOUR,
    BY_RANK,
    count_numbers,
    has_few_discards,
    hints_to,
    number_shown,
    play_card,
    position_of,
    split,
    useless_positions,
)
from hoad.agents.bots.weights import (
    CardWeights,
    is_determined,
    put_weights_at,
    share,
    sum_of_values,
    total,
    unrevealed,
    weight,
    weights_at,
    without_copy,
)
from hoad.agents.situation import (
    ALL_CARDS,
    COLOURS,
    HINTS,
    NO_MOVE,
    RANKS,
    SLOTS,
    cards_named,
    count_cards,
    held_slots,
    plausible_cards,
)
from hoad.game.moves import COLOUR_HINT, PLAY
from hoad.game.state import NO_CARD

_CARD_BYTES: Final = 3 * SET_BYTES
WEIGHTS_BYTES: Final = 2 * SLOTS * _CARD_BYTES


@njit(cache=True, nogil=True)
def weights_of(memory: Memory, player: int, slot: int) -> CardWeights:
    """Return a card's weights."""
    first = (player * SLOTS + slot) * _CARD_BYTES
    second, third = first + SET_BYTES, first + 2 * SET_BYTES
    return CardWeights(
        load_cards(memory, first), load_cards(memory, second), load_cards(memory, third)
    )


@njit(cache=True, nogil=True)
def possible_of(memory: Memory, player: int, slot: int) -> int:
    """Return the set of identities that a card can be."""
    return load_cards(memory, (player * SLOTS + slot) * _CARD_BYTES)


@njit(cache=True, nogil=True)
def put_weights(memory: Memory, player: int, slot: int, weights: CardWeights) -> None:
    """Write a card's weights."""
    first = (player * SLOTS + slot) * _CARD_BYTES
    store_cards(memory, first, weights.once)
    store_cards(memory, first + SET_BYTES, weights.twice)
    store_cards(memory, first + 2 * SET_BYTES, weights.thrice)


@njit(cache=True, nogil=True)
def keep(memory: Memory, player: int, slot: int, cards: int) -> None:
    """Exclude for a card all identities but ``cards``."""
    once, twice, thrice = weights_of(memory, player, slot)
    put_weights(memory, player, slot, CardWeights(once & cards, twice & cards, thrice & cards))


@njit(cache=True, nogil=True)
def remove_copy(memory: Memory, player: int, slot: int, card: int) -> None:
    """Lower the weight of one identity by one, if there is any."""
    lowered = without_copy(weights_of(memory, player, slot), card)
    put_weights(memory, player, slot, lowered)


@njit(cache=True, nogil=True)
def recover(table: Table, memory: Memory) -> None:
    """Reset the cards for which nothing is possible to what their hints allow.

    These are all cards at the deal; later, cards about which a partner with other conventions
    showed a wrong number.
    """
    for player in range(2):
        held = held_slots(table, player)
        for slot in range(SLOTS):
            if held >> slot & 1 and not possible_of(memory, player, slot):
                left = unrevealed(table, plausible_cards(table, player, slot))
                put_weights(memory, player, slot, left)


@njit(cache=True, nogil=True)
def public_hand(table: Table, memory: Memory, player: int) -> np.ndarray:
    """Return a hand's weights by position, as both players know them."""
    hand = np.empty((hand_length(table, player), 3), np.int64)
    for position in range(len(hand)):
        weights = weights_of(memory, player, slot_at(table, player, position))
        put_weights_at(hand, position, weights)
    return hand


@njit(cache=True, nogil=True)
def private_hand(table: Table, memory: Memory, hands: Hands, me: int) -> np.ndarray:
    """Return my hand's weights by position, as I know them from seeing the partner's hand.

    A card for which nothing is possible can be all that its hints allow (see :func:`recover`).
    """
    hand = public_hand(table, memory, me)
    for position in range(len(hand)):
        weights = weights_at(hand, position)
        for slot in range(SLOTS):
            if int(hands[1 - me, slot]) != NO_CARD:
                weights = without_copy(weights, int(hands[1 - me, slot]))
        if not weights.once:
            slot = slot_at(table, me, position)
            weights = unrevealed(table, plausible_cards(table, me, slot))
        put_weights_at(hand, position, weights)
    return hand


# A question is a row of numbers: the slot, how many answers there are, and for each answer the
# set of identities that it leaves.
_SLOT: Final = 0
_SIZE: Final = 1
_ANSWERS: Final = 2
_MOST_ANSWERS: Final = 10
_MOST_QUESTIONS: Final = 4

_BY_CARD = np.arange(COLOURS * RANKS)

_LIKELY: Final = 0.2
_FEW: Final = 4


@njit(cache=True, nogil=True)
def ask(table: Table, memory: Memory, player: int, numbers: int) -> tuple[np.ndarray, int]:
    """Return the questions about a hand that ``numbers`` numbers can answer, and their count."""
    piles = look(table)
    questions = np.zeros((_MOST_QUESTIONS, _ANSWERS + _MOST_ANSWERS), np.int64)
    shares = np.full(SLOTS, -1.0)
    certain = _playable_shares(table, memory, player, piles, shares)
    count, left = 0, numbers
    by_share = np.argsort(-shares, kind="mergesort")  # stable: the oldest first of several
    for position in by_share:
        if left <= 1 or certain or shares[position] < _LIKELY:
            break
        question = questions[count]
        question[_SLOT] = slot_at(table, player, position)
        question[_SIZE] = 2
        question[_ANSWERS], question[_ANSWERS + 1] = ~piles.playable, piles.playable
        count, left = count + 1, left // 2
    for position in by_share:
        if left <= 1 or shares[position] < 0.0:
            break
        slot = slot_at(table, player, position)
        question, possible = questions[count], possible_of(memory, player, slot)
        size = split(possible, piles.worthless, left, _BY_CARD, question[_ANSWERS:])
        question[_SLOT], question[_SIZE] = slot, size
        count, left = count + 1, left // size
    return questions, count


@njit(cache=True, nogil=True)
def _playable_shares(
    table: Table, memory: Memory, player: int, piles: Piles, shares: np.ndarray
) -> bool:
    """Note by position how likely a card is to be playable; return whether one surely is.

    Cards that are determined or worthless keep the share -1: they are not asked about.
    """
    certain = False
    for position in range(hand_length(table, player)):
        weights = weights_of(memory, player, slot_at(table, player, position))
        certain |= not weights.once & ~piles.playable
        if not is_determined(weights.once) and weights.once & ~piles.worthless:
            shares[position] = share(weights, piles.playable)
    return certain


@njit(cache=True, nogil=True)
def _true_answer(question: np.ndarray, cards: np.ndarray) -> int:
    """Return the answer that is true of the card; 0 if the card was excluded."""
    card = int(cards[question[_SLOT]])
    for answer in range(question[_SIZE]):
        if question[_ANSWERS + answer] >> card & 1:
            return answer
    return 0


@njit(cache=True, nogil=True)
def answer(table: Table, memory: Memory, player: int, numbers: int, cards: np.ndarray) -> int:
    """Return the number that is true of a player's ``cards`` (by slot)."""
    questions, count = ask(table, memory, player, numbers)
    number = 0
    for index in range(count):
        number = number * questions[index, _SIZE] + _true_answer(questions[index], cards)
    return number


@njit(cache=True, nogil=True)
def learn_number(table: Table, memory: Memory, player: int, numbers: int, number: int) -> None:
    """Narrow a player's cards to what the ``number`` (one of ``numbers``) says."""
    questions, count = ask(table, memory, player, numbers)
    for index in range(count - 1, -1, -1):
        question = questions[index]
        cards = question[_ANSWERS + number % question[_SIZE]]
        keep(memory, player, int(question[_SLOT]), cards)
        number //= question[_SIZE]


class Code(NamedTuple):
    """A code."""

    size: int  # how many numbers there are
    focus: int  # the slot that a hint touches or not, -1 where numbers counts
    numbers: np.ndarray  # the number of each hint, colours first


@njit(cache=True, nogil=True)
def make_code(table: Table, memory: Memory, player: int, piles: Piles) -> Code:
    """Return the code of hints to ``player``."""
    hand = public_hand(table, memory, player)
    possible = hand[:, 0]
    numbers = np.full(HINTS, -1)
    count = _number_hints(possible, numbers)
    if count > _FEW:
        return Code(count, -1, numbers)
    focus = slot_at(table, player, _least_known(possible, piles))
    return Code(count_numbers(hand), focus, numbers)


@njit(cache=True, nogil=True)
def number_of(code: Code, hint: int, touches_focus: bool) -> int:
    """Return the number that a hint (0 to 4 colours, 5 to 9 ranks) shows."""
    if code.focus < 0:
        return int(code.numbers[hint])
    return number_shown(code.size, hint < COLOURS, touches_focus)


@njit(cache=True, nogil=True)
def _number_hints(possible: np.ndarray, numbers: np.ndarray) -> int:
    """Number the hints by the cards that they point at; return how many numbers there are."""
    by_colour, by_rank = _pack(possible, BY_COLOUR), _pack(possible, BY_RANK)
    count = 0
    for position in range(len(possible)):
        for packed, kind in ((by_colour, BY_COLOUR), (by_rank, BY_RANK)):
            if packed >> position & 1:
                pointing = hints_to(possible[position]) & kind
                for hint in range(HINTS):
                    if pointing >> hint & 1:
                        numbers[hint] = count
                count += 1
    others = 0
    for hint in range(HINTS):
        if numbers[hint] < 0:
            numbers[hint] = others % count
            others += 1
    return count


@njit(cache=True, nogil=True)
def _pack(possible: np.ndarray, kind: int) -> int:
    """Return the first largest set of positions whose possible cards differ in colour, or in rank.

    ``kind`` says in which. Cards that are possible at the same position differ too. If there is no
    set of two or more, the oldest card is returned, whatever is possible there.
    """
    hints, sizes = np.zeros(SLOTS, np.int64), np.zeros(SLOTS, np.int64)
    for position in range(len(possible)):
        hints[position] = hints_to(possible[position]) & kind
        sizes[position] = count_cards(possible[position])
    packed, most = 1, 1
    for positions in range(3, 1 << len(possible)):
        named, identities = 0, 0
        for position in range(SLOTS):
            if positions >> position & 1:
                named |= hints[position]
                identities += sizes[position]
        if count_cards(named) == identities and count_cards(positions) > most:
            packed, most = positions, count_cards(positions)
    return packed


@njit(cache=True, nogil=True)
def _least_known(possible: np.ndarray, piles: Piles) -> int:
    """Return the first position with most colours and ranks, of cards worth asking about."""
    chosen, most = 0, 0
    for position in range(len(possible)):
        cards = possible[position]
        if cards & ~piles.worthless and not is_determined(cards):
            values = count_cards(hints_to(cards))
            if values > most:
                chosen, most = position, values
    return chosen


MEMORY: Final = WEIGHTS_BYTES


@njit(cache=True, nogil=True)
def choose(
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, weights: Weights
) -> int:
    """Play, else hint or discard something useless, in an order that depends on the discards."""
    recover(table, memory)
    private = private_hand(table, memory, hands, me)
    piles, seen = look(table), cards_in(hands[1 - me])
    move = play_card(table, private, seen, piles)
    if move != NO_MOVE:
        return move
    if table.tokens == table.max_tokens:
        return _give_hint(table, memory, hands, 1 - me, piles)
    useless = _discard_useless(table, memory, private, hands, me, piles)
    if useless != NO_MOVE and has_few_discards(table):
        return useless
    if table.tokens and seen & piles.playable:
        return _give_hint(table, memory, hands, 1 - me, piles)
    return useless if useless != NO_MOVE else _discard(private, seen, piles)


@njit(cache=True, nogil=True)
def _discard_useless(
    table: Table, memory: Memory, private: np.ndarray, hands: Hands, me: int, piles: Piles
) -> int:
    """Discard the useless card whose number answers for the partner's hand, or ``NO_MOVE``.

    If at most one is publicly useless, discard the oldest that I know to be useless.
    """
    useless = useless_positions(public_hand(table, memory, me), piles)
    if count_cards(useless) > 1:
        number = answer(table, memory, 1 - me, count_cards(useless), hands[1 - me])
        return position_of(useless, number)
    return position_of(useless_positions(private, piles), 0)


@njit(cache=True, nogil=True)
def _discard(private: np.ndarray, seen: int, piles: Piles) -> int:
    """Prefer to discard what the partner has too, what is no last copy, what is high."""
    chosen, best = NO_MOVE, -1.0
    for position in range(len(private)):
        weights = weights_at(private, position)
        mean = sum_of_values(weights, ALL_CARDS) / total(weights)
        fitness = 20 * share(weights, seen) + 10 * share(weights, ~piles.valuable) + mean
        if fitness > best:
            chosen, best = position, fitness
    return chosen


@njit(cache=True, nogil=True)
def _give_hint(table: Table, memory: Memory, hands: Hands, partner: int, piles: Piles) -> int:
    """Give, of the hints that show the true number, the one that excludes most."""
    cards = hands[partner]
    code = make_code(table, memory, partner, piles)
    number = answer(table, memory, partner, code.size, cards)
    tables = memory.copy()
    learn_number(table, tables, partner, 3, answer(table, memory, partner, 3, cards))
    chosen, best = NO_MOVE, -1.0
    for position in range(hand_length(table, partner)):
        card = int(cards[slot_at(table, partner, position)])
        for hint in (card // RANKS, COLOURS + card % RANKS):
            named = cards_named(hint)
            touches_focus = code.focus >= 0 and named >> int(cards[code.focus]) & 1 == 1
            if number_of(code, hint, touches_focus) == number:
                goodness = _goodness(table, tables, cards, partner, named, piles)
                if goodness > best:
                    chosen, best = COLOUR_HINT + hint, goodness
    return chosen if chosen != NO_MOVE else name_oldest(table, hands, partner)


@njit(cache=True, nogil=True)
def _goodness(
    table: Table, tables: np.ndarray, cards: np.ndarray, partner: int, named: int, piles: Piles
) -> float:
    """Return the factor by which the direct information of a hint narrows the partner's hand."""
    goodness = 1.0
    for position in range(hand_length(table, partner)):
        slot = slot_at(table, partner, position)
        weights = weights_of(tables, partner, slot)
        if is_determined(weights.once) or not weights.once & ~piles.worthless:
            continue
        direct = named if named >> int(cards[slot]) & 1 else ~named
        left = weights.once & direct
        if left:
            settled = is_determined(left) or not left & ~piles.worthless
            goodness *= (2 if settled else 1) * total(weights) / weight(weights, direct)
    return goodness


@njit(cache=True, nogil=True)
def observe(
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, event: Event
) -> int:
    """Update the tables of both hands by an action of either player."""
    action, touched, card = event
    recover(table, memory)
    actor = int(table.current)
    piles = look(table)
    if action >= COLOUR_HINT:
        _learn_hint(table, memory, 1 - actor, action - COLOUR_HINT, touched, piles)
        return 0
    if action < PLAY:
        useless = useless_positions(public_hand(table, memory, actor), piles)
        if count_cards(useless) > 1 and useless >> action & 1:
            number = count_cards(useless & ((1 << action) - 1))
            learn_number(table, memory, 1 - actor, count_cards(useless), number)
    for slot in range(SLOTS):
        if touched >> slot & 1:
            put_weights(memory, actor, slot, unrevealed(table, ALL_CARDS))
        for player in range(2):
            remove_copy(memory, player, slot, card)
    return 0


@njit(cache=True, nogil=True)
def _learn_hint(
    table: Table, memory: Memory, player: int, hint: int, touched: int, piles: Piles
) -> None:
    """Learn the number that a hint shows, then its direct information."""
    code = make_code(table, memory, player, piles)
    touches_focus = code.focus >= 0 and touched >> code.focus & 1 == 1
    learn_number(table, memory, player, code.size, number_of(code, hint, touches_focus))
    named, held = cards_named(hint), held_slots(table, player)
    for slot in range(SLOTS):
        if held >> slot & 1:
            keep(memory, player, slot, named if touched >> slot & 1 else ~named)
