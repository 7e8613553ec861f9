"""The data of Canaan et al. are read as they lie in their repository."""

import csv
from itertools import product
from pathlib import Path

import pytest

from hoad.core.errors import HoadError
from hoad.evolution.population import Population, load_population
from hoad.evolution.published_files import import_published
from tests.scripts import run_here

LABELS = ("0 to 0.2", "0.2 to 0.4", "0.4 to 0.6", "0.6 to 0.8", "0.8 to 1")


@pytest.fixture(scope="module")
def populations(reference: Path) -> dict[tuple[int, int], Population]:
    """The published populations by grid and number, as they were copied by hand."""
    return {
        (size, number): load_population(
            reference / f"canaan_{size}x{size}_population_{number}.json"
        )
        for size, number in product((5, 20), (1, 2, 3))
    }


@pytest.fixture
def clone(tmp_path: Path, reference: Path, populations: dict[tuple[int, int], Population]) -> Path:
    """Files of that repository with the same data."""
    folder = tmp_path / "clone"
    pages, starter = folder / "Analyses" / "Chromosomes", folder / "starter"
    for path in (pages, starter / "FinalTOG5by5"):
        path.mkdir(parents=True)
    names = [f"<td>{n}</td><td>Rule{n}(true 0.{n})</td>" for n in range(105)]
    heading = ["<th>1</th><td>Index</td><td>Name</td>"]
    (pages / "Rulebase.html").write_text(_page(heading + names))
    for number in (1, 2, 3):
        lines = _lines(populations[20, number])
        (starter / ("2P" if number == 1 else f"2P{number}")).write_text("\n".join(lines))
        rows = _rows_of_page(populations[5, number], upside_down=number > 1)
        (pages / f"Population {number}.html").write_text(_page(rows))
        table = starter / "FinalTOG5by5" / f"Bayes{number}Matchups"
        table.write_text(_matchups(reference / "canaan_5x5_matchups.csv", number))
    return folder


def test_what_is_written_is_what_was_published_and_not_written_over(
    clone, tmp_path, reference, populations
):
    folder, table = tmp_path / "canaan", "canaan_5x5_matchups.csv"

    done = run_here("record.py", "import", clone, folder)

    assert done.returncode == 0, done.stderr
    for (size, number), published in populations.items():
        read = load_population(folder / f"canaan_{size}x{size}_population_{number}.json")
        for name in ("name", "grid", "elites"):
            assert getattr(read, name) == getattr(published, name)
    assert (folder / table).read_bytes() == (reference / table).read_bytes()
    names = [f"canaan_{size}x{size}_population_{n}.json" for size in (20, 5) for n in (1, 2, 3)]
    assert done.stdout.split() == [str(folder / name) for name in [*names, table]]
    with pytest.raises(HoadError, match="exists"):
        import_published(clone, folder)


PAGES, TABLES = "Analyses/Chromosomes", "starter/FinalTOG5by5"


@pytest.mark.parametrize(
    ("name", "change", "complaint"),
    [
        ("starter/2P2", lambda text: text.partition("\n")[2], "399 lines"),
        ("starter/2P2", lambda text: text.replace(",", ";", 1), "line 1: expected rules"),
        ("starter/2P", lambda text: text.replace("50,", "999,", 1), "niche 0,0.*999"),
        ("starter/2P", None, "cannot read this file"),
        (f"{PAGES}/Population 2.html", lambda text: text[:900], "5 rows of 5 niches"),
        (
            f"{PAGES}/Population 2.html",
            lambda text: text.replace("Rule42(", "Rule205("),
            "rule 'Rule205.*' is not in Rulebase.html",
        ),
        (f"{PAGES}/Rulebase.html", lambda text: "<p>moved</p>", "no rules"),
        (
            f"{TABLES}/Bayes3Matchups",
            lambda t: t[: t.rindex("\n")],
            "not all pairs of its 22 niches",
        ),
        (
            f"{TABLES}/Bayes1Matchups",
            lambda t: t.replace("[0,1];", "[0;1];"),
            r"line \d+: expected",
        ),
    ],
)
def test_a_damaged_file_is_refused_and_nothing_written(name, change, complaint, clone, tmp_path):
    path = clone / name
    if change:
        path.write_text(change(path.read_text()))
    else:
        path.unlink()

    with pytest.raises(HoadError, match=complaint) as raised:
        import_published(clone, tmp_path / "canaan")

    assert str(raised.value).startswith(str(path))
    assert not (tmp_path / "canaan").exists()


def _page(rows: list[str]) -> str:
    body = "</tr><tr>".join(rows)
    return f"<style>.a td {{}}</style><table><tbody><tr>{body}</tr></tbody></table>"


def _lines(population: Population) -> list[str]:
    chromosomes = {elite.niche: elite.chromosome for elite in population.elites}
    niches = product(range(20), range(20))
    return [",".join(map(str, chromosomes.get(niche, (0,) * 15))) for niche in niches]


def _rows_of_page(population: Population, upside_down: bool) -> list[str]:
    """Two rows for each row of the grid, the highest communicativeness first."""
    elites = {elite.niche: elite for elite in population.elites}
    labels = LABELS if upside_down else LABELS[::-1]
    rows = []
    for label, communicativeness in zip(labels, range(4, -1, -1), strict=True):
        scores, names = "", ""
        for information in range(5):
            elite = elites.get((communicativeness, information))
            scores += f"<td>{elite.fitness if elite else 0}</td>"
            rules = [f"Rule{n}(true 0.{n})" for n in elite.chromosome] if elite else ["N/A"]
            names += f"<td><div>{'<br>'.join(rules)}</div></td>"
        first = "<th>1</th>" + "<td>Communicativeness</td>" * (communicativeness == 4)
        rows += [f"{first}<td>{label}</td>{scores}", f"<th>2</th>{names}"]
    axis = "".join(f"<td>{label}</td>" for label in LABELS)
    return [*rows, f"<th>11</th><td></td><td></td>{axis}", "<th>12</th><td>IPP</td>"]


def _matchups(path: Path, number: int) -> str:
    lines = ["Training games = 400 chromosome file = iteration999999.json"]
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            if row["population"] == str(number):
                shown = f"{row['h_comm']} {row['h_ipp']} {row['score']}".replace("nan", "NaN")
                niches = "[{r_comm_idx},{r_ipp_idx}];[{h_comm_idx},{h_ipp_idx}]".format(**row)
                lines.append(f"{niches}: {shown}")
    return "\n".join([lines[0], *reversed(lines[1:])])
