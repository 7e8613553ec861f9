import pytest
from matplotlib.colors import to_rgb

from hoad.reports.styles import COLOURS, MARKERS, Style, look, styles_of


def test_ninety_series_look_different():
    looks = {(COLOURS[i % len(COLOURS)], MARKERS[i % len(MARKERS)]) for i in range(90)}

    assert len(looks) == 90


def test_players_look_different_and_variants_of_one_alike():
    players = [
        "a",
        "b",
        "a+elites",
        "low-shot@10",
        "low-shot@20",
        "naive:x",
        "naive:y",
        *"cdefghij",
    ]

    styles = styles_of(players)

    looks = {
        (one.number % len(COLOURS), one.number % len(MARKERS), one.hollow, one.shade)
        for one in styles.values()
    }
    assert len(looks) == len(players)
    assert styles["a+elites"] == Style(styles["a"].number, hollow=True)
    early, late = styles["low-shot@10"], styles["low-shot@20"]
    assert early.number == late.number and early.shade < late.shade == 1.0
    assert styles["naive:x"].number != styles["naive:y"].number


def test_twelve_players_have_their_own_colour_and_their_own_marker():
    looks = [look(style) for style in styles_of("abcdefghijkl").values()]

    assert len({look["color"] for look in looks}) == len({look["marker"] for look in looks}) == 12


def test_a_shade_is_between_the_colour_and_white():
    full, half, none = (look(Style(3, shade=shade))["color"] for shade in (1, 0.5, 0))

    assert full == pytest.approx(to_rgb(COLOURS[3])) and none == (1, 1, 1)
    assert half == pytest.approx([(one + 1) / 2 for one in full])
