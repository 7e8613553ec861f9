"""Ctrl-C before a script has begun."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def _run(code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", f"import hoad.core.signals\n{code}"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_an_interrupt_is_one_line_and_status_130() -> None:
    result = _run("raise KeyboardInterrupt")

    assert result.returncode == 130
    assert result.stderr == "error: interrupted\n"


def test_other_errors_keep_their_traceback() -> None:
    result = _run("raise ZeroDivisionError")

    assert result.returncode == 1
    assert "Traceback" in result.stderr


@pytest.mark.parametrize("script", sorted(path.name for path in ROOT.glob("*.py")))
def test_every_script_is_prepared_before_it_imports_anything_else(script: str) -> None:
    lines = (ROOT / script).read_text().splitlines()
    imports = [line for line in lines if line.startswith(("import ", "from "))]

    assert imports[0].startswith("import hoad.core.signals")
