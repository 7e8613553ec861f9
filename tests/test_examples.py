"""The programs in ``examples/`` do what they say, on a small scale."""

import re

import pytest

from tests.scripts import ROOT, run_here


def test_ppo_improves() -> None:
    pytest.importorskip("sb3_contrib", reason="sb3-contrib, which trains PPO, is not installed")

    done = run_here("examples/ppo.py", "--steps", 16_000, "--games", 300)

    assert (done.returncode, done.stderr) == (0, "")
    found = re.findall(r"lenient +([\d.]+) ± ([\d.]+)", done.stdout)
    (before, margin_before), (after, margin_after) = [map(float, pair) for pair in found]
    assert after - margin_after > before + margin_before


@pytest.mark.parametrize("name", ["simple_bot.py", "simple_bot.js"])
def test_bots_in_other_programs_are_short(name: str) -> None:
    assert len((ROOT / "examples" / name).read_text().splitlines()) <= 40
