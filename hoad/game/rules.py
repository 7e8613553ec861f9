"""The rules, compiled: deal, which moves are legal, what a move does, when the game is over.

All functions take one record; they are exactly HLE's (Bard et al. 2020, "The Hanabi challenge").
A set of moves is an int with bit ``move id`` set: there are at most 48 ids.
"""

import numpy as np
from numba import njit

from hoad.game.state import NO_CARD, SEER, copies_of

copies = njit(cache=True, nogil=True)(copies_of)
"""How many copies of each card of a rank exist."""


@njit(cache=True, nogil=True)
def deal(state: np.record, first_player: int) -> None:
    """Start a game with the cards of ``state.deck``; ``first_player`` is to move.

    Player 0 receives a whole hand, then player 1, and so on, independent of the first player.
    """
    table = state.table
    players, hand_size, ranks = int(table.players), int(table.hand_size), int(table.ranks)
    table.tokens = table.max_tokens
    table.lives = table.max_lives
    table.score = 0
    table.deck_left = table.cards_in_game
    table.final_turns = players
    table.over = 0
    table.current = first_player
    table.turn = 0
    table.scored = 0
    table.regained = 0
    table.fireworks[:] = 0
    table.discards[:] = 0
    table.left[:] = 0
    for colour in range(int(table.colours)):
        for rank in range(ranks):
            for copy in range(copies(rank, ranks)):
                table.left[copy] |= 1 << colour * ranks + rank
    for player in range(players):
        for slot in range(hand_size):
            table.order[player, slot] = slot
            _draw(state, player, slot)
        table.hand_length[player] = hand_size


@njit(cache=True, nogil=True)
def deal_deck(state: np.record, deck: np.ndarray) -> None:
    """Start a game with these cards, in drawing order; player 0 is to move."""
    for position in range(len(deck)):  # numba takes seconds to compile a copy of a slice
        state.deck[position] = deck[position]
    deal(state, 0)


@njit(cache=True, nogil=True)
def replay_moves(state: np.record, deck: np.ndarray, actions: np.ndarray) -> None:
    """Lead a state from the deal of a deck through some legal moves."""
    deal_deck(state, deck)
    for action in actions:
        apply(state, int(action))


@njit(cache=True, nogil=True)
def _draw(state: np.record, player: int, slot: int) -> None:
    """Fill a slot with the next card of the deck, with blank knowledge."""
    table = state.table
    _forget(table, player, slot)
    card = int(state.deck[int(table.cards_in_game) - int(table.deck_left)])
    state.hands[player, slot] = card
    table.deck_left -= 1
    if table.observation == SEER:
        table.colour_mask[player, slot] = 1 << (card // int(table.ranks))
        table.rank_mask[player, slot] = 1 << (card % int(table.ranks))
        table.colour_hinted[player, slot] = 1
        table.rank_hinted[player, slot] = 1


@njit(cache=True, nogil=True)
def _forget(table: np.record, player: int, slot: int) -> None:
    table.colour_mask[player, slot] = (1 << int(table.colours)) - 1
    table.rank_mask[player, slot] = (1 << int(table.ranks)) - 1
    table.colour_hinted[player, slot] = 0
    table.rank_hinted[player, slot] = 0


@njit(cache=True, nogil=True)
def legal_moves(table: np.record, hands: np.ndarray) -> int:
    """Return the legal moves of the player to move as a set of bits; none once the game is over.

    Only the other players' rows of ``hands`` (players x slots) are read.
    """
    if table.over:
        return 0
    players, hand_size = int(table.players), int(table.hand_size)
    me = int(table.current)
    own = (1 << int(table.hand_length[me])) - 1
    moves = own << hand_size
    if table.tokens < table.max_tokens:
        moves |= own
    if table.tokens > 0:
        for offset in range(1, players):
            moves |= _legal_hints(table, hands, (me + offset) % players, offset)
    return moves


@njit(cache=True, nogil=True)
def _legal_hints(table: np.record, hands: np.ndarray, target: int, offset: int) -> int:
    colours, ranks = int(table.colours), int(table.ranks)
    first_colour = 2 * int(table.hand_size) + (offset - 1) * colours
    colour_hints = (int(table.players) - 1) * colours
    first_rank = 2 * int(table.hand_size) + colour_hints + (offset - 1) * ranks
    moves = 0
    for slot in range(int(table.hand_size)):
        card = int(hands[target, slot])
        if card != NO_CARD:
            moves |= 1 << (first_colour + card // ranks)
            moves |= 1 << (first_rank + card % ranks)
    return moves


@njit(cache=True, nogil=True)
def apply(state: np.record, action: int) -> None:
    """Carry out a legal ``action`` (move id) of the player to move, and draw the replacement.

    Illegal actions are not detected here: test with :func:`legal_moves`.
    """
    table = state.table
    turn = int(table.turn)
    hand_size = int(table.hand_size)
    deck_was_empty = table.deck_left == 0
    table.actions[turn] = action
    table.revealed[turn] = NO_CARD
    table.scored = 0
    table.regained = 0
    if action < 2 * hand_size:
        _remove(state, action % hand_size, action >= hand_size)
    else:
        _hint(state, action)
    if deck_was_empty:
        table.final_turns -= 1
        if table.final_turns == 0:
            table.over = 1
    table.turn = turn + 1
    following = int(table.current) + 1
    table.current = following if following < int(table.players) else 0


@njit(cache=True, nogil=True)
def deal_all(states: np.ndarray, decks: np.ndarray) -> None:
    """Start a game in each of many states; ``decks`` has a row for each."""
    for game in range(len(states)):
        deal_deck(states[game], decks[game])


@njit(cache=True, nogil=True)
def apply_all(states: np.ndarray, actions: np.ndarray) -> None:
    """Carry out a legal action in each of many states."""
    for game in range(len(states)):
        apply(states[game], int(actions[game]))


@njit(cache=True, nogil=True)
def _remove(state: np.record, position: int, play: bool) -> None:
    """Play or discard the card at ``position`` (by age) and draw into its slot."""
    table = state.table
    me, turn = int(table.current), int(table.turn)
    slot = int(table.order[me, position])
    card = int(state.hands[me, slot])
    table.touched[turn] = 1 << slot
    table.revealed[turn] = card
    for copy in range(2, -1, -1):
        if int(table.left[copy]) >> card & 1:
            table.left[copy] = int(table.left[copy]) ^ 1 << card
            break
    if play:
        _play(table, card)
    else:
        table.discards[card] += 1
        table.tokens += 1
    last = int(table.hand_length[me]) - 1
    for later in range(position, last):
        table.order[me, later] = table.order[me, later + 1]
    table.order[me, last] = slot
    if table.deck_left and not table.over:
        _draw(state, me, slot)
        return
    _forget(table, me, slot)
    state.hands[me, slot] = NO_CARD
    table.hand_length[me] = last


@njit(cache=True, nogil=True)
def _play(table: np.record, card: int) -> None:
    ranks = int(table.ranks)
    colour = card // ranks
    if card % ranks != int(table.fireworks[colour]):
        table.discards[card] += 1
        table.lives -= 1
        if table.lives == 0:
            table.over = 1
        return
    score = int(table.score) + 1
    table.fireworks[colour] += 1
    table.score = score
    table.scored = 1
    if int(table.fireworks[colour]) == ranks and table.tokens < table.max_tokens:
        table.tokens += 1
        table.regained = 1
    if score == int(table.colours) * ranks:
        table.over = 1


@njit(cache=True, nogil=True)
def _hint(state: np.record, action: int) -> None:
    """Narrow the plausible values of each touched card to the one named, of others to the rest."""
    table = state.table
    players, colours, ranks = int(table.players), int(table.colours), int(table.ranks)
    index = action - 2 * int(table.hand_size)
    is_colour = index < (players - 1) * colours
    if is_colour:
        values, mask, hinted = colours, table.colour_mask, table.colour_hinted
    else:
        index -= (players - 1) * colours
        values, mask, hinted = ranks, table.rank_mask, table.rank_hinted
    target, value = (int(table.current) + index // values + 1) % players, index % values
    named = _cards_named(colours, ranks, value, is_colour)
    touched = 0
    for slot in range(int(table.hand_size)):
        card = int(state.hands[target, slot])
        if card == NO_CARD:
            continue
        if named >> card & 1:
            touched |= 1 << slot
            mask[target, slot] = 1 << value
            hinted[target, slot] = 1
        else:
            mask[target, slot] = int(mask[target, slot]) & ~(1 << value)
    table.touched[int(table.turn)] = touched
    table.tokens -= 1


@njit(cache=True, nogil=True)
def _cards_named(colours: int, ranks: int, value: int, is_colour: bool) -> int:
    """Return the set of cards (bit: card id) of a colour or a rank."""
    if is_colour:
        return ((1 << ranks) - 1) << value * ranks
    cards = 0
    for colour in range(colours):
        cards |= 1 << colour * ranks + value
    return cards
