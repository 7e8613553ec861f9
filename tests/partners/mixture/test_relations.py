"""Relations of moves, in compiled code."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.agents import get_agent, play
from hoad.game.log import GameLogs
from hoad.partners.choices import choices_of
from hoad.partners.mixture.relations import SIZES, move_relations
from tests.partners.mixture.columns import program_of, values_of
from tests.scripts import prints_the_same_without_compilation

R1, R2, Y1, Y2, G1, G3, W5, B4, B5 = 0, 1, 5, 6, 10, 12, 19, 23, 24
DISCARDS, PLAYS, HINTS = slice(0, 5), slice(5, 10), slice(10, 20)
PLAY_OLDEST, HINT_RED, HINT_BLUE, HINT_1 = 5, 10, 14, 15


def relations_of(logs: GameLogs) -> dict[str, np.ndarray]:
    """Return the value of each relation, -1 for none; int64, shape ``(decisions, 20)``."""
    return values_of(logs, move_relations, SIZES)


def game(first: list[int], second: list[int], actions: list[int]) -> GameLogs:
    """Return a game of two hands, oldest card first, and moves; a decision follows each of them.

    Blue cards of high ranks are drawn first.
    """
    cards = [card for card in range(24, -1, -1) for _ in range((3, 2, 2, 2, 1)[card % 5])]
    for card in (*first, *second):
        cards.remove(card)
    deck = np.array([[*first, *second, *cards]], np.uint8)
    made = np.array([*actions, PLAY_OLDEST], np.uint8)
    return GameLogs(2, deck, made, np.array([0, len(made)]))


FIRST, SECOND = [W5, Y2, G3, R2, B4], [R1, G3, Y1, B5, G1]


@given(st.integers(0, 10_000), st.sampled_from(["iggi", "wtfwt", "simplebot", "rules:8"]))
@settings(max_examples=10, deadline=None)
def test_each_move_has_at_most_one_value_of_each_relation(seed: int, name: str) -> None:
    logs = play([get_agent(name), get_agent("legal-random")], 2, seed=seed)
    legal = choices_of(logs, np.ones((2, 2), np.bool_)).legal

    found = relations_of(logs)

    for relation, values in found.items():
        kind = relation.split(":")[0]
        moves = {"discard": DISCARDS, "play": PLAYS, "hint": HINTS}.get(kind, slice(0, 20))
        others = np.ones(20, np.bool_)
        others[moves] = False
        assert (values[:, others] == -1).all(), relation
        assert (values[~legal] == -1).all(), relation


def test_neighbours_of_a_card_just_touched() -> None:
    found = relations_of(game(FIRST, SECOND, [HINT_RED]))

    touched, newer, other = 0, 1, 4
    neighbours = found["play: neighbour of the cards just touched"][1, PLAYS]
    assert neighbours.tolist() == [touched, newer, other, other, other]


def test_a_card_is_due_until_it_leaves() -> None:
    discard = 3
    logs = game(FIRST, SECOND, [HINT_1, discard, PLAY_OLDEST, PLAY_OLDEST, PLAY_OLDEST])

    found = relations_of(logs)

    age, due = found["play: last call, cards in it"] // 4, found["kind, cards due of the player"]
    assert age[1, PLAYS].tolist() == [1, 0, 1, 0, 1]
    assert age[3, PLAYS].tolist() == [2, 0, 2, 2, 0]  # the card at 3 was discarded
    assert age[5, PLAYS].tolist() == [0, 3, 3, 0, 0]  # that at 0 was played
    assert [due[turn, 5] % 4 for turn in (1, 3, 5)] == [3, 3, 2]


def test_hints_that_only_touch_touched_cards_again() -> None:
    found = relations_of(game(FIRST, SECOND, [HINT_1, 3]))

    due = found["hint: by rank, all cards are due, some playable"][2]
    repeats = found["hint: repeats the player's last hint"][2]
    assert due[HINT_1] == 4 + 2 + 1
    assert due[HINT_RED] == 2 + 1
    assert due[HINT_BLUE] == 0  # of a card just drawn
    assert (repeats[HINT_1], repeats[HINT_RED]) == (2, 1)


def test_the_hint_with_fewer_cards_about_the_oldest_playable_card() -> None:
    found = relations_of(game(FIRST, SECOND, []))

    compared = found["hint: by rank, oldest playable card, fewer cards than the other kind"][0]
    assert compared[HINT_RED] == 1  # red touches one card
    assert compared[HINT_1] == 4 + 3  # ones are three
    assert compared[11] == 0  # yellow is not about it


def test_the_best_chance_to_play_is_that_of_the_called_ones() -> None:
    found = relations_of(game(FIRST, SECOND, [HINT_1]))

    order = found["play: chance to be playable, better cards, ties"][1, PLAYS] % 6
    assert order.tolist() == [1, 5, 1, 5, 1]  # three tie, three are better than the others


def test_relations_do_not_depend_on_compilation() -> None:
    assert prints_the_same_without_compilation(program_of("relations", "move_relations"))
