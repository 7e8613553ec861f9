"""The lines of the protocol, as docs/process.md has them."""

import json
from typing import Any

import numpy as np
import pytest

from hoad.agents.process import protocol
from hoad.game.moves import move_id
from hoad.game.rules import apply, deal_deck
from hoad.game.state import full_game

# Ones of all colours for player 0, twos for player 1; draws: R3, Y3, G3, W3, B3, ...
ORDERED = [0, 5, 10, 15, 20, 1, 6, 11, 16, 21, 2, 7, 12, 17, 22]


def dealt() -> np.record:
    """Return a game at its deal: ones, twos, and then the threes on the top of the deck."""
    rest = full_game(2).full_deck().tolist()
    for card in ORDERED:
        rest.remove(card)
    state = full_game(2).new_states(1)[0]
    deal_deck(state, np.array([*ORDERED, *rest], np.uint8))
    return state


def moved(*moves: str) -> list[tuple[Any, Any]]:
    """Play moves; return the line of each for both seats."""
    state, lines = dealt(), []
    for text in moves:
        action = move_id(full_game(2), text)
        told = [json.loads(protocol.move(state, action, seat)) for seat in range(2)]
        lines.append((told[0]["move"], told[1]["move"]))
        apply(state, action)
    return lines


def test_the_deal_shows_the_partners_hand_only() -> None:
    ones, twos = ([[colour, rank] for colour in range(5)] for rank in range(2))

    first, second = (json.loads(protocol.deal(dealt(), seat)) for seat in range(2))

    assert first == {"deal": {"seat": 0, "hands": [None, twos], "first": 0}}
    assert second == {"deal": {"seat": 1, "hands": [ones, None], "first": 0}}


def test_a_play_tells_the_card_and_to_the_partner_what_was_drawn() -> None:
    [(mine, theirs)] = moved("play 1")

    told = {"player": 0, "type": "play", "position": 1, "card": [1, 0]}
    assert mine == told | {"drawn": None}
    assert theirs == told | {"drawn": [0, 2]}


def test_positions_count_from_the_oldest_card() -> None:
    *_, (_, theirs) = moved("play 1", "hint red", "hint 2", "hint yellow", "discard 4")

    told = {"player": 0, "type": "discard", "position": 4, "card": [0, 2], "drawn": [1, 2]}
    assert theirs == told


def test_hints_tell_the_positions_that_they_touch() -> None:
    (first, same), (second, _), (third, _) = moved("hint white", "hint 1", "hint 2")

    told = {"player": 0, "type": "hint_colour", "colour": 3, "touched": [3]}
    assert first == same == told
    assert second == {"player": 1, "type": "hint_rank", "rank": 0, "touched": [0, 1, 2, 3, 4]}
    assert third == {"player": 0, "type": "hint_rank", "rank": 1, "touched": [0, 1, 2, 3, 4]}


def test_the_end_tells_score_and_lives() -> None:
    state = dealt()
    for text in ("play 0", "play 0", "play 0", "play 0"):
        apply(state, move_id(full_game(2), text))

    assert json.loads(protocol.end(state)) == {"end": {"score": 4, "lives": 3}}


@pytest.mark.parametrize(
    ("answer", "move"),
    [
        ('{"type": "play", "position": 2}', "play 2"),
        ('{"type": "discard", "position": 0}', "discard 0"),
        ('{"type": "hint_colour", "colour": 3}', "hint white"),
        ('{"type": "hint_rank", "rank": 4, "comment": "five"}\r', "hint 5"),
    ],
)
def test_answers_are_moves(answer: str, move: str) -> None:
    assert protocol.read_move(answer.encode()) == move_id(full_game(2), move)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "null",
        "{}",
        '{"type": "play"}',
        '{"type": "play", "position": true}',
        '{"type": "play", "position": 1.0}',
        '{"type": "play", "position": -1}',
        '{"type": "hint_colour", "rank": 1}',
        '{"type": ["play"], "position": 1}',
    ],
)
def test_other_answers_are_no_moves(answer: str) -> None:
    with pytest.raises(ValueError, match=r"expected|not JSON"):
        protocol.read_move(answer.encode())
