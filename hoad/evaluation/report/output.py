"""What every evaluation leaves in its folder: the page, its numbers, and how it was made."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hoad.core.files import make_folder, write_atomically
from hoad.evaluation.report.page import Block, Heading, Table, to_html, to_markdown
from hoad.evaluation.report.plain_json import plain_json


def write_report(
    folder: Path, page: Iterable[Block], numbers: Mapping[str, Any], lines: str
) -> Path:
    """Write a page as Markdown and HTML, and its numbers as JSON and CSV; return the Markdown.

    Args:
        folder: made if it is missing.
        page: begins with its title.
        numbers: the content of ``results.json``.
        lines: the content of ``results.csv``, see :func:`csv_text`.

    Raises:
        HoadError: nothing can be written there.
    """
    make_folder(folder)
    title, *rest = page
    assert isinstance(title, Heading)
    texts = {
        "report.md": to_markdown([title, *rest]),
        "report.html": to_html(title.text, [title, *rest]),
        "results.json": plain_json(dict(numbers), indent=1) + "\n",
        "results.csv": lines,
    }
    for name, text in texts.items():
        with write_atomically(folder / name) as file:
            file.write(text.encode())
    return folder / "report.md"


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return CSV with a heading."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def how_it_was_made(
    made_with: Mapping[str, str | int],
    seed: int,
    seconds: Mapping[str, float],
    recipe: Mapping[str, Any] | None = None,
) -> Iterator[Block]:
    """Yield the part of a page that says how to make it again.

    Args:
        made_with: :func:`hoad.core.provenance.provenance`.
        seed: of the games.
        seconds: wall time, by what it was spent on.
        recipe: its values by key, as JSON has them; None where there is no recipe.
    """
    made = dict(made_with)
    yield Heading("How it was made")
    rows = [["command", str(made.pop("command"))], ["seed", str(seed)]]
    rows += [[f"wall time: {what}", f"{time:.0f} s"] for what, time in seconds.items()]
    rows += [[key, str(value)] for key, value in made.items()]
    rows += [[f"recipe: {key}", show_value(value)] for key, value in (recipe or {}).items()]
    yield Table([["what", "value"], *rows], numbers=False)


def show_value(value: object) -> str:
    """Return a value of a recipe on one line."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {show_value(item)}" for key, item in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
