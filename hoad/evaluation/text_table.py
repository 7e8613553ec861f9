"""Tables for a terminal."""

from collections.abc import Sequence


def text_table(rows: Sequence[Sequence[str]], ruled: bool = True) -> str:
    """Return rows of cells as aligned lines: the first column to the left, others to the right.

    Args:
        rows: of equal lengths; the first one is the heading.
        ruled: draw a line below the heading.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(_align(row, widths)).rstrip() for row in rows]
    if ruled:
        lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def _align(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    first = row[0].ljust(widths[0])
    return [first, *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
