"""Figures as PNG files; matplotlib takes half a second to import, so it is loaded by the first."""

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def new_figure(width: float, height: float) -> "Figure":
    """Return an empty figure, in inches."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure((width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def png(figure: "Figure") -> bytes:
    """Return a figure as a PNG file."""
    image = io.BytesIO()
    # Tight, because the constrained layout may leave labels of square axes outside.
    figure.savefig(image, format="png", dpi=150, bbox_inches="tight")
    return image.getvalue()
