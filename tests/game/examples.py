"""Games that several tests play."""

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from hoad.game.deck import shuffled_deck
from hoad.game.log import GameLogs, logs_of
from hoad.game.observation import observation_bytes
from hoad.game.random_play import pick_move, play_random
from hoad.game.rules import apply, deal, legal_moves
from hoad.game.state import MAX_TURNS, Variant, full_game, small_game, very_small_game
from hoad.game.stream import start_stream

VARIANTS = {
    **{f"full-{players}": full_game(players) for players in (2, 3, 4, 5)},
    **{f"minimal-{players}": full_game(players, "minimal") for players in (2, 5)},
    **{f"seer-{players}": full_game(players, "seer") for players in (2, 3)},
    **{f"small-{players}": small_game(players) for players in (2, 3)},
    **{f"very-small-{players}": very_small_game(players) for players in (2, 4, 5)},
    "four-by-four": Variant(3, colours=4, ranks=4, hand_size=3, max_tokens=5, max_lives=2),
}


def deck_from(first: Sequence[int], variant: Variant | None = None) -> list[int]:
    """A deck that begins with these cards; the others follow in ascending order."""
    rest = (variant or full_game()).full_deck().tolist()
    for card in first:
        rest.remove(card)
    return [*first, *rest]


def random_position(variant: Variant, seed: int, turns: int) -> np.record:
    """The state after some turns of random play, or at the end if that comes earlier."""
    state = variant.new_states(1)[0]
    state.deck[: variant.cards] = shuffled_deck(variant.full_deck(), seed, 0)
    streams = np.array([start_stream(seed, 0, 0)], np.uint64)
    deal(state, 0)
    for _ in range(turns):
        if state.table.over:
            break
        apply(state, pick_move(legal_moves(state.table, state.hands), streams, 0))
    return state


def positions(turns: int = 60) -> st.SearchStrategy[np.record]:
    """Positions of the full game of two players after random play of so many turns at most."""
    moment = {"seed": st.integers(0, 10_000), "turns": st.integers(0, turns)}
    return st.builds(random_position, st.just(full_game()), **moment)


def observed_random_play(variant: Variant, games: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The actions of games of random play, and what the player to move sees in each turn."""
    observations = np.empty((games * MAX_TURNS, observation_bytes(variant)), np.uint8)
    logs = _random_play(variant, games, seed, observations)
    return logs.actions, observations[: len(logs.actions)]


def up_to(logs: GameLogs, turns: int) -> GameLogs:
    """Return the beginnings of games, of so many turns."""
    actions = [logs.actions_of(game)[:turns] for game in range(len(logs))]
    return logs_of(logs.players, list(logs.decks), actions)


def moves_at(logs: GameLogs, turn: int) -> np.ndarray:
    """Return the move of each game in this turn."""
    return logs.actions[logs.offsets[:-1] + turn]


def random_logs(players: int, games: int, seed: int) -> GameLogs:
    """Return games ``0 .. games - 1`` of a run of random play of the full game, as logs."""
    return _random_play(full_game(players), games, seed, np.empty((0, 0), np.uint8))


def _random_play(variant: Variant, games: int, seed: int, observations: np.ndarray) -> GameLogs:
    decks = np.empty((games, variant.cards), np.uint8)
    actions = np.empty(games * MAX_TURNS, np.uint8)
    offsets = np.zeros(games + 1, np.int64)
    states, deck = variant.new_states(1), variant.full_deck()
    play_random(states, deck, seed, decks, actions, offsets, observations)
    return GameLogs(variant.players, decks, actions[: offsets[-1]].copy(), offsets)
