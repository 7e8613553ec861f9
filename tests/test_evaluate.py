"""The script ``evaluate.py`` as its users meet it."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from hoad.agents.seeds import TEST_SEED
from hoad.core.recipe import to_toml
from tests.agents.process.bots import PYTHON_BOT
from tests.scripts import ROOT, assert_refused, command, runner_here
from tests.tables.adhoc.test_report import recipe_of

run = runner_here("evaluate.py")


def json_of(*words: object) -> Any:
    """Run the script with --json and read its last line."""
    result = run(*words, "--json")
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    return json.loads(result.stdout.splitlines()[-1])


def write_recipe(folder: Path, **changes: Any) -> Path:
    path, recipe = folder / "recipe.toml", recipe_of(folder, **changes)
    path.write_text(to_toml(recipe.model_dump(mode="json", exclude_unset=True)))
    return path


def test_crossplay_of_two_or_several_ends_with_json() -> None:
    facts = json_of("crossplay", "iggi", "rules:8,13,38,27", "--games", 50, "--seed", 2)

    assert facts["agents"] == ["iggi", "rules:8,13,38,27"]
    assert facts["games"] == 50
    for key in ("lenient", "strict", "lenient_sem", "strict_sem"):
        assert [len(row) for row in facts[key]] == [2, 2]
    assert facts["lenient"][0][0] > 15
    assert facts["strict"][0][1] <= facts["lenient"][0][1]
    assert json_of("crossplay", "iggi", "--games", 1)["lenient_sem"] == [[None]]
    facts = json_of("crossplay", "iggi", "internal", "--players", 4, "--games", 200, "--seed", 2)
    (of_iggi, one_iggi), (one_internal, of_internal) = facts["lenient"]
    assert facts["players"] == 4
    assert of_iggi > one_internal > one_iggi > of_internal  # who is three of the four matters more


def test_crossplay_without_a_seed_is_on_other_decks_than_recordings_without_one() -> None:
    words = ("crossplay", "iggi", "flawed", "--games", 20)

    unseeded = json_of(*words)

    assert unseeded == json_of(*words, "--seed", TEST_SEED)
    assert unseeded != json_of(*words, "--seed", 0)


def test_behaviour_is_printed_and_written(tmp_path: Path) -> None:
    words = ("behaviour", "--agents", "iggi", "rules:8,13,38,27", "--games", 20)

    result = run(*words, "--self-play-games", 20, "--out", tmp_path / "agents", "--json")

    assert result.returncode == 0, result.stderr
    facts = json.loads(result.stdout.splitlines()[-1])
    assert facts["cross_play"]["agents"] == ["iggi", "rules:8,13,38,27"]
    iggi = facts["features"]["communicativeness"][0][0]
    assert f"{iggi:.2f} / 0.50 / " in result.stdout
    names = {"behaviour.png", "cross_play.png", "report.html", "report.md"}
    written = {path.name for path in (tmp_path / "agents").iterdir()}
    assert written == names | {"results.csv", "results.json"}


def test_agreement_with_reference_games(reference: Path) -> None:
    path = reference / "walton_iggi_piers.jsonl.gz"

    facts = json_of("agreement", "--agent", "iggi", path)

    assert list(facts) == ["agent", "decisions", "possible", "modal", "mean_log_probability"]
    assert facts["agent"] == "iggi"
    assert facts["possible"] == facts["decisions"] > 1000
    assert facts["modal"] >= 0.99 * facts["decisions"]
    assert -0.1 < facts["mean_log_probability"] < 0
    path = reference / "walton_outer_van-den-bergh.jsonl.gz"
    logged = json_of("agreement", "--agent", "logged", path)
    every = json_of("agreement", "--agent", "outer", "--every-seat", path)
    assert logged["possible"] == logged["decisions"] == every["decisions"]
    assert every["possible"] < every["decisions"]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("crossplay", "imitator:cautious"), ("imitator", "cautious")),
        (("crossplay", "iggi", "--players", "6"), ("players",)),
        (("crossplay", "iggi", "piers+", "--players", "3"), ("piers+",)),
        (("crossplay", "iggi", "simplebot", "--players", "3"), ("simplebot", "two-player")),
        (("matchups",), ("--agents",)),
        (("matchups", "--agents", "iggi", "igi"), ("igi",)),
        (("matchups", "--agents", "iggi", "cheatbot"), ("cheatbot",)),
        (("adaptive-pairs", "canaan-5x5-1", "--players"), ("players",)),
    ],
)
def test_bad_input_is_refused(
    words: tuple[str, ...], named: tuple[str, ...], tmp_path: Path
) -> None:
    assert_refused(run(*words, HOAD_CHECKPOINTS=str(tmp_path)), *named)


def test_rule_agents_need_no_torch() -> None:
    program = (
        "import runpy, sys\n"
        f"sys.argv = ['evaluate.py', 'crossplay', 'iggi', 'piers', '--games', '10']\n"
        f"try: runpy.run_path({str(ROOT / 'evaluate.py')!r}, run_name='__main__')\n"
        "except SystemExit as end: assert not end.code\n"
        "assert 'torch' not in sys.modules\n"
    )

    result = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True
    )

    assert result.returncode == 0, result.stderr


def test_matchups_are_kept_and_told(tmp_path: Path) -> None:
    words = ("matchups", "--agents", "iggi", "flawed", "piers", "--games", 30)

    told = [run(*words, HOAD_CHECKPOINTS=str(tmp_path)) for _ in range(2)]

    assert told[0].returncode == 0, told[0].stderr
    assert told[0].stdout == told[1].stdout
    [kept] = (tmp_path / "matchups").glob("*.npz")
    assert str(kept) in told[0].stdout
    assert "generalist" in told[0].stdout


def test_published_matchups_are_compared_with(reference: Path, tmp_path: Path) -> None:
    result = run(
        *("matchups", reference / "canaan_5x5_population_2.json", "--games", 20),
        *("--compare-with", reference / "canaan_5x5_matchups.csv", "--number", 2),
        HOAD_CHECKPOINTS=str(tmp_path),
    )

    assert result.returncode == 0, result.stderr
    assert "population 2" in result.stdout
    assert "SD of z" in result.stdout


def test_meta_agents_print_the_table_and_leave_a_report(tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(
        'players = ["oracle", "bayes-features", "generalist"]\nepisodes = 4\n'
        f'games_per_episode = 2\nmatchup_games = 20\nout = "{tmp_path / "results"}"\n'
        '[[pools]]\nname = "rules"\nagents = ["iggi", "flawed", "internal"]\n'
        '[[pools]]\nname = "bots"\nagents = ["simplebot", "generalist:iggi+piers"]\n'
    )

    result = run("meta-agents", recipe, "--episodes", 3, HOAD_CHECKPOINTS=str(tmp_path))

    assert result.returncode == 0, result.stderr
    assert len(re.findall(r"\d+\.\d\d ± \d+\.\d\d", result.stdout)) == 2 * 3 * 2
    names = {path.name for path in (tmp_path / "results").iterdir()}
    assert names >= {"by_game.png", "report.html", "report.md", "results.csv", "results.json"}


def test_a_bot_in_another_program_is_a_partner_in_the_adhoc_table(tmp_path: Path) -> None:
    """Players meet it in both seats, and learn from its ten games."""
    players = ["random-partner", "bayes-moves", "nearest-response", "self-play"]
    few = {"episodes": 3, "games_per_episode": 2, "support_games": 2, "matchup_games": 4}
    recipe = write_recipe(tmp_path, partners=[PYTHON_BOT], players=players, **few)

    result = run("adhoc", recipe, HOAD_CHECKPOINTS=str(tmp_path))

    assert result.returncode == 0, result.stderr
    [row] = [line for line in result.stdout.splitlines() if line.startswith(PYTHON_BOT)][:1]
    assert len(re.findall(r"\d+\.\d\d ± \d+\.\d\d", row)) == len(players)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"players": ["zero-shot"], "partners": ["flawed"]}, ("maml/flawed", "train")),
        ({"population": "absent"}, ("absent",)),
        ({"out": "/proc/results"}, ("/proc/results",)),
    ],
)
def test_bad_recipes_are_refused_in_one_line(
    changes: dict[str, Any], named: tuple[str, ...], tmp_path: Path
) -> None:
    recipe = write_recipe(tmp_path, **({"players": ["generalist"]} | changes))

    assert_refused(run("adhoc", recipe, HOAD_CHECKPOINTS=str(tmp_path)), *named)


def test_interruption_ends_with_one_line_and_130() -> None:
    words = ["crossplay", "iggi", "piers", "--games", "10000000", "--threads", "8"]
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    with subprocess.Popen(
        command("evaluate.py", *words), stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        tasks = Path(f"/proc/{process.pid}/task")
        while process.poll() is None and len(list(tasks.iterdir())) < 8:  # until it plays
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        try:
            _, complaint = process.communicate(timeout=60)
        finally:
            process.kill()  # or else it would play on for hours

    assert process.returncode == 130
    assert len(complaint.splitlines()) == 1
