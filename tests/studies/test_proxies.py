"""The study of proxies of people, on a small scale."""

import csv
from pathlib import Path

from hoad.replay.formats.convert import import_games
from tests.replay.formats.records import write_people
from tests.scripts import assert_refused, run_here

TINY = ("--logit-games", 6, "--hidden", 16, "--steps", 4, "--validate-every", 2, "--batch-size", 32)


def test_proxies_of_a_person_are_trained_and_measured(tmp_path: Path) -> None:
    write_people(tmp_path / "log", people=3, games=5)
    import_games(tmp_path / "log", tmp_path / "people.h5")
    people, folder = tmp_path / "people.h5", tmp_path / "checkpoints"
    words = ("models/person.toml", "--agent", "P001", "--data", people, "--out", folder)

    trained = run_here("train_imitator.py", *words, *TINY)
    made, refused = (
        run_here(
            *("evaluate.py", "proxies", people, "--people", name, "--games", 2),
            *("--out", tmp_path / name),
            HOAD_CHECKPOINTS=str(folder),
        )
        for name in ("P001", "P002")
    )

    assert (trained.returncode, made.returncode) == (0, 0), trained.stderr + made.stderr
    rows = list(csv.DictReader((tmp_path / "P001" / "results.csv").open()))
    assert [(row["person"], row["kind"]) for row in rows] == [
        ("P001", "imitator"),
        ("P001", "logit"),
    ]
    assert all(0 <= float(row["score eger-full"]) <= 25 for row in rows)
    assert_refused(refused, "imitator/P002")  # nobody trained it
