"""Tiny runs of every command, whose results must never change.

``python -m tests.golden.cases [NAME...]`` writes what these cases, or all, give in
``tests/golden/results.csv``. Only a change that is meant to change games, scores or recordings is a
reason to call it.
"""

import csv
import hashlib
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tests.meta_models import save_meta_model
from tests.scripts import ROOT, run_here

RESULTS = Path(__file__).parent / "results.csv"
"""Rows of all cases, each with the name of its case before it."""

Rows = list[list[str]]


class Workplace:
    """A folder with a few recorded games and checkpoints, in which the commands run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "checkpoints").mkdir(exist_ok=True)

    def run(self, script: str, *words: object) -> str:
        """Run a command in this process and return what it printed."""
        checkpoints = str(self.folder / "checkpoints")
        result = run_here(script, *words, HOAD_CHECKPOINTS=checkpoints)
        assert result.returncode == 0, result.stderr
        return result.stdout

    def table(self, name: str, command: str, *words: object) -> Rows:
        """Run a command of evaluate.py and return the rows that it writes."""
        out = self.folder / name
        self.run("evaluate.py", command, *words, "--out", out)
        return _read(out / "results.csv")

    def train(self, script: str, recipe: Path, *words: object) -> Rows:
        """Run a script that trains; return what it left beside the network, but for the times."""
        out = self.folder / "trained" / recipe.stem
        self.run(script, recipe, *words, "--out", out)
        [path] = [path for path in out.rglob("*.json") if path.name != "clock.json"]
        facts = json.loads(path.read_text())
        return _flat({"step": facts["step"], "measures": facts["measures"]})

    def recipe(self, file: str, /, *tables: tuple[str, dict[str, Any]], **keys: Any) -> Path:
        """Write a recipe; tables are named as in TOML, ``[naive]`` or ``[[pools]]``."""
        parts = [*_lines(keys)]
        for heading, values in tables:
            parts += [heading, *_lines(values)]
        path = self.folder / f"{file}.toml"
        path.write_text("\n".join([*parts, ""]))
        return path

    @property
    def data(self) -> Path:
        """The folder of recorded games, which are recorded when first asked for."""
        data = self.folder / "data"
        if not data.exists():
            agents = ["simplebot", "iggi", "piers", "outer"]
            recipe = self.recipe("play", agents=agents, games=80, seed=5)
            self.run("record.py", "play", recipe, "--out", data)
        return data


def _lines(values: dict[str, Any]) -> Iterator[str]:
    return (f"{key} = {json.dumps(value)}" for key, value in values.items())


def _recordings(place: Workplace) -> Rows:
    """Checksums of recorded files: of what they hold, not of how HDF5 lays it out."""
    rows = []
    for path in sorted(place.data.glob("*.h5")):
        target = place.folder / f"{path.stem}.jsonl"
        place.run("record.py", "export", path, target)
        digest = hashlib.sha256()
        for line in target.read_text().splitlines():
            game = json.loads(line)
            kept = {key: game.get(key) for key in ("players", "deck", "actions", "seed", "score")}
            digest.update(json.dumps(kept).encode())
        rows.append([path.name, digest.hexdigest()[:16]])
    return [["file", "sha256"], *rows]


def _cross_play(place: Workplace) -> Rows:
    words = ("iggi", "holmesbot", "noisy:0.1:smartbot", "--games", 30, "--seed", 2, "--json")
    return _flat(json.loads(place.run("evaluate.py", "crossplay", *words).splitlines()[-1]))


def _behaviour(place: Workplace) -> Rows:
    words = ("--agents", "iggi", "valuebot", "infobot", "--games", 20, "--self-play-games", 20)
    return place.table("behaviour", "behaviour", *words)


def _agreement(place: Workplace) -> Rows:
    words = ("--agent", "imitator:piers", place.data / "piers.h5", "--every-seat", "--json")
    facts = json.loads(place.run("evaluate.py", "agreement", *words).splitlines()[-1])
    assert list(facts.pop("networks").values()) == ["imitator:piers"]  # by the file, a path
    return _flat(facts)


def _adhoc(place: Workplace) -> Rows:
    for held_out in ("iggi", "outer"):
        save_meta_model(place.folder / "checkpoints", held_out)
    players = ["random-partner", "naive", "naive:piers", "zero-shot", "low-shot", "generalist"]
    players += ["bayes-features", "oracle", "random-response", "piers", "self-play"]
    recipe = place.recipe(
        "adhoc",
        ("[naive]", {"hidden": [16], "batch_size": 64, "epochs": 2, "precision": "float32"}),
        partners=["iggi", "outer"],
        players=players,
        agents=["piers", "iggi", "flawed"],
        pool=["piers", "flawed", "iggi", "internal"],
        episodes=4,
        games_per_episode=2,
        trials=2,
        support_games=3,
        matchup_games=3,
        cross_play_games=4,
        seed=3,
    )
    return place.table("adhoc", "adhoc", recipe)


def _imitators(place: Workplace) -> Rows:
    recipe = place.recipe("imitators", agents=["iggi"], test_games=5, games=10, seed=1)
    return place.table("imitators", "imitators", recipe, "--data", place.data)


def _matchups(place: Workplace) -> Rows:
    agents = ("--agents", "iggi", "simplebot", "outer", "--games", 6)
    printed = place.run("evaluate.py", "matchups", *agents)
    path = re.search(r"\S+\.npz", printed)
    assert path, printed
    with np.load(path[0]) as stored:
        arrays = {key: stored[key].tolist() for key in ("agents", "lenient", "strict", "features")}
    return _flat(arrays)


def _meta_agents(place: Workplace) -> Rows:
    players = ["oracle", "bayes-features", "most-likely", "likelihood", "likelihood-revealed"]
    players += ["bayes-moves", "generalist", "random-response"]
    recipe = place.recipe(
        "meta-agents",
        ("[[pools]]", {"name": "A", "agents": ["iggi", "outer"]}),
        ("[[pools]]", {"name": "B", "agents": ["piers", "simplebot"]}),
        players=players,
        episodes=2,
        games_per_episode=3,
        matchup_games=4,
        seed=2,
    )
    return place.table("meta-agents", "meta-agents", recipe)


def _meta_agents_niche(place: Workplace) -> Rows:
    recipe = place.recipe(
        "niche",
        ("[[pools]]", {"name": "1", "population": "canaan-5x5-1"}),
        players=["oracle", "niche", "bayes-features"],
        evidence="as_published",
        tell_seats_apart=False,
        seats="first",
        episodes=2,
        games_per_episode=3,
        matchup_games=2,
        seed=2,
    )
    return place.table("niche", "meta-agents", recipe)


def _populations(place: Workplace) -> Rows:
    words = ("canaan-5x5-1", "--games", 4, "--pair-games", 1)
    return place.table("populations", "populations", *words)


def _diversity(place: Workplace) -> Rows:
    games = ("--games", 2, "--pair-games", 1, "--state-games", 1)
    return place.table("diversity", "diversity", "canaan-5x5-1", "canaan-5x5-2", *games)


def _rainbow(place: Workplace) -> Rows:
    out = place.folder / "rainbow"
    place.run("evaluate.py", "rainbow", "--seeds", 1, "--games", 20, "--out", out)
    facts = json.loads((out / "results.json").read_text())
    return _flat({key: facts[key] for key in ("games", "seed", "cross_play")})


def _evolve(place: Workplace) -> Rows:
    keys = {"rules": "first-50", "grid": [4, 4], "games": 4, "random_candidates": 60}
    keys |= {"candidates": 200, "generation": 20, "save_every": 5, "final_games": 10}
    recipe = place.recipe("evolve", name="tiny", seed=4, **keys)
    out = place.folder / "evolved"
    place.run("evolve.py", recipe, "--out", out)
    population = json.loads((out / "populations" / "tiny" / "population.json").read_text())
    return _flat(population["elites"])


def _train_imitator(place: Workplace) -> Rows:
    keys = {"hidden": [16], "steps": 30, "validate_every": 15, "validation_games": 5}
    recipe = place.recipe("imitator", batch_size=32, precision="float32", **keys)
    return place.train("train_imitator.py", recipe, "--agent", "iggi", "--data", place.data)


def _train_maml(place: Workplace) -> Rows:
    keys = {"hidden": [16, 16], "steps": 6, "validate_every": 3, "tasks": 2, "games": 2}
    keys |= {"inner_lrs": [1e-2], "validation_games": 4, "play_steps": [1, 2]}
    agents = ["simplebot", "iggi", "piers", "outer"]
    recipe = place.recipe("maml", agents=agents, precision="float32", **keys)
    return place.train("train_maml.py", recipe, "--held-out", "iggi", "--data", place.data)


def _train_rainbow(place: Workplace) -> Rows:
    keys = {"steps": 40, "games": 8, "hidden": [16], "batch_size": 16, "updates": 1}
    keys |= {"validate_every": 20, "validation_games": 10, "history": 40}
    recipe = place.recipe("rainbow", precision="float32", **keys)
    return place.train("train_rainbow.py", recipe)


def _agents(place: Workplace) -> Rows:
    printed = place.run("agents.py", "list")
    return [["agent"], *([line.split()[0]] for line in printed.splitlines()[2:])]


def _rules(place: Workplace) -> Rows:
    printed = place.run("agents.py", "rules")
    return [["number", "rule"], *(line.split()[:2] for line in printed.splitlines()[2:])]


def _options(place: Workplace) -> Rows:
    """The options of every command, as ``--help`` lists them."""
    rows = [["script", "command", "option"]]
    for script in sorted(path.name for path in ROOT.glob("*.py")):
        page = place.run(script, "--help")
        chosen = re.search(r"^usage: .*\{([\w,-]+)\}", page)
        for name in chosen[1].split(",") if chosen else [""]:
            words = [name] if name else []
            matches = re.findall(r"(?<![\w-])--[a-z][\w.-]*", place.run(script, *words, "--help"))
            rows += [[script, name, option] for option in sorted({*matches})]
    return rows


CASES: dict[str, Callable[[Workplace], Rows]] = {
    "recordings": _recordings,
    "crossplay": _cross_play,
    "behaviour": _behaviour,
    "agreement": _agreement,
    "adhoc": _adhoc,
    "imitators": _imitators,
    "matchups": _matchups,
    "meta_agents": _meta_agents,
    "meta_agents_niche": _meta_agents_niche,
    "populations": _populations,
    "diversity": _diversity,
    "rainbow": _rainbow,
    "evolve": _evolve,
    "train_imitator": _train_imitator,
    "train_maml": _train_maml,
    "train_rainbow": _train_rainbow,
    "agents": _agents,
    "rules": _rules,
    "options": _options,
}
"""By name: what runs the command, and returns what must not change."""


def _read(path: Path) -> Rows:
    with path.open(newline="") as file:
        return list(csv.reader(file))


def _flat(value: Any) -> Rows:
    """Return nested JSON as rows of a path and a value."""

    def walk(path: str, value: Any) -> Iterator[list[str]]:
        if isinstance(value, dict | list):
            items = value.items() if isinstance(value, dict) else enumerate(value)
            for key, item in items:
                yield from walk(f"{path}/{key}", item)
        else:
            yield [path, str(value)]

    return [["path", "value"], *walk("", value)]


def golden() -> dict[str, Rows]:
    """Return what each case must give."""
    rows: dict[str, Rows] = {}
    for name, *row in _read(RESULTS):
        rows.setdefault(name, []).append(row)
    return rows


def write(names: Sequence[str], folder: Path) -> None:
    """Run these cases, or all, and write what they give."""
    place, rows = Workplace(folder), golden()
    for name in names or CASES:
        rows[name] = CASES[name](place)
        print(name, flush=True)
    with RESULTS.open("w", newline="") as file:
        for name in CASES:
            csv.writer(file, lineterminator="\n").writerows([name, *row] for row in rows[name])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        write(sys.argv[1:], Path(temporary))
