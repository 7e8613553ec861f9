"""Positions of the full game, and what a rule makes of those of two players."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from hoad.agents import Agent, Batch, get_agent
from hoad.game.game import Game
from hoad.game.moves import COLOUR_LETTERS, move_name
from hoad.game.state import full_game
from tests.game.examples import deck_from


def position(cards: str, *moves: str, players: int = 2, **table: Any) -> Game:
    """The game after these moves.

    ``cards`` is how the deck begins: one hand after another, then what is drawn. ``table``
    overrides fields of the public part of the state.
    """
    ids = [5 * COLOUR_LETTERS.index(card[0]) + int(card[1]) - 1 for card in cards.split()]
    game = Game(full_game(players), deck=deck_from(ids))
    for move in moves:
        game.step(move)
    for field, value in table.items():
        game.state.table[field] = value
    return game


def weights(agent: str | Agent, game: Game) -> dict[str, float]:
    """The moves that an agent may make, as text, with their probabilities."""
    states = np.array([game.state], game.state.dtype)
    player = get_agent(agent) if isinstance(agent, str) else agent
    batch = Batch(states, game.current_player, player.new_memory(1))
    row = player.weights(batch)[0].tolist()
    return {move_name(full_game(2), move): row[move] for move in range(len(row)) if row[move]}


def choice(rule: int, game: Game) -> str | None:
    """The move of a rule that leaves nothing to chance, or None where it does not fire."""
    moves = weights(f"rules:{rule}", game)
    if len(moves) == 1:
        return next(iter(moves))
    assert moves == weights("legal-random", game)
    return None


def assert_choice(
    rules: int | Iterable[int],
    cards: str,
    moves: str,
    table: dict[str, Any],
    move: str | dict[str, float] | None,
) -> None:
    """Check what each of some rules does in a position; ``moves`` stand between commas.

    ``move`` is that of `choice`, or the probabilities of moves where it is left to chance.
    """
    game = position(cards, *filter(None, moves.split(", ")), **table)
    for rule in [rules] if isinstance(rules, int) else rules:
        if isinstance(move, dict):
            assert weights(f"rules:{rule}", game) == pytest.approx(move, rel=1e-12), f"rule {rule}"
        else:
            assert choice(rule, game) == move, f"rule {rule}"
