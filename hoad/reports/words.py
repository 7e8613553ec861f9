"""Texts and pages from the templates in ``templates/`` (Jinja2)."""

from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

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
