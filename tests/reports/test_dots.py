import numpy as np

from hoad.reports.dots import draw_dots
from hoad.reports.styles import styles_of

ROWS = ["a", "b", "c"]


def test_rows_are_the_same_in_all_panels_and_the_last_stand_apart():
    first = np.array([1.0, 2.0, 20.0]), np.array([0.5, np.nan, 1.0])
    panels = {"all": first, "iggi": (np.array([3.0, 4.0, 5.0]), np.zeros(3))}

    figure = draw_dots(ROWS, panels, "strict score", styles_of(ROWS), apart=1)

    large, small = figure.axes
    assert [label.get_text() for label in large.get_yticklabels()] == ROWS
    places = large.get_yticks()
    assert places[2] - places[1] > places[1] - places[0] == 1
    assert [container[0].get_xdata()[0] for container in large.containers] == [1, 2, 20]
    assert [container[0].get_ydata()[0] for container in small.containers] == list(places)
    assert large.get_xlim() == small.get_xlim() == (0, 25)
    assert large.get_position().width > 2 * small.get_position().width
