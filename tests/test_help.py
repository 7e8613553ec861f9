"""Every script, and every subcommand of one, tells its options."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def help_of(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str
) -> str:
    """Run a script of the project with ``--help`` and return what it prints."""
    script = str(ROOT / words[0])
    monkeypatch.setattr("sys.argv", [script, *words[1:], "--help"])
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(script, run_name="__main__")
    told = capsys.readouterr()
    assert (ended.value.code, told.err) == (0, ""), words
    return told.out


@pytest.mark.parametrize("script", sorted(path.name for path in ROOT.glob("*.py")))
def test_every_command_has_help(
    script: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = help_of(capsys, monkeypatch, script)

    assert "usage: " in page
    names = re.search(r"^usage: .*\{([\w,-]+)\}", page)
    for name in names[1].split(",") if names else ():
        assert f"{script} {name}" in help_of(capsys, monkeypatch, script, name)
