"""The lines of the protocol, as docs/process.md has them."""

import json
from typing import Any

import pytest

from hoad.agents.process import protocol
from hoad.game.moves import move_id
from hoad.game.state import full_game
from tests.agents.positions import position

# Ones of all colours for player 0, twos for player 1; draws: R3, Y3, G3, W3, B3, ...
ORDERED = "R1 Y1 G1 W1 B1  R2 Y2 G2 W2 B2  R3 Y3 G3 W3 B3"


def moved(*moves: str) -> list[tuple[Any, Any]]:
    """Play moves; return the line of each for both seats."""
    game, lines = position(ORDERED), []
    for move in moves:
        action = move_id(game.variant, move)
        told = [json.loads(protocol.move(game.state, action, seat)) for seat in range(2)]
        lines.append((told[0]["move"], told[1]["move"]))
        game.step(action)
    return lines


def test_the_deal_shows_the_partners_hand_only_and_the_end_score_and_lives() -> None:
    ones, twos = ([[colour, rank] for colour in range(5)] for rank in range(2))

    first, second = (json.loads(protocol.deal(position(ORDERED).state, seat)) for seat in range(2))

    assert first == {"deal": {"seat": 0, "hands": [None, twos], "first": 0}}
    assert second == {"deal": {"seat": 1, "hands": [ones, None], "first": 0}}
    end = json.loads(protocol.end(position(ORDERED, *["play 0"] * 4).state))
    assert end == {"end": {"score": 4, "lives": 3}}


def test_a_play_tells_the_card_and_to_the_partner_what_was_drawn_by_age() -> None:
    (mine, theirs), *_, last = moved("play 1", "hint red", "hint 2", "hint red", "discard 4")

    told = {"player": 0, "type": "play", "position": 1, "card": [1, 0]}
    assert mine == told | {"drawn": None}
    assert theirs == told | {"drawn": [0, 2]}
    told = {"player": 0, "type": "discard", "position": 4, "card": [0, 2]}
    assert last == (told | {"drawn": None}, told | {"drawn": [1, 2]})


def test_hints_tell_the_positions_that_they_touch() -> None:
    (first, same), (second, _), (third, _) = moved("hint white", "hint 1", "hint 2")

    told = {"player": 0, "type": "hint_colour", "colour": 3, "touched": [3]}
    assert first == same == told
    assert second == {"player": 1, "type": "hint_rank", "rank": 0, "touched": [0, 1, 2, 3, 4]}
    assert third == {"player": 0, "type": "hint_rank", "rank": 1, "touched": [0, 1, 2, 3, 4]}


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
