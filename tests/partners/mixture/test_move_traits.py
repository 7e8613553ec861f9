"""Traits of moves, in compiled code."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.agents import get_agent, play
from hoad.agents.follow import states_at
from hoad.game.log import GameLogs
from hoad.partners.choices import choices_of
from hoad.partners.mixture.move_traits import SIZES, move_traits
from tests.partners.mixture.columns import program_of, values_of
from tests.scripts import prints_the_same_without_compilation

COLOUR_HINTS, RANK_HINTS = slice(10, 15), slice(15, 20)


def traits_of(logs: GameLogs) -> dict[str, np.ndarray]:
    """Return the value of each trait, -1 for none; int64, shape ``(decisions, 20)``."""
    return values_of(logs, move_traits, SIZES)


def first_turn(*decks: list[int]) -> GameLogs:
    """Return games in which player 0 has made its first move, a hint of rank 1."""
    rest = [[card for card in range(25) for _ in range((3, 2, 2, 2, 1)[card % 5])] for _ in decks]
    for deck, cards in zip(decks, rest, strict=True):
        for card in deck:
            cards.remove(card)
    dealt = np.array([deck + cards for deck, cards in zip(decks, rest, strict=True)], np.uint8)
    number = len(decks)
    return GameLogs(2, dealt, np.full(number, 15, np.uint8), np.arange(number + 1))


@given(st.integers(0, 10_000), st.sampled_from(["iggi", "wtfwt", "simplebot", "rules:8"]))
@settings(max_examples=20, deadline=None)
def test_each_move_has_one_value_of_each_trait_of_its_kind(seed: int, name: str) -> None:
    logs = play([get_agent(name), get_agent("legal-random")], 2, seed=seed)
    legal = choices_of(logs, np.ones((2, 2), np.bool_)).legal

    found = traits_of(logs)

    of_kinds = {"discard": slice(0, 5), "play": slice(5, 10), "hint": slice(10, 20)}
    for trait, values in found.items():
        has = values >= 0
        kind = trait.split(":")[0]
        allowed = np.zeros(20, np.bool_)
        allowed[of_kinds.get(kind, slice(0, 20))] = True
        assert not (has & ~(legal & allowed)).any(), trait
        if "just touched" not in trait and "if touched" not in trait:
            assert (has == (legal & allowed)).all(), trait


def test_hints_are_described_by_the_cards_that_they_touch() -> None:
    # Player 1 holds R1 R1 Y1 G5 W2: oldest first.
    logs = first_turn([20, 21, 22, 23, 24, 0, 0, 5, 14, 16])

    found = {name: values[0] for name, values in traits_of(logs).items()}

    touched = found["hint: by rank, cards"]
    assert touched[COLOUR_HINTS].tolist() == [2, 1, 1, 1, -1]
    assert (touched[RANK_HINTS] - 6).tolist() == [3, 1, -7, -7, 1]
    assert found["hint: by rank, playable cards"][10] == 2
    assert found["hint: by rank, necessary cards"][19] == 6 + 1
    assert found["hint: by rank, cards now known to be playable"][15] == 6 + 3
    assert found["hint: by rank, worth of the newest card"][15] == 5 + 4
    assert found["hint: newest playable card, oldest touched card"][15] == 2 * 5 + 0
    assert found["hint: newest playable card, newest touched card"][13] == 2 * 5 + 4


def test_own_cards_are_described_by_what_hints_say_of_them() -> None:
    # Player 0 hints rank 1 to player 1, who holds R1 R2 Y1 G5 W2: its cards 0 and 2 are touched.
    logs = first_turn([20, 21, 22, 23, 24, 0, 1, 5, 14, 16])
    second = GameLogs(2, logs.decks, np.array([15, 5], np.uint8), np.array([0, 2]))

    found = {name: values[1] for name, values in traits_of(second).items()}

    plays = slice(5, 10)
    assert found["play: hinted colour, rank"][plays].tolist() == [1, 0, 1, 0, 0]
    assert found["play: known colour, rank"][plays].tolist() == [1, 0, 1, 0, 0]
    assert found["play: probably playable, untouched"][5] == 6 * 2
    assert found["play: probably playable, untouched"][6] == 1  # no 1: nothing else fits
    assert found["play: just touched by rank, newer ones"][plays].tolist() == [6, -1, 5, -1, -1]
    assert found["play: value of the hint, position"][7] == (5 + 1) * 5 + 2
    assert found["play: newest touched card, position"][8] == 2 * 5 + 3
    assert found["discard: older untouched cards"][:5].tolist() == [5, 0, 5, 1, 2]
    assert found["discard: newer untouched cards"][:5].tolist() == [5, 2, 5, 1, 0]


def test_own_cards_are_not_seen() -> None:
    mine, other = [20, 21, 22, 23, 24], [0, 1, 2, 3, 4]
    logs = first_turn(*([*hand, 5, 6, 7, 8, 9] for hand in (mine, other)))

    for values in traits_of(logs).values():
        assert (values[0] == values[1]).all()


@pytest.mark.parametrize("seat", [0, 1])
def test_only_followed_seats_are_described(seat: int) -> None:
    logs = play([get_agent("iggi")] * 2, 3, seed=1)
    seats = np.tile(np.arange(2) == seat, (3, 1))
    choices = choices_of(logs, np.ones((3, 2), np.bool_))
    rows = np.repeat(choices.turns % 2 == seat, choices.legal.sum(1))

    found = move_traits(states_at(logs, seats))

    assert (found == move_traits(states_at(logs, np.ones((3, 2), np.bool_)))[rows]).all()


def test_traits_are_the_same_without_compilation() -> None:
    assert prints_the_same_without_compilation(program_of("move_traits", "move_traits"))
