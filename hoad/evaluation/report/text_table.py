"""Tables of words and numbers, and how a terminal shows them."""

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


def numbered_matrix(
    corner: str, names: Sequence[str], cells: Sequence[Sequence[str]]
) -> list[list[str]]:
    """Return the rows of a square table; its columns are numbered, because names can be long."""
    heading = [corner, *(f"[{number}]" for number in range(1, len(names) + 1))]
    named = zip(names, cells, strict=True)
    return [heading, *([f"[{n}] {name}", *row] for n, (name, row) in enumerate(named, 1))]


def _align(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    first = row[0].ljust(widths[0])
    return [first, *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
