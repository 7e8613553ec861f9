"""Rules that follow conventions: what hints mean, and hints that mean it."""

import pytest

from hoad.agents.rules.catalogue import CATALOGUE
from tests.agents.positions import assert_choice

NUMBERS = {rule.name: number for number, rule in CATALOGUE.items()}

ONES = "R1 Y1 G3 W4 B5  R2 R3 R4 W2 B2"
TOLD = "hint red, hint 1"
"""The partner told me that my two oldest cards are 1s."""
DRAWN = "R3 Y1 G3 W4 B5  R2 R3 R4 W2 B2  G1"
TOLD_TWICE = "hint red, hint 1, discard 0, hint 1"
"""My yellow 1 was touched by two hints; the green 1, newer but in slot 0, by the second one."""
UNFIT = "R2 Y3 G3 W4 B5  R1 R3 R4 W2 B2"
PARTNER = "W1 W2 W3 W4 W5  R1 R4 Y3 Y1 B5"
WITH_CHOP = "W1 W2 W3 W4 W5  B5 R4 Y3 Y1 R1"
BY_CHANCE = "TellToPlay(every; by chance, unless busy)"

CASES = [
    # A hint means a card to be played.
    ("PlayMeant(every; newest)", ONES, TOLD, "play 1"),
    ("PlayMeant(every; oldest)", ONES, TOLD, "play 0"),
    ("PlayMeant(newest; newest)", ONES, TOLD, "play 1"),
    ("PlayMeant(oldest; oldest)", ONES, TOLD, "play 0"),
    ("PlayMeant(chop or newest; newest)", ONES, TOLD, "play 0"),
    ("PlayMeant(newest unless chop; newest)", ONES, TOLD, None),
    ("PlayMeant(newest new; newest)", ONES, TOLD, "play 1"),
    ("PlayMeant(every, by rank; newest)", ONES, TOLD, "play 1"),
    ("PlayMeant(every, by colour; newest)", ONES, TOLD, None),
    ("PlayMeant(newest, just now; newest)", ONES, TOLD, "play 1"),
    # Cards are played by age, by slot or by hint.
    ("PlayMeant(every; newest)", DRAWN, TOLD_TWICE, "play 4"),
    ("PlayMeant(every; oldest)", DRAWN, TOLD_TWICE, "play 0"),
    ("PlayMeant(every; first slot)", DRAWN, TOLD_TWICE, "play 4"),
    ("PlayMeant(every; last slot)", DRAWN, TOLD_TWICE, "play 0"),
    ("PlayMeant(every; latest hint)", DRAWN, TOLD_TWICE, "play 4"),
    ("PlayMeant(every; earliest hint)", DRAWN, TOLD_TWICE, "play 0"),
    ("PlayMeant(newest new, just now; newest)", DRAWN, TOLD_TWICE, "play 4"),
    ("PlayMeant(oldest, just now; oldest)", DRAWN, TOLD_TWICE, "play 0"),
    # A meaning lasts however long ago the hint was, unless the rule wants the last one.
    ("PlayMeant(every; oldest)", ONES, f"{TOLD}, discard 4, discard 0", "play 0"),
    ("PlayMeant(every, latest; oldest)", ONES, f"{TOLD}, discard 4, discard 0", "play 0"),
    ("PlayMeant(every, just now; oldest)", ONES, f"{TOLD}, discard 4, discard 0", None),
    # A drawn card does not take over a meaning.
    ("PlayMeant(every; newest)", ONES, "hint red, hint green, discard 2, discard 0", None),
    # A card shown not to fit waits until it may.
    ("PlayMeant(every; newest)", UNFIT, "hint 1, hint 2", None),
    ("PlayMeant(every; newest)", UNFIT, "hint 1, hint 2, discard 4, play 0", "play 0"),
    # A hint is given that means a playable card.
    ("TellToPlay(newest; rank first)", PARTNER, "", "hint 1"),
    ("TellToPlay(newest; colour first)", PARTNER, "", "hint yellow"),
    ("TellToPlay(newest; fewest)", PARTNER, "", "hint 1"),
    ("TellToPlay(newest, by colour; by chance)", PARTNER, "", "hint yellow"),
    ("TellToPlay(oldest; colour first)", PARTNER, "", "hint red"),
    ("TellToPlay(chop or newest; colour first)", PARTNER, "", "hint red"),
    ("TellToPlay(newest unless chop; rank first)", PARTNER, "", "hint yellow"),
    ("TellToPlay(every; colour first)", PARTNER, "", "hint 1"),
    ("TellToPlay(first slot; colour first)", PARTNER, "", "hint red"),
    ("TellToPlay(last slot; colour first)", PARTNER, "", "hint yellow"),
    ("TellToPlay(newest; by chance)", PARTNER, "", {"hint 1": 0.5, "hint yellow": 0.5}),
    # A card that is meant already is not told again; a partner with a card to play may be left
    # alone.
    ("TellToPlay(newest; rank first)", PARTNER, "hint 1, hint 5", None),
    ("TellToPlay(oldest; colour first)", PARTNER, "hint 1, hint 5", None),
    (BY_CHANCE, PARTNER, "", "hint 1"),
    (BY_CHANCE, PARTNER, "hint red, hint 5", None),
    # A hint may have to touch new cards only; one of 1s touches the red 1 again.
    ("TellToPlay(newest; by chance, touch new)", PARTNER, "hint red, hint 5", "hint yellow"),
    # A partner about to play a card that does not fit is stopped: it would play the newest red
    # card, a 4; told the 1s, it knows that it is none.
    ("TellToStop(every; newest; rank first)", PARTNER, "", None),
    ("TellToStop(every; newest; rank first)", PARTNER, "hint red, hint 5", "hint 1"),
    ("TellToStop(every; oldest; rank first)", PARTNER, "hint red, hint 5", None),
    # The next discard is saved; a two unless it is held twice.
    ("TellToSaveNext(oldest; necessary; rank first)", WITH_CHOP, "", "hint 5"),
    ("TellToSaveNext(oldest; necessary; rank first)", WITH_CHOP, "hint 5, hint 5", None),
    ("TellToSaveNext(oldest; necessary; colour first)", WITH_CHOP, "", "hint blue"),
    ("TellToSaveNext(oldest; necessary; colour first)", WITH_CHOP, "hint 5, hint 5", None),
    ("TellToSaveNext(oldest; useful; rank first)", WITH_CHOP, "", "hint 5"),
    ("TellToSaveNext(oldest; useful; rank first)", WITH_CHOP, "hint 5, hint 5", "hint 4"),
    ("TellToSaveNext(newest; playable; rank first)", WITH_CHOP, "", "hint 1"),
    ("TellToSaveNext(newest; playable; rank first)", WITH_CHOP, "hint 5, hint 5", "hint 1"),
    ("TellToSaveNext(newest; two; rank first)", WITH_CHOP, "", None),
    ("TellToSaveNext(newest; two; rank first)", WITH_CHOP, "hint 5, hint 5", None),
    ("TellToSaveNext(oldest; two; rank first)", "W1 W2 W3 W4 W5  R2 R4 Y3 Y1 R1", "", "hint 2"),
    ("TellToSaveNext(oldest; two; rank first)", "W1 W2 W3 W4 W5  R2 R4 R2 Y1 R1", "", None),
    # Hints may touch only cards of a kind.
    ("TellOnly(playable; rank first)", PARTNER, "", "hint 1"),
    ("TellOnly(useless; rank first)", PARTNER, "", None),
    ("TellOnly(nothing new; rank first)", PARTNER, "", None),
    ("TellOnly(nothing new; rank first)", PARTNER, "hint 5, hint 5", "hint 5"),
    ("TellOnly(untouched; most new)", PARTNER, "hint 5, hint 5", "hint 1"),
    # The next discard is a card of a kind.
    ("DiscardNext(untouched; oldest)", ONES, TOLD, "discard 2"),
    ("DiscardNext(untouched; newest)", ONES, TOLD, "discard 4"),
    ("DiscardNext(untouched; first slot)", ONES, TOLD, "discard 2"),
    ("DiscardNext(not meant; oldest)", ONES, TOLD, "discard 2"),
    ("DiscardNext(shown unplayable; oldest)", ONES, TOLD, None),
    ("DiscardNext(spare; oldest)", ONES, TOLD, None),
    # One shown not to fit, or a copy of a card that the partner holds.
    ("DiscardNext(shown unplayable; oldest)", UNFIT, "hint 1, hint 2", "discard 0"),
    ("DiscardNext(shown useless; oldest)", UNFIT, "hint 1, hint 2", None),
    (
        *("DiscardNext(spare; oldest)", "R2 Y3 G3 W4 B5  R1 R2 R4 W2 B2"),
        *("hint 1, hint 2, hint 2, hint red", "discard 0"),
    ),
    # Any untouched card may be discarded by chance.
    (
        *("DiscardNext(untouched; by chance)", ONES, TOLD),
        {f"discard {place}": 1 / 3 for place in (2, 3, 4)},
    ),
    # Nothing is discarded with all tokens.
    ("DiscardNext(untouched; oldest)", ONES, "", None),
    ("DiscardNext(spare; oldest)", ONES, "", None),
]


@pytest.mark.parametrize(("name", "cards", "moves", "move"), CASES)
def test_what_conventions_make_of_hints(name, cards, moves, move):
    assert_choice(NUMBERS[name], cards, moves, {}, move)


@pytest.mark.parametrize(
    "name", ["TellToPlay(newest; rank first)", "TellOnly(playable; rank first)"]
)
def test_no_hint_is_given_without_a_token(name):
    assert_choice(NUMBERS[name], PARTNER, "", {"tokens": 0}, None)
