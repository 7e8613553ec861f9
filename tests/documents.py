"""What the documents contain: their blocks of code, and the commands in blocks and in sentences."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.scripts import ROOT

FILES = subprocess.run(
    ["git", "ls-files", "*.md", "*.toml"], cwd=ROOT, capture_output=True, text=True
).stdout.split()
MADE = ("report.md", "leaderboard.md")  # pages that commands write
PAGES = [name for name in FILES if name.endswith(".md") and not name.endswith(MADE)]

COMMANDS, CODE = {"", "bash"}, {"python"}

_BLOCK = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.M | re.S)
_HEADING = re.compile(r"^#+ (.*)$", re.M)
_IN_A_SENTENCE = re.compile(r"`((?:python|hoad|make) [^`]+)`")
_PLACEHOLDER = re.compile(r"(?<![\w$-])[A-Z]{3,}(?![\w=])")


def text_of(name: str) -> str:
    """Return the text of a document."""
    return (ROOT / name).read_text()


def blocks(name: str) -> Iterator[tuple[str, str]]:
    """Yield language and content of each block of a document."""
    yield from _BLOCK.findall(text_of(name))


def anchors(name: str) -> set[str]:
    """Return the anchors of a document's headings, as GitHub names them."""
    found: list[str] = []
    for title in _HEADING.findall(_BLOCK.sub("", text_of(name))):
        text = re.sub(r"\]\([^)]*\)", "", title)
        anchor = re.sub(r"[^\w -]", "", text).strip().lower().replace(" ", "-")
        again = sum(re.fullmatch(rf"{anchor}(-\d+)?", other) is not None for other in found)
        found.append(f"{anchor}-{again}" if again else anchor)
    return set(found)


def lines_of(block: str) -> list[str]:
    """Return the lines of a block of commands, joined where they go on, without comments."""
    lines = re.sub(r"\\\n", "", block).splitlines()
    found = (" ".join(re.sub(r"(^|\s)#.*", "", line).split()) for line in lines)
    return [line for line in found if line]


def block_lines(name: str) -> list[str]:
    """Return the lines of a document's blocks of commands, in order."""
    return [line for lang, text in blocks(name) if lang in COMMANDS for line in lines_of(text)]


def sentence_lines(name: str) -> list[str]:
    """Return the commands in a document's sentences; not those with placeholders, as ``RECIPE``."""
    found = _IN_A_SENTENCE.findall(_BLOCK.sub("", text_of(name)))
    return [line for line in (" ".join(f.split()) for f in found) if not _PLACEHOLDER.search(line)]


def header_lines() -> list[str]:
    """Return the commands ``python SCRIPT ...`` at the top of recipes and in reports."""
    matches = []
    for name in FILES:
        if name not in PAGES:
            text = re.sub(r"\\\n#?", "", text_of(name))
            matches += re.findall(r"^(?:#   )?(python .*\.py\b.*)$", text, re.MULTILINE)
    return [line for block in matches for line in lines_of(block)]


def write_agents(folder: Path) -> None:
    """Write the agent and the player of documents into a folder, as their readers do."""
    for page, file, part in (
        ("docs/your-agent.md", "mine.py", "class Hopeful"),
        ("README.md", "nearest.py", "class Nearest"),
    ):
        (code,) = [text for language, text in blocks(page) if language in CODE and part in text]
        (folder / file).write_text(code)
