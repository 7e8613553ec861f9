"""Sphinx builds the site of documentation from the Markdown of the repository: `make docs`.

A page must not be called `search.md` or `genindex.md`: Sphinx writes pages of these names itself.
A line of a page that only says "See [...](../FILE)." or "See [...](../FILE#section)." is a link
where the repository is read, and shows the file or its section on the site, below the heading of
the page that stands before it. The lists of `index.md`
are the groups of the site. Links in the files lead to files of the repository; on the site they
lead to the page that shows the file, or to the file itself.

Each report is a page too, to which only links lead.
"""

import json
import os
import re
from pathlib import Path
from typing import Final

from sphinx.application import Sphinx

from hoad import __version__

_DOCS: Final = Path(__file__).parent
_RESULTS: Final = _DOCS.parent / "results"
_SEE: Final = re.compile(r"^See \[[^\]]+\]\((\.\./[^)#]+)(#[\w-]+)?\)\.$", re.M)
_GROUP: Final = re.compile(r"^## (.*)\n\n((?:- .*\n)+)", re.M)
_HEADING: Final = re.compile(r"^```.*?^```$|^(#+ [^\n]*)$", re.M | re.S)  # not comments in code
_LINK: Final = re.compile(r"\]\(([^)#:\s]+)(#[\w-]+)?\)")

project = "HOAD"
version = release = __version__
copyright = f"the HOAD maintainers. Version {__version__}"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "HOAD"
html_static_path = ["../hoad/reports/templates/report.js"]
html_js_files = [("report.js", {"defer": "defer"})]  # tables sort, as in reports
myst_heading_anchors = 4
napoleon_numpy_docstring = False
autodoc_member_order = "bysource"
autodoc_typehints = "description"


def _headings(markdown: str) -> list[str]:
    """Return the headings of a text, as lines."""
    return [heading for heading in _HEADING.findall(markdown) if heading]


def _anchor(heading: str) -> str:
    """Return the anchor of a heading, as GitHub names it."""
    title = heading.partition(" ")[2]
    return "#" + re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-")


def _shown(page: str, text: str, anchor: str | None) -> tuple[str | None, str | None]:
    """Return the headings after and before which a page shows a text; None for its ends."""
    headings = _headings(text)
    if not anchor:
        return (headings[0] if page.startswith("# ") else None), None
    at = [_anchor(heading) for heading in headings].index(anchor)
    level = headings[at].index(" ")
    return headings[at], next((h for h in headings[at + 1 :] if h.index(" ") <= level), None)


def _homes() -> dict[tuple[Path, str | None], str]:
    """Return the page that shows a file, or the section of a file with an anchor."""
    homes: dict[tuple[Path, str | None], str] = {}
    for path in sorted(_DOCS.glob("*.md")):
        homes[path, None] = path.name
        page = path.read_text()
        for see in _SEE.finditer(page):
            source = (_DOCS / see[1]).resolve()
            text = source.read_text()
            start, end = _shown(page, text, see[2])
            # The page repeats the heading after which the part starts.
            part = "".join(text.partition(start)[1:]) if start else text
            part = part.partition(end)[0] if end else part
            before = _headings(page[: see.start()])
            section = _anchor(before[-1]) if len(before) > 1 else ""
            homes.setdefault((source, None), path.name + section)
            for heading in _headings(part):
                homes.setdefault((source, _anchor(heading)), path.name)
    return homes


def _show_files(page: str) -> str:
    """Return a page with directives that include the files that it says to see."""

    def include(see: re.Match[str]) -> str:
        start, end = _shown(page, (_DOCS / see[1]).read_text(), see[2])
        before = _headings(page[: see.start()])
        deeper = before[-1].index(" ") - 1 if len(before) > 1 else 0
        options = [f':start-after: "{start}"'] if start else []
        options += [f':end-before: "{end}"'] if end else []
        options += [f":heading-offset: {deeper}"] if deeper else []
        return "\n".join([f"```{{include}} {see[1]}", *options, "```"])

    return _SEE.sub(include, page)


def _group_pages(index: str) -> str:
    """Return the index with its lists of pages as groups of the site."""

    def group(lists: re.Match[str]) -> str:
        pages = "\n".join(re.findall(r"\]\(([\w-]+)\.md\)", lists[2]))
        return f"```{{toctree}}\n:caption: {lists[1]}\n:maxdepth: 1\n\n{pages}\n```\n"

    return _GROUP.sub(group, index)


def _write_reports() -> None:
    """Write a page for each report and the leaderboard; those of earlier builds go first."""
    for page in _DOCS.glob("report-*.md"):
        page.unlink()
    for report in (*_RESULTS.glob("**/report.md"), _RESULTS / "leaderboard.md"):
        file = report.relative_to(_RESULTS)
        name = "-".join(file.parent.parts) or file.stem
        see = f"See [{file}](../results/{file})."
        (_DOCS / f"report-{name}.md").write_text(f"---\norphan: true\n---\n\n{see}\n")


_write_reports()
_HOMES: Final = _homes()


def _lead_on(markdown: str, folder: Path) -> str:
    """Return a text of a folder with links that hold in this one."""

    def link(match: re.Match[str]) -> str:
        name, anchor = match[1], match[2]
        target = Path(os.path.normpath(folder / name))
        page = _HOMES.get((target, anchor)) or _HOMES.get((target, None))
        if page is not None:
            return f"]({page.partition('#')[0]}{anchor})" if anchor else f"]({page})"
        path = os.path.relpath(target, _DOCS)
        return f"]({path})" if target.suffix in (".png", ".svg") else f"](path:{path})"

    return _LINK.sub(link, markdown)


def _markdown_of(notebook: str) -> str:
    """Return the cells of a notebook, and what they have printed and drawn, as Markdown."""
    blocks = []
    for cell in json.loads(notebook)["cells"]:
        text = "".join(cell["source"])
        blocks.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
        for output in cell.get("outputs", ()):
            if printed := output.get("text"):
                blocks.append(f"```text\n{''.join(printed)}```")
            if picture := output.get("data", {}).get("image/png"):
                source = "".join(picture.split())
                blocks.append(f'<img src="data:image/png;base64,{source}" alt="">')
    return "\n\n".join(blocks)


def _read_page(app: Sphinx, page: str, content: list[str]) -> None:
    text = _group_pages(content[0]) if page == "index" else content[0]
    content[0] = _lead_on(_show_files(text), _DOCS)


def _read_included(app: Sphinx, file: Path, page: str, content: list[str]) -> None:
    if file.suffix == ".ipynb":
        content[0] = _markdown_of(content[0])
    content[0] = _lead_on(content[0], (_DOCS / file).resolve().parent)


def setup(app: Sphinx) -> None:
    """Rewrite the links of all Markdown that Sphinx reads."""
    app.connect("source-read", _read_page)
    app.connect("include-read", _read_included)
