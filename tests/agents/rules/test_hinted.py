"""Rules that play a card for what a hint seems to have meant."""

import pytest

from tests.agents.positions import choice, position

CARDS = "R1 Y1 G3 W4 B5  R2 R3 R4 W2 B2"


def test_a_rank_hint_on_one_card_means_play() -> None:
    alone = position("R1 Y2 G3 W4 B5  R2 R3 R4 W2 B2", "hint red", "hint 1")
    not_alone = position(CARDS, "hint red", "hint 1")

    assert choice(9, alone) == "play 0"
    assert choice(9, not_alone) is None


def test_a_colour_hint_on_one_card_means_the_rank_that_lies_on_top() -> None:
    """A quirk of the published program: with no card of the colour played it does not fire."""
    cards = "R2 Y1 G3 W4 B5  R1 Y3 G4 W2 B2"
    nothing_played = position(cards, "hint 1", "hint red")
    red_1_played = position(cards, "hint 1", "play 0", "hint 3", "hint red")

    assert choice(9, nothing_played) is None
    assert choice(9, red_1_played) == "play 0"


@pytest.mark.parametrize("rule", [50, 51, 52, 53, 54])
def test_a_hinted_card_is_played_even_if_it_cannot_fit(rule: int) -> None:
    assert choice(rule, position(CARDS, "hint red", "hint 5")) == "play 4"


@pytest.mark.parametrize("rule", [55, 58, 59, 62, 63, 66])
def test_a_hinted_card_has_to_be_likely_enough(rule: int) -> None:
    assert choice(rule, position(CARDS, "hint red", "hint 5")) is None


def test_a_hint_may_have_to_touch_one_card_or_the_newest() -> None:
    game = position(CARDS, "hint red", "hint 1")

    assert [choice(rule, game) for rule in (63, 64, 65, 66)] == [None, None, None, "play 1"]


def test_once_a_life_is_lost_only_certain_cards_are_played() -> None:
    unfit, fit = position(CARDS, "hint red", "hint 5"), position(CARDS, "hint red", "hint 1")
    for game in (unfit, fit):
        game.state.table.lives = 2

    assert choice(50, unfit) == "play 4"
    assert choice(54, unfit) is None
    assert choice(54, fit) == "play 1"


def test_hints_count_until_the_partner_plays_or_discards() -> None:
    hint_and_hint = position(CARDS, "hint red", "hint 5", "hint 2", "hint yellow")
    hint_and_discard = position(CARDS, "hint red", "hint 5", "hint 2", "discard 0")

    assert choice(53, hint_and_hint) == "play 4"
    assert choice(53, hint_and_discard) is None


def test_a_card_drawn_into_a_hinted_slot_counts_as_hinted() -> None:
    """A quirk of the published program."""
    game = position(CARDS, "hint red", "hint 5", "discard 4", "hint 1")

    assert choice(53, game) == "play 4"


@pytest.mark.parametrize("rule", [113, 114, 115])
def test_the_newest_card_of_a_hint_is_played(rule: int) -> None:
    game = position(CARDS, "hint red", "hint 1")

    assert choice(rule, game) == "play 1"
    game.state.table.lives = 1
    assert choice(rule, game) is None


@pytest.mark.parametrize("rule", [113, 114, 115])
def test_own_rules_do_not_play_a_hinted_card_that_cannot_fit(rule: int) -> None:
    assert choice(rule, position(CARDS, "hint red", "hint 5")) is None


def test_the_best_card_of_a_hint_is_the_likeliest() -> None:
    """Both are red, but the newer one was not there when player 0 heard which card is a 5."""
    game = position(f"{CARDS}  R3", "hint red", "hint 5", "discard 1", "hint red")

    assert choice(113, game) == "play 4"
    assert choice(114, game) == "play 0"


def test_the_last_hint_may_be_old_but_its_card_must_still_be_there() -> None:
    discarded = position(CARDS, "hint red", "hint 1", "hint 2", "discard 0")
    played_one = position(CARDS, "hint red", "hint 1", "play 1", "discard 0")

    assert [choice(rule, discarded) for rule in (113, 114, 115)] == [None, None, "play 1"]
    assert choice(115, played_one) == "play 0"
