"""Reports of headings, paragraphs, tables and figures: for a terminal, as Markdown, as HTML."""

import base64
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

if TYPE_CHECKING:
    import matplotlib.figure


@dataclass(frozen=True)
class Heading:
    """A heading of level 2; level 1 is the report's title."""

    text: str


@dataclass(frozen=True)
class Paragraph:
    """Plain text."""

    text: str


@dataclass(frozen=True)
class CommandLines:
    """Lines to type, shown as they are."""

    text: str


class Strong(str):
    """The text of a cell that stands out."""


@dataclass(frozen=True)
class Table:
    """Rows of cells, first the heading; ``numbers`` aligns all columns but the first right.

    A cell may be `Strong`.
    """

    rows: Sequence[Sequence[str]]
    numbers: bool = True


@dataclass(frozen=True)
class Figure:
    """A figure with the name of its PNG file, drawn when the report is written to a folder.

    ``draw`` returns the figure; see :mod:`hoad.reports.plots`.
    """

    name: str
    caption: str
    draw: "Callable[[], matplotlib.figure.Figure]"


Block = Heading | Paragraph | CommandLines | Table | Figure


@dataclass(frozen=True, repr=False)
class Report:
    """What an evaluation gives, for people and for programs.

    Attributes:
        title: the heading of level 1.
        blocks: the content. A terminal shows all of it but the figures.
        rows: the results as tidy rows with the same keys: ``results.csv``.
        facts: everything else that programs may need, as mappings, sequences, arrays and
            numbers: ``results.json``.
        appendix: blocks that follow in the written report only, such as
            :func:`hoad.reports.output.how_it_was_made`.
        recipe: plain values of the recipe that makes the same results again, if there is one.
    """

    title: str
    blocks: Sequence[Block]
    rows: Sequence[Mapping[str, object]]
    facts: Mapping[str, Any]
    appendix: Sequence[Block] = ()
    recipe: Mapping[str, Any] | None = None

    def __repr__(self) -> str:
        figures = len(self.figures)
        return f"<Report {self.title!r}: {len(self.rows)} rows, {figures} figures>"

    @property
    def written(self) -> list[Block]:
        """All blocks of the written report."""
        return [*self.blocks, *self.appendix]

    @property
    def figures(self) -> list[Figure]:
        """All figures of the written report."""
        return [block for block in self.written if isinstance(block, Figure)]


_TERMINAL_WIDTH: Final = 100  # characters in a line of a paragraph


def to_text(report: Report) -> str:
    """Return the report for a terminal, without figures and appendix."""
    return f"{_text(Heading(report.title))}\n\n{blocks_to_text(report.blocks)}"


def blocks_to_text(blocks: Iterable[Block]) -> str:
    """Return blocks for a terminal: no figures, and no headings that only figures follow."""
    shown: list[Heading | Paragraph | CommandLines | Table] = []
    heading: Heading | None = None
    for block in blocks:
        if isinstance(block, Heading):
            heading = block
        elif not isinstance(block, Figure):
            shown += [block] if heading is None else [heading, block]
            heading = None
    return "\n\n".join(map(_text, shown))


def to_markdown(report: Report) -> str:
    """Return the report as Markdown with links to its figures."""
    title = f"# {_unmarked(report.title)}"
    return "\n\n".join([title, *map(_markdown, report.written)]) + "\n"


def to_html(report: Report, pictures: Mapping[str, bytes]) -> str:
    """Return the report as one HTML file, which contains its figures (PNG files by name)."""
    encoded = {name: base64.b64encode(png).decode() for name, png in pictures.items()}
    values = {"title": report.title, "blocks": report.written, "pictures": encoded}
    return page("report.html", unbroken=_unbroken, **values)


def text_table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of cells, the heading first, as lines: first column left, others right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    aligned = [
        [row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]
        for row in (rows[0], ["-" * width for width in widths], *rows[1:])
    ]
    return "\n".join("  ".join(row).rstrip() for row in aligned)


def numbered_matrix(corner: str, names: Sequence[str], cells: Sequence[Sequence[str]]) -> Table:
    """Return a square table whose columns are numbered, because names can be long."""
    heading = [corner, *(f"[{number}]" for number in range(1, len(names) + 1))]
    named = enumerate(zip(names, cells, strict=True), start=1)
    return Table([heading, *([f"[{n}] {name}", *row] for n, (name, row) in named)])


def _text(block: Heading | Paragraph | CommandLines | Table) -> str:
    match block:
        case Heading(text):
            return f"{text}\n{'=' * len(text)}"
        case Paragraph(text):
            return textwrap.fill(text, _TERMINAL_WIDTH)
        case CommandLines(text):
            return text
        case Table(rows):
            return text_table(rows)


def _markdown(block: Block) -> str:
    match block:
        case Heading(text):
            return f"## {_unmarked(text)}"
        case Paragraph(text):
            return _unmarked(text)
        case CommandLines(text):
            return f"```\n{text}\n```"
        case Table([heading, *rows], numbers):
            rule = ["---", *["---:" if numbers else "---"] * (len(heading) - 1)]
            lines = (" | ".join(map(_markdown_cell, row)) for row in (heading, rule, *rows))
            return "\n".join(f"| {line} |" for line in lines)
        case Figure(name, caption):
            return f"![{_unmarked(caption)}]({name})\n\n*{_unmarked(caption)}*"
    raise AssertionError(block)


def _markdown_cell(cell: str) -> str:
    text = _unbroken(_unmarked(cell).replace("|", r"\|"))
    return f"**{text}**" if isinstance(cell, Strong) else text


def _unmarked(text: str) -> str:
    """Return text in which no name begins a tag of HTML, which Markdown would pass on."""
    return re.sub("<(?=[A-Za-z/!?])", "&lt;", text)


def _unbroken(cell: str) -> str:
    """Return a cell in which no line breaks at an interval or before a dagger."""
    return cell.replace(" ± ", "\u00a0±\u00a0").replace(" †", "\u00a0†")


_TEMPLATES: Final = Environment(
    loader=FileSystemLoader(Path(__file__).with_name("templates")),
    undefined=StrictUndefined,
    autoescape=select_autoescape(["html"]),
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
_TEMPLATES.filters["thousands"] = lambda number: f"{number:,}"
_TEMPLATES.filters["percent"] = lambda share, decimals=0: f"{share:.{decimals}%}"
_TEMPLATES.filters["decimals"] = lambda number, places: f"{number:.{places}f}"


def page(template: str, **values: Any) -> str:
    """Return a template filled with values, as it is; values in HTML are escaped."""
    return _TEMPLATES.get_template(template).render(values)


def passage(template: str, name: str, **values: Any) -> str:
    """Return one block of a template of texts as one line, with single spaces between words."""
    texts = _TEMPLATES.get_template(template)
    return " ".join("".join(texts.blocks[name](texts.new_context(values))).split())
