"""Rules with two to four partners, as Walton-Rivers et al. 2017 define them for 3 to 5 players.

A rule is asked with one partner after another, beginning with the next player, and the first hint
that it gives is given. ``TellDispensable`` and ``TellMostInformation`` go by the number of the
player instead. Rules that play or discard see all other hands. Finesses are for three or more.
The rules themselves are those of two players: their hints are translated to the ids of the game.

Rules that the papers define for two players only are refused (:func:`rules_for_several`): those of
Canaan et al. from 50 to 104, those about the partner's last move, and those about conventions. Of
rules that speak of *the* partner, ``TryToUnBlock`` means the next player: that is our reading.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numba import njit

from hoad.agents.agent import SPREAD, Hands, Parameters, Table, Weights
from hoad.agents.rules import play, tell
from hoad.agents.rules.by_convention import PLAY_MEANT
from hoad.agents.rules.catalogue import CATALOGUE, COLUMNS, Row, find_rule
from hoad.agents.rules.conditions import requirements_met
from hoad.agents.rules.discard import DISCARD_HIGHEST, LEGAL_RANDOM, fire_discard
from hoad.agents.rules.play import (
    NEVER_FIRES,
    PLAY_UNIQUE_POSSIBLE_CARD,
    fire_play,
    hint_means_play,
)
from hoad.agents.rules.tell import (
    COMPLETE_TELL_USEFUL_CARD,
    HINT_ORDER,
    colour_hint,
    fire_tell,
    new_slots,
    rank_hint,
    slots_holding,
    touched_slots,
)
from hoad.agents.situation import (
    ALL_SLOTS,
    COLOURS,
    NO_MOVE,
    RANKS,
    SLOTS,
    Situation,
    count_cards,
    known_rank,
    newest_of,
    only_value,
    partner_card,
    play_slot,
    playable_cards,
)
from hoad.core.errors import HoadError
from hoad.game.moves import COLOUR_HINT, MOVES, PLAY, RANK_HINT
from hoad.game.rules import legal_moves
from hoad.game.state import NO_CARD, signed

PLAY_FINESSE: Final = 60
PLAY_FINESSE_TOLD: Final = 61
TELL_FINESSE: Final = 121

_FINESSES: Final = {0: Row(PLAY_FINESSE), 1: Row(PLAY_FINESSE_TOLD), 16: Row(TELL_FINESSE)}
"""The rules of the catalogue that fire with three or more players only, by number."""

_FOR_TWO_PLAYERS: Final = frozenset(
    {
        play.PLAY_JUST_HINTED,
        play.PLAY_NEWEST_JUST_HINTED,
        play.PLAY_BEST_JUST_HINTED,
        play.PLAY_NEWEST_LAST_HINTED,
        tell.TELL_UNAMBIGUOUS_3,
        tell.TELL_LIKELY_MISPLAY,
        tell.TELL_UNLIKELY_PLAY,
        tell.TELL_UNAMBIGUOUS_MOST_PLAYABLE,
        tell.TELL_UNAMBIGUOUS_FEWEST_OTHERS,
        tell.TELL_UNAMBIGUOUS_2,
        tell.TELL_AT_LEAST_N_USELESS,
    }
)


def rules_for_several(name: str, rules: Sequence[int | Row]) -> np.ndarray:
    """Return what :func:`choose_with_several` needs of a list of rules, int64, flat.

    Rows stand for rules without a number. A rule for two players only is a HoadError, which names
    the agent.
    """
    rows = []
    for rule in rules:
        row = rule if isinstance(rule, Row) else row_for_several(rule)
        if not is_for_several(row):
            number = next(known.number for known in CATALOGUE.values() if known.row == row)
            raise HoadError(
                f"agent {name}: rule {number} is defined for two players only; rules 0 to 49, 105 "
                "to 112, 116 to 134 and 420 to 430 are for 2 to 5"
            )
        rows += [row] if row.function != NEVER_FIRES else []
    return np.array(rows, dtype=np.int64).reshape(-1)


def row_for_several(number: int) -> Row:
    """Return a rule with three or more players; a HoadError for a number that no rule has."""
    return _FINESSES.get(number, find_rule(number).row)


def is_for_several(row: Row) -> bool:
    """Return whether a rule is defined for more than two players."""
    return row.function not in _FOR_TWO_PLAYERS and row.function < PLAY_MEANT


class Sight(NamedTuple):
    """What a player sees when its rules are asked."""

    table: np.record  # the public part of the state
    hands: np.ndarray  # those that the player sees, uint8, shape (players, slots)
    me: int  # the player
    of_two: np.ndarray  # room for weights of the moves of two players, float64, shape (MOVES,)


@njit(cache=True, nogil=True)
def choose_with_several(
    rules: Parameters, table: Table, hands: Hands, me: int, weights: Weights
) -> int:
    """Return the move of the first rule that fires, or ``SPREAD`` after writing the weights.

    ``weights`` is float64, as long as the game has moves or longer.
    """
    met, legal = requirements_met(table, me), legal_moves(table, hands)
    sight = Sight(table, hands, me, np.zeros(MOVES))
    for row in range(0, len(rules), COLUMNS):
        move = ask_with_several(rules[row : row + COLUMNS], sight, met, legal, weights)
        if move != NO_MOVE:
            return move
    return spread_over_legal(legal, weights)


@njit(cache=True, nogil=True)
def ask_with_several(
    rule: np.ndarray, sight: Sight, met: int, legal: int, weights: np.ndarray
) -> int:
    """Return the move of one rule (a row of parameters), ``NO_MOVE``, or ``SPREAD``.

    As :func:`~.soft_list.ask_rule` with two players; moves have the ids of the game, and so have
    the weights that are written for ``SPREAD``.
    """
    if rule[3] & ~met:
        return NO_MOVE
    if rule[0] == LEGAL_RANDOM:
        return spread_over_legal(legal, weights)
    table, me = sight.table, sight.me
    move, partner = _fire(rule[0], rule[1], rule[2], table, sight.hands, me, sight.of_two)
    if move == SPREAD:
        weights[:] = 0.0
        for other in range(MOVES):
            if sight.of_two[other] > 0.0:
                weights[move_in_game(table, other, me, partner)] = sight.of_two[other]
        return SPREAD
    return NO_MOVE if move == NO_MOVE else move_in_game(table, move, me, partner)


@njit(cache=True, nogil=True)
def move_in_game(table: np.record, move: int, me: int, partner: int) -> int:
    """Return the id in this game of a move with the id of two players; hints go to ``partner``."""
    hand_size, players = signed(table.hand_size), signed(table.players)
    if move < PLAY:
        return move
    if move < COLOUR_HINT:
        return hand_size + move - PLAY
    between = (partner - me - 1) % players
    if move < RANK_HINT:
        return 2 * hand_size + between * COLOURS + move - COLOUR_HINT
    return 2 * hand_size + (players - 1) * COLOURS + between * RANKS + move - RANK_HINT


@njit(cache=True, nogil=True)
def hint_given(table: np.record, turn: int) -> tuple[int, int]:
    """Return how many seats away the target of the hint of a turn was, and its id of two players.

    (0, ``NO_MOVE``) for a play or discard.
    """
    hand_size, players = signed(table.hand_size), signed(table.players)
    hint, colour_hints = signed(table.actions[turn]) - 2 * hand_size, (players - 1) * COLOURS
    if hint < 0:
        return 0, NO_MOVE
    if hint < colour_hints:
        return hint // COLOURS + 1, COLOUR_HINT + hint % COLOURS
    hint -= colour_hints
    return hint // RANKS + 1, RANK_HINT + hint % RANKS


@njit(cache=True, nogil=True, inline="always")  # a compiled function cannot return a record
def _situation_with(table: np.record, hands: np.ndarray, me: int, partner: int) -> Situation:
    """Return the situation of ``me`` with one partner; cards in no visible hand are unseen."""
    cards, once, twice, thrice = _seen_cards(table, hands, me, partner)
    return Situation(table, me, partner, cards, playable_cards(table), once, twice, thrice)


@njit(cache=True, nogil=True)
def _seen_cards(
    table: np.record, hands: np.ndarray, me: int, partner: int
) -> tuple[int, int, int, int]:
    """Return the partner's cards, packed, and the cards of which 1, 2 and 3 copies are unseen."""
    once, twice, thrice = int(table.left[0]), int(table.left[1]), int(table.left[2])
    packed = 0
    for player in range(signed(table.players)):
        for slot in range(SLOTS):
            held = slot < int(table.hand_size) and player != me
            card = signed(hands[player, slot]) if held else NO_CARD
            if player == partner:
                packed |= card << 8 * slot
            if card == NO_CARD:
                continue
            bit = 1 << card
            if thrice & bit:
                thrice ^= bit
            elif twice & bit:
                twice ^= bit
            else:
                once ^= bit
    return packed, once, twice, thrice


@njit(cache=True, nogil=True)
def _fire(
    function: int,
    first: int,
    second: int,
    table: np.record,
    hands: np.ndarray,
    me: int,
    of_two: np.ndarray,
) -> tuple[int, int]:
    """Return the move of a rule, with its id of two players, and the partner that it is about.

    Also ``NO_MOVE``, or ``SPREAD`` after writing the weights of the moves of two players.
    """
    players = signed(table.players)
    following = (me + 1) % players
    if function >= DISCARD_HIGHEST:
        if table.tokens == table.max_tokens:
            return NO_MOVE, following
        situation = _situation_with(table, hands, me, following)
        return fire_discard(function, first, situation, of_two), following
    if function < COMPLETE_TELL_USEFUL_CARD:
        situation = _situation_with(table, hands, me, following)
        return _fire_play(function, first, second, situation), following
    if table.tokens == 0:
        return NO_MOVE, following
    if function == TELL_FINESSE:
        beyond = _situation_with(table, hands, me, (me + 2) % players)
        next_one = _situation_with(table, hands, me, following)
        return _tell_finesse(next_one, beyond), beyond.partner
    if function in (tell.TELL_MOST_INFORMATION, tell.TELL_MOST_NEW_INFORMATION):
        return _tell_most(table, hands, me, function == tell.TELL_MOST_NEW_INFORMATION)
    for index in range(players - 1):
        partner = (following + index) % players
        if function == tell.TELL_DISPENSABLE:
            partner = index + int(index >= me)
        situation = _situation_with(table, hands, me, partner)
        move = fire_tell(function, first, second, situation, of_two)
        if move != NO_MOVE:
            return move, partner
    return NO_MOVE, following


@njit(cache=True, nogil=True)
def _fire_play(function: int, first: int, second: int, situation: Situation) -> int:
    if function == PLAY_FINESSE:
        return _play_finesse(situation)
    if function == PLAY_FINESSE_TOLD:
        return _play_finesse_told(situation)
    if function == PLAY_UNIQUE_POSSIBLE_CARD:
        return _play_unique_possible_card(situation)
    return fire_play(function, first, second, situation)


@njit(cache=True, nogil=True)
def _play_finesse(situation: Situation) -> int:
    """Play the newest card if the last hint showed the next player a card two above its firework.

    The card between the two is then taken to be mine.
    """
    table, turn = situation.table, signed(situation.table.turn)
    if turn < 1 or hint_given(table, turn - 1)[0] != 2:
        return NO_MOVE
    for slot in range(SLOTS):
        card = partner_card(situation, slot)
        if card == NO_CARD or not int(table.touched[turn - 1]) >> slot & 1:
            continue
        if card % RANKS == int(table.fireworks[card // RANKS]) + 1:
            return play_slot(situation, newest_of(table, situation.me, ALL_SLOTS))
    return NO_MOVE


@njit(cache=True, nogil=True)
def _play_finesse_told(situation: Situation) -> int:
    """Play the card that a hint touched alone if another player has played since, as its answer."""
    table, turn = situation.table, signed(situation.table.turn)
    if turn < 2 or hint_given(table, turn - 2)[0] != 2:
        return NO_MOVE
    hand_size = int(table.hand_size)
    if not hand_size <= int(table.actions[turn - 1]) < 2 * hand_size:
        return NO_MOVE
    return play_slot(situation, only_value(int(table.touched[turn - 2])))


@njit(cache=True, nogil=True)
def _play_unique_possible_card(situation: Situation) -> int:
    """Play a card that a hint touched alone: the rule of two players, with hints of all others."""
    table, me, players = situation.table, situation.me, signed(situation.table.players)
    turn, replaced, all_slots = signed(table.turn), 0, (1 << int(table.hand_size)) - 1
    for past in range(turn - 1, -1, -1):
        player = (me - turn + past) % players
        away, hint = hint_given(table, past)
        touched = signed(table.touched[past])
        if player == me and away == 0:
            replaced |= touched
            if replaced == all_slots:
                return NO_MOVE
        elif away and (player + away) % players == me:
            slot = only_value(touched)
            if slot >= 0 and hint_means_play(situation, hint, replaced >> slot & 1):
                return play_slot(situation, slot)
    return NO_MOVE


@njit(cache=True, nogil=True)
def _tell_finesse(following: Situation, beyond: Situation) -> int:
    """Tell the player after next about the card that the next player's newest card leads to."""
    table = following.table
    newest = newest_of(table, following.partner, ALL_SLOTS)
    card = partner_card(following, max(newest, 0))
    if newest < 0 or not slots_holding(following, following.playable) >> newest & 1:
        return NO_MOVE
    if card % RANKS == RANKS - 1:
        return NO_MOVE
    for slot in range(SLOTS):
        if partner_card(beyond, slot) != card + 1:
            continue
        by_colour, by_rank = colour_hint(beyond, slot), rank_hint(beyond, slot)
        colour_alone = touched_slots(beyond, by_colour) == 1 << slot
        rank_alone = touched_slots(beyond, by_rank) == 1 << slot
        if colour_alone and rank_alone and known_rank(beyond, beyond.partner, slot) >= 0:
            return by_colour
        if rank_alone:
            return by_rank
        if colour_alone:
            return by_colour
    return NO_MOVE


@njit(cache=True, nogil=True)
def _tell_most(table: np.record, hands: np.ndarray, me: int, only_new: bool) -> tuple[int, int]:
    """Give the hint that touches most cards of any partner, or most with an unknown attribute."""
    chosen, best, told = NO_MOVE, 0, me
    for partner in range(signed(table.players)):
        if partner == me:
            continue
        situation = _situation_with(table, hands, me, partner)
        for hint in HINT_ORDER:
            counted = new_slots(situation, hint) if only_new else touched_slots(situation, hint)
            if count_cards(counted) > best:
                chosen, best, told = hint, count_cards(counted), partner
    return chosen, told


@njit(cache=True, nogil=True)
def count_moves(moves: int) -> int:
    """Return how many moves there are in a set of up to 50 (bit: move id)."""
    return count_cards(moves & 0xFFFFFFFF) + count_cards(moves >> 32)


@njit(cache=True, nogil=True)
def spread_over_legal(moves: int, weights: np.ndarray) -> int:
    """Write equal weights for a set of up to 50 moves; return ``SPREAD``."""
    count = count_moves(moves)
    for move in range(len(weights)):
        weights[move] = 1.0 / count if moves >> move & 1 else 0.0
    return SPREAD
