"""Sphinx builds the site of documentation from the Markdown of the repository: `make docs`.

A page must not be called `search.md` or `genindex.md`: Sphinx writes pages of these names itself.
The pages of this folder include the README files of other folders. Links in them lead to files of
the repository; on the site they lead to the page that includes the file, or to the file itself.
"""

import json
import os
import re
from pathlib import Path
from typing import Final

from sphinx.application import Sphinx

from hoad import __version__

_DOCS: Final = Path(__file__).parent
_INCLUDE: Final = re.compile(
    r"^```\{include\} (\S+)\n(?::start-after: *\"(.*)\"\n)?(?::end-before: *\"(.*)\"\n)?", re.M
)
_LINK: Final = re.compile(r"\]\(([^)#:\s]+)(#[\w-]+)?\)")

project = "HOAD"
version = release = __version__
copyright = f"the HOAD maintainers. Version {__version__}"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "HOAD"
myst_heading_anchors = 4
napoleon_numpy_docstring = False
autodoc_member_order = "bysource"
autodoc_typehints = "description"


def _anchors(markdown: str) -> set[str]:
    """Return the anchors of the headings of a text, as GitHub names them."""
    titles = re.findall(r"^#+ (.*)$", markdown, re.M)
    return {
        "#" + re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-") for title in titles
    }


def _homes() -> dict[tuple[Path, str | None], str]:
    """Return the page that shows a file, or the section of a file with an anchor."""
    homes: dict[tuple[Path, str | None], str] = {}
    for page in sorted(_DOCS.glob("*.md")):
        homes[page, None] = page.name
        for name, start, end in _INCLUDE.findall(page.read_text()):
            source = (_DOCS / name).resolve()
            text = source.read_text()
            # The page repeats the heading after which the included part starts.
            shown = "".join(text.partition(start)[1:]) if start else text
            shown = shown.partition(end)[0] if end else shown
            homes.setdefault((source, None), page.name)
            for anchor in _anchors(shown):
                homes.setdefault((source, anchor), page.name)
    return homes


_HOMES: Final = _homes()


def _lead_on(markdown: str, folder: Path) -> str:
    """Return a text of a folder with links that hold in this one."""

    def link(match: re.Match[str]) -> str:
        name, anchor = match[1], match[2]
        target = Path(os.path.normpath(folder / name))
        page = _HOMES.get((target, anchor)) or _HOMES.get((target, None))
        if page is not None:
            return f"]({page}{anchor or ''})"
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
    content[0] = _lead_on(content[0], _DOCS)


def _read_included(app: Sphinx, file: Path, page: str, content: list[str]) -> None:
    if file.suffix == ".ipynb":
        content[0] = _markdown_of(content[0])
    content[0] = _lead_on(content[0], (_DOCS / file).resolve().parent)


def setup(app: Sphinx) -> None:
    """Rewrite the links of all Markdown that Sphinx reads."""
    app.connect("source-read", _read_page)
    app.connect("include-read", _read_included)
