"""Figures as files; matplotlib takes half a second to import, so it is imported on first use.

``HOAD_FIGURES``, the formats beside PNG, is read in `hoad.evaluation.report.output`.
"""

import io
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from matplotlib.figure import Figure

VECTOR_FORMATS: Final = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}
"""Formats for papers, with metadata that keep the files the same from one day to the next."""

_SETTINGS: Final[Any] = {"svg.hashsalt": "hoad", "pdf.fonttype": 42}
"""Names in an SVG file are otherwise random; publishers want fonts of type 42."""


def new_figure(width: float, height: float) -> "Figure":
    """Return an empty figure, in inches."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure((width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def png(figure: "Figure") -> bytes:
    """Return a figure as a PNG file."""
    return _file(figure, "png", {})


def vector_file(figure: "Figure", suffix: str) -> bytes:
    """Return a figure as a file of one of `VECTOR_FORMATS`."""
    return _file(figure, suffix, VECTOR_FORMATS[suffix])


def _file(figure: "Figure", suffix: str, metadata: dict[str, None]) -> bytes:
    from matplotlib import rc_context

    image = io.BytesIO()
    with rc_context(_SETTINGS):
        # Tight, because the constrained layout may leave labels of square axes outside.
        figure.savefig(image, format=suffix, dpi=150, bbox_inches="tight", metadata=metadata)
    return image.getvalue()
