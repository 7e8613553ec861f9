"""The documents: their commands and their code work, their links lead somewhere, the site builds.

What is done with a block of a document depends on its language:

* ``python``: it is run, here or in the test that ``RUN_ELSEWHERE`` names.
* none or ``bash``: every line is a command, and runs in ``tests/test_document_commands.py``. Here
  all are read as their scripts read them, at full size.
* ``text``, and the directives of the site (``{include}`` and so on): nothing.
"""

import re
import shlex
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import pytest

import hoad
import hoad.environments
from hoad.commands import HOAD
from hoad.core import cli
from hoad.core.errors import HoadError
from hoad.replay.recipe import PlayRecipe
from hoad.replay.recorder import record
from tests.documents import (
    CODE,
    COMMANDS,
    FILES,
    PAGES,
    anchors,
    block_lines,
    blocks,
    header_lines,
    lines_of,
    sentence_lines,
    text_of,
    write_agents,
)
from tests.scripts import ROOT, command_of

NOT_RUN = re.compile(r"text|\{[\w-]+\}")

RUN_ELSEWHERE = {
    ("README.md", "class Nearest"): "tests/players/test_python_learner.py",
    ("README.md", "import hoad\n"): "tests/test_library.py",
    ("datasets/README.md", "import torch\n"): "tests/replay/test_summary.py",
    ("docs/your-agent.md", "class Hopeful"): "tests/agents/test_python_agent.py",
    ("docs/your-agent.md", "class Imitator"): "tests/replay/test_summary.py",
}
"""A document and a part of a block of it, and the test that runs this block."""

PREPARATIONS = re.compile(
    r"git clone .*|cd hoad|\. \.venv/bin/activate|(export|unset) HOAD_CHECKPOINTS\b.*|"
    r"\.venv/bin/(tensorboard|pip) .*|export HOAD_REFERENCE=\S+"
)
"""Lines of blocks of commands that prepare or accompany the commands of HOAD."""


def commands() -> list[str]:
    """Return the lines ``python SCRIPT ...`` of all documents and of the recipes' headers."""
    pages = [line for name in PAGES for line in (*block_lines(name), *sentence_lines(name))]
    found = [line for line in (*pages, *header_lines()) if line.startswith("python ")]
    return sorted({line.removeprefix("python ") for line in found})


def parse(line: str) -> None:
    """Read a command line as its script does, and call nothing."""
    script, *words = shlex.split(line, comments=True)
    if script == "examples/ppo.py":
        pytest.importorskip("sb3_contrib", reason="sb3-contrib, which trains PPO, is not installed")
    with chdir(ROOT):
        cli.read(command_of(script), words, script)


@pytest.mark.skipif(not FILES, reason="not a git checkout: no list of the documents")
def test_documents_tell_commands_of_every_script_and_recipe() -> None:
    told = {line.split()[0] for line in commands()}
    assert told >= {path.name for path in ROOT.glob("*.py")}
    named = {word for line in commands() for word in line.split()}
    recipes = {f for f in FILES if f.endswith(".toml") and not f.startswith(("hoad/", "pyproject"))}
    assert recipes <= named


@pytest.mark.parametrize("line", commands())
def test_every_command_of_the_documents_is_one(line: str) -> None:
    parse(line)


def test_a_wrong_command_would_be_noticed() -> None:
    with pytest.raises(HoadError, match="--stpes"):
        parse("train_maml.py models/maml.toml --held-out iggi --stpes 3")


@pytest.mark.parametrize("name", PAGES)
def test_every_block_is_of_a_kind_that_is_tested(name: str) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    for language, content in blocks(name):
        if language not in COMMANDS:
            assert language in CODE or NOT_RUN.match(language), (language, content)
            continue
        for line in lines_of(content):
            first, *words = line.split()
            if first == "make":
                assert words[0] in targets
                assert all((ROOT / word.partition("=")[2]).is_file() for word in words[1:])
            elif first == "hoad":
                cli.read(HOAD, words, "hoad")
            elif not PREPARATIONS.fullmatch(line):
                assert first == "python", line
                assert line.removeprefix("python ") in commands()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with recipes, ten recorded games, and the agents that documents write."""
    for name in ("models", "populations", "results"):
        (tmp_path / name).symlink_to(ROOT / name)
    (iggi,) = record(PlayRecipe(games=10, agents=("iggi",)), tmp_path / "datasets", False, 1)
    (tmp_path / "datasets" / "demo").mkdir()
    (tmp_path / "datasets" / "demo" / "iggi.h5").write_bytes(iggi.read_bytes())
    write_agents(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "name", [name for name in PAGES if any(language in CODE for language, _ in blocks(name))]
)
def test_the_code_of_a_document_runs(name: str, folder: Path) -> None:
    names: dict = {}
    for language, code in blocks(name):
        if language not in CODE:
            continue
        elsewhere = [
            test for (file, part), test in RUN_ELSEWHERE.items() if file == name and part in code
        ]
        if elsewhere:
            assert Path(name).name in (ROOT / elsewhere[0]).read_text()
            continue
        if "ribs_archive" in code:
            pytest.importorskip("ribs", reason="pyribs is not installed")
        exec(compile(code, name, "exec"), names)


def test_every_linked_file_and_heading_is_there() -> None:
    for name in FILES:
        if name.endswith(".md"):
            for file, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", text_of(name)):
                page = (ROOT / name).parent / file if file else ROOT / name
                assert page.exists(), (name, file)
                assert not anchor or anchor in anchors(str(page)), (name, file, anchor)


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="Sphinx, which builds the site, is not installed")
    build = ["-m", "sphinx", "-q", "-W", "--keep-going", "docs", str(tmp_path)]

    done = subprocess.run([sys.executable, *build], cwd=ROOT, capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (0, "")
    for page in (ROOT / "docs").glob("*.md"):
        assert f"Version {hoad.__version__}" in (tmp_path / f"{page.stem}.html").read_text()
        title = page.read_text().partition("\n")[0]
        if title.startswith("# "):  # else it includes its title
            assert f"<h1>{title[2:]}<" in (tmp_path / f"{page.stem}.html").read_text()
    reference = (tmp_path / "library.html").read_text()
    for module in (hoad, hoad.environments):
        for name in module.__all__:
            assert f'id="{module.__name__}.{name}"' in reference
