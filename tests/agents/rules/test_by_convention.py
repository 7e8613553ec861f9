"""Rules that follow conventions: what hints mean, and hints that mean it."""

import pytest

from hoad.agents.rules.catalogue import CATALOGUE
from hoad.game.game import Game
from tests.agents.positions import choice, position, weights

NUMBERS = {rule.name: number for number, rule in CATALOGUE.items()}

TWO_ONES = "R1 Y1 G3 W4 B5  R2 R3 R4 W2 B2"
PARTNER = "W1 W2 W3 W4 W5  R1 R4 Y3 Y1 B5"


def made(name: str, game: Game) -> str | None:
    """The move of the rule of this name, or None where it does not fire."""
    return choice(NUMBERS[name], game)


def _told_ones() -> Game:
    """The partner told me that my two oldest cards are 1s."""
    return position(TWO_ONES, "hint red", "hint 1")


def _told_ones_twice() -> Game:
    """My yellow 1 was touched by two hints; the green 1, newer but in slot 0, by the second one."""
    cards = "R3 Y1 G3 W4 B5  R2 R3 R4 W2 B2  G1"
    return position(cards, "hint red", "hint 1", "discard 0", "hint 1")


@pytest.mark.parametrize(
    ("reading", "move"),
    [
        ("every; newest", "play 1"),
        ("every; oldest", "play 0"),
        ("newest; newest", "play 1"),
        ("oldest; oldest", "play 0"),
        ("chop or newest; newest", "play 0"),
        ("newest unless chop; newest", None),
        ("newest new; newest", "play 1"),
        ("every, by rank; newest", "play 1"),
        ("every, by colour; newest", None),
        ("newest, just now; newest", "play 1"),
    ],
)
def test_a_hint_means_a_card_to_be_played(reading: str, move: str | None) -> None:
    assert made(f"PlayMeant({reading})", _told_ones()) == move


@pytest.mark.parametrize(
    ("reading", "move"),
    [
        ("every; newest", "play 4"),
        ("every; oldest", "play 0"),
        ("every; first slot", "play 4"),
        ("every; last slot", "play 0"),
        ("every; latest hint", "play 4"),
        ("every; earliest hint", "play 0"),
        ("newest new, just now; newest", "play 4"),
        ("oldest, just now; oldest", "play 0"),
    ],
)
def test_cards_are_played_by_age_by_slot_or_by_hint(reading: str, move: str) -> None:
    assert made(f"PlayMeant({reading})", _told_ones_twice()) == move


def test_a_meaning_lasts_however_long_ago_the_hint_was() -> None:
    game = position(TWO_ONES, "hint red", "hint 1", "discard 4", "discard 0")

    assert made("PlayMeant(every; oldest)", game) == "play 0"
    assert made("PlayMeant(every, latest; oldest)", game) == "play 0"
    assert made("PlayMeant(every, just now; oldest)", game) is None


def test_a_drawn_card_does_not_take_over_a_meaning() -> None:
    game = position(TWO_ONES, "hint red", "hint green", "discard 2", "discard 0")

    assert made("PlayMeant(every; newest)", game) is None


def test_a_card_shown_not_to_fit_waits_until_it_may() -> None:
    cards = "R2 Y3 G3 W4 B5  R1 R3 R4 W2 B2"
    told = ("hint 1", "hint 2")

    assert made("PlayMeant(every; newest)", position(cards, *told)) is None
    later = position(cards, *told, "discard 4", "play 0")
    assert made("PlayMeant(every; newest)", later) == "play 0"


@pytest.mark.parametrize(
    ("reading", "move"),
    [
        ("newest; rank first", "hint 1"),
        ("newest; colour first", "hint yellow"),
        ("newest; fewest", "hint 1"),
        ("newest, by colour; by chance", "hint yellow"),
        ("oldest; colour first", "hint red"),
        ("chop or newest; colour first", "hint red"),
        ("newest unless chop; rank first", "hint yellow"),
        ("every; colour first", "hint 1"),
        ("first slot; colour first", "hint red"),
        ("last slot; colour first", "hint yellow"),
    ],
)
def test_a_hint_is_given_that_means_a_playable_card(reading: str, move: str) -> None:
    assert made(f"TellToPlay({reading})", position(PARTNER)) == move


def test_hints_that_mean_a_playable_card_may_be_equally_likely() -> None:
    rule = NUMBERS["TellToPlay(newest; by chance)"]

    assert weights(f"rules:{rule}", position(PARTNER)) == {"hint 1": 0.5, "hint yellow": 0.5}


def test_a_card_that_is_meant_already_is_not_told_again() -> None:
    game = position(PARTNER, "hint 1", "hint 5")

    assert made("TellToPlay(newest; rank first)", game) is None
    assert made("TellToPlay(oldest; colour first)", game) is None


def test_a_partner_with_a_card_to_play_may_be_left_alone() -> None:
    game = position(PARTNER, "hint red", "hint 5")

    assert made("TellToPlay(every; by chance, unless busy)", position(PARTNER)) == "hint 1"
    assert made("TellToPlay(every; by chance, unless busy)", game) is None


def test_a_hint_may_have_to_touch_new_cards_only() -> None:
    game = position(PARTNER, "hint red", "hint 5")  # a hint of 1s touches the red 1 again

    name = "TellToPlay(newest; by chance, touch new)"
    assert made(name, game) == "hint yellow"


def test_a_partner_about_to_play_a_card_that_does_not_fit_is_stopped() -> None:
    """The partner would play the newest red card, a 4; told the 1s, it knows that it is none."""
    assert made("TellToStop(every; newest; rank first)", position(PARTNER)) is None
    game = position(PARTNER, "hint red", "hint 5")
    assert made("TellToStop(every; newest; rank first)", game) == "hint 1"
    assert made("TellToStop(every; oldest; rank first)", game) is None


@pytest.mark.parametrize(
    ("kind", "first", "then"),
    [
        ("oldest; necessary; rank first", "hint 5", None),
        ("oldest; necessary; colour first", "hint blue", None),
        ("oldest; useful; rank first", "hint 5", "hint 4"),
        ("newest; playable; rank first", "hint 1", "hint 1"),
        ("newest; two; rank first", None, None),
    ],
)
def test_the_next_discard_is_saved(kind: str, first: str | None, then: str | None) -> None:
    cards = "W1 W2 W3 W4 W5  B5 R4 Y3 Y1 R1"

    assert made(f"TellToSaveNext({kind})", position(cards)) == first
    assert made(f"TellToSaveNext({kind})", position(cards, "hint 5", "hint 5")) == then


def test_a_two_is_saved_unless_it_is_held_twice() -> None:
    alone = position("W1 W2 W3 W4 W5  R2 R4 Y3 Y1 R1")
    twice = position("W1 W2 W3 W4 W5  R2 R4 R2 Y1 R1")

    assert made("TellToSaveNext(oldest; two; rank first)", alone) == "hint 2"
    assert made("TellToSaveNext(oldest; two; rank first)", twice) is None


def test_hints_may_touch_only_cards_of_a_kind() -> None:
    told = position(PARTNER, "hint 5", "hint 5")

    assert made("TellOnly(playable; rank first)", position(PARTNER)) == "hint 1"
    assert made("TellOnly(useless; rank first)", position(PARTNER)) is None
    assert made("TellOnly(nothing new; rank first)", position(PARTNER)) is None
    assert made("TellOnly(nothing new; rank first)", told) == "hint 5"
    assert made("TellOnly(untouched; most new)", told) == "hint 1"


@pytest.mark.parametrize(
    ("kind", "move"),
    [
        ("untouched; oldest", "discard 2"),
        ("untouched; newest", "discard 4"),
        ("untouched; first slot", "discard 2"),
        ("not meant; oldest", "discard 2"),
        ("shown unplayable; oldest", None),
        ("spare; oldest", None),
    ],
)
def test_the_next_discard_is_a_card_of_a_kind(kind: str, move: str | None) -> None:
    assert made(f"DiscardNext({kind})", _told_ones()) == move


def test_any_untouched_card_may_be_discarded_by_chance() -> None:
    moves = weights(f"rules:{NUMBERS['DiscardNext(untouched; by chance)']}", _told_ones())

    assert moves == pytest.approx({f"discard {place}": 1 / 3 for place in (2, 3, 4)})


def test_a_card_shown_not_to_fit_may_be_discarded() -> None:
    game = position("R2 Y3 G3 W4 B5  R1 R3 R4 W2 B2", "hint 1", "hint 2")

    assert made("DiscardNext(shown unplayable; oldest)", game) == "discard 0"
    assert made("DiscardNext(shown useless; oldest)", game) is None


def test_a_copy_of_a_card_that_the_partner_holds_may_be_discarded() -> None:
    moves = ("hint 1", "hint 2", "hint 2", "hint red")
    game = position("R2 Y3 G3 W4 B5  R1 R2 R4 W2 B2", *moves)

    assert made("DiscardNext(spare; oldest)", game) == "discard 0"


@pytest.mark.parametrize("name", ["DiscardNext(untouched; oldest)", "DiscardNext(spare; oldest)"])
def test_nothing_is_discarded_with_all_tokens(name: str) -> None:
    assert made(name, position(TWO_ONES)) is None


def test_no_hint_is_given_without_a_token() -> None:
    game = position(PARTNER)
    game.state.table.tokens = 0

    assert made("TellToPlay(newest; rank first)", game) is None
    assert made("TellOnly(playable; rank first)", game) is None
