"""A page of headings, paragraphs, tables and figures: for a terminal, as Markdown, as HTML."""

import base64
import html
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hoad.evaluation.report.text_table import text_table


@dataclass(frozen=True)
class Heading:
    """A heading of level 1 or 2."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Paragraph:
    """Plain text."""

    text: str


@dataclass(frozen=True)
class Table:
    """Rows of cells, of numbers or of words; the first row is the heading."""

    rows: Sequence[Sequence[str]]
    numbers: bool = True


@dataclass(frozen=True)
class Figure:
    """A PNG file in the page's folder, and what it shows."""

    path: Path
    caption: str


Block = Heading | Paragraph | Table | Figure

_WIDTH: Final = 100
"""Of a paragraph in a terminal."""

_STYLE: Final = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
  color: #222; }
h1, h2 { line-height: 1.2; margin-top: 2rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25rem 0.75rem; border-bottom: 1px solid #ddd; text-align: left; }
.numbers :is(th, td):not(:first-child) { text-align: right; }
thead th { border-bottom: 2px solid #888; }
div.wide { overflow-x: auto; }
img { max-width: 100%; }
figcaption { color: #555; font-size: 0.9rem; }
"""


def to_text(blocks: Sequence[Block]) -> str:
    """Return the page for a terminal, which shows no figures."""
    return "\n\n".join(_text(block) for block in blocks if not isinstance(block, Figure))


def to_markdown(blocks: Sequence[Block]) -> str:
    """Return the page as Markdown; figures are linked."""
    return "\n\n".join(map(_markdown, blocks)) + "\n"


def to_html(title: str, blocks: Sequence[Block]) -> str:
    """Return the page as one HTML file that holds its figures."""
    body = "\n".join(map(_html, blocks))
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n'
        f"<title>{html.escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _text(block: Heading | Paragraph | Table) -> str:
    match block:
        case Heading(text):
            return f"{text}\n{'=' * len(text)}"
        case Paragraph(text):
            return textwrap.fill(text, _WIDTH)
        case Table(rows):
            return text_table(rows)


def _markdown(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {text}"
        case Paragraph(text):
            return text
        case Table([heading, *rows], numbers):
            rule = ["---", *["---:" if numbers else "---"] * (len(heading) - 1)]
            return "\n".join(_markdown_row(row) for row in (heading, rule, *rows))
        case Figure(path, caption):
            return f"![{caption}]({path.name})\n\n*{caption}*"
    raise AssertionError(block)


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _html(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"<h{level}>{html.escape(text)}</h{level}>"
        case Paragraph(text):
            return f"<p>{html.escape(text)}</p>"
        case Table([heading, *rows], numbers):
            kind = "numbers" if numbers else "words"
            head, body = _html_row("th", heading), "\n".join(_html_row("td", row) for row in rows)
            return (
                f'<div class="wide"><table class="{kind}">\n<thead>{head}</thead>\n'
                f"<tbody>\n{body}\n</tbody>\n</table></div>"
            )
        case Figure(path, caption):
            image = base64.b64encode(path.read_bytes()).decode()
            text = html.escape(caption)
            return (
                f'<figure>\n<img alt="{text}" src="data:image/png;base64,{image}">\n'
                f"<figcaption>{text}</figcaption>\n</figure>"
            )
    raise AssertionError(block)


def _html_row(tag: str, cells: Sequence[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"
