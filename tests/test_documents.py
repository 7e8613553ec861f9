"""The commands in the documents and in the recipes' headers are valid."""

import re
import shlex
import subprocess
from contextlib import chdir

import pytest

from hoad.core import cli
from hoad.core.errors import HoadError
from tests.scripts import ROOT, command_of

FILES = subprocess.run(
    ["git", "ls-files", "*.md", "*.toml"], cwd=ROOT, capture_output=True, text=True
).stdout.split()


def commands() -> list[str]:
    """Return the lines ``python SCRIPT ...`` of all documents and of the recipes' headers."""
    found = []
    for name in FILES:
        text = re.sub(r"\\\n#?", "", (ROOT / name).read_text())
        found += re.findall(r"^(?:#   )?python (.*\.py .*)$", text, re.MULTILINE)
    return sorted(set(found))


def parse(line: str) -> None:
    """Read a command line as its script does, and call nothing."""
    script, *words = shlex.split(line, comments=True)
    with chdir(ROOT):
        cli.read(command_of(script), words, script)


@pytest.mark.skipif(not FILES, reason="not a git checkout: no list of the documents")
def test_documents_tell_commands_of_every_script() -> None:
    told = {line.split()[0] for line in commands()}
    assert told >= {path.name for path in ROOT.glob("*.py")}


def test_every_recipe_is_named_in_a_command() -> None:
    named = {word for line in commands() for word in line.split()}
    recipes = {f for f in FILES if f.endswith(".toml") and not f.startswith(("hoad/", "pyproject"))}
    assert recipes <= named


@pytest.mark.parametrize("line", commands())
def test_every_command_of_the_documents_is_one(line: str) -> None:
    parse(line)


def test_a_wrong_command_would_be_noticed() -> None:
    with pytest.raises(HoadError, match="--stpes"):
        parse("train_maml.py models/maml.toml --held-out iggi --stpes 3")


def test_every_linked_file_is_there() -> None:
    for name in FILES:
        if name.endswith(".md"):
            for link in re.findall(r"\]\(([^)#:]+)\)", (ROOT / name).read_text()):
                assert ((ROOT / name).parent / link).exists(), (name, link)
