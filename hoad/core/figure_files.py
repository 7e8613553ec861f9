"""Figures as files: PNG, and the formats that the environment variable ``HOAD_FIGURES`` names.

matplotlib takes half a second to import, so it is imported on first use.
"""

import io
import os
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hoad.core.errors import HoadError
from hoad.core.files import write_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIGURES: Final = "HOAD_FIGURES"
"""Environment variable with the formats beside PNG, as in ``pdf svg``."""

_VECTOR_FORMATS: Final = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}
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
    """Return a figure as a PNG file of at most 256 colours, a third of the size of one of all."""
    return with_palette(_file(figure, "png", {}))


def with_palette(image: bytes) -> bytes:
    """Return a PNG file with the 256 colours that suit it best; edges of letters look the same."""
    from PIL import Image

    picture, smaller = Image.open(io.BytesIO(image)).convert("RGB"), io.BytesIO()
    # Without rounds of k-means, colours of few pixels, such as markers, turn into those of many.
    method, no_dither = Image.Quantize.MEDIANCUT, Image.Dither.NONE
    colours = picture.quantize(256, method, kmeans=3, dither=no_dither)
    colours.save(smaller, "PNG", optimize=True)
    return smaller.getvalue()


def write_figure(path: Path, figure: "Figure", new: bool = False) -> bytes:
    """Write a figure as PNG, and as :func:`write_vector_files` does; return the PNG file.

    With ``new`` the PNG file replaces no other (:func:`hoad.core.files.write_atomically`).
    """
    image = png(figure)
    write_file(path, image, new)
    write_vector_files({path: figure})
    return image


def write_vector_files(figures: Mapping[Path, "Figure"]) -> None:
    """Write figures, beside their PNG files, in the formats that ``HOAD_FIGURES`` names.

    Raises:
        HoadError: a file cannot be written; or ``HOAD_FIGURES`` names another format.
    """
    for suffix, (path, figure) in product(vector_formats(), figures.items()):
        write_file(path.with_suffix(f".{suffix}"), _file(figure, suffix, _VECTOR_FORMATS[suffix]))


def vector_formats() -> list[str]:
    """Return the formats that ``HOAD_FIGURES`` names; a HoadError if one is unknown."""
    formats = os.environ.get(FIGURES, "").split()
    for unknown in set(formats) - {*_VECTOR_FORMATS}:
        possible = " ".join(_VECTOR_FORMATS)
        raise HoadError(f"{FIGURES}: no format {unknown!r}; the formats beside png are {possible}")
    return formats


def _file(figure: "Figure", suffix: str, metadata: dict[str, None]) -> bytes:
    from matplotlib import rc_context

    image = io.BytesIO()
    with rc_context(_SETTINGS):
        # Tight, because the constrained layout may leave labels of square axes outside.
        figure.savefig(image, format=suffix, dpi=150, bbox_inches="tight", metadata=metadata)
    return image.getvalue()
